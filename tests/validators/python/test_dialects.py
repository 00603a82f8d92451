"""Syntax that the running interpreter need not know is never invalid, and damage to it is."""

import pytest

from synconfroute.validators.insertion import Insertion
from synconfroute.validators.python import session
from synconfroute.validators.verdict import Outcome, Verdict

_TEXTS = {
    "match": """\
def read(point):
    match point:
        case Point(x=0, y=0) if ready:
            return "origin"
        case {"x": x, **rest} | [x, *rest]:
            return x
        case _:
            raise ValueError(point)
""",
    "type parameters": """\
type Pair[T] = tuple[T, T]
type Table[K: (int, str), *Vs, **P] = dict[K, Callable[P, tuple[*Vs]]]

class Box[T: Sized = list[int]](Base[T]):
    def put[**P](self, item: T, *args: P.args) -> None:
        self.item = item

    async def get[
        U,
    ](self, other: U) -> T | U:
        return self.item
""",
    "nested f-strings": """\
def show(songs, width):
    print(f"This is the playlist: {", ".join(songs)}")
    name = f"{songs["first"]!r:>{width}} {f"{f"{1 + 1}"}"}"
    return f"{'\\n'.join(songs)}" + f'{songs['a']}'
""",
    "exceptions without brackets": """\
try:
    run()
except ValueError, TypeError:
    pass

try:
    run()
except* OSError, KeyError:
    pass
""",
    "template strings": """\
def page(name):
    return t"<p>Hello {name}</p>"
""",
    "lazy imports": """\
lazy import json
lazy from os import path
x = json.loads("1")
""",
    "notebook": """\
%load_ext autoreload
%autoreload 2
!pip install --quiet numpy
import numpy as np
files = !ls *.csv
result = %timeit -o np.zeros(3)
np.zeros?
if files:
    %matplotlib inline
    !echo {files}
    print(files)
""",
    "cell magic": """\
%%time
total = sum(range(10))
print(total)
""",
}


def _holes(text: str) -> list[tuple[str, str, str]]:
    """Every line of a text, from its beginning and from its middle, and every pair of lines."""
    holes = []
    at = 0
    for line in text.splitlines(keepends=True):
        end = at + len(line) - 1
        starts = (at, at + len(line) - len(line.lstrip()), (at + end) // 2)
        holes += [(text[:start], text[start:end], text[end:]) for start in starts]
        holes.append((text[:at], line, text[end + 1 :]))
        at += len(line)
    return holes


def _verdict(prefix: str, text: str, suffix: str, before: str | None = None) -> Verdict:
    buffer = session()
    if before is not None:
        buffer.update(before)
    buffer.update(prefix + suffix)
    return buffer.judge(Insertion.of(prefix, text, suffix))


@pytest.mark.parametrize("name", _TEXTS)
@pytest.mark.parametrize("history", [True, False])
def test_what_newer_interpreters_and_notebooks_read_is_valid(name: str, history: bool) -> None:
    """Each line of such a text, as a hole, with its own words in it."""
    text = _TEXTS[name]
    for prefix, truth, suffix in _holes(text):
        verdict = _verdict(prefix, truth, suffix, text if history else None)
        assert verdict.outcome is Outcome.VALID, (prefix[-40:], truth, verdict.reason)


@pytest.mark.parametrize(
    ("prefix", "text", "suffix"),
    [
        ("class Box[T", "]](Base):", "\n    pass\n"),
        ("type Pair[T] = tuple[T, ", "T", "\nx = 1\n"),
        ("try:\n    run()\nexcept ValueError, ", "TypeError", "\n    pass\n"),
        ("%load_ext autoreload\nimport numpy as np\n", "x = np.zeros(3))", "\nprint(x)\n"),
        ("match x:\n    case 1", "", "\n        pass\n"),
    ],
)
def test_damage_in_such_code_is_invalid(prefix: str, text: str, suffix: str) -> None:
    """A closing bracket too many, an open one, a missing colon."""
    verdict = _verdict(prefix, text, suffix)
    assert verdict.outcome is Outcome.INVALID, verdict.reason


def test_a_cell_in_another_language_is_unknown() -> None:
    """Nothing is said about shell code under `%%bash`."""
    assert _verdict("%%bash\n", "for f in *; do", "\n").outcome is Outcome.UNKNOWN
