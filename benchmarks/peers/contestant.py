"""What is compared: a product in an editor, with its settings."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass

from benchmarks.peers.stage import Seat
from benchmarks.trace.typist import Editor


class Absent(Exception):
    """A product cannot be run here; its message says why, and what to do."""


@dataclass(frozen=True, slots=True)
class Contestant:
    """One row.

    Attributes:
        name: of the product, with what tells its rows apart.
        version: of the product.
        editor: what it is driven by; rows with the same one are compared.
        shape: the protocol in which it asks the model, of `benchmarks.peers.model.SHAPES`.
        settings: what is not the product's default, in words.
        opened: an editor with the passage open, warm, at a seat.
    """

    name: str
    version: str
    editor: str
    shape: str
    settings: str
    opened: Callable[[Seat], AbstractContextManager[Editor]]
