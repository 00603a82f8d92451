"""The parts of the load: marks, the batched pace, the gate, and what is made of the numbers."""

import asyncio
import random
from functools import partial
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.fleet.batched import Batched, Speed
from benchmarks.fleet.fairness import fairness, jain
from benchmarks.fleet.gate import RETRY_AFTER_S, Gate
from benchmarks.fleet.mark import UNSURE, Mark, last_mark
from benchmarks.fleet.matching import by_mark, matched
from benchmarks.fleet.script import LOCAL, ORG, Marked
from benchmarks.fleet.trouble import Phase, trouble
from benchmarks.fleet.typist import Asked
from benchmarks.fleet.written import PAGE, write
from benchmarks.model.http import Request
from benchmarks.model.record import Generation
from benchmarks.model.script import Asked as Prompt
from benchmarks.model.vllm import VLLM


@given(st.integers(0, 999), st.integers(1, 99_999), st.text(max_size=50))
def test_a_mark_is_found_again_in_code_and_in_the_answer(
    session: int, number: int, above: str
) -> None:
    """The last one counts: those above are of earlier lines."""
    mark = Mark(session, number)
    prompt = Prompt(f"{above}\n    value_1x1_ = 3\n    value{mark} = ")
    assert last_mark(prompt.prefix) == mark
    text = "".join(token.text for token in Marked(LOCAL, 9).answer(prompt))
    assert last_mark(text) == mark
    assert text.startswith(LOCAL)


def test_the_share_that_is_unsure_is_the_papers() -> None:
    """Over all sessions, and in none of them all or nothing."""
    shares = [
        sum(Mark(session, number).unsure for number in range(200)) / 200 for session in range(200)
    ]
    assert sum(shares) / 200 == pytest.approx(UNSURE, abs=0.01)
    assert min(shares) > 0.2
    assert max(shares) < 0.7


@pytest.mark.parametrize(("always_sure", "unsure"), [(False, True), (True, False)])
def test_an_unsure_answer_has_low_log_probs(always_sure: bool, unsure: bool) -> None:
    """But the larger model is always sure."""
    mark = next(Mark(1, number) for number in range(1, 50) if Mark(1, number).unsure)
    tokens = list(Marked(ORG, 9, always_sure).answer(Prompt(f"value{mark} = ")))
    assert len(tokens) == 9
    assert all((token.logprob < -1) is unsure for token in tokens)


async def written(speed: Speed, prompts: list[int], tokens: int) -> list[float]:
    """When each generation had its last token, in seconds from the beginning; all at once."""
    loop = asyncio.get_running_loop()
    begun = loop.time()
    pace, ends = Batched(speed), [0.0] * len(prompts)
    left = [tokens] * len(prompts)
    over = asyncio.Event()

    def step_of(number: int) -> bool:
        left[number] -= 1
        ends[number] = loop.time() - begun
        if not any(left):
            over.set()
        return left[number] > 0

    for number, length in enumerate(prompts):
        pace.begin(partial(step_of, number), Prompt("x" * 4 * length))
    await asyncio.wait_for(over.wait(), 20)
    return ends


async def test_those_beyond_the_seats_wait_for_the_others_end() -> None:
    """With two seats four of the same length end two by two."""
    speed = Speed(at_once=2, step_ms=5, each_ms=0, prefill_ms=0, overhead_ms=0, jitter=0)
    ends = await written(speed, [1, 1, 1, 1], 4)
    assert max(ends[:2]) < min(ends[2:])


async def test_a_long_prompt_takes_several_steps() -> None:
    """It gets its first token when all of it is read; one that came before it goes on."""
    speed = Speed(step_ms=2, each_ms=0, prefill_ms=0.01, batched_tokens=100, jitter=0)
    short, long = await written(speed, [10, 1_000], 2)
    assert short < long


async def test_one_that_left_gets_no_token_and_frees_its_seat() -> None:
    """Whoever waits behind it comes in at the next step."""
    speed = Speed(at_once=1, step_ms=5, each_ms=0, prefill_ms=0, overhead_ms=0, jitter=0)
    pace, tokens, over = Batched(speed), [0, 0], asyncio.Event()

    def endless() -> bool:
        tokens[0] += 1
        return True

    def one() -> bool:
        tokens[1] += 1
        over.set()
        return False

    leave = pace.begin(endless, Prompt("x"))
    await asyncio.sleep(0.03)
    pace.begin(one, Prompt("x"))
    leave()
    had = tokens[0]
    await asyncio.wait_for(over.wait(), 20)
    assert tokens[1] == 1
    assert tokens[0] == had
    assert pace.busy_s > 0


async def test_held_it_writes_nothing_and_then_goes_on() -> None:
    """As a server that hangs, and recovers."""
    pace, tokens, over = Batched(Speed(step_ms=1, overhead_ms=0)), [0], asyncio.Event()

    def step() -> bool:
        tokens[0] += 1
        over.set()
        return False

    pace.hold(held=True)
    pace.begin(step, Prompt("x"))
    await asyncio.sleep(0.05)
    assert tokens == [0]
    pace.hold(held=False)
    await asyncio.wait_for(over.wait(), 20)


def ask(path: str, name: str = "") -> Request:
    """A request to the gate."""
    return Request("POST", path, {"x-request-id": name}, b'{"prompt": "x"}')


