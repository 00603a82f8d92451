"""What a run came to."""

from dataclasses import replace

from synconfroute.evaluation.generation.summary import Summary, summaries
from synconfroute.evaluation.predictions import Prediction
from tests.evaluation.generation.functions import answer, task


def row(number: int, bench: str, *, raw: bool, cleaned: bool, **said: object) -> Prediction:
    """An executed answer."""
    made = {
        "model": "tiny",
        "verdict": "valid",
        "cut_by_limit": False,
        "prompt_cut": {"prefix": 0, "suffix": 0},
        "cleaned_passed": cleaned,
        **said,
    }
    plain = answer(task(number, bench))
    return replace(
        plain, passed=raw, seconds=float(number), provenance={**plain.provenance, **made}
    )


def test_each_benchmark_has_its_own_figures() -> None:
    """Shares are of one benchmark's answers; benchmarks are never averaged."""
    found = summaries(
        [
            row(1, "a", raw=False, cleaned=True),
            row(2, "b", raw=True, cleaned=True, cut_by_limit=True),
            row(3, "a", raw=True, cleaned=True, verdict="invalid"),
            row(5, "a", raw=False, cleaned=False, prompt_cut={"prefix": 9, "suffix": 0}),
            row(7, "a", raw=False, cleaned=False, verdict="unknown"),
        ]
    )
    assert found == [
        Summary("a", "tiny", 4, 0.25, 0.5, 0.25, 0.25, 0.0, 0.25, 4.0),
        Summary("b", "tiny", 1, 1.0, 1.0, 0.0, 0.0, 1.0, 0.0, 2.0),
    ]


def test_the_figures_in_a_sentence() -> None:
    """What is not judged, or cut, is told beside what passes."""
    (found,) = summaries([row(1, "a", raw=True, cleaned=True, verdict="unknown")])
    assert found.sentence == (
        "tiny on a: 1 tasks, 100.0% right raw, 100.0% cleaned, 0.0% invalid, 100.0% not judged,"
        " 0.0% ended by the limit, 0.0% with a cut prompt, 1.00 s in the middle."
    )
