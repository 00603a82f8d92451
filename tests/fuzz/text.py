"""What an editor shows: the plainest model of a document, to compare the server's copy with."""

import hashlib
import random
import re
from dataclasses import dataclass
from typing import Any

_LINE_END = re.compile(r"\r\n|\n|\r")

PIECES = (
    "", "x", " ", "    ", "\n", "\n", "\r\n", "\r", "\t", "def f(a, b):\n    return ", "a + b",
    "class A {\n  int f() { return 1; }\n}\n", "for (;;) {", "}\n", "}", "(", ")", "[", '"', "'",
    "'''", "# é\n", "🦓", "/* ", " */", "\u2028", "\x0b", "\0", "\ufeff", "\ud83d", "\ude00",
    "if x:\n", "    pass\n", "return value\n", "import os\n", "e\u0301", "\\\n", "<b",
    "lambda: 1\n", "x = [i for i in range(9)]\n", "\u202e", "\x1b[31m",
    "#include <vector>\n", "fn main() {}\n",
)  # fmt: skip
"""What is typed and pasted."""


@dataclass
class Shown:
    """A document as the editor shows it.

    Attributes:
        uri: its name.
        language: LSP language id.
        version: of its text.
        text: what stands in it.
    """

    uri: str
    language: str
    version: int
    text: str

    def place(self, rng: random.Random) -> tuple[dict[str, int], int]:
        """A position as LSP writes it, and the same as an offset. May be beyond a line's end."""
        at = rng.randint(0, len(self.text))
        if at < len(self.text) and self.text[at] == "\n" and self.text[:at].endswith("\r"):
            at -= 1
        starts = [0, *(end.end() for end in _LINE_END.finditer(self.text, 0, at))]
        # A "\r" at the very end of what was searched may be the first half of a line end.
        line = len(starts) - 1
        column = units(self.text[starts[-1] : at])
        if rng.random() < 0.02:
            end = _LINE_END.search(self.text, at)
            at, column = (len(self.text) if end is None else end.start()), column + 1_000_000
        return {"line": line, "character": column}, at

    def end(self) -> tuple[dict[str, int], int]:
        """The same for the end of the text."""
        starts = [0, *(end.end() for end in _LINE_END.finditer(self.text))]
        column = units(self.text[starts[-1] :])
        return {"line": len(starts) - 1, "character": column}, len(self.text)

    def edit(self, rng: random.Random) -> dict[str, Any]:
        """Change the text somewhere; the change as LSP writes it."""
        new = "".join(rng.choice(PIECES) for _ in range(rng.choice((1, 1, 1, 2, 6))))
        if len(self.text) > 6_000 or rng.random() < 0.01:
            self.text = joined(new)
            return {"text": new}
        (one, at), (other, until) = self.place(rng), self.place(rng)
        if rng.random() < 0.8:
            other, until = one, at
        elif until < at:
            one, at, other, until = other, until, one, at
        self.text = joined(self.text[:at] + new + self.text[until:])
        return {"range": {"start": one, "end": other}, "text": new}

    def digest(self) -> dict[str, Any]:
        """What `synconfroute.digest` must say of it."""
        text = _LINE_END.sub("\n", self.text)
        content = text.encode("utf-8", "surrogatepass")
        return {
            "version": self.version,
            "characters": len(text),
            "sha256": hashlib.sha256(content).hexdigest(),
        }


def joined(text: str) -> str:
    """Editors hold UTF-16: two halves side by side are one character."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")


def units(text: str) -> int:
    """UTF-16 code units."""
    return len(text) + sum(character > "\uffff" for character in text)
