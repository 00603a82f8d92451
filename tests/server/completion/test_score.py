"""The score: a probability that only falls with surprise and doubt, bounded at each token."""

import math
import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from synconfroute.clients.model import Token
from synconfroute.server.completion.score import (
    INVALID,
    Numbers,
    Signals,
    best_reachable,
    contributions,
    score,
    signals_of,
)
from synconfroute.server.completion.score_numbers import fitted_for
from synconfroute.server.completion.text_doubts import GAP, NEAR, REPEATS, text_doubts
from synconfroute.validators.verdict import Evidence, Outcome, Verdict, unknown

FINITE = st.floats(-1e4, 0.0)
DOUBTS = (INVALID, "name", "missing", "unreachable", "duplicate", "open", REPEATS, GAP)
LOGPROBS = st.floats(max_value=0.0, allow_nan=False)
TOKENS = st.lists(
    st.builds(Token, st.sampled_from([" ", "\n", "x", "return", ""]), LOGPROBS, st.booleans()),
    max_size=12,
)
WEIGHTS = st.dictionaries(
    st.sampled_from(["first", "smallest", "sum", *DOUBTS]), st.floats(0.0, 50.0)
)
NUMBERS = st.builds(Numbers, st.floats(-20.0, 20.0), WEIGHTS)
VERDICTS = st.builds(
    Verdict,
    st.sampled_from(list(Outcome)),
    st.just(""),
    st.lists(st.builds(Evidence, st.sampled_from(DOUBTS), st.just(""), st.just(1))).map(tuple),
)


def certain(text: str) -> list[Token]:
    """Tokens of a model that has no doubt."""
    return [Token(word, 0.0) for word in text]


@settings(deadline=None)
@given(tokens=TOKENS, shown=st.integers(0, 12), numbers=NUMBERS, verdict=VERDICTS)
def test_no_answer_scores_more_than_its_beginning_could_reach(
    tokens: list[Token], shown: int, numbers: Numbers, verdict: Verdict
) -> None:
    """Whatever follows, early rejection is never wrong about the final score."""
    signals = signals_of(tokens, "a = 1\n", "a = 1 + 2 + 3", "\n        b\n", verdict)
    if signals is not None:
        assert score(signals, numbers) <= best_reachable(tokens[:shown], numbers) + 1e-12


@settings(deadline=None)
@given(tokens=TOKENS, more=TOKENS, numbers=NUMBERS)
def test_what_can_be_reached_only_falls(
    tokens: list[Token], more: list[Token], numbers: Numbers
) -> None:
    """A token more never gives hope back."""
    assert best_reachable(tokens + more, numbers) <= best_reachable(tokens, numbers) + 1e-12


@settings(deadline=None)
@given(
    signals=st.builds(Signals, FINITE, FINITE, FINITE, st.frozensets(st.sampled_from(DOUBTS))),
    numbers=NUMBERS,
    doubt=st.sampled_from(DOUBTS),
    less=st.floats(0.0, 10.0),
)
def test_surprise_and_doubt_never_raise_it(
    signals: Signals, numbers: Numbers, doubt: str, less: float
) -> None:
    """The score is a probability and monotone in each of its parts."""
    before = score(signals, numbers)
    assert 0.0 <= before <= 1.0
    for worse in (
        Signals(signals.first - less, signals.smallest, signals.sum, signals.doubts),
        Signals(signals.first, signals.smallest - less, signals.sum, signals.doubts),
        Signals(signals.first, signals.smallest, signals.sum - less, signals.doubts),
        Signals(signals.first, signals.smallest, signals.sum, signals.doubts | {doubt}),
    ):
        assert score(worse, numbers) <= before + 1e-12


def test_the_parts_add_up_to_the_score() -> None:
    """What `contributions` says is what the score is made of."""
    numbers = Numbers(2.0, {"first": 1.0, "sum": 2.0, "open": 3.0})
    signals = Signals(-0.5, -1.0, -4.0, frozenset({"open", "name"}))
    parts = contributions(signals, numbers)
    assert parts == {"first": -0.5, "smallest": -0.0, "sum": -4.0, "name": -0.0, "open": -3.0}
    assert score(signals, numbers) == pytest.approx(1 / (1 + math.exp(5.5)))


