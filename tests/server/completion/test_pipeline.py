"""One request end to end, in order: who is asked when, what is closed, what is shown."""

import asyncio
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from synconfroute.clients.model import Token
from synconfroute.errors import KeyRefused, PromptTooLong, ServerFault, ServerUnreachable
from synconfroute.server.completion.admission import Admission
from synconfroute.server.completion.answer import Answer, Provenance, Reason, Tier
from synconfroute.server.completion.escalation import OrgTier
from synconfroute.server.completion.hole import Hole
from synconfroute.server.completion.ledger import Ledger
from synconfroute.server.completion.pipeline import Pipeline
from synconfroute.server.settings.tree import Escalation, Limits, Org, Settings
from synconfroute.validators.mirror import Spot
from synconfroute.validators.verdict import Evidence, Outcome
from tests.ledger_lines import lines_in
from tests.server.completion.scripted import (
    SURE,
    UNSURE,
    ScriptedClient,
    ScriptedLocal,
    ScriptedValidator,
    Step,
    words,
)

Script = list[Step]

GOOD = "return a + b"
BAD = "return a + + )"
BETTER = "return a * b"


class World:
    """A pipeline between scripted ends, and what happened in it."""

    def __init__(self, folder: Path) -> None:
        self.log: list[str] = []
        self.notices: list[str] = []
        self.made: list[Provenance] = []
        self.folder = folder
        self.file = folder / "calc.py"
        self.file.write_text("")
        self.settings = Settings(org=Org(url="http://127.0.0.1:1/v1", model="big"))
        self.now = 0.0
        self.admission: Admission | None = None
        self.foresees = False
        self.judge: Callable[[str], Outcome] = lambda text: (
            Outcome.INVALID if text == BAD else Outcome.VALID
        )

    @property
    def ledger_lines(self) -> list[dict[str, object]]:
        """The ledger's line of each request that left."""
        return lines_in((self.folder / "ledger").glob("*.jsonl"), "sent")

    def pipeline(
        self, *local: Script | Exception, org: list[Script | Exception] | None = None
    ) -> Pipeline:
        """The pipeline with these scripts."""
        self.local = ScriptedLocal(ScriptedClient("local", *local, log=self.log))
        self.org = ScriptedClient("org", *(org or []), log=self.log)
        ledger = Ledger(self.folder / "ledger")
        self.validator = ScriptedValidator(self.judge, self.log)
        return Pipeline(
            self.settings,
            self.local,
            OrgTier(
                self.settings,
                ledger,
                self.org if org is not None else None,
                admission=self.admission,
            ),
            self.validator,
            on_notice=self.notices.append,
            on_made=lambda _, made: self.made.append(made),
            foresees=self.foresees,
        )

    def hole(self, **changes: object) -> Hole:
        """A hole in a Python function."""
        hole = Hole(
            "python", "def f(a, b):\n    ", "\n", path=str(self.file), uri="file:///calc.py"
        )
        return replace(hole, **changes)  # type: ignore[arg-type]

    async def complete(
        self, *local: Script | Exception, org: list[Script | Exception] | None = None
    ) -> Answer:
        """One answer."""
        async with asyncio.timeout(20):
            return await self.pipeline(*local, org=org).complete(self.hole())


@pytest.fixture
def world(tmp_path: Path) -> World:
    """A world with an organisation server configured."""
    return World(tmp_path)


async def test_sure_and_valid_is_kept_and_nothing_leaves(world: World) -> None:
    """Algorithm 1, last line: the local answer, and no ledger entry."""
    answer = await world.complete([*words(GOOD)], org=[])
    assert answer.text == GOOD
    assert answer.provenance.tier is Tier.LOCAL
    assert answer.provenance.reason is Reason.KEPT
    assert answer.provenance.verdict is Outcome.VALID
    assert answer.provenance.confidence == pytest.approx(0.951, abs=1e-3)
    assert world.ledger_lines == []
    assert world.log == ["local asked", f"judged {GOOD!r}", "local closed"]


async def test_what_stands_right_below_is_not_shown_once_more(world: World) -> None:
    """The text is kept by the rule, and there is nothing in it that the buffer lacks."""
    hole = world.hole(suffix=f"\n    {GOOD}\n")
    answer = await world.pipeline([*words(GOOD)]).complete(hole)
    assert (answer.text, answer.provenance.tier) == (None, None)
    assert answer.provenance.reason is Reason.EMPTY


