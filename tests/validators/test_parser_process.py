"""The parser process dies, hangs, talks nonsense, or is not wanted any more."""

import asyncio
import gc
import os
import subprocess
import sys
import threading
import time
import warnings
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psutil
import pytest

from synconfroute.validators import Outcome, Validator, Verdict
from synconfroute.validators.parser_process import ParserProcess

VALID, INVALID, UNKNOWN = Outcome.VALID, Outcome.INVALID, Outcome.UNKNOWN
PATIENT_S = 20.0


def _ask(validator: Validator, text: str, deadline: float = PATIENT_S) -> Verdict:
    return validator.validate_blocking("python", "", text, "", deadline=deadline)


async def _ask_async(validator: Validator, text: str, deadline: float = PATIENT_S) -> Verdict:
    return await validator.validate("python", "", text, "", deadline=deadline)


def _until(condition: Callable[[], object]) -> None:
    end = time.monotonic() + PATIENT_S
    while not condition():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.005)


def _children() -> list[psutil.Process]:
    return psutil.Process().children()


@pytest.mark.parametrize("text", ["die", "shout", "other", "nothing"])
def test_a_process_that_fails_leaves_the_verdict_unknown(scripted: Validator, text: str) -> None:
    """It ends, or writes what is no verdict; another one serves the next request."""
    assert _ask(scripted, "ok") == Verdict(VALID, "ok")
    before = scripted.pid
    assert _ask(scripted, text).outcome is UNKNOWN
    assert _ask(scripted, "ok") == Verdict(VALID, "ok")
    assert scripted.pid != before


def test_a_killed_process_leaves_the_verdict_unknown(scripted: Validator) -> None:
    """Killed from outside in the middle of a request, it costs that request its verdict only."""
    assert _ask(scripted, "ok").outcome is VALID
    before = scripted.pid
    assert before is not None
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(_ask, scripted, "hang")
        _until(lambda: psutil.Process(before).status() == psutil.STATUS_SLEEPING)
        psutil.Process(before).kill()
        assert waiting.result(PATIENT_S).outcome is UNKNOWN
    assert _ask(scripted, "ok").outcome is VALID


def test_a_process_killed_between_requests_costs_nothing(validator: Validator) -> None:
    """The next request gets a process and a verdict."""
    assert _ask(validator, "x = 1").outcome is VALID
    before = validator.pid
    assert before is not None
    process = psutil.Process(before)
    process.kill()
    _until(lambda: not process.is_running() or process.status() == psutil.STATUS_ZOMBIE)
    assert _ask(validator, "x = )").outcome is INVALID
    assert validator.pid != before


def test_a_process_that_hangs_is_killed_at_the_deadline(scripted: Validator) -> None:
    """And a new one stands ready before anybody asks."""
    assert _ask(scripted, "ok").outcome is VALID
    before = scripted.pid
    started = time.monotonic()
    assert _ask(scripted, "hang", deadline=0.2).outcome is UNKNOWN
    assert time.monotonic() - started < 0.2 + 0.5
    _until(lambda: scripted.pid not in {before, None})


async def test_the_deadline_holds_in_the_event_loop(scripted: Validator) -> None:
    """An awaited verdict comes at the deadline, and the loop runs on meanwhile."""
    assert (await _ask_async(scripted, "ok")).outcome is VALID
    ticks = 0

    async def tick() -> None:
        nonlocal ticks
        while True:
            await asyncio.sleep(0.01)
            ticks += 1

    ticking = asyncio.create_task(tick())
    started = time.monotonic()
    assert (await _ask_async(scripted, "hang", deadline=0.3)).outcome is UNKNOWN
    assert time.monotonic() - started < 0.3 + 0.5
    ticking.cancel()
    assert ticks >= 5
    assert (await _ask_async(scripted, "ok")).outcome is VALID


async def test_a_request_waiting_in_the_queue_keeps_its_own_deadline(scripted: Validator) -> None:
    """Behind one that hangs it is unknown in time and does not end the other's parser."""
    assert (await _ask_async(scripted, "ok")).outcome is VALID
    before = scripted.pid
    first = asyncio.create_task(_ask_async(scripted, "hang"))
    await asyncio.sleep(0)
    started = time.monotonic()
    assert (await _ask_async(scripted, "ok", deadline=0.1)).outcome is UNKNOWN
    assert time.monotonic() - started < 0.1 + 0.5
    assert scripted.pid == before
    first.cancel()
    assert (await _ask_async(scripted, "ok")).outcome is VALID


