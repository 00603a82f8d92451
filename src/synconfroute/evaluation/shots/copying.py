"""What a wrong answer has of the examples that stood in its prompt.

The paper (§5.2) says that of 178 regressions of its 3B model 52 % are indentation-copying and 28 %
content-copying, "where the model mimics the example rather than solving the task", and not how it
told them apart. Ours go by these cues, each a fact about the text:

- `LEVEL`: moved to the true code's column it passes the tests;
- `EXAMPLES_LEVEL`: it stands at the column of an example's answer, and not at the true code's;
- `ANSWER`: it is an example's answer but for white space;
- `LINE`: a line of it, of at least two words, is a line of an example;
- `NAME`: in Python, it uses a name of an example that it does not bind itself; no builtin and no
  attribute.

For the last three nothing counts that stands in the task's own code, in the true code, or in what
the model wrote without examples: it may come from there.

A regression is of the first of these kinds that fits: indentation-copying by `LEVEL`;
content-copying by `ANSWER`, `LINE` or `NAME`; indentation-copying by `EXAMPLES_LEVEL`; other.
"""

import builtins
import keyword
import re
from collections.abc import Iterable, Sequence
from typing import Literal

from synconfroute.evaluation.datasets.task import Task
from synconfroute.evaluation.generation.indentation import level_of, moved_to
from synconfroute.evaluation.generation.opening import hole_of

Cue = Literal["level", "examples-level", "answer", "line", "name"]
Kind = Literal["indentation", "content", "other"]
KINDS: tuple[Kind, ...] = ("indentation", "content", "other")

_CONTENT: frozenset[Cue] = frozenset({"answer", "line", "name"})
_WORD = re.compile(r"\w+")
_NAME = re.compile(r"(?<![\w.])[^\W\d]\w*")
_STRING = re.compile(r"\"{3}[\s\S]*?\"{3}|'{3}[\s\S]*?'{3}|\"[^\"\n]*\"|'[^'\n]*'|#.*")
_BOUND = re.compile(
    r"\bfor\b(.+?)\bin\b|\blambda\b(.*?):|^([\w\s,*()]+?)=(?!=)|(\w+)\s*:=", re.MULTILINE
)
_OF_PYTHON = frozenset({*dir(builtins), *keyword.kwlist, *keyword.softkwlist, "self", "cls"})


def kind_of(cues: Iterable[Cue]) -> Kind:
    """The kind of a regression with these cues."""
    found = frozenset(cues)
    if "level" in found:
        return "indentation"
    if found & _CONTENT:
        return "content"
    return "indentation" if "examples-level" in found else "other"


def levelled(task: Task, text: str) -> str:
    """The text moved to the true code's column; as it is where it stands there, or has none."""
    hole = hole_of(task)
    due, level = level_of(hole, task.truth), level_of(hole, text)
    return text if due is None or level in {None, due} else moved_to(hole, text, due)


def cues_of(task: Task, text: str, before: str, examples: Sequence[Task]) -> frozenset[Cue]:
    """All cues but `LEVEL`, which only the tests can tell.

    Args:
        task: whose answer it is.
        text: the wrong answer, cleaned.
        before: the model's right answer without examples.
        examples: what stood in the prompt, each with its answer as `truth`.
    """
    own = f"{task.prefix}{task.truth}{task.below}"
    hole = hole_of(task)
    due, level = level_of(hole, task.truth), level_of(hole, text)
    levels = {level_of(hole_of(each), each.truth) for each in examples}
    text = hole.left + text
    theirs = "\n".join(f"{each.prefix}{each.truth}{each.below}" for each in examples)
    found: dict[Cue, bool] = {
        "examples-level": level is not None and level != due and level in levels,
        "answer": _squeezed(text) in {_squeezed(each.truth) for each in examples}
        and _squeezed(text) not in _lines(own),
        "line": bool(_long(_lines(text) & _lines(theirs) - _lines(f"{own}\n{before}"))),
        "name": task.language == "python"
        and bool((_names(text) - _bound(text)) & _names(theirs) - _words(f"{own}\n{before}")),
    }
    return frozenset(cue for cue, holds in found.items() if holds)


def _squeezed(text: str) -> str:
    return " ".join(text.split())


def _lines(text: str) -> set[str]:
    """The visible lines, but for white space."""
    return {_squeezed(line) for line in text.split("\n") if line.strip()}


def _long(lines: set[str]) -> set[str]:
    return {line for line in lines if len(_WORD.findall(line)) > 1}


def _words(text: str) -> set[str]:
    return set(_WORD.findall(text))


def _names(code: str) -> set[str]:
    """What Python code names: no attribute, no builtin, nothing within a string or a comment."""
    return set(_NAME.findall(_STRING.sub(" ", code))) - _OF_PYTHON


def _bound(code: str) -> set[str]:
    """Names that Python code binds within itself: loops, lambdas, assignments."""
    return {name for groups in _BOUND.findall(code) for name in _names(" ".join(groups))}
