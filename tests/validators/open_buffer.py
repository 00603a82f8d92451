"""A buffer as an editor's side keeps it, for tests: a text, edited by whole lines."""

from synconfroute.validators import Validator
from synconfroute.validators.line_text import Splice
from synconfroute.validators.mirror import Spot


class OpenBuffer:
    """A source that counts how often all of its text was wanted."""

    def __init__(self, text: str, key: str = "a") -> None:
        self.key = key
        self.revision = 0
        self.reads = 0
        self._lines = text.split("\n")

    @property
    def text(self) -> str:
        """All of it."""
        self.reads += 1
        return "\n".join(self._lines)

    @property
    def size(self) -> int:
        """How many characters."""
        return sum(map(len, self._lines)) + len(self._lines) - 1

    def splice(self, first: int, stop: int, lines: list[str]) -> Splice:
        """Put lines in the place of others, and tell what a validator is to be told."""
        self._lines[first:stop] = lines
        self.revision += 1
        text = "\n".join(lines)
        return Splice(first, stop, text if first + len(lines) == len(self._lines) else f"{text}\n")

    def spot(self, line: int, character: int = 0, lead: str = "") -> Spot:
        """A place in it as it is now."""
        return Spot(self.key, self.revision, line, character, lead)

    def typed(self, validator: Validator, line: int, content: str) -> Spot:
        """Let the line hold this now, tell the validator, and go to the end of the line."""
        validator.edit(self.key, self.splice(line, line + 1, [content]))
        return self.spot(line, len(content))
