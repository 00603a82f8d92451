"""One answer, with what is recorded of it."""

import json
from typing import Any, Literal

import pytest

from synconfroute import __version__
from synconfroute.clients.model import Token
from synconfroute.errors import PromptTooLong, ServerBusy, ServerUnreachable
from synconfroute.evaluation.datasets.task import Task
from synconfroute.evaluation.generation import answering
from synconfroute.evaluation.generation.conditions import Conditions
from synconfroute.evaluation.generation.examples import Examples
from synconfroute.evaluation.generation.retrieval import order_of
from synconfroute.evaluation.predictions import Prediction, line_of
from synconfroute.server.completion.hole import Hole
from synconfroute.validators.verdict import Evidence, Outcome, Verdict
from tests.evaluation.generation.functions import task, tasks
from tests.evaluation.generation.scripted import ScriptedSource

SECRET = "a reason with the buffer's own names"
RIGHT = (Token("   ", -0.1), Token(" return", -0.2), Token(" a", -0.3), Token(" + b\n", -0.4))
PAPER = Conditions(profile="paper", prompt="chat", cut="context", validator="paper")


class Invalid:
    """Rejects every text."""

    def __init__(self) -> None:
        self.judged: list[str] = []

    async def verdict(self, hole: Hole, text: str) -> Verdict:
        """Invalid, with evidence."""
        self.judged.append(text)
        return Verdict(Outcome.INVALID, SECRET, (Evidence("name", SECRET, 1),))

    async def aclose(self) -> None:
        """Nothing to end."""


async def answered(
    source: ScriptedSource, to: Task, conditions: Conditions, which: str = "answer"
) -> tuple[Prediction, dict[str, Any]]:
    """The answer, and its line in the file."""
    asking = answering.Answering(
        "ollama",
        source,
        await source.ready(),
        conditions,
        {to.bench: Examples(order_of("static", tasks(4)), conditions.shots)},
        Invalid(),
        which,
        "/data/humaneval",
    )
    prediction = await asking.answer(to)
    return prediction, json.loads(line_of(prediction))


async def test_the_whole_provenance_is_recorded() -> None:
    """A row says who answered what, how it was asked, how it ended, and what it came to."""
    source = ScriptedSource(*RIGHT)
    _, row = await answered(source, task(0), Conditions(shots=1, cursor="indented"))
    assert row.pop("secs") >= 0
    assert abs(row.pop("confidence") - 0.8187) < 1e-4
    assert row == {
        "task_id": task(0).id,
        "text": "    return a + b\n",
        "tokens": [[token.text, token.logprob] for token in RIGHT],
        "passed": None,
        "bench": "humaneval-single-line",
        "provider": "ollama",
        "server": "Ollama 0.24.0",
        "model": "tiny",
        "profile": "live",
        "prompt": "fim",
        "shots": 1,
        "examples_as": "static",
        "examples_by": "",
        "examples": [task(1).id],
        "cursor": "indented",
        "suffix": "open",
        "indentation": "given",
        "hint": "none",
        "healing": "live",
        "cut": "live",
        "validator": "live",
        "max_tokens": 50,
        "stop": "structural",
        "temperature": 0.0,
        "seed": None,
        "version": __version__,
        "finish": "closed",
        "cut_by_limit": False,
        "preamble": 0,
        "prompt_cut": {"prefix": 0, "suffix": 0},
        "cleaned": "    return a + b",
        "cleaned_passed": None,
        "verdict": "invalid",
        "evidence": ["name"],
    }


async def test_no_row_holds_what_a_verdict_quotes() -> None:
    """Reasons and messages may name what stands in the buffer: only their kinds are recorded."""
    prediction, _ = await answered(ScriptedSource(*RIGHT), task(0), Conditions())
    assert SECRET not in line_of(prediction)


async def test_an_answer_ended_by_the_limit_is_marked() -> None:
    """The share cut off by the limit of tokens can be counted."""
    _, row = await answered(ScriptedSource(*RIGHT, ending="length"), task(0), Conditions())
    assert (row["finish"], row["cut_by_limit"]) == ("length", True)


async def test_holes_of_several_lines_have_their_own_limit() -> None:
    """Benchmarks of several lines are not stopped at the first, and get more tokens."""
    source = ScriptedSource(*RIGHT)
    _, row = await answered(source, task(0, "humaneval-multi-line"), Conditions())
    assert row["max_tokens"] == source.requests[0].max_tokens == 256
    assert source.single_line == [False]


@pytest.mark.parametrize("stop", ["structural", "none"])
async def test_the_stop_is_recorded(stop: Literal["structural", "none"]) -> None:
    """The source is told whether to end answers as the server does, and the row says so."""
    source = ScriptedSource(*RIGHT)
    conditions = Conditions(stop=stop)
    _, row = await answered(source, task(0, "humaneval-multi-line"), conditions)
    assert (source.stop, row["stop"]) == ([stop == "structural"], stop)


async def test_the_papers_confidence_takes_the_literal_first_three() -> None:
    """A fence counts, as in the paper, and is not part of the code; its indentation is repaired."""
    fence = (Token("```", -3.0), Token("python", -3.0), Token("\n", -3.0))
    source = ScriptedSource(*fence, Token("return", -0.1), Token(" a + b\n```", -0.1))
    _, row = await answered(source, task(0), PAPER, which="literal")
    assert abs(row["confidence"] - 0.0498) < 1e-4
    assert row["cleaned"] == "    return a + b"


async def test_an_empty_answer_has_no_verdict() -> None:
    """Nothing to insert does nothing to the buffer."""
    _, row = await answered(ScriptedSource(), task(0), Conditions())
    assert (row["cleaned"], row["verdict"], row["confidence"]) == ("", None, None)


async def test_a_prompt_that_fits_in_no_length_is_a_failed_answer() -> None:
    """One task that the server cannot take does not end a run of thousands."""
    source = ScriptedSource(*RIGHT)
    source.fault = PromptTooLong("too long")
    _, row = await answered(source, task(0), Conditions())
    assert (row["text"], row["finish"]) == ("", "too_long")


async def test_a_server_that_hangs_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """A run of a night does not wait for ever for one answer."""
    monkeypatch.setattr(answering, "_LONGEST_SECONDS", 0.01)
    source = ScriptedSource(*RIGHT)
    source.hangs = True
    with pytest.raises(ServerUnreachable, match="did not answer within"):
        await answered(source, task(0), Conditions())


async def test_a_busy_server_is_asked_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """A server shared with others says that it is busy: a run waits a while, and not for ever."""
    monkeypatch.setattr(answering, "_WAITS", (0.01, 0.02))
    source = ScriptedSource(*RIGHT)
    source.busy = 2
    prediction, _ = await answered(source, task(0), Conditions())
    assert prediction.text == "    return a + b\n"
    assert len(source.requests) == 3
    source.busy = 3
    with pytest.raises(ServerBusy):
        await answered(source, task(0), Conditions())
