"""Answers timed, from a scripted model that takes no time."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from synconfroute.clients.model import Finish, GenerationRequest, TextPrompt, Token
from synconfroute.errors import EvaluationError, PromptTooLong
from synconfroute.evaluation.generation.conditions import Conditions
from synconfroute.evaluation.generation.examples import NONE
from synconfroute.evaluation.generation.plan import Draw, Plan
from synconfroute.evaluation.latency.document import ModelLatency
from synconfroute.evaluation.latency.measuring import measure, warm
from synconfroute.evaluation.latency.stopwatch import Stopwatch
from synconfroute.server.completion.block_due import Extent
from synconfroute.server.completion.generation import Draft, begin
from synconfroute.server.completion.hole import Hole
from synconfroute.server.completion.prompt import Build
from synconfroute.server.completion.tiers import Served
from tests.evaluation.generation.functions import task, tasks
from tests.evaluation.generation.scripted import FIM, served
from tests.server.completion.scripted import ScriptedClient, ScriptedStream, Step, words

BENCH = "humaneval-single-line"
ANSWER = words("return a + b")


class Watched:
    """A source whose client follows a script at every question."""

    def __init__(self, watch: Stopwatch, script: Sequence[Step] | Exception) -> None:
        self._watch = watch
        self._script = script

    async def ready(self) -> Served:
        """It is ready."""
        return served()

    async def draft(self, hole: Hole, build: Build, extent: Extent, *, stop: bool) -> Draft:
        """The script's answer."""
        client = ScriptedClient("ollama", *[self._script] * 9, log=[])

        def request(shrink: int) -> GenerationRequest:
            most = extent.max_tokens
            return build(hole, FIM, max_tokens=most, request_id="", shrink=shrink)

        generation = await begin(self._watch.on(client), request, single_line=extent.single_line)
        return await generation.finish()

    async def aclose(self) -> None:
        """Nothing to close."""


async def measured(script: Sequence[Step] | Exception) -> ModelLatency:
    """Three tasks, and one before them."""
    watch = Stopwatch()
    plan = Plan(Draw(Path("data"), BENCH), Conditions(), tuple(tasks(4)), {BENCH: NONE})
    chosen = warm(tasks(4), tasks(4)[1:])
    return await measure("ollama", Watched(watch, script), watch, plan, chosen, lambda: None)


async def test_every_task_but_the_first_is_counted() -> None:
    """The first is of a function that no counted task is of."""
    found = await measured(ANSWER)
    assert (found.n, found.refused) == (3, 0)
    assert [each.task_id for each in found.answers] == [task(number).id for number in (1, 2, 3)]
    assert (found.provider, found.model, found.server) == ("ollama", "tiny", "Ollama 0.24.0")


async def test_the_times_of_an_answer_are_in_order() -> None:
    """First token, third token, end."""
    found = await measured(ANSWER)
    for each in found.answers:
        assert 0 <= each.first_token <= each.third_token <= each.seconds
        assert each.tokens == len(ANSWER)
        assert each.prompt_tokens > 0
    assert found.prompt_tokens_by == "estimate"
    assert found.seconds.ci95[0] <= found.seconds.median <= found.seconds.p90


async def test_a_short_answer_is_decided_at_its_end() -> None:
    """There is no third token to wait for."""
    found = await measured(ANSWER[:2])
    assert all(each.third_token == each.seconds for each in found.answers)


async def test_an_answer_of_one_token_has_no_speed() -> None:
    """Speed is between the first token and the end."""
    found = await measured(ANSWER[:1])
    assert found.tokens_per_second is None


async def test_a_server_that_takes_no_prompt() -> None:
    """One sentence; nothing is counted as a time."""
    with pytest.raises(EvaluationError, match="took none of the 3 prompts"):
        await measured(PromptTooLong("too long"))


def test_without_another_function_the_last_task_is_asked_before() -> None:
    """It is the one whose prompt the server has forgotten soonest."""
    assert warm(tasks(2), tasks(2)).first == task(1)


class Telling(ScriptedClient):
    """A client whose streams say how many tokens the prompt had."""

    async def stream(self, request: GenerationRequest) -> ScriptedStream:
        """No token, and an end that tells."""
        return Told([], [], "told")


class Told(ScriptedStream):
    """The stream."""

    @property
    def finish(self) -> Finish:
        """Seven."""
        return Finish("stop", 0, prompt_tokens=7)


@pytest.mark.parametrize(
    ("client", "counted"),
    [
        (Telling("openai", log=[]), (7, "server")),
        (ScriptedClient("openai", [Token("a")], log=[]), (2, "estimate")),
    ],
)
async def test_who_counts_the_prompt(client: ScriptedClient, counted: tuple[int, str]) -> None:
    """The server, where its answer ends by itself and says so; else an estimate."""
    watch = Stopwatch()
    stream = await watch.on(client).stream(GenerationRequest(TextPrompt("a = 1"), 5))
    async for _ in stream:
        pass
    assert watch.prompt_tokens() == counted
    await stream.aclose()