def turn(gate: Gate, mode: str) -> int:
    """Put it into a mode; the status of its answer."""
    return gate.reply(Request("POST", "/fleet/mode", {}, b'{"mode": "%s"}' % mode.encode())).status


def test_the_gate_refuses_what_its_mode_says() -> None:
    """And tells what it refused, by name."""
    gate = Gate(VLLM())
    assert gate.asked(ask("/v1/completions")) is not None
    assert turn(gate, "busy") == 200
    assert gate.asked(ask("/v1/completions", "r1")) is None
    refused = gate.reply(ask("/v1/completions", "r1"))
    assert (refused.status, refused.headers["Retry-After"]) == (429, str(RETRY_AFTER_S))
    assert gate.reply(ask("/v1/models")).status == 200
    turn(gate, "down")
    assert gate.reply(ask("/v1/models")).status == 503
    assert turn(gate, "nonsense") == 400
    told = gate.reply(ask("/fleet/told")).body
    assert [name for _, name in told["refused"]] == ["r1"]
    assert told["probed"] == 1
    turn(gate, "well")
    assert gate.asked(ask("/v1/completions")) is not None


def generation(text: str, came: float, third: float, ended: float) -> Generation:
    """One that went to its end."""
    return Generation(1, came, came, third, ended, 9, text, True, "r", 100)


def test_what_is_added_is_what_no_model_took() -> None:
    """Of an escalated answer the local model's first three tokens and the vLLM's whole answer."""
    mark, kept = Mark(3, 7), Mark(3, 8)
    local = [
        generation(f"{LOCAL}{mark} + beta", 10.0, 10.2, 10.9),
        generation(f"{LOCAL}{kept} + beta", 20.0, 20.2, 20.5),
        generation("", 1.0, 1.0, 1.0),
    ]
    org = [generation(f"{ORG}{mark} + beta", 10.25, 10.3, 10.75)]
    asked = [
        Asked(mark, 9.9, 0.9, f"{ORG}{mark} + beta"),
        Asked(kept, 19.9, 0.7, f"{LOCAL}{kept} + beta"),
        Asked(Mark(3, 9), 30.0, 1.0, None),
    ]
    found = matched(asked, by_mark(local), by_mark(org))
    assert [each.escalated for each in found] == [True, False]
    assert [each.added for each in found] == pytest.approx([0.9 - 0.2 - 0.5, 0.7 - 0.5])
    alone = matched([Asked(mark, 9.9, 0.9, f"{ORG}{mark}")], by_mark(org))
    assert [each.added for each in alone] == pytest.approx([0.4])


@given(st.lists(st.floats(0.001, 1e6), min_size=1, max_size=50), st.floats(0.001, 1e3))
def test_jains_index_is_that_of_shares(values: list[float], scale: float) -> None:
    """Between 1/n and 1, whatever the unit; 1 where all have the same."""
    found = jain(values)
    assert 1 / len(values) - 1e-9 <= found <= 1 + 1e-9
    assert jain([value * scale for value in values]) == pytest.approx(found)
    assert jain([values[0]] * len(values)) == pytest.approx(1.0)
    assert jain([values[0]] + [0.0] * 9) == pytest.approx(0.1)


def test_the_worst_session_is_told() -> None:
    """By the share of its own requests."""
    asked = [Asked(Mark(session, n), 0.0, 0.1 * (session + 1), "x") for session in range(4)
             for n in range(5)]  # fmt: skip
    asked += [Asked(Mark(4, n), 0.0, 0.1, "x" if n else None) for n in range(5)]
    random.Random(1).shuffle(asked)
    found = fairness(asked)
    assert found.least_shown == 0.8
    assert (found.shortest_ms, found.longest_ms) == pytest.approx((100, 400))


def test_recovery_is_when_all_that_is_unsure_is_answered_again() -> None:
    """Not the first answer, which may be a lonely one."""
    unsure = [mark for mark in (Mark(1, n) for n in range(1, 400)) if mark.unsure]
    asked = [Asked(mark, 0.1 * at, 0.2, "x") for at, mark in enumerate(unsure[:120])]
    phase = Phase("busy", 2.0, 4.0, 12.0, every=1.0)
    answered = [4.6, *(each.sent + 0.05 for each in asked if each.sent >= 6.0)]
    reached = [2.5, *answered]
    found = trouble(phase, asked, sorted(reached), answered)
    assert found.reached == 1
    assert found.unsure == 20
    assert found.first_s == pytest.approx(0.6)
    assert found.back_s is not None
    assert 1.0 < found.back_s <= 2.5
    never = trouble(phase, asked, [2.5], [4.6])
    assert never.back_s is None


def test_what_was_measured_is_written_between_its_marks(tmp_path: Path) -> None:
    """Over what stood there, and nowhere else; the page has both places."""
    page = tmp_path / "plan.md"
    page.write_text(PAGE.read_text(encoding="utf-8"), encoding="utf-8")
    for _ in range(2):
        write("fleet", "\nmeasured anew\n", page)
        write("simulation", "| a |", page)
    text = page.read_text(encoding="utf-8")
    assert text.count("measured anew") == text.count("| a |") == 1
    assert "<!-- fleet: begin -->\nmeasured anew\n<!-- fleet: end -->" in text
    with pytest.raises(ValueError, match="no place for nothing"):
        write("nothing", "x", page)
