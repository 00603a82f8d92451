"""Everybody on the completion side who wants to know of every open document."""

from collections.abc import Sequence
from pathlib import Path

from synconfroute.server.completion.context.open_documents import Followed
from synconfroute.server.completion.context.supply import Supply
from synconfroute.validators import Validator
from synconfroute.validators.line_text import Splice
from synconfroute.validators.parsers import Share


class Followers:
    """The validator, which parses open documents, and the supply of pieces of other files."""

    def __init__(self, validator: Validator | Share, supply: Supply) -> None:
        """Both are told the same."""
        self._validator = validator
        self._supply = supply

    def folders(self, roots: Sequence[Path]) -> None:
        """These folders are open in the editor."""
        self._supply.folders(roots)

    def open(self, key: str, language: str, source: Followed) -> None:
        """There is this document; one of the same key is replaced."""
        self._validator.open(key, language, source)
        self._supply.open(key, source)

    def edit(self, key: str, splice: Splice) -> None:
        """The document has changed so."""
        self._validator.edit(key, splice)
        self._supply.edit(key, splice)

    def forget(self, key: str) -> None:
        """There is no such document any more."""
        self._validator.forget(key)
        self._supply.forget(key)
