"""Open buffers: fed by edits, judged where they are, recovered when a parser process was lost."""

import asyncio
import time
from collections.abc import AsyncIterator

import psutil
import pytest
from hypothesis import given
from hypothesis import strategies as st

from synconfroute.validators import Outcome, Validator, Verdict
from synconfroute.validators.admission import MAX_BYTES
from synconfroute.validators.line_text import TO_THE_END, LineText, Splice
from synconfroute.validators.mirror import MOST_BUFFERS, QUIET_S, Mirror
from tests.validators.open_buffer import OpenBuffer

VALID, INVALID, UNKNOWN = Outcome.VALID, Outcome.INVALID, Outcome.UNKNOWN
PATIENT_S = 20.0
SOURCE = "def f(a):\n    return a\n\n\ndef g(b):\n    return b\n"


@pytest.fixture
async def running() -> AsyncIterator[Validator]:
    """A validator whose parser has started."""
    validator = Validator()
    verdict = await validator.validate("python", "", "x = 1", "\n", deadline=PATIENT_S)
    assert verdict.outcome is VALID
    yield validator
    await asyncio.to_thread(validator.close)


async def _judged(validator: Validator, buffer: OpenBuffer, line: int, text: str) -> Verdict | None:
    return await validator.judge(buffer.spot(line), text, deadline=PATIENT_S)


async def _until_process_is_not(validator: Validator, pid: int | None) -> None:
    end = time.monotonic() + PATIENT_S
    while validator.pid in {None, pid}:
        assert time.monotonic() < end, "waited in vain"
        await asyncio.sleep(0.005)


@pytest.mark.parametrize(
    ("language", "source", "line", "good", "bad"),
    [
        ("python", SOURCE, 5, "    print(b)\n", "    print(b))\n"),
        ("java", "class A {\n  int f() {\n  }\n}\n", 2, "return 1;\n", "return 1));\n"),
        ("cpp", "int f() {\n}\n", 1, "return 1;\n", "return 1));\n"),
    ],
)
async def test_a_text_is_judged_in_an_open_buffer(
    running: Validator, language: str, source: str, line: int, good: str, bad: str
) -> None:
    """Right text is valid and wrong text is not, with the whole text read once, at the opening."""
    buffer = OpenBuffer(source)
    running.open(buffer.key, language, buffer)
    for text, outcome in ((good, VALID), (bad, INVALID), (good, VALID)):
        verdict = await _judged(running, buffer, line, text)
        assert verdict is not None
        assert verdict.outcome is outcome
    assert buffer.reads == 1


async def test_edits_are_all_that_is_sent(running: Validator) -> None:
    """A hundred keystrokes with a verdict each never read the whole text again."""
    buffer = OpenBuffer(SOURCE + "\n")
    running.open(buffer.key, "python", buffer)
    for count in range(100):
        spot = buffer.typed(running, 6, "x = " + "1 + " * count)
        running.prepare(spot)
        verdict = await running.judge(spot, "1", deadline=PATIENT_S)
        assert verdict is not None
        assert verdict.outcome is VALID
    assert buffer.reads == 1


async def test_the_lead_is_inserted_before_the_text(running: Validator) -> None:
    """As where an editor previews an entry of its own list."""
    buffer = OpenBuffer("x = 1\n")
    running.open(buffer.key, "python", buffer)
    for lead, outcome in (("y = ", VALID), ("y = )", INVALID)):
        verdict = await running.judge(buffer.spot(1, lead=lead), "2", deadline=PATIENT_S)
        assert verdict is not None
        assert verdict.outcome is outcome


async def test_a_spot_of_the_past_is_not_judged(running: Validator) -> None:
    """None says that only the whole text can tell: changed, closed, never opened, no parser."""
    buffer = OpenBuffer(SOURCE)
    running.open(buffer.key, "python", buffer)
    spot = buffer.spot(2)
    buffer.typed(running, 2, "x")
    assert await running.judge(spot, "1", deadline=PATIENT_S) is None
    assert await _judged(running, buffer, 3, "y = 1") is not None
    running.forget(buffer.key)
    assert await _judged(running, buffer, 3, "y = 1") is None
    running.open(buffer.key, "klingon", buffer)
    assert await _judged(running, buffer, 3, "y = 1") is None


async def test_an_edit_while_a_judgement_waits_makes_it_void(running: Validator) -> None:
    """Its place means another text now, and none is judged at a wrong place."""
    buffer = OpenBuffer(SOURCE)
    running.open(buffer.key, "python", buffer)
    before = asyncio.create_task(_judged(running, buffer, 3, "y = 1"))
    await asyncio.sleep(0)
    running.edit(buffer.key, buffer.splice(0, 1, ["def f(a, b):"]))
    verdict = await before
    assert verdict is None or verdict.outcome is VALID
    assert await _judged(running, buffer, 3, "y = 1") is not None


