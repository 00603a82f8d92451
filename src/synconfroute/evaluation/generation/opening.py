"""A task opened as a buffer: where the cursor is, and what stands around it."""

import re
from dataclasses import replace

from synconfroute.evaluation.datasets.task import Answers, Task
from synconfroute.server.completion.hole import Hole

_HOLE = "{{completion}}"
_WORDS = re.compile(r"[^\W\d]\w{3,}")
"""Words that are long enough to be typed half."""


def hole_of(task: Task, path: str | None = None) -> Hole:
    """The hole of a task's buffer; `path` is the file that its text is from, if it may leave."""
    return Hole(task.language, task.prefix, task.below, path=path)


def indented(task: Task) -> Task:
    """The task with its cursor behind the truth's own indentation, as an editor leaves it.

    A hole that does not begin a line stays as it is.
    """
    if task.prefix and not task.prefix.endswith("\n"):
        return task
    return _typed(task, len(task.truth) - len(task.truth.lstrip(" \t")))


def within_word(task: Task) -> Task:
    """The task with its cursor behind half of the longest word in the truth's first line.

    A truth without a word of four letters stays as it is.
    """
    words = list(_WORDS.finditer(task.truth.partition("\n")[0]))
    if not words:
        return task
    longest = max(words, key=lambda word: len(word[0]))
    return _typed(task, longest.start() + len(longest[0]) // 2)


def with_cursor(task: Task, cursor: str) -> Task:
    """The task with its cursor where `Conditions.cursor` wants it."""
    moved = {"indented": indented, "in-word": within_word}.get(cursor)
    return task if moved is None else moved(task)


def _typed(task: Task, characters: int) -> Task:
    """The task with the first characters of its truth typed already."""
    typed, truth = task.truth[:characters], task.truth[characters:]
    check = task.check
    if isinstance(check, Answers):
        check = replace(check, program=check.program.replace(_HOLE, typed + _HOLE, 1))
    return replace(task, prefix=task.prefix + typed, truth=truth, check=check)