async def test_a_cancelled_request_does_not_harm_the_next(scripted: Validator) -> None:
    """One that hangs is killed soon after it is cancelled; the next gets its verdict."""
    assert (await _ask_async(scripted, "ok")).outcome is VALID
    cancelled = asyncio.create_task(_ask_async(scripted, "hang"))
    await asyncio.sleep(0.05)
    cancelled.cancel()
    started = time.monotonic()
    assert await _ask_async(scripted, "ok", deadline=5) == Verdict(VALID, "ok")
    assert time.monotonic() - started < 2
    assert cancelled.cancelled()


async def test_cancelling_a_quick_request_keeps_the_process(validator: Validator) -> None:
    """A process that is about to answer is not killed for a cancelled request."""
    assert (await _ask_async(validator, "x = 1")).outcome is VALID
    before = validator.pid
    for _ in range(20):
        cancelled = asyncio.create_task(_ask_async(validator, "x = (1"))
        await asyncio.sleep(0)
        cancelled.cancel()
        assert (await _ask_async(validator, "x = 1")).outcome is VALID
    assert validator.pid == before


async def test_every_answer_goes_to_its_own_question(scripted: Validator) -> None:
    """Many requests at once, some cancelled, some past their deadline: none gets another's."""
    await _ask_async(scripted, "ok")

    async def ask(number: int) -> None:
        verdict = await _ask_async(scripted, f"answer {number}")
        assert verdict == Verdict(VALID, f"answer {number}")

    asked = [asyncio.create_task(ask(number)) for number in range(40)]
    dropped = [asyncio.create_task(_ask_async(scripted, "slow")) for _ in range(5)]
    await asyncio.sleep(0)
    for task in dropped:
        task.cancel()
    late = await _ask_async(scripted, "slow", deadline=0.001)
    await asyncio.gather(*asked)
    assert late.outcome is UNKNOWN


def test_threads_share_one_process(validator: Validator) -> None:
    """However many ask at once, there is one parser process."""
    assert _ask(validator, "x = 1").outcome is VALID
    count = len(_children())
    with ThreadPoolExecutor(8) as pool:
        verdicts = list(pool.map(lambda n: _ask(validator, f"x = {n}"), range(80)))
    assert {verdict.outcome for verdict in verdicts} == {VALID}
    assert len(_children()) == count


def test_warm_starts_the_process_ahead_of_need(
    validator_of: Callable[[ParserProcess], Validator],
) -> None:
    """After `warm` a process is there though nobody has asked; before, there is none."""
    validator = validator_of(ParserProcess())
    assert validator.pid is None
    validator.warm()
    _until(lambda: validator.pid is not None)
    assert _ask(validator, "x = 1").outcome is VALID


@pytest.mark.parametrize(
    "arguments",
    [
        ["a-program-that-is-not-there"],
        [sys.executable, "-c", "pass"],
        [sys.executable, "-c", "print('what?' * 9)"],
    ],
)
def test_a_process_that_does_not_start_is_unknown_at_once(
    validator_of: Callable[[ParserProcess], Validator], arguments: list[str]
) -> None:
    """No verdict, no wait, and no storm of starts."""
    validator = validator_of(ParserProcess(arguments=arguments))
    assert _ask(validator, "x = 1").outcome is UNKNOWN
    started = time.monotonic()
    for _ in range(100):
        assert _ask(validator, "x = 1").outcome is UNKNOWN
    assert time.monotonic() - started < 2


def test_a_closed_validator_is_unknown(scripted: Validator) -> None:
    """Closing ends the request under way, later ones get no process, closing twice is fine."""
    assert _ask(scripted, "ok").outcome is VALID
    pid = scripted.pid
    assert pid is not None
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(_ask, scripted, "hang")
        _until(waiting.running)
        scripted.close()
        assert waiting.result(PATIENT_S).outcome is UNKNOWN
    scripted.close()
    scripted.warm()
    assert _ask(scripted, "ok") == Verdict(UNKNOWN, "the parser is closed")
    assert scripted.pid is None
    assert not psutil.pid_exists(pid)


def test_closing_leaves_nothing_behind() -> None:
    """No thread, no process, no open pipe; closing one that was never used is fine too."""
    threads = set(threading.enumerate())
    children = set(_children())
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        Validator().close()
        validator = Validator()
        assert _ask(validator, "x = 1").outcome is VALID
        validator.close()
        del validator
        gc.collect()
    assert [str(warning.message) for warning in caught] == []
    # The timer of the start is over and may take a moment to notice.
    _until(lambda: set(threading.enumerate()) <= threads)
    assert set(_children()) <= children