async def test_low_confidence_leaves_at_the_third_token(world: World) -> None:
    """The org request is sent while the local stream waits for its fourth token."""
    never = asyncio.Event()
    local: Script = [*words("return x y", UNSURE), never]
    answer = await world.complete(local, org=[[*words(BETTER)]])
    assert answer.text == BETTER
    assert answer.provenance.tier is Tier.ORG
    assert answer.provenance.model == "org-model"
    assert answer.provenance.reason is Reason.LOW_CONFIDENCE
    assert answer.provenance.tokens_generated == answer.provenance.tokens_discarded == 3
    assert world.log.index("org asked") < world.log.index("local closed")


async def test_the_hedge_finishes_while_the_org_thinks_and_is_shown_if_it_fails(
    world: World,
) -> None:
    """A low-confidence local answer is better than none."""
    answer = await world.complete(
        [*words(GOOD, UNSURE)], org=[ServerUnreachable("The server is down: start it.")]
    )
    assert answer.text == GOOD
    assert answer.provenance.tier is Tier.LOCAL
    assert answer.provenance.reason is Reason.LOW_CONFIDENCE
    assert answer.provenance.problem == "The server is down: start it."
    assert world.notices == ["The server is down: start it."]


async def test_without_a_hedge_the_local_stream_is_closed_first(world: World) -> None:
    """`escalation.hedge = false` frees the local model at once."""
    world.settings = replace(world.settings, escalation=Escalation(hedge=False))
    never = asyncio.Event()
    answer = await world.complete([*words("return x y", UNSURE), never], org=[[*words(BETTER)]])
    assert answer.text == BETTER
    assert "local closed" in world.log


async def test_invalid_goes_to_the_org_when_the_text_is_whole(world: World) -> None:
    """Algorithm 1, second test: the verdict on the finished text."""
    answer = await world.complete([*words(BAD)], org=[[*words(BETTER)]])
    assert answer.text == BETTER
    assert answer.provenance.reason is Reason.INVALID
    assert answer.provenance.verdict is Outcome.VALID
    assert world.log.index(f"judged {BAD!r}") < world.log.index("org asked")


async def test_evidence_goes_to_the_org_when_the_text_is_whole(world: World) -> None:
    """The default where no score was fitted; the reason stands in the ledger too."""
    pipeline = world.pipeline([*words(GOOD)], org=[[*words(BETTER)]])
    world.validator.evidence = (Evidence("name", "nothing defines b", 2),)
    answer = await pipeline.complete(world.hole())
    assert answer.text == BETTER
    assert answer.provenance.reason is Reason.EVIDENCE
    assert answer.provenance.tier is Tier.ORG
    assert answer.provenance.evidence == world.validator.evidence
    assert [line["reason"] for line in world.ledger_lines] == ["evidence"]


async def test_a_model_with_a_score_is_routed_by_it(world: World) -> None:
    """Sure at its beginning and lost behind it: confidence would keep it, the score does not."""
    lost = [*words("return a + b", SURE), *words(" c d e f g h", -4.0)]
    expected = {"unmeasured": Reason.KEPT, "qwen2.5-coder:0.5b": Reason.LOW_CONFIDENCE}
    for model, reason in expected.items():
        pipeline = world.pipeline(list(lost))
        world.local.client.rename(model)
        answer = await pipeline.complete(world.hole())
        assert answer.provenance.reason is reason


@pytest.mark.parametrize(
    ("local", "org", "shown"),
    [
        (GOOD, BETTER, BETTER),
        (GOOD, BAD, GOOD),
        (BAD, BAD, None),
        (GOOD, "", GOOD),
        ("", BETTER, BETTER),
        ("", BAD, None),
    ],
)
async def test_what_is_shown(world: World, local: str, org: str, shown: str | None) -> None:
    """The org answer if usable, else the local one if usable, else nothing."""
    leak = [Token("<|", UNSURE), Token("fim", UNSURE), Token("_pad|>", UNSURE)]
    script = words(local, UNSURE) if local else leak
    answer = await world.complete([*script], org=[[*words(org)]])
    assert answer.text == shown
    assert answer.provenance.reason is Reason.LOW_CONFIDENCE


