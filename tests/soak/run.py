"""The server for a long time: `python tests/soak/run.py --requests 100000 --kills 200`.

First requests with edits and cancellations, while the model servers change how they behave every
few seconds: memory and handles must stay flat. Then servers that are killed at random moments. In
the end each request that the organisation's server was asked must have its line in the ledger, and
the ledger must be whole. The closing line says all of it; the exit code is 1 where anything failed.
"""

import argparse
import json
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
if __name__ == "__main__":
    sys.path[:0] = [str(ROOT), str(ROOT / "src")]

from tests.fuzz.session import Fault, Session  # noqa: E402  found through the path above
from tests.soak.models import MODES  # noqa: E402
from tests.soak.processes import (  # noqa: E402
    Models,
    handles,
    models,
    resident,
    server_environment,
)
from tests.soak.work import Work  # noqa: E402

BATCH = 25
"""Requests that are sent in one go."""
SAMPLES = 40
WARM_UP = 0.25
"""Of the samples, the share before memory has settled: caches fill."""
MOST_GROWTH = 24 << 20
MOST_NEW_HANDLES = 8
SWITCH_S = 3.0
LONGEST_KILL_S = 0.6
_PATIENCE_S = 120.0

_SETTINGS = {
    "escalation": {"deadline_ms": 1_000, "per_minute": 6_000, "concurrent": 16},
    "breaker": {"first_pause_ms": 50, "longest_pause_ms": 500},
    "limits": {"local_deadline_ms": 1_500},
    "ledger": {"keep_mb": 100_000},
    "typing": {"debounce_ms": 0},
}


@dataclass
class Soaked:
    """What came of it.

    Attributes:
        requests: asked of servers that lived.
        kills: servers killed.
        memory: bytes of the server and its children, over time.
        handles: of the server, over time.
        seen: requests that the organisation's server was asked.
        without_line: of these, those that have no line in the ledger.
        unknown: lines without such a request, that the ledger tells as "not sent or unknown".
        not_told: lines without such a request and without an end, told as something else.
        broken: what `ledger verify` says, where the ledger is not whole.
        faults: what must not happen, in sentences.
    """

    requests: int = 0
    kills: int = 0
    memory: list[int] = field(default_factory=list)
    handles: list[int] = field(default_factory=list)
    seen: int = 0
    without_line: int = 0
    unknown: int = 0
    not_told: int = 0
    broken: str = ""
    faults: list[str] = field(default_factory=list)

    def wrong(self) -> list[str]:
        """What failed, in sentences."""
        found = list(self.faults)
        if self.without_line:
            found.append(f"{self.without_line} requests left without a line in the ledger")
        if self.not_told:
            found.append(f"{self.not_told} lines without a request are told as if it had been sent")
        if self.broken:
            found.append(f"the ledger is not whole: {self.broken}")
        if _growth(self.memory) > MOST_GROWTH:
            found.append(f"memory grew by {_growth(self.memory) >> 20} MB")
        if _growth(self.handles) > MOST_NEW_HANDLES:
            found.append(f"{_growth(self.handles)} handles more")
        return found

    def closing_line(self, seed: int, seconds: float) -> str:
        """All of it in one line."""
        first, last = _ends(self.memory)
        few, many = _ends(self.handles)
        return (
            f"seed {seed}: {self.requests} requests and {self.kills} kills in {seconds:.0f} s;"
            f" memory {first >> 20} MB, then {last >> 20} MB; handles {few}, then {many};"
            f" {self.seen} requests reached the organisation's server, {self.without_line} without"
            f" a line; {self.unknown} lines without a request told as not sent or unknown,"
            f" {self.not_told} not; ledger {'not ' if self.broken else ''}whole;"
            f" {len(self.faults)} faults"
        )


