"""`docs/faults.md`, made from the table that the tests of this folder drive.

python -m tests.faults.page
"""

import sys
from collections.abc import Iterator
from pathlib import Path

from tests.faults.table import LOCAL, NOTHING, ORG, ROWS, Row

PAGE = Path(__file__).parents[2] / "docs" / "faults.md"

_HEAD = """# What fails, and what you see then

Made from `tests/faults/table.py`; change that file, then run `python -m tests.faults.page`. Each
row is a test over real sockets (`tests/faults/test_matrix.py`); those marked ● also run against
the real server process with an editor (`tests/faults/test_served.py`). In all of them the local
model is not sure of itself, so that its answers would go to the organisation's server.

A fault costs no more than it must. If the organisation's server fails, the local answer is shown,
at once while the server is left alone. If the local model fails, nothing is shown, and **nothing
is sent elsewhere in its place**. Nothing has to be restarted.

- **Told once**: the sentence is a message of your editor, once for each cause, until all was well
  again; what broke anew is told again, though not within five minutes. Everything else is in the
  status and in the log.
- **Status**: *Error*: no completion can be made. *Warning*: completions come, and something is
  wrong. *Normal*.
- **Left alone**: after a failure a server is not asked for `breaker.first_pause_ms` (one second;
  the local model half of one), twice as long after the next one, up to `breaker.longest_pause_ms`
  (five minutes; the local model five seconds), or as long as `Retry-After` asks. What only a
  person can mend (a key, a name, an address) is tried after the longest pause, or at once with
  other settings. Then it is asked what it can do, without any code, and if it answers, one
  request may go. `why` says meanwhile `refused_breaker`.
- **Too late**: the time that answers take is measured. While it is beyond
  `escalation.deadline_ms`, requests stay here (`late`); now and then one is sent, to see whether
  that is still so.
- **Not too much**: at most `escalation.concurrent` requests wait there and
  `escalation.per_minute` leave in a minute.

`ADDRESS` stands for the server's own. *Why* is the reason of the first answer and of the
following ones.
"""
_PARTS = {
    "org": "The organisation's server",
    "machine": "This machine",
    "openai": "A local server of OpenAI's protocol (llama.cpp, LM Studio, …)",
    "ollama": "Ollama",
}
_COLUMNS = (
    "| | fault | shown | why | you are told, once | status | heals with |\n"
    "|---|---|---|---|---|---|---|"
)
_SHOWN = {LOCAL: "local answer", ORG: "organisation's", NOTHING: "nothing"}


def page() -> str:
    """All of it."""
    return "\n".join([_HEAD, *_parts()])


def _parts() -> Iterator[str]:
    for who, title in _PARTS.items():
        rows = "\n".join(_row(row) for row in ROWS if row.who == who)
        yield f"## {title}\n\n{_COLUMNS}\n{rows}\n"


def _row(row: Row) -> str:
    said = row.says.replace("{at}", "ADDRESS").replace("{ledger}", "FOLDER")
    said = said.replace("{why}", "WHY").replace("|", "\\|")
    reasons = dict.fromkeys((row.reason, row.then or row.reason))
    cells = (
        "●" if row.served else "",
        row.happens,
        _SHOWN[row.shown],
        ", then ".join(f"`{reason}`" for reason in reasons),
        said or "–",
        row.kind,
        row.heals,
    )
    return f"| {' | '.join(cells)} |"


if __name__ == "__main__":
    sys.exit(0 if PAGE.write_text(page(), "utf-8", newline="\n") else 1)