async def test_invalid_without_an_org_server_shows_nothing(world: World) -> None:
    """Broken code is not shown, and the reason says what would have happened."""
    world.judge = lambda _: Outcome.INVALID
    answer = await world.complete([*words(BAD)])
    assert answer.text is None
    assert answer.provenance.tier is None
    assert answer.provenance.reason is Reason.INVALID
    assert answer.provenance.verdict is Outcome.INVALID


async def test_invalid_is_repaired_where_nothing_can_be_escalated(world: World) -> None:
    """What is shown is valid; that it is a repair, and of what, is told."""
    world.judge = lambda text: Outcome.VALID if text == "total = a" else Outcome.INVALID
    answer = await world.complete([*words("total = a )")])
    assert answer.text == "total = a"
    assert answer.provenance.tier is Tier.LOCAL
    assert answer.provenance.reason is Reason.INVALID
    assert answer.provenance.verdict is Outcome.VALID
    assert answer.provenance.repaired is Outcome.INVALID


async def test_invalid_is_repaired_where_policy_keeps_it_here(world: World) -> None:
    """A buffer that may not leave gets what can be had on this machine."""
    world.judge = lambda text: Outcome.VALID if text == "total = a" else Outcome.INVALID
    pipeline = world.pipeline([*words("total = a )")], org=[])
    answer = await pipeline.complete(world.hole(path=str(world.folder / ".env")))
    assert answer.text == "total = a"
    assert answer.provenance.reason is Reason.REFUSED_POLICY
    assert answer.provenance.repaired is Outcome.INVALID


async def test_invalid_is_repaired_where_the_org_server_fails(world: World) -> None:
    """What could not be had from there is made of what is here."""
    world.judge = lambda text: Outcome.VALID if text == "total = a" else Outcome.INVALID
    answer = await world.complete(
        [*words("total = a )")], org=[ServerUnreachable("The server is down: start it.")]
    )
    assert answer.text == "total = a"
    assert answer.provenance.tier is Tier.LOCAL
    assert answer.provenance.repaired is Outcome.INVALID


async def test_invalid_is_escalated_rather_than_repaired(world: World) -> None:
    """Most invalid answers are wrong beyond repair: the larger model is asked at once."""
    answer = await world.complete([*words(BAD)], org=[[*words(BETTER)]])
    assert answer.text == BETTER
    assert answer.provenance.repaired is None
    assert [entry for entry in world.log if entry.startswith("judged")] == [
        f"judged {BAD!r}",
        f"judged {BETTER!r}",
    ]


async def test_a_header_is_moved_before_the_decision(world: World) -> None:
    """It stays local, with what was said of the text as it came."""
    pipeline = world.pipeline([*words("def g(a):")], org=[])
    hole = world.hole(prefix="def f(a):\n", suffix="\n        return a\n    return g(1)\n")
    answer = await pipeline.complete(hole)
    assert answer.text == "    def g(a):"
    assert answer.provenance.reason is Reason.KEPT
    assert answer.provenance.repaired is Outcome.VALID


async def test_repairing_ends_at_the_deadline(world: World) -> None:
    """A parser that hangs costs the time of one verdict, and nothing is shown."""
    world.settings = replace(world.settings, limits=Limits(validation_ms=50))
    world.judge = lambda _: Outcome.INVALID
    pipeline = world.pipeline([*words("total = a )")])
    world.validator.hangs_after = 1
    async with asyncio.timeout(20):
        answer = await pipeline.complete(world.hole())
    assert answer.text is None
    assert answer.provenance.reason is Reason.INVALID


async def test_low_confidence_without_an_org_server_is_shown(world: World) -> None:
    """Nothing better can be had."""
    answer = await world.complete([*words(GOOD, UNSURE)])
    assert answer.text == GOOD
    assert answer.provenance.tier is Tier.LOCAL
    assert answer.provenance.reason is Reason.LOW_CONFIDENCE


async def test_without_logprobs_a_valid_answer_is_kept(world: World) -> None:
    """Absent confidence: the verdict alone decides."""
    answer = await world.complete([*words(GOOD, None)], org=[])
    assert answer.text == GOOD
    assert answer.provenance.confidence is None
    assert answer.provenance.reason is Reason.KEPT


async def test_an_empty_answer_escalates_nothing(world: World) -> None:
    """A model with nothing to say is no reason to send code away."""
    answer = await world.complete([Token("  ", SURE)], org=[])
    assert answer.text is None
    assert answer.provenance.reason is Reason.EMPTY
    assert world.ledger_lines == []


