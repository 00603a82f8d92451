"""Messages of every kind against the real server: `python tests/fuzz/lsp.py --messages 1000000`.

Valid ones, damaged ones, in any order, in damaged frames. The closing line says how many, and what
went wrong; the exit code is 1 if anything did. Each session follows from the seed and its number
alone: `--seed S --session N` runs one again. A fault leaves a file with the last batches.
"""

import argparse
import json
import random
import sys
import tempfile
import time
from collections import Counter, deque
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
if __name__ == "__main__":
    sys.path[:0] = [str(ROOT), str(ROOT / "src")]

from tests.fuzz.script import Batch, Script  # noqa: E402  found through the path above
from tests.fuzz.session import Fault, Session  # noqa: E402
from tests.soak.processes import Models, models, server_environment  # noqa: E402

SESSION_MESSAGES = 20_000
_KEPT_BATCHES = 2
_MOST_FAULTS = 10


@dataclass
class Tally:
    """What came of it.

    Attributes:
        messages: sent.
        answers: received.
        sessions: begun.
        faults: by their kind.
        most_memory: bytes of a server with its children at the end of a session, at most.
        longest_end: seconds until the last process of a session was gone, at most.
    """

    messages: int = 0
    answers: int = 0
    sessions: int = 0
    faults: Counter[str] = field(default_factory=Counter)
    most_memory: int = 0
    longest_end: float = 0.0

    def closing_line(self, seed: int, seconds: float) -> str:
        """All of it in one line."""
        return (
            f"seed {seed}: {self.messages} messages in {self.sessions} sessions,"
            f" {self.answers} answers, {self.faults['crash']} crashes, {self.faults['hang']} hangs,"
            f" {self.faults['lost']} lost documents; {self.messages / seconds:.0f} messages/s,"
            f" at most {self.most_memory >> 20} MB, ended within {self.longest_end:.1f} s"
        )


def fuzz(
    messages: int,
    seed: int,
    faults: Path,
    *,
    first: int = 0,
    session_messages: int = SESSION_MESSAGES,
    seconds: float = 60.0,
) -> Tally:
    """Send so many messages, in sessions one after the other.

    Args:
        messages: how many, at least.
        seed: what all of them follow from.
        faults: the folder for what reproduces a fault.
        first: the number of the first session.
        session_messages: how many one session takes.
        seconds: the longest that a batch may take to be answered.
    """
    tally = Tally()
    with tempfile.TemporaryDirectory() as folder, models(Path(folder)) as servers:
        while tally.messages < messages and tally.faults.total() < _MOST_FAULTS:
            number = first + tally.sessions
            tally.sessions += 1
            home = Path(folder) / f"home-{number}"
            home.mkdir()
            left = min(session_messages, messages - tally.messages)
            said: deque[Batch] = deque(maxlen=_KEPT_BATCHES)
            try:
                _session(
                    Script(seed, number),
                    _Way(seed, number),
                    servers,
                    home,
                    left,
                    tally,
                    said,
                    seconds,
                )
            except Fault as fault:
                tally.faults[fault.kind] += 1
                print(f"session {number}: {fault.kind}: {fault}", file=sys.stderr)
                _keep(faults / f"{seed}-{number}.json", fault, seed, number, said)
    return tally


class _Way:
    """How a session begins and ends."""

    def __init__(self, seed: int, number: int) -> None:
        rng = random.Random(f"way {seed}/{number}")
        self.end = rng.choice(("shutdown", "exit", "stdin"))
        self.lists = rng.random() < 0.3
        self.encoding = rng.choice((None, ["utf-16"], []))
        self.context = rng.random() < 0.3

    def options(self, servers: Models) -> dict[str, Any]:
        return {
            **servers.options(),
            "provenance": True,
            "status": True,
            "typing": {"completion_list": "on" if self.lists else "off", "debounce_ms": 0},
            "context": {"enabled": self.context},
        }


def _session(
    script: Script,
    way: _Way,
    servers: Models,
    home: Path,
    messages: int,
    tally: Tally,
    said: deque[Batch],
    seconds: float,
) -> None:
    with Session(server_environment(home), home, seconds) as session:
        try:
            session.send(b"".join(script.before().pieces))
            session.begin(way.options(servers), {})
            for batch in script.batches(messages):
                said.append(batch)
                tally.messages += len(batch.pieces)
                session.say(batch)
            tally.most_memory = max(tally.most_memory, session.memory())
            tally.longest_end = max(tally.longest_end, session.end(way.end))
        finally:
            tally.answers += session.answered


def _keep(file: Path, fault: Fault, seed: int, number: int, said: deque[Batch]) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    pieces = [piece.decode("latin-1") for batch in said for piece in batch.pieces]
    told = {"fault": fault.kind, "sentence": str(fault), "seed": seed, "session": number}
    file.write_text(json.dumps({**told, "last": pieces}, indent=1), encoding="utf-8")


def main() -> int:
    """Run it from the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--messages", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=None, help="default: another one each time")
    parser.add_argument("--session", type=int, default=None, help="run only this one again")
    parser.add_argument("--faults", type=Path, default=ROOT / "build" / "fuzz")
    options = parser.parse_args()
    seed = random.SystemRandom().randrange(2**32) if options.seed is None else options.seed
    print(f"seed {seed}", file=sys.stderr)
    began = time.monotonic()
    one = options.session is not None
    messages = min(options.messages, SESSION_MESSAGES) if one else options.messages
    tally = fuzz(messages, seed, options.faults, first=options.session or 0)
    print(tally.closing_line(seed, time.monotonic() - began))
    return 1 if tally.faults.total() else 0


if __name__ == "__main__":
    sys.exit(main())
