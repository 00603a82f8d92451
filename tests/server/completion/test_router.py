"""The router: Algorithm 1 and the corners that it leaves open."""

import math
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from synconfroute.clients.model import Token
from synconfroute.server.completion import Candidate, Escalate, Keep, decide
from synconfroute.server.completion.answer import Reason
from synconfroute.server.completion.score import Signals
from synconfroute.server.completion.thresholds import (
    MEASURED,
    PAPER,
    Origin,
    model_key,
    threshold_for,
)
from synconfroute.server.settings.tree import Router, Settings
from synconfroute.validators.verdict import Evidence, Outcome, Verdict

SURE = tuple(Token("x", math.log(0.9)) for _ in range(3))
UNSURE = tuple(Token("x", math.log(0.5)) for _ in range(3))
NO_LOGPROBS = tuple(Token("x") for _ in range(3))
LOW = Escalate(Reason.LOW_CONFIDENCE)
BROKEN = Escalate(Reason.INVALID)


def verdict(outcome: Outcome) -> Verdict:
    """A verdict of this outcome."""
    return Verdict(outcome, "a reason")


def finished(tokens: tuple[Token, ...], outcome: Outcome | None, text: str = "xxx") -> Candidate:
    """A finished candidate."""
    judged = verdict(outcome) if outcome else None
    return Candidate(tokens, 0, finished=True, text=text, verdict=judged)


@pytest.mark.parametrize(
    ("candidate", "expected"),
    [
        pytest.param(finished(SURE, Outcome.VALID), Keep(), id="sure and valid is kept"),
        pytest.param(finished(SURE, Outcome.INVALID), BROKEN, id="sure and invalid escalates"),
        pytest.param(finished(SURE, Outcome.UNKNOWN), Keep(), id="unknown never escalates"),
        pytest.param(finished(UNSURE, Outcome.VALID), LOW, id="unsure escalates, valid or not"),
        pytest.param(finished(UNSURE, Outcome.INVALID), LOW, id="confidence is asked first"),
        pytest.param(finished(UNSURE, Outcome.UNKNOWN), LOW, id="unsure and unknown escalates"),
        pytest.param(finished(NO_LOGPROBS, Outcome.VALID), Keep(), id="absent: valid is kept"),
        pytest.param(finished(NO_LOGPROBS, Outcome.UNKNOWN), Keep(), id="absent: unknown is kept"),
        pytest.param(finished(NO_LOGPROBS, Outcome.INVALID), BROKEN, id="absent: invalid goes"),
        pytest.param(
            finished(UNSURE, None, text=""), Keep(), id="empty shows nothing, sends nothing"
        ),
        pytest.param(finished((), None, text=""), Keep(), id="no tokens at all"),
        pytest.param(Candidate(SURE[:2]), Keep(), id="two tokens: nothing is known yet"),
        pytest.param(Candidate(UNSURE[:2]), Keep(), id="two unsure tokens: not yet either"),
        pytest.param(Candidate(UNSURE), LOW, id="the third token settles it"),
        pytest.param(Candidate(SURE), Keep(), id="nothing speaks against it so far"),
        pytest.param(Candidate(UNSURE, None), Keep(), id="a fence may still be opening"),
        pytest.param(finished(UNSURE[:1], Outcome.VALID), LOW, id="fewer than three: at the end"),
        pytest.param(finished(SURE[:2], Outcome.VALID), Keep(), id="fewer than three and sure"),
        pytest.param(
            Candidate((SURE[0], Token("x"), UNSURE[0])), Keep(), id="incomplete: not before the end"
        ),
        pytest.param(
            finished((UNSURE[0], Token("x"), UNSURE[0]), Outcome.VALID),
            LOW,
            id="incomplete: at the end",
        ),
    ],
)
def test_corners(candidate: Candidate, expected: Keep | Escalate) -> None:
    """Each corner, with the paper's rule and threshold, and where nothing is set."""
    assert decide(candidate, _with(threshold=0.7)) == expected
    assert decide(candidate, Settings()) == expected


def test_the_threshold_itself_is_kept() -> None:
    """Algorithm 1 escalates below t*, not at it."""
    tokens = tuple(Token("x", 0.0) for _ in range(3))
    assert decide(finished(tokens, Outcome.VALID), _with(threshold=1.0)) == Keep()
    assert decide(finished(tokens, Outcome.VALID), _with(threshold=1.01)) == LOW


def test_threshold_zero_leaves_the_verdict_alone_to_decide() -> None:
    """With t = 0 no confidence is too low."""
    worst = tuple(Token("x", -math.inf) for _ in range(3))
    assert decide(finished(worst, Outcome.VALID), _with(threshold=0.0)) == Keep()
    assert decide(finished(worst, Outcome.INVALID), _with(threshold=0.0)) == BROKEN


SUSPICIOUS = Verdict(Outcome.VALID, "", (Evidence("name", "x is not defined", 3),))


