"""Six tasks of our own for what the paper's Table 1 names (§1), with tests: no data is needed."""

import tomllib
from collections.abc import Iterator
from pathlib import Path

from synconfroute.evaluation.datasets.task import RunToEnd, Task

BENCH = "table-1"


def read_motivating() -> Iterator[Task]:
    """The six tasks, in the paper's order."""
    text = Path(__file__).with_name("table_1.toml").read_text(encoding="utf-8")
    for row in tomllib.loads(text)["task"]:
        prefix, _, rest = row["text"].partition("⟦")
        truth, _, suffix = rest.partition("⟧")
        yield Task(
            id=row["name"],
            bench=BENCH,
            language="python",
            group=row["name"],
            prefix=prefix,
            suffix=suffix,
            truth=truth,
            whole_lines=False,
            check=RunToEnd(f"\n\n{row['check']}"),
        )
