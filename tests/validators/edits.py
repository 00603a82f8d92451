"""States of a buffer while someone types, and damaged completions, made from any valid file.

A state is made by taking a hunk of 1 to 12 lines out of a file and typing it again: the lines above
the cursor's are there, those below are still missing, and the rest of the cursor's line is the
truth. No validator may call the truth invalid.
"""

import random
import re
from collections.abc import Iterator
from dataclasses import dataclass

KINDS = (
    "drop_bracket",
    "dup_bracket",
    "overclose",
    "cut_half",
    "drop_quote",
    "wrong_indent",
    "dup_suffix_line",
    "dup_suffix_2",
    "drop_semicolon",
    "fence",
    "fim_token",
)

_TOKENS = ("<|endoftext|>", "<|fim_pad|>", "<|fim_middle|>", "<|file_sep|>", "<EOT>", "<|im_end|>")
_CLOSERS = {"(": ")", "[": "]", "{": "}"}
_BRACKET = re.compile(r"[()\[\]{}]")
_NAME = re.compile(r"\b[a-z_]{4,}\b(?=\s*[(.=,])")
_MOST_LINES = 12


@dataclass(frozen=True, slots=True)
class State:
    """One moment of typing. Lines end with LF.

    Attributes:
        before: the buffer before the edit. It need not be code: ask the language's parser.
        prefix: the buffer before the cursor.
        truth: the rest of the line, as the author wrote it; where the editor has closed a bracket
            by itself, only what stands before that bracket.
        suffix: the buffer behind the cursor; begins with a line break or a closed bracket.
        rest: the lines of the hunk that are still to be typed, each with its line break.
        typed_from: where in the prefix the hunk begins.
    """

    before: str
    prefix: str
    truth: str
    suffix: str
    rest: str
    typed_from: int

    @property
    def buffer(self) -> str:
        """What the buffer holds before anything is inserted."""
        return self.prefix + self.suffix

    def committed(self, text: str) -> str:
        """The file when the user is done, with this text in the place of the truth."""
        line_end = self.suffix.find("\n") + 1 or len(self.suffix)
        head, tail = self.suffix[:line_end], self.suffix[line_end:]
        return f"{self.prefix}{text}{head}{self.rest}{tail}"


def states(text: str, seed: int, count: int = 4) -> Iterator[State]:
    """Up to this many states of a file, always the same ones for the same seed.

    Args:
        text: a valid file, whose lines end with LF.
        seed: any number.
        count: how many to try for; those with nothing to complete are passed over.
    """
    draw = random.Random(f"{seed}:{len(text)}")
    lines = [f"{line}\n" for line in text.removesuffix("\n").split("\n")]
    for _ in range(count):
        first = draw.randrange(len(lines))
        hunk = lines[first : first + draw.randint(1, _MOST_LINES)]
        number = draw.randrange(len(hunk))
        if not hunk[number].strip():
            continue
        state = _state(draw, lines, first, hunk, number)
        if state.truth.strip():
            yield state


def _state(
    draw: random.Random, lines: list[str], first: int, hunk: list[str], number: int
) -> State:
    above, below = "".join(lines[:first]), "".join(lines[first + len(hunk) :])
    line = hunk[number].removesuffix("\n")
    cut = _cut(draw, line)
    end = len(line)
    if draw.random() < 0.15:
        end = _closed_by_the_editor(line, cut)
    return State(
        before=above + _old(draw, hunk) + below,
        prefix=above + "".join(hunk[:number]) + line[:cut],
        truth=line[cut:end],
        suffix=f"{line[end:]}\n{below}",
        rest="".join(hunk[number + 1 :]),
        typed_from=len(above),
    )


def _cut(draw: random.Random, line: str) -> int:
    """A column to complete from: the line's start, its first character, or anywhere in it."""
    indent = len(line) - len(line.lstrip())
    return draw.choice((0, indent, *[draw.randint(indent, len(line) - 1)] * 3))


def _closed_by_the_editor(line: str, cut: int) -> int:
    """Where the bracket closes that is open at a column, or the line's end."""
    depth = 0
    for found in _BRACKET.finditer(line, cut):
        depth += 1 if found[0] in _CLOSERS else -1
        if depth < 0:
            return found.start() if found[0] in _CLOSERS.values() else len(line)
    return len(line)


def _old(draw: random.Random, hunk: list[str]) -> str:
    """What stood there before: nothing, the same, other names, or fewer lines."""
    way = draw.randrange(4)
    if way == 0:
        return ""
    if way == 1:
        return "".join(hunk)
    if way == 2:
        return _NAME.sub(lambda name: f"{name[0]}_old", "".join(hunk))
    return "".join(line for line in hunk if draw.random() < 0.6)


def mutants(state: State, seed: int) -> Iterator[tuple[str, str]]:
    """Damaged truths: one of each of `KINDS` that the truth has room for, and its text.

    Some of them are code, or become code by what the user types next: ask the parser about
    `State.committed`, and keep what it rejects.
    """
    draw = random.Random(f"{seed}:{state.typed_from}:{state.truth}")
    truth = state.truth
    yield from _without(draw, "drop_bracket", truth, "()[]{}")
    yield from _without(draw, "drop_quote", truth, "\"'`")
    yield from _without(draw, "drop_semicolon", truth, ";")
    if brackets := [found.start() for found in _BRACKET.finditer(truth)]:
        at = draw.choice(brackets)
        yield "dup_bracket", truth[:at] + truth[at] + truth[at:]
    yield "overclose", truth + draw.choice(")]}")
    if len(truth) > 3:
        yield "cut_half", truth[: len(truth) // 2]
    if state.prefix.endswith("\n") or not state.prefix:
        yield "wrong_indent", _indented_wrongly(draw, truth)
    below = [line for line in state.suffix.split("\n", 12)[1:12] if line.strip()]
    for kind, count in (("dup_suffix_line", 1), ("dup_suffix_2", 2)):
        if len(below) >= count:
            yield kind, "\n".join([truth, *below[:count]])
    yield "fence", f"{truth}\n```"
    yield "fim_token", truth + draw.choice(_TOKENS)


def _without(
    draw: random.Random, kind: str, truth: str, characters: str
) -> Iterator[tuple[str, str]]:
    if places := [at for at, character in enumerate(truth) if character in characters]:
        at = draw.choice(places)
        yield kind, truth[:at] + truth[at + 1 :]


def _indented_wrongly(draw: random.Random, truth: str) -> str:
    indent = len(truth) - len(truth.lstrip())
    if indent and draw.random() < 0.5:
        return truth[draw.randint(1, indent) :]
    return " " * draw.choice((1, 2, 3, 4)) + truth