async def test_the_ledger_line_is_written_before_the_request(world: World) -> None:
    """One line with everything but code, on disk when the org server is asked."""
    seen: list[int] = []
    pipeline = world.pipeline([*words(BAD)], org=[[*words(BETTER)]])
    ask = world.org.stream

    async def counted(request):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN202
        seen.append(len(world.ledger_lines))
        return await ask(request)

    world.org.stream = counted  # type: ignore[method-assign]
    answer = await pipeline.complete(world.hole())
    assert seen == [1]
    (line,) = world.ledger_lines
    assert line["reason"] == "invalid"
    assert line["request_id"] == answer.provenance.request_id
    assert line["model"] == "org-model"
    assert line["language"] == "python"
    assert isinstance(line["bytes"], int)
    assert line["bytes"] > len("def f(a, b):")
    assert "def f" not in json.dumps(line)


@pytest.mark.parametrize(
    ("script", "status", "tokens"),
    [
        ([*words(BETTER)], "answered", 4),
        ([*words("x y"), asyncio.Event()], "late", 2),
        (KeyRefused("The key was refused: set org.api_key."), "key_refused", 0),
        ([Token("x"), ServerUnreachable("It broke.")], "server_unreachable", 1),
    ],
)
async def test_how_a_request_ended_is_in_the_ledger(
    world: World, script: Script | Exception, status: str, tokens: int
) -> None:
    """In a line that names the one that was written before it left."""
    world.settings = replace(world.settings, escalation=Escalation(deadline_ms=100))
    await world.complete([*words(BAD)], org=[script])
    sent, ended = lines_in((world.folder / "ledger").glob("*.jsonl"), "sent", "ended")
    assert (ended["of"], ended["request_id"]) == (sent["n"], sent["request_id"])
    assert (ended["status"], ended["tokens"]) == (status, tokens)


async def test_a_cancelled_request_is_so_in_the_ledger(world: World) -> None:
    """It has left, and nobody waited for its answer."""
    pipeline = world.pipeline([*words(BAD)], org=[[asyncio.Event()]])
    task = asyncio.ensure_future(pipeline.complete(world.hole()))
    while "org asked" not in world.log:
        await asyncio.sleep(0)
    task.cancel()
    await asyncio.wait([task])
    (ended,) = lines_in((world.folder / "ledger").glob("*.jsonl"), "ended")
    assert ended["status"] == "cancelled"


async def test_a_ledger_that_cannot_be_written_keeps_everything_here(world: World) -> None:
    """A file where the folder should be: nothing leaves, the local answer is shown."""
    (world.folder / "ledger").write_text("in the way")
    answer = await world.complete([*words(GOOD, UNSURE)], org=[[*words(BETTER)]])
    assert answer.text == GOOD
    assert answer.provenance.reason is Reason.REFUSED_POLICY
    assert "ledger" in answer.provenance.problem
    assert "org asked" not in world.log


@pytest.mark.parametrize("name", [None, ".env", "id_rsa", "credentials.json"])
async def test_what_policy_refuses_stays_here(world: World, name: str | None) -> None:
    """Secret-looking paths and documents without a file never leave; the local answer is shown."""
    path = str(world.folder / name) if name else None
    pipeline = world.pipeline([*words(GOOD, UNSURE)], org=[[*words(BETTER)]])
    answer = await pipeline.complete(world.hole(path=path))
    assert answer.text == GOOD
    assert answer.provenance.reason is Reason.REFUSED_POLICY
    assert world.ledger_lines == []
    assert "org asked" not in world.log


async def test_escalation_switched_off_is_as_if_no_server_were_set(world: World) -> None:
    """`escalation.enabled = false`: the reason is why it would have gone."""
    world.settings = replace(world.settings, escalation=Escalation(enabled=False))
    answer = await world.complete([*words(GOOD, UNSURE)], org=[[*words(BETTER)]])
    assert answer.text == GOOD
    assert answer.provenance.reason is Reason.LOW_CONFIDENCE
    assert "org asked" not in world.log


