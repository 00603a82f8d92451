"""How many prompts of benchmarks look like secrets, how long that takes, and what is found.

python -m benchmarks.secret_scan --data DATA    in CPU time, of this machine
"""

import argparse
import gzip
import json
import random
import sys
import time
from collections.abc import Iterable, Iterator
from pathlib import Path

from synconfroute.server.completion.secret_scan.scan import secrets_in
from tests.server.completion.secret_scan.made import KINDS

_EACH = 20


def _texts(files: Iterable[Path]) -> Iterator[str]:
    """The prompts of files of benchmarks."""
    for file in files:
        with gzip.open(file, "rt", encoding="utf-8") as lines:
            for line in lines:
                row = json.loads(line)
                yield row.get("eval_prompt") or row["prompt"] + row["suffix"]


def _say(name: str, texts: list[str]) -> None:
    begun = time.process_time()
    hits = sum(bool(secrets_in(text)) for text in texts)
    each = (time.process_time() - begun) / max(sum(map(len, texts)), 1) * 8_000 * 1_000
    print(f"{name}: {hits} of {len(texts):,} prompts; {each:.2f} ms for 8,000 characters")


def main() -> int:
    """Print one line for each corpus, and one for the made secrets."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--data", type=Path, required=True, help="folder of the benchmarks")
    data: Path = parser.parse_args().data
    single = data.glob("humaneval_infilling/*SingleLine*.jsonl.gz")
    _say("HumanEval-Infilling", list(_texts(sorted(single))))
    _say("SAFIM", list(_texts(sorted(data.glob("safim/*.jsonl.gz")))))
    made = [make(random.Random(seed)) for make in KINDS.values() for seed in range(_EACH)]
    found = sum(bool(secrets_in(f"client = Client(\n    {secret}\n)\n")) for secret in made)
    print(f"made: {found:,} of {len(made):,} found, {len(KINDS)} kinds")
    return 0


if __name__ == "__main__":
    sys.exit(main())
