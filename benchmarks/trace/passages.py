"""The code that is typed, and what stands around it."""

from dataclasses import dataclass, replace
from pathlib import Path

_TEXTS = Path(__file__).with_name("texts")
_BEGIN, _END = "⟦", "⟧"
_LANGUAGES = {"py": "python", "java": "java", "cpp": "cpp"}


@dataclass(frozen=True, slots=True)
class Passage:
    """A file with a part that is yet to be typed.

    Attributes:
        name: of the file.
        language: as LSP names it.
        before: what stands above.
        text: what is typed.
        after: what stands below.
    """

    name: str
    language: str
    before: str
    text: str
    after: str

    def lines(self, most: int) -> "Passage":
        """The same with only its first lines to type; the others are not in the file."""
        return replace(self, text="".join(self.text.splitlines(keepends=True)[:most]))


def passages() -> tuple[Passage, ...]:
    """All of them: code of this repository, as it was when the trace was made."""
    return tuple(_read(file) for file in sorted(_TEXTS.glob("*.txt")))


def _read(file: Path) -> Passage:
    before, _, rest = file.read_text(encoding="utf-8").partition(_BEGIN)
    text, _, after = rest.partition(_END)
    name = file.stem
    return Passage(name, _LANGUAGES[name.rpartition(".")[2]], before, text, after)
