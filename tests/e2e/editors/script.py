"""What the scripted models write: a text that tells which line it was made for."""

import re
import zlib
from dataclasses import dataclass, field

UNSURE = "unsure"
"""A line with this word gets low log-probs from the local model: it is escalated."""

_SURE_LOGPROB, _UNSURE_LOGPROB = -0.01, -3.0
_PREFIX_MARK, _SUFFIX_MARK = "<|fim_prefix|>", "<|fim_suffix|>"


def fresh(left: str) -> str:
    """The text for a line that ends in `left`: a name's end, different for every line."""
    return f"_{zlib.crc32(left.encode('utf-8', 'surrogatepass')):08x}"


def is_fresh(left: str, shown: str) -> bool:
    """Is `shown` what was made for the line `left`, or the rest of it that was not typed yet?"""
    return any(
        fresh(left[:end]) == left[end:] + shown
        for end in range(len(left), max(-1, len(left) - len(fresh(""))), -1)
    )


def left_of(prompt: str) -> str:
    """The text left of the cursor on its line, from a fill-in-the-middle prompt."""
    before = prompt.rpartition(_PREFIX_MARK)[2].partition(_SUFFIX_MARK)[0]
    return re.split(r"\r\n|\n|\r", before)[-1]


@dataclass
class Script:
    """What a model writes.

    Attributes:
        answers: texts by how the line left of the cursor ends; the first that fits is written,
            where none does, `fresh`.
        mark: put before a fresh text, to tell models apart: a name's part.
        doubts: lines with the word `UNSURE` get low log-probs.
    """

    answers: dict[str, str] = field(default_factory=dict)
    mark: str = ""
    doubts: bool = False

    def text(self, prompt: str) -> str:
        """The whole answer to a prompt."""
        left = left_of(prompt)
        for ending, text in self.answers.items():
            if left.endswith(ending):
                return text
        return self.mark + fresh(left)

    def tokens(self, prompt: str) -> list[tuple[str, float]]:
        """The answer in tokens, each with its log-prob; at least three."""
        unsure = self.doubts and UNSURE in left_of(prompt)
        logprob = _UNSURE_LOGPROB if unsure else _SURE_LOGPROB
        return [(piece, logprob) for piece in re.findall(r"(?s).{1,3}", self.text(prompt))]