def soak(requests: int, kills: int, seed: int, folder: Path) -> Soaked:
    """Run it.

    Args:
        requests: of the server that lives.
        kills: servers that are killed while they work.
        seed: what is typed and asked, how the model servers behave, and when it is killed.
        folder: an empty one, for homes and logs.
    """
    soaked = Soaked()
    rng = random.Random(seed)
    home = folder / "home"
    home.mkdir()
    with models(folder) as servers:
        try:
            _live(soaked, rng, servers, home, requests)
            for number in range(kills):
                _kill(soaked, rng, servers, home, number + 1)
        except Fault as fault:
            soaked.faults.append(f"{fault.kind}: {fault}")
        _compare(soaked, servers, home)
    return soaked


def _live(soaked: Soaked, rng: random.Random, servers: Models, home: Path, requests: int) -> None:
    work, switch = Work(rng, 0), time.monotonic() + SWITCH_S
    every = max(BATCH, requests // SAMPLES)
    with Session(server_environment(home), home, _PATIENCE_S) as session:
        session.begin(_options(servers), {})
        session.say(work.opened())
        while soaked.requests < requests:
            if time.monotonic() > switch:
                switch = time.monotonic() + SWITCH_S
                _behave(rng, servers)
            session.say(work.batch(BATCH))
            soaked.requests += BATCH
            if soaked.requests % every < BATCH:
                soaked.memory.append(resident(session.process.pid))
                soaked.handles.append(handles(session.process.pid))
        session.end("shutdown")


def _kill(soaked: Soaked, rng: random.Random, servers: Models, home: Path, number: int) -> None:
    work = Work(rng, number)
    _behave(rng, servers)
    with Session(server_environment(home), home, _PATIENCE_S) as session:
        session.begin(_options(servers), {})
        session.say(work.opened())
        session.say(work.batch(1))  # everything is started
        for _ in range(4):
            session.send(b"".join(work.batch(BATCH).pieces))
        time.sleep(rng.uniform(0, LONGEST_KILL_S))
        session.process.kill()
        soaked.kills += 1


def _behave(rng: random.Random, servers: Models) -> None:
    for which in ("local", "org"):
        servers.behave(which, "well" if rng.random() < 0.5 else rng.choice(sorted(MODES)))


def _options(servers: Models) -> dict[str, Any]:
    return {**servers.options(), **_SETTINGS}


def _compare(soaked: Soaked, servers: Models, home: Path) -> None:
    """Each request seen has its line; each line without one and without an end is told so."""
    asked = Counter(servers.asked())
    told = json.loads(_ledger(home, "--json").stdout)["requests"]
    lines = Counter(each["request_id"] for each in told if each["status"] != "withheld")
    soaked.seen = asked.total()
    soaked.without_line = (asked - lines).total()
    for request in told:
        if request["request_id"] not in asked and request["ms"] is None:
            if request["status"] == "not sent or unknown":
                soaked.unknown += 1
            elif request["status"] != "withheld":
                soaked.not_told += 1
    verified = _ledger(home, "verify")
    if verified.returncode:
        soaked.broken = (verified.stdout + verified.stderr)[-300:]


def _ledger(home: Path, *arguments: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-m", "synconfroute", "ledger", *arguments],
        env=server_environment(home),
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )


def _ends(samples: Sequence[int]) -> tuple[int, int]:
    """The median of the settled samples' first third, and of their last."""
    settled = samples[int(len(samples) * WARM_UP) :] or [0]
    third = max(1, len(settled) // 3)
    return int(statistics.median(settled[:third])), int(statistics.median(settled[-third:]))


def _growth(samples: Sequence[int]) -> int:
    first, last = _ends(samples)
    return last - first


def main() -> int:
    """Run it from the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--requests", type=int, default=100_000)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        soaked = soak(options.requests, options.kills, options.seed, Path(folder))
    for sentence in soaked.wrong():
        print(sentence, file=sys.stderr)
    print(soaked.closing_line(options.seed, time.monotonic() - began))
    return 1 if soaked.wrong() else 0


if __name__ == "__main__":
    sys.exit(main())