_SPINNING = """
import sys; sys.path[:] = {path!r}
from synconfroute.validators import worker
judge = worker.judge
def spin(language, insertion):
    while insertion.text == "spin":
        pass
    return judge(language, insertion)
worker.judge = spin
worker.main(1 << 30)
"""
_PARENT = """
import signal, sys; sys.path[:] = {path!r}
if hasattr(signal, "SIGALRM"):
    signal.signal(signal.SIGALRM, signal.SIG_IGN)  # which its children inherit
from synconfroute.validators import Validator
from synconfroute.validators.courier import Job
from synconfroute.validators.parser_process import ParserProcess
validator = Validator(ParserProcess(arguments=[sys.executable, "-c", {child!r}]))
validator.validate_blocking("cpp", "", "int x;", "", deadline=10)
print(validator.pid, flush=True)
texts = {{"language": "cpp", "prefix": "", "text": "spin", "suffix": "", "before": None}}
validator._courier.put(Job("validate", 0.5, texts)) if sys.argv[1:] else None
input()
"""


@pytest.mark.parametrize("busy", [False, True])
def test_the_process_ends_with_its_parent(*, busy: bool) -> None:
    """A parent that is killed leaves no parser behind, not even one that a text keeps busy."""
    script = _PARENT.format(path=sys.path, child=_SPINNING.format(path=sys.path))
    parent = subprocess.Popen(
        [sys.executable, "-c", script, *(["busy"] if busy else [])],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    with parent:
        assert parent.stdout is not None
        parser = psutil.Process(int(parent.stdout.readline()))
        if busy:
            spent = parser.cpu_times().user
            _until(lambda: parser.cpu_times().user > spent + 0.1)
        parent.kill()
    _until(lambda: not parser.is_running() or parser.status() == psutil.STATUS_ZOMBIE)


def test_the_workspace_cannot_bring_modules(tmp_path: Path) -> None:
    """Modules in the working folder, in PYTHONPATH and a start-up file are not imported."""
    for name in ("ast", "json", "tree_sitter", "sitecustomize", "usercustomize"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit('imported from the workspace')\n")
    folders = [folder for folder in sys.path if folder and Path(folder) != tmp_path]
    # The parent is kept clean here: what is tested is what it hands on.
    script = (
        f"import sys; sys.path[:] = {folders!r}\n"
        "import os; from synconfroute.validators import validate\n"
        "os.environ['PYTHONPATH'] = os.getcwd()\n"
        "os.environ['PYTHONSTARTUP'] = 'json.py'\n"
        "print(*(validate(language, '', '', '').outcome for language in "
        "('python', 'java', 'cpp')))\n"
    )
    done = subprocess.run(
        [sys.executable, "-I", "-c", script],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    assert done.stdout.split() == ["valid"] * 3


def test_the_parser_gets_no_key(
    validator_of: Callable[[ParserProcess], Validator], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Our own settings in the environment are not handed on."""
    monkeypatch.setenv("SYNCONFROUTE_ORG_API_KEY", "a-secret")
    validator = validator_of(ParserProcess())
    assert _ask(validator, "x = 1").outcome is VALID
    assert validator.pid is not None
    environment = psutil.Process(validator.pid).environ()
    assert "a-secret" not in "".join(environment.values())


def test_what_a_parser_prints_goes_nowhere() -> None:
    """Warnings and prints reach neither stdout nor stderr of the program: those carry LSP."""
    script = (
        f"import sys; sys.path[:] = {sys.path!r}\n"
        "from synconfroute.validators import validate\n"
        "outcome = validate('python', 'x = ', repr('') + ' is 1; y = \"\\\\d\"', '').outcome\n"
        "sys.exit(outcome != 'valid')\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=60
    )
    assert (done.stdout, done.stderr) == ("", "")


def test_an_interrupt_from_the_terminal_does_not_reach_the_parser(validator: Validator) -> None:
    """Ctrl-C goes to the whole process group; the parser stays until its parent ends it."""
    if os.name == "nt":
        pytest.skip("Windows sends no signals to single processes")
    import signal

    assert _ask(validator, "x = 1").outcome is VALID
    before = validator.pid
    assert before is not None
    os.kill(before, signal.SIGINT)
    assert _ask(validator, "x = 1").outcome is VALID
    assert validator.pid == before