async def test_a_lost_buffer_is_read_again(running: Validator) -> None:
    """After the parser process was killed, preparing reads the source once and judging works."""
    buffer = OpenBuffer(SOURCE)
    running.open(buffer.key, "python", buffer)
    assert await _judged(running, buffer, 3, "y = 1") is not None
    pid = running.pid
    assert pid is not None
    psutil.Process(pid).kill()
    await running.validate("python", "", "x", "", deadline=PATIENT_S)
    await _until_process_is_not(running, pid)
    running.prepare(buffer.spot(3))
    verdict = await _judged(running, buffer, 3, "y = )")
    assert verdict is not None
    assert verdict.outcome is INVALID
    assert buffer.reads == 2


async def test_a_buffer_lost_unnoticed_is_judged_again_soon(running: Validator) -> None:
    """A process killed while idle: the next judgement finds it out, later ones have verdicts."""
    buffer = OpenBuffer(SOURCE)
    running.open(buffer.key, "python", buffer)
    assert await _judged(running, buffer, 3, "y = 1") is not None
    assert running.pid is not None
    psutil.Process(running.pid).kill()
    end = time.monotonic() + PATIENT_S
    while (verdict := await _judged(running, buffer, 3, "y = 1")) is None or (
        verdict.outcome is UNKNOWN
    ):
        assert time.monotonic() < end, "waited in vain"
        await asyncio.sleep(0.02)
    assert verdict.outcome is VALID


@pytest.mark.parametrize("hostile", ["die", "hang"])
async def test_a_hostile_buffer_is_let_rest(
    scripted: Validator, monkeypatch: pytest.MonkeyPatch, hostile: str
) -> None:
    """One that ends its parser is not parsed at every keystroke, and others are judged on."""
    monkeypatch.setattr("synconfroute.validators.courier.UPDATE_S", 0.2)
    bad, good = OpenBuffer(hostile, key="bad"), OpenBuffer("harmless", key="good")
    scripted.open(bad.key, "cpp", bad)
    scripted.open(good.key, "cpp", good)
    assert await scripted.judge(bad.spot(0), "ok", deadline=PATIENT_S) is None
    assert await scripted.judge(good.spot(0), "ok", deadline=PATIENT_S) == Verdict(VALID, "ok")
    pid = scripted.pid
    for count in range(20):
        spot = bad.typed(scripted, 0, hostile + " " * count)
        scripted.prepare(spot)
        verdict = await scripted.judge(spot, "ok", deadline=PATIENT_S)
        assert verdict is not None
        assert verdict.outcome is UNKNOWN
    assert scripted.pid == pid
    assert await scripted.judge(good.spot(0), "ok", deadline=PATIENT_S) == Verdict(VALID, "ok")


async def test_a_judgement_that_hangs_ends_at_its_deadline(scripted: Validator) -> None:
    """And its buffer rests too, while one that does not hang is judged with all of its text."""
    buffer, other = OpenBuffer("harmless"), OpenBuffer("harmless", key="other")
    scripted.open(buffer.key, "cpp", buffer)
    scripted.open(other.key, "cpp", other)
    assert await scripted.judge(other.spot(0), "ok", deadline=PATIENT_S) == Verdict(VALID, "ok")
    started = time.monotonic()
    verdict = await scripted.judge(buffer.spot(0), "hang", deadline=0.3)
    assert verdict is not None
    assert verdict.outcome is UNKNOWN
    assert time.monotonic() - started < 0.3 + 0.5
    resting = await scripted.judge(buffer.spot(0), "ok", deadline=PATIENT_S)
    assert resting is None or resting.outcome is UNKNOWN
    end = time.monotonic() + PATIENT_S
    while await scripted.judge(other.spot(0), "ok", deadline=PATIENT_S) != Verdict(VALID, "ok"):
        assert time.monotonic() < end, "waited in vain"
        await asyncio.sleep(0.005)


@pytest.mark.parametrize("language", ["python", "java", "cpp"])
async def test_a_large_buffer_is_judged(running: Validator, language: str) -> None:
    """10,000 lines of 0.6 MB."""
    line = {
        "python": "value = compute(first, second)  # ",
        "java": "",
        "cpp": "int f();" + " " * 15 + "// ",
    }
    if language == "java":
        lines = [
            "class A {",
            *("  int f() { return 1; } // " + "x" * 32 for _ in range(9_998)),
            "}",
        ]
    else:
        lines = [line[language] + "x" * 28] * 10_000
    buffer = OpenBuffer("\n".join(lines) + "\n")
    assert buffer.size >= 550_000
    running.open(buffer.key, language, buffer)
    text = {"python": "x = 1\n", "java": "int g() { return 1; }\n", "cpp": "int g();\n"}[language]
    verdict = await _judged(running, buffer, 5_000, text)
    assert verdict is not None
    assert verdict.outcome is VALID