async def test_an_org_answer_that_comes_too_late_is_not_waited_for(world: World) -> None:
    """Past the deadline the local answer is shown and the org stream closed."""
    world.settings = replace(world.settings, escalation=Escalation(deadline_ms=100))
    answer = await world.complete([*words(GOOD, UNSURE)], org=[[asyncio.Event()]])
    assert answer.text == GOOD
    assert answer.provenance.reason is Reason.LATE
    assert "org closed" in world.log


async def test_a_wrong_org_key_costs_one_sentence_and_no_completion(world: World) -> None:
    """The local answer is shown; the problem is told."""
    answer = await world.complete(
        [*words(GOOD, UNSURE)], org=[KeyRefused("The key was refused: set org.api_key.")]
    )
    assert answer.text == GOOD
    assert world.notices == ["The key was refused: set org.api_key."]


async def test_no_local_model_is_an_error_and_escalates_nothing(world: World) -> None:
    """Where the local tier is missing, code does not silently go to the org server."""
    pipeline = world.pipeline([], org=[[*words(BETTER)]])
    world.local.error = ServerUnreachable("Nothing answers at 127.0.0.1: start Ollama.")
    answer = await pipeline.complete(world.hole())
    assert answer.text is None
    assert answer.provenance.reason is Reason.ERROR
    assert world.notices == ["Nothing answers at 127.0.0.1: start Ollama."]
    assert "org asked" not in world.log


async def test_a_local_stream_that_breaks_is_looked_for_anew(world: World) -> None:
    """The next request chooses the local tier again."""
    answer = await world.complete([Token("x", SURE), ServerUnreachable("It broke.")], org=[])
    assert answer.provenance.reason is Reason.ERROR
    assert world.local.forgotten == 1
    assert "local closed" in world.log


async def test_a_server_that_failed_is_left_alone_and_heals(world: World) -> None:
    """The local answer is shown at once, the user told once, and the next answer comes from it."""
    world.admission = Admission(world.settings, lambda: world.now)
    pipeline = world.pipeline(
        *(Script([*words(GOOD, UNSURE)]) for _ in range(4)),
        org=[ServerFault("It failed."), [*words(BETTER)], [*words(BETTER)]],
    )
    reasons, problems = [], []
    for seconds in (0, 0, 2, 0):
        world.now += seconds
        answer = await pipeline.complete(world.hole())
        reasons.append(answer.provenance.reason.value)
        problems.append(answer.provenance.org_problem)
    assert reasons == ["low_confidence", "refused_breaker", "low_confidence", "low_confidence"]
    assert [bool(problem) for problem in problems] == [True, True, False, False]
    assert "It failed." in problems[1]
    assert world.log.count("org asked") == 3
    assert world.notices == ["It failed."]


async def test_a_hedge_that_breaks_does_not_spoil_the_org_answer(world: World) -> None:
    """The org answer is shown all the same."""
    gate = asyncio.Event()
    local: Script = [*words("return x y", UNSURE), ServerUnreachable("It broke.")]
    pipeline = world.pipeline(local, org=[[gate, *words(BETTER)]])
    task = asyncio.create_task(pipeline.complete(world.hole()))
    while not world.local.forgotten:
        await asyncio.sleep(0)
    gate.set()
    answer = await task
    assert answer.text == BETTER


async def test_cancelling_closes_both_streams(world: World) -> None:
    """Invariant 4: a cancelled request closes its model streams."""
    never = asyncio.Event()
    pipeline = world.pipeline([*words("return x y", UNSURE), never], org=[[never]])
    task = asyncio.create_task(pipeline.complete(world.hole()))
    while "org asked" not in world.log:
        await asyncio.sleep(0)
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert {"local closed", "org closed"} <= set(world.log)
    (made,) = world.made
    assert made.reason is Reason.CANCELLED
    assert (made.tokens_generated, made.tokens_discarded) == (3, 3)
    assert "org_sent" in made.timings_ms


async def test_a_local_model_that_never_answers_is_given_up(world: World) -> None:
    """Past `limits.local_deadline_ms` the user is told, and the stream is closed."""
    world.settings = replace(world.settings, limits=Limits(local_deadline_ms=100))
    answer = await world.complete([asyncio.Event()], org=[])
    assert answer.provenance.reason is Reason.ERROR
    assert "in time" in answer.provenance.problem
    assert "local closed" in world.log