def test_forced_tokens_and_blanks_say_nothing() -> None:
    """A grammar's tokens do not count, and white space is not in the sum."""
    tokens = [Token("    ", -3.0, forced=True), Token("  ", -1.0), Token("x", -0.5)]
    assert signals_of(tokens, "", "x", "", None) == Signals(-0.75, -1.0, -0.5)


def test_without_all_log_probs_there_is_no_score() -> None:
    """A server that gives none, or not all, leaves the decision to the verdict."""
    assert signals_of([Token("x")], "", "x", "", None) is None
    assert signals_of([Token("x", -0.1), Token("y")], "", "xy", "", None) is None
    assert best_reachable([Token("x")], Numbers(0.0, {})) == 1.0


def test_verdict_and_evidence_are_doubts() -> None:
    """Invalid and each kind of evidence, `open` only in complete code; unknown is no doubt."""
    evidence = (Evidence("open", "", 1), Evidence("name", "", 1))
    verdict = Verdict(Outcome.INVALID, "", evidence)
    typed = signals_of(certain("x"), "", "x", "", verdict)
    complete = signals_of(certain("x"), "", "x", "", verdict, complete=True)
    assert typed is not None
    assert complete is not None
    assert typed.doubts == {INVALID, "name"}
    assert complete.doubts == {INVALID, "name", "open"}
    neutral = signals_of(certain("x"), "", "x", "", unknown("late"))
    assert neutral is not None
    assert neutral.doubts == frozenset()


@pytest.mark.parametrize(
    ("prefix", "text", "suffix", "doubts"),
    [
        ("total = 0\nresult.append(total)\n", "result.append(total)", "\n", {REPEATS}),
        ("", "    result.append(total)", "\nx\nresult.append(total)\n", {REPEATS}),
        ("result.append(total)\nresult.", "append(total)", "\n", {REPEATS}),
        ("    break\n", "    break", "\n", set()),
        ("result.append(total)", "", "\n", set()),
        ("x()\n" * (NEAR + 1), "y()", "\n", set()),
        ("result.append(total)\n" + "\n" * NEAR, "result.append(total)", "\n", set()),
        ("", "def f():", "\n        return 1\n", {GAP}),
        ("", "def f():", "\n    return 1\n", set()),
        ("", "def f():", "\n\n\t\treturn 1\n", {GAP}),
        ("", "x", "", set()),
    ],
)
def test_what_a_text_gives_away(prefix: str, text: str, suffix: str, doubts: set[str]) -> None:
    """A long line that stands near, and a line below that is two levels deeper."""
    assert text_doubts(prefix, text, suffix) == doubts


@settings(deadline=None)
@given(prefix=st.text(), text=st.text(), suffix=st.text())
def test_any_text_can_be_looked_at(prefix: str, text: str, suffix: str) -> None:
    """No text raises."""
    assert text_doubts(prefix, text, suffix) <= {REPEATS, GAP}


@pytest.mark.parametrize("model", ["qwen2.5-coder:0.5b", "qwen2.5-coder:1.5b"])
def test_numbers_ship_with_their_run(model: str) -> None:
    """A sure answer is very likely right, an invalid one hardly; and the run is named."""
    fitted = fitted_for(model, "python")
    assert fitted is not None
    assert "HumanEval-Infilling" in fitted.run
    assert min(fitted.numbers.weights.values()) >= 0.0
    assert score(Signals(0.0, 0.0, 0.0), fitted.numbers) > 0.9
    assert score(Signals(0.0, 0.0, 0.0, frozenset({INVALID})), fitted.numbers) < 0.6


def test_nobody_measured_others() -> None:
    """Another model or another language has no score."""
    assert fitted_for("starcoder2:3b", "python") is None
    assert fitted_for("qwen2.5-coder:0.5b", "rust") is None


def test_scoring_imports_nothing_heavy() -> None:
    """The server scores without numpy."""
    code = (
        "import sys, synconfroute.server.completion.score_numbers as s;"
        "s.fitted_for('qwen2.5-coder:0.5b', 'python');"
        "print([m for m in ('numpy', 'scipy', 'sklearn', 'httpx') if m in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stdout.strip() == "[]"