def test_evidence_changes_nothing_under_the_papers_rule() -> None:
    """Evidence is no verdict."""
    candidate = replace(finished(SURE, Outcome.VALID), verdict=SUSPICIOUS)
    assert decide(candidate, _with(threshold=0.7)) == Keep()


def test_evidence_asks_for_more_confidence_under_its_rule() -> None:
    """0.9 counts as 0.45 beside evidence: kept at 0.4, escalated at 0.5, with the reason said."""
    candidate = replace(finished(SURE, Outcome.VALID), verdict=SUSPICIOUS)
    assert decide(candidate, _with(threshold=0.4, rule="evidence")) == Keep()
    assert decide(candidate, _with(threshold=0.5, rule="evidence")) == Escalate(Reason.EVIDENCE)


def test_what_is_left_open_is_no_suspicion() -> None:
    """Who is typing closes it in the next lines."""
    opened = Verdict(Outcome.VALID, "", (Evidence("open", "the block goes on", 3),))
    candidate = replace(finished(SURE, Outcome.VALID), verdict=opened)
    assert decide(candidate, _with(threshold=0.9 - 1e-9, rule="evidence")) == Keep()


def test_evidence_alone_escalates_nothing() -> None:
    """Without log-probs the verdict alone decides, under either rule."""
    candidate = replace(finished(NO_LOGPROBS, Outcome.VALID), verdict=SUSPICIOUS)
    assert decide(candidate, _with(threshold=0.7, rule="evidence")) == Keep()


@given(
    logprobs=st.lists(st.floats(-20, 0), min_size=3, max_size=8),
    outcome=st.sampled_from(Outcome),
    suspicious=st.booleans(),
    threshold=st.floats(0, 1.01),
)
def test_the_evidence_rule_only_escalates_more(
    logprobs: list[float], outcome: Outcome, suspicious: bool, threshold: float
) -> None:
    """What the paper's rule escalates, the rule `evidence` does, for the same reason."""
    tokens = tuple(Token("x", logprob) for logprob in logprobs)
    judged = Verdict(outcome, "", SUSPICIOUS.evidence if suspicious else ())
    candidate = replace(finished(tokens, outcome), verdict=judged)
    papers = decide(candidate, _with(threshold=threshold))
    ours = decide(candidate, _with(threshold=threshold, rule="evidence"))
    if isinstance(papers, Escalate) or not suspicious:
        assert ours == papers


MODEL = "qwen2.5-coder:0.5b"


def scored(
    logprobs: list[float], outcome: Outcome = Outcome.VALID, doubts: frozenset[str] = frozenset()
) -> Candidate:
    """A finished answer of a model that a score was fitted for."""
    tokens = tuple(Token("x", logprob) for logprob in logprobs)
    signals = Signals(sum(logprobs[:3]) / 3, min(logprobs), sum(logprobs), doubts)
    return replace(finished(tokens, outcome), signals=signals, model=MODEL, language="python")


class TestScore:
    """The rule `score`."""

    def test_a_likely_answer_is_kept_and_a_doubtful_one_escalates(self) -> None:
        """What it lacks is named: its tokens, or what speaks against it."""
        rule = _with(threshold=0.7, rule="score")
        assert decide(scored([-0.01] * 5), rule) == Keep()
        assert decide(scored([-3.0] * 5), rule) == LOW
        doubtful = scored([-0.01] * 5, doubts=frozenset({"name"}))
        assert decide(doubtful, rule) == Escalate(Reason.EVIDENCE)

    def test_invalid_escalates_whatever_the_score(self) -> None:
        """It would not be shown."""
        rule = _with(threshold=0.0, rule="score")
        assert decide(scored([-0.01] * 5, Outcome.INVALID), rule) == BROKEN

    def test_without_log_probs_the_verdict_alone_decides(self) -> None:
        """As under every rule."""
        rule = _with(threshold=1.0, rule="score")
        bare = replace(finished(NO_LOGPROBS, Outcome.VALID), model=MODEL, language="python")
        broken = replace(finished(NO_LOGPROBS, Outcome.INVALID), model=MODEL, language="python")
        assert decide(bare, rule) == Keep()
        assert decide(broken, rule) == BROKEN

    def test_a_model_without_a_score_has_the_rule_evidence(self) -> None:
        """The same in a language that it was not fitted in."""
        suspicious = replace(scored([-0.1] * 3), verdict=SUSPICIOUS)
        others = replace(suspicious, model="other"), replace(suspicious, language="cobol")
        for candidate in others:
            for threshold in (0.4, 0.7):
                assert decide(candidate, _with(threshold, rule="score")) == decide(
                    candidate, _with(threshold, rule="evidence")
                )

    @given(
        logprobs=st.lists(st.floats(-20, 0), min_size=3, max_size=8),
        doubts=st.frozensets(st.sampled_from(["name", "missing", "open", "repeats", "gap"])),
        threshold=st.floats(0, 1),
    )
    def test_what_is_rejected_early_is_rejected_at_the_end(
        self, logprobs: list[float], doubts: frozenset[str], threshold: float
    ) -> None:
        """From the third token on; before it nothing is."""
        rule = _with(threshold=threshold, rule="score")
        whole = scored(logprobs, doubts=doubts)
        for length in range(1, len(logprobs) + 1):
            growing = replace(whole, tokens=whole.tokens[:length], finished=False, signals=None)
            early = decide(growing, rule)
            if length < 3:
                assert early == Keep()
            if early == LOW:
                assert isinstance(decide(whole, rule), Escalate)

    def test_hopeless_answers_are_escalated_at_the_third_token(self) -> None:
        """Long before the text is there."""
        tokens = tuple(Token("x", -5.0) for _ in range(3))
        growing = Candidate(tokens, 0, model=MODEL, language="python")
        assert decide(growing, _with(threshold=0.7, rule="score")) == LOW
        opening = replace(growing, preamble=None)
        assert decide(opening, _with(threshold=0.7, rule="score")) == Keep()


