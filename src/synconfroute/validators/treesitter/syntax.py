"""Parses small pieces of code, in bounded time."""

import re
import time
from typing import TYPE_CHECKING

from synconfroute.validators.grammar import Undecidable
from synconfroute.validators.treesitter.language import Language

if TYPE_CHECKING:
    from tree_sitter import Tree

_LATE = "the parser did not finish in time"
_MOST_BYTES = 64_000


class Syntax:
    """A language's grammar."""

    def __init__(self, language: Language) -> None:
        from tree_sitter import Parser

        self._parser = Parser(language.grammar())
        self._gaps = [(re.compile(form, re.MULTILINE), other) for form, other in language.gaps]
        self._end = 0.0

    def begin(self, seconds: float) -> None:
        """From now on, parsing may take so much processor time in all."""
        self._end = time.thread_time() + seconds

    def parses(self, code: str) -> bool:
        """Is this a program?

        Raises:
            Undecidable: the parser would take too long.
        """
        return not self._tree(code).root_node.has_error

    def _tree(self, code: str) -> "Tree":
        # Some tokens need a line break after them; without one the root has an error that no
        # node shows.
        for form, other in self._gaps:
            code = form.sub(other, code)
        data = f"{code}\n".encode()
        if len(data) > _MOST_BYTES:
            raise Undecidable("the statement around the text is too long")
        if time.thread_time() > self._end:
            raise Undecidable(_LATE)
        try:
            return self._parser.parse(
                lambda offset, _: data[offset:],
                progress_callback=lambda *_: time.thread_time() > self._end,
            )
        except ValueError:
            self._parser.reset()
            raise Undecidable(_LATE) from None