async def test_a_prompt_found_too_long_is_cut_and_sent_again(world: World) -> None:
    """The budget is halved, not the completion lost."""
    pipeline = world.pipeline(PromptTooLong("too long"), [*words(GOOD)], org=[])
    answer = await pipeline.complete(world.hole(prefix="x = 1\n" * 5000 + "    "))
    assert answer.text == GOOD
    first, second = (len(repr(request.prompt)) for request in world.local.client.requests)
    assert second < first * 0.6


async def test_a_followed_buffer_is_prepared_first_and_judged_where_it_is(world: World) -> None:
    """The parser works while the model decodes; a window of the text is enough for the prompt."""
    hole = world.hole(whole=False, spot=Spot("calc", 3, 1, 4))
    answer = await world.pipeline([*words(GOOD)]).complete(hole)
    assert answer.provenance.verdict is Outcome.VALID
    assert world.log == [
        "prepared calc", "local asked", f"judged {GOOD!r} in calc", "local closed",
    ]  # fmt: skip


async def test_a_text_is_judged_while_its_model_comes_to_the_end(world: World) -> None:
    """The token behind a line is often only its end: the verdict is there before it."""
    world.foresees = True
    world.settings = replace(world.settings, limits=Limits(lines="single"))
    end = asyncio.Event()
    hole = world.hole(spot=Spot("calc", 3, 1, 4))
    task = asyncio.create_task(world.pipeline([*words(GOOD), end]).complete(hole))
    async with asyncio.timeout(20):
        while f"judged {GOOD!r} in calc" not in world.log:
            await asyncio.sleep(0.001)
        end.set()
        assert (await task).text == GOOD
    assert world.log[-2:] == [f"judged {GOOD!r} in calc", "local closed"]


@pytest.mark.parametrize(("whole", "verdict"), [(True, "invalid"), (False, "unknown")])
async def test_a_buffer_that_is_lost_is_judged_by_its_text(
    world: World, whole: bool, verdict: str
) -> None:
    """Where the validator does not follow it any more, and all of the text is there."""
    hole = world.hole(whole=whole, spot=Spot("calc", 3, 1, 4))
    world.judge = lambda _: Outcome.INVALID
    pipeline = world.pipeline([*words(BAD)])
    world.validator.follows = False
    answer = await pipeline.complete(hole)
    assert answer.provenance.verdict == verdict
    assert (f"judged {BAD!r}" in world.log) is whole


async def test_a_window_of_a_large_file_is_not_judged(world: World) -> None:
    """A buffer that was not taken whole has the verdict unknown, and is kept."""
    pipeline = world.pipeline([*words(BAD)], org=[])
    answer = await pipeline.complete(world.hole(whole=False))
    assert answer.text == BAD
    assert answer.provenance.verdict is Outcome.UNKNOWN


async def test_nothing_is_generated_behind_the_line(world: World) -> None:
    """The stream is closed at the line break, before the next token is asked for."""
    never = asyncio.Event()
    pipeline = world.pipeline([*words(GOOD), Token("\n", SURE), never], org=[])
    async with asyncio.timeout(20):
        answer = await pipeline.complete(world.hole(suffix="\n    return a\n"))
    assert answer.text == GOOD


async def test_nothing_is_generated_behind_the_block(world: World) -> None:
    """Below a header without a body, at the first character that is not in it."""
    never = asyncio.Event()
    script: Script = [*words(GOOD), Token("\n\n", SURE), Token("def", SURE), never]
    async with asyncio.timeout(20):
        answer = await world.pipeline(script, org=[]).complete(world.hole())
    assert answer.text == GOOD
    assert "local closed" in world.log


@pytest.mark.parametrize("logprob", [SURE, UNSURE])
async def test_the_indentation_given_to_a_model_begins_the_text(
    world: World, logprob: float
) -> None:
    """At a line's start both tiers are given it, and it is judged and inserted with their text."""
    script: Script = [*words(GOOD, logprob), Token("\n", logprob)]
    pipeline = world.pipeline(script, org=[[*words(BETTER), Token("\n", SURE)]])
    answer = await pipeline.complete(world.hole(prefix="def f(a, b):\n"))
    shown = GOOD if logprob == SURE else BETTER
    assert answer.text == f"    {shown}"
    assert f"judged {answer.text!r}" in world.log
    asked = [*world.local.client.requests, *world.org.requests]
    assert [request.given for request in asked] == ["    "] * len(asked)
    assert len(asked) == (1 if logprob == SURE else 2)