class TestThreshold:
    """Which threshold holds."""

    CALIBRATED = Router(rule="paper", thresholds={"paper/qwen2.5-coder:0.5b/python": 0.33})

    def test_a_model_nobody_measured_has_the_papers(self) -> None:
        """0.7."""
        found = threshold_for(Router(), "some-model:1b", "python")
        assert (found.value, found.origin) == (PAPER, Origin.PAPER)

    def test_a_measured_model_has_its_own_with_the_run(self) -> None:
        """Per language: the run says nothing about another one."""
        for each in MEASURED:
            for rule, value in each.values.items():
                found = threshold_for(Router(rule=rule), each.models[0], each.language)
                assert (found.value, found.origin) == (value, Origin.MEASURED)
                assert found.run == each.run
        assert threshold_for(Router(), "qwen2.5-coder:0.5b", "cobol").origin is Origin.PAPER

    def test_calibrated_wins_over_measured(self) -> None:
        """For its rule, model and language only."""
        found = threshold_for(self.CALIBRATED, "qwen2.5-coder:0.5b", "python")
        assert (found.value, found.origin) == (0.33, Origin.CALIBRATED)
        other = replace(self.CALIBRATED, rule="evidence")
        assert threshold_for(other, "qwen2.5-coder:0.5b", "python").origin is Origin.MEASURED
        assert threshold_for(self.CALIBRATED, "qwen2.5-coder:3b", "python").value == PAPER

    def test_the_users_own_number_wins_over_all(self) -> None:
        """`router.threshold` holds for every model and language."""
        router = replace(self.CALIBRATED, threshold=0.9)
        assert threshold_for(router, "qwen2.5-coder:0.5b", "python").value == 0.9

    @pytest.mark.parametrize(
        "name",
        ["/models/Qwen2.5-Coder-3B.gguf", "C:\\models\\qwen2.5-coder-3b.gguf", "Qwen2.5-Coder-3B"],
    )
    def test_a_model_is_known_by_its_name_alone(self, name: str) -> None:
        """Neither its folder, nor the file's ending, nor case."""
        assert model_key(name) == "qwen2.5-coder-3b"

    def test_decide_uses_it(self) -> None:
        """The candidate says which model and language it is of."""
        candidate = replace(
            finished(UNSURE, Outcome.VALID), model="qwen2.5-coder:0.5b", language="python"
        )
        assert decide(candidate, Settings(router=Router(rule="paper"))) == LOW
        assert decide(candidate, Settings(router=self.CALIBRATED)) == Keep()


@given(
    logprobs=st.lists(st.floats(-20, 0), min_size=3, max_size=8),
    outcome=st.sampled_from([Outcome.VALID, Outcome.INVALID]),
    threshold=st.floats(0, 1.01),
)
def test_is_algorithm_1(logprobs: list[float], outcome: Outcome, threshold: float) -> None:
    """On finished answers with log-probs and a parser it is the paper's rule."""
    tokens = tuple(Token("x", logprob) for logprob in logprobs)
    sureness = math.exp(math.fsum(logprobs[:3]) / 3)
    larger = sureness < threshold or outcome is Outcome.INVALID
    decision = decide(finished(tokens, outcome), _with(threshold=threshold, confidence="literal"))
    assert isinstance(decision, Escalate) == larger


@given(st.lists(st.floats(-20, 0), min_size=3, max_size=8), st.floats(0, 1))
def test_deciding_early_is_deciding_right(logprobs: list[float], threshold: float) -> None:
    """What the third token decides is what the finished answer decides."""
    tokens = tuple(Token("x", logprob) for logprob in logprobs)
    early = decide(Candidate(tokens[:3]), _with(threshold=threshold))
    late = decide(finished(tokens, Outcome.VALID), _with(threshold=threshold))
    assert early == late


def _with(threshold: float, confidence: str = "answer", rule: str = "paper") -> Settings:
    return Settings(router=Router(rule=rule, threshold=threshold, confidence=confidence))
