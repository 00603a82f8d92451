"""Real files, a hunk taken out and typed again: the truth is never invalid, most damage is."""

import ast
import sysconfig
import warnings
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from synconfroute.validators.insertion import Insertion
from synconfroute.validators.python import session
from synconfroute.validators.verdict import Outcome
from tests.validators.edits import KINDS, State, mutants, states

_MODULES = [
    "argparse", "ast", "bisect", "calendar", "codecs", "configparser", "csv", "dataclasses",
    "difflib", "fnmatch", "fractions", "functools", "glob", "heapq", "inspect", "ipaddress",
    "locale", "pathlib", "shlex", "statistics", "string", "tempfile", "textwrap", "zipfile",
]  # fmt: skip
_SEED = 42


@cache
def _states(module: str) -> tuple[State, ...]:
    path = Path(sysconfig.get_path("stdlib")) / f"{module}.py"
    return tuple(states(path.read_text(encoding="utf-8"), _SEED, 10))


def _parses(text: str) -> bool:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ast.parse(text)
    except (SyntaxError, ValueError):
        return False
    return True


def _verdict(state: State, text: str, *, history: bool) -> Outcome:
    buffer = session()
    if history:
        buffer.update(state.before)
    buffer.update(state.buffer)
    return buffer.judge(Insertion.of(state.prefix, text, state.suffix)).outcome


@pytest.mark.parametrize("module", _MODULES)
def test_the_truth_is_valid_with_the_history(module: str) -> None:
    """What the author typed next is neither invalid nor unknown, whatever is still missing."""
    for state in _states(module):
        if _parses(state.before):
            assert _verdict(state, state.truth, history=True) is Outcome.VALID, state.prefix[-80:]


def test_the_truth_is_practically_never_invalid_without_a_history() -> None:
    """In a buffer never seen whole, at most one truth of a hundred is called invalid.

    Where a cut runs through two functions, what is left of the second may belong to the first as
    far as anyone can tell. Which files are cut is up to the interpreter's own library.
    """
    all_states = [state for module in _MODULES for state in _states(module)]
    outcomes = [_verdict(state, state.truth, history=False) for state in all_states]
    assert outcomes.count(Outcome.INVALID) <= len(outcomes) // 100


@pytest.mark.parametrize("history", [True, False])
def test_most_damage_is_found(history: bool) -> None:
    """85 % of the mutants that the file does not parse with, 80 % without; plain ones 97 %."""
    found: Counter[str] = Counter()
    made: Counter[str] = Counter()
    for module in _MODULES[::3]:
        for state in _states(module)[:6]:
            if not _parses(state.before):
                continue
            for kind, text in mutants(state, _SEED):
                if _parses(state.committed(text)) or _parses(state.prefix + text + state.suffix):
                    continue
                made[kind] += 1
                found[kind] += _verdict(state, text, history=history) is Outcome.INVALID
    assert set(made) == set(KINDS) - {"drop_semicolon"}
    assert found.total() >= (0.85 if history else 0.80) * made.total(), found
    plain = ("fence", "fim_token", "overclose", "drop_quote")
    assert sum(found[kind] for kind in plain) >= 0.97 * sum(made[kind] for kind in plain), found
