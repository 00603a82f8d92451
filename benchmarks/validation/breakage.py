"""The same holes in buffers that are broken elsewhere."""

import io
import random
import re
import tokenize
from dataclasses import replace

from benchmarks.validation.corpora import SEED, TRUTH, Case
from benchmarks.validation.others import parses

AWAY = 3
"""The damage is so many lines from the hole, or more."""

_MARK = re.compile(r"[()\[\]{}\"';:,]")
_ATTEMPTS = 30


def broken_elsewhere(case: Case) -> tuple[Case, bool] | None:
    """The case with one deletion or cut in a line that is not near the hole, verified broken.

    Beside it: does the damage lie in the hole's own statement? None: nothing could be broken.
    """
    draw = random.Random(f"{SEED}:{case.name}")
    head, tail = case.prefix.split("\n"), case.suffix.split("\n")
    for _ in range(_ATTEMPTS):
        lines, start = (head, 0) if draw.random() < 0.5 else (tail, AWAY)
        stop = len(head) - AWAY if lines is head else len(tail)
        if start >= stop:
            continue
        number = draw.randrange(start, stop)
        damaged = _damaged(draw, lines[number])
        if damaged is None:
            continue
        text = "\n".join([*lines[:number], damaged, *lines[number + 1 :]])
        broken = replace(case, prefix=text) if lines is head else replace(case, suffix=text)
        if not parses(case.language, broken.insertion().buffer):
            return broken, _same_statement(case, number, above=lines is head)
    return None


def _damaged(draw: random.Random, line: str) -> str | None:
    """The line without one bracket or sign, or without its second half."""
    marks = [found.start() for found in _MARK.finditer(line)]
    if draw.random() < 0.5 and marks:
        at = draw.choice(marks)
        return line[:at] + line[at + 1 :]
    content = line.strip()
    if len(content) < 4:
        return None
    return line[: line.index(content) + len(content) // 2]


def _same_statement(case: Case, number: int, *, above: bool) -> bool:
    """Does a line above or below the hole belong to the statement that the hole is in?"""
    if case.language == "python":
        hole = case.insertion().lines
        line = number + 1 if above else hole[-1] + number
        start, end = (line, hole[0]) if above else (hole[-1], line)
        return _one_logical_line(case.insertion().buffer, start, end)
    lines = (case.prefix if above else case.suffix).split("\n")
    between = "\n".join(lines[number:] if above else lines[: number + 1])
    outside = between + case.texts[TRUTH] if above else case.texts[TRUTH] + between
    return not re.search(r"[;{}]", outside)


def _one_logical_line(buffer: str, start: int, end: int) -> bool:
    try:
        ends = [
            token.start[0]
            for token in tokenize.generate_tokens(io.StringIO(buffer).readline)
            if token.type == tokenize.NEWLINE
        ]
    except (tokenize.TokenError, SyntaxError):
        return False
    return not any(start <= line < end for line in ends)