async def test_a_buffer_over_the_limit_is_unknown_and_never_sent(running: Validator) -> None:
    """Its text is not even read; when it has shrunk, it is judged."""
    buffer = OpenBuffer("#" * (MAX_BYTES + 1) + "\n")
    running.open(buffer.key, "python", buffer)
    verdict = await _judged(running, buffer, 1, "x = 1")
    assert verdict is not None
    assert verdict.outcome is UNKNOWN
    assert buffer.reads == 0
    buffer.typed(running, 0, "#")
    verdict = await _judged(running, buffer, 1, "x = 1")
    assert verdict is not None
    assert verdict.outcome is VALID


async def test_more_buffers_than_the_parser_holds(running: Validator) -> None:
    """The one that was not used for longest is dropped, and read again when it is asked about."""
    buffers = [OpenBuffer(SOURCE, key=str(number)) for number in range(MOST_BUFFERS + 2)]
    for buffer in buffers:
        running.open(buffer.key, "python", buffer)
        assert await _judged(running, buffer, 3, "y = 1") is not None
    assert [buffer.reads for buffer in buffers] == [1] * len(buffers)
    for number, reads in ((0, 2), (-1, 1)):
        assert await _judged(running, buffers[number], 3, "y = 1") is not None
        assert buffers[number].reads == reads


def test_a_burst_of_keystrokes_is_one_edit() -> None:
    """However many in a line, one is sent; and the buffer is due when it has come to rest."""
    now = 0.0
    mirror = Mirror(clock=lambda: now)
    buffer = OpenBuffer(SOURCE)
    mirror.open(buffer.key, "python", buffer)
    first = mirror.take(buffer.key, 1)
    assert first is not None
    assert (first["text"], first["edits"]) == (SOURCE, [])
    assert mirror.take(buffer.key, 1) == {}
    for count in range(500):
        now += QUIET_S / 2
        mirror.edit(buffer.key, buffer.splice(2, 3, ["x" * count]))
        assert mirror.due()[0] is None
    now += QUIET_S
    assert mirror.due()[0] == buffer.key
    message = mirror.take(buffer.key, 1)
    assert message is not None
    assert (message["text"], message["edits"]) == (None, [Splice(2, 3, "x" * 499 + "\n")])
    assert mirror.due() == (None, None)


def test_edits_that_nobody_asks_about_are_bounded() -> None:
    """Edits all over a buffer are not collected for ever: it is sent anew when it is needed."""
    mirror = Mirror()
    buffer = OpenBuffer(SOURCE)
    mirror.open(buffer.key, "python", buffer)
    mirror.take(buffer.key, 1)
    for count in range(1_000):
        mirror.edit(buffer.key, buffer.splice(count % 5, count % 5 + 1, ["x"]))
    assert mirror.take(buffer.key, 1) is None
    assert mirror.recover(buffer.key, 1)
    message = mirror.take(buffer.key, 1)
    assert message is not None
    assert (message["text"], message["edits"]) == (buffer.text, [])


def test_a_whole_new_text_makes_older_edits_void() -> None:
    """Only the newest of many whole texts is sent, and the history in the process stays."""
    mirror = Mirror()
    buffer = OpenBuffer(SOURCE)
    mirror.open(buffer.key, "python", buffer)
    mirror.take(buffer.key, 1)
    for count in range(50):
        buffer.revision += 1
        mirror.edit(buffer.key, Splice(0, TO_THE_END, f"x = {count}"))
    message = mirror.take(buffer.key, 1)
    assert message is not None
    assert message["edits"] == [Splice(0, TO_THE_END, "x = 49")]


_line = st.text(alphabet="aé𝔘\t\u2028\x0c", max_size=4)
_lines = st.lists(_line, min_size=1, max_size=6)


@given(start=_lines, edits=st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9), _lines)))
def test_spliced_lines_are_the_text(
    start: list[str], edits: list[tuple[int, int, list[str]]]
) -> None:
    """Whatever the edits, the text is what the source has, and a place is where it is there."""
    buffer = OpenBuffer("\n".join(start))
    lines = LineText(buffer.text)
    count = len(start)
    for one, other, fresh in edits:
        first, stop = sorted((min(one, count), min(other, count)))
        if stop == count and first == count:
            first = count - 1
        lines.splice([buffer.splice(first, stop, fresh)])
        count += len(fresh) - (stop - first)
    text = buffer.text
    assert lines.text == text
    for line, content in enumerate(text.split("\n")):
        offset = lines.offset(line, len(content))
        assert text[:offset] == "\n".join(text.split("\n")[: line + 1])


@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
def test_line_ends_and_a_byte_order_mark_do_not_move_places(line_end: str) -> None:
    """The editor counts a mark as a character of its first line."""
    text = LineText(f"\ufeffab{line_end}cd{line_end}")
    assert text.text == "ab\ncd\n"
    places = [(0, 0), (0, 1), (0, 2), (1, 0), (1, 2), (2, 0), (9, 0)]
    assert [text.offset(*place) for place in places] == [0, 0, 1, 3, 5, 6, 6]
    text.splice([Splice(0, 1, f"x{line_end}")])
    assert text.text == "x\ncd\n"
