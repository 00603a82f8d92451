"""Has typists type with a product: all at once, each before a model of its own."""

import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from benchmarks.model.pace import Steady
from benchmarks.peers.contestant import Absent, Contestant
from benchmarks.peers.model import SPEED
from benchmarks.peers.stage import seat
from benchmarks.trace.account import Account, account
from benchmarks.trace.passages import Passage, passages
from benchmarks.trace.strokes import plan
from benchmarks.trace.typist import Typist

SEED = "1"
_QUICK_LINES = 3
_READY_S = 90.0


@dataclass(frozen=True, slots=True)
class Result:
    """What a product came to.

    Attributes:
        contestant: which.
        account: of all its typists; None where it failed.
        problem: why it failed, or "".
    """

    contestant: Contestant
    account: Account | None
    problem: str = ""


def texts(quick: bool) -> tuple[Passage, ...]:
    """What is typed, one a typist; a third of it in the quick run."""
    whole = passages()
    return tuple(passage.lines(_QUICK_LINES) for passage in whole) if quick else whole


def compared(contestant: Contestant, quick: bool, speed: Steady = SPEED) -> Result:
    """Run one product over the trace, before a model of this speed."""
    chosen = texts(quick)
    ready = threading.Barrier(len(chosen))
    with ThreadPoolExecutor(len(chosen)) as typists:
        sessions = [typists.submit(_typed, contestant, passage, speed, ready) for passage in chosen]
        problems = [str(error) for error in (each.exception() for each in sessions) if error]
    if problems:
        first = next((problem for problem in problems if problem), "It failed.")
        return Result(contestant, None, first)
    return Result(contestant, _sum([each.result() for each in sessions]))


def _typed(
    contestant: Contestant, passage: Passage, speed: Steady, ready: threading.Barrier
) -> Account:
    """One typist's session; it begins when all are ready."""
    keys = plan(passage.text, f"{SEED} {passage.name}")
    try:
        with (
            seat(passage, contestant.shape, SEED, speed) as place,
            contestant.opened(place) as editor,
        ):
            ready.wait(_READY_S)
            place.model.forget()
            log = Typist(editor, keys).types()
            threading.Event().wait(_AFTER_S)
            made = place.model.made()
    except threading.BrokenBarrierError:
        raise Absent("") from None
    except BaseException:
        ready.abort()
        raise
    return account(
        log,
        made,
        before=passage.before,
        first=speed.first,
        following=speed.next,
        typed_alone=keys.seconds,
    )


_AFTER_S = 1.5
"""What runs when the last key was struck is given so long to end or be closed."""


def _sum(accounts: Sequence[Account]) -> Account:
    return sum(accounts, start=Account())
