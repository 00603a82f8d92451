"""The hole: where a completion goes, and what stands around it."""

from dataclasses import dataclass

from synconfroute.validators.mirror import Spot


@dataclass(frozen=True, slots=True)
class Hole:
    """Prefix and suffix around the cursor, with line feeds as line ends.

    Attributes:
        language: LSP language id, such as "python", "java", "cpp".
        prefix: text before the cursor.
        suffix: text after the cursor.
        path: file system path, or None for a buffer without one.
        uri: the document's identity; requests of one document supersede each other.
        version: the document's version when the hole was cut.
        whole: prefix and suffix are the whole buffer; else they are a window around the cursor,
            which says nothing about its syntax.
        explicit: the user asked (not: was typing).
        ahead: nobody asked yet: it is likely to be asked for next.
        spot: where the hole is in a buffer that the validator follows; None where it follows none.
    """

    language: str
    prefix: str
    suffix: str
    path: str | None = None
    uri: str = ""
    version: int | None = None
    whole: bool = True
    explicit: bool = False
    ahead: bool = False
    spot: Spot | None = None

    @property
    def left(self) -> str:
        """What stands on the cursor's line before the cursor."""
        return self.prefix[self.prefix.rfind("\n") + 1 :]

    @property
    def right(self) -> str:
        """What stands on the cursor's line after the cursor."""
        end = self.suffix.find("\n")
        return self.suffix if end < 0 else self.suffix[:end]

    @property
    def indentation(self) -> str:
        """White space that the cursor's line begins with, up to the cursor."""
        return self.left[: len(self.left) - len(self.left.lstrip())]
