"""`synconfroute stats`."""

import json
import os
import signal
import subprocess
import sys
import urllib.request
from datetime import date
from pathlib import Path

import pytest

from synconfroute.server.completion.counts import Counts, Event, Source, Wait, cell
from synconfroute.server.completion.day_files import add_days
from synconfroute.server.observation.comparison.sessions import Session, write_session
from synconfroute.server.places import counts_folder
from tests.server.command.conftest import SOURCES, Run

LOCAL = Source("local", "qwen2.5-coder:0.5b", "python", "kept", "valid")
ORG = Source("org", "big\x1b[31m", "java", "low_confidence", "valid")


@pytest.fixture
def counted(home: Path) -> Path:
    """Numbers of two days in the user's folder."""
    for day in (date(2026, 11, 29), date(2026, 11, 30)):
        counts = Counts(day=lambda day=day: day)  # type: ignore[misc]
        for name, number in {
            Event.ASKED: 10,
            Event.SHOWN: 8,
            Event.ACCEPTED: 4,
            Event.KEPT: 3,
            Event.GONE: 1,
            Event.GENERATED: 2_000,
            Event.USED: 1_500,
            cell(Wait.MODEL, 190): 8,
        }.items():
            counts.add(LOCAL, name, number)
        counts.add(ORG, Event.ASKED, 2)
        counts.add(ORG, Event.SENT, 2)
        counts.add(ORG, Event.SHOWN, 2)
        assert counts.save()
    assert home in counts_folder().parents
    return counts_folder()


def test_without_numbers_one_sentence_says_so(run: Run) -> None:
    """Nothing is wrong, and no folder is made."""
    done = run("stats")
    assert (done.code, done.err) == (0, "")
    assert done.out.splitlines() == [
        "Nothing was counted yet: the numbers begin with the first completion in your editor."
    ]
    assert not counts_folder().exists()
    shown = json.loads(run("stats", "--json").out)
    assert (shown["days"], shown["kept_local"], shown["total"]["shown"]) == (0, None, 0)


def test_a_table_for_people(run: Run, counted: Path) -> None:
    """Shares, waits, and rows by tier, reason, language and model; no control character."""
    done = run("stats")
    assert (done.code, done.err) == (0, "")
    lines = [" ".join(line.split()) for line in done.out.splitlines()]
    for line in (
        "Completions on 2 days, 2026-11-29 to 2026-11-30 (UTC). Open editors add theirs every"
        " 30 s.",
        "kept local 83.3 % 64-93 %; of 24 requests",
        "shown 20",
        "still there 75.0 % 41-93 %; of 8 looked at again a minute after they were accepted",
        "thrown away 25.0 % 1,000 of 4,000 tokens generated here",
        "local model 16 175 ms 198 ms",
        "tier requests sent shown accepted 95 % partly still there p50 p95",
        "local 20 0 16 50.0 % 28-72 % 0 75.0 % 175 ms 198 ms",
        "org 4 4 4 0.0 % 0-49 % 0 - - -",
        "low_confidence 4 4 4 0.0 % 0-49 % 0 - - -",
        "valid 24 4 20 40.0 % 22-61 % 0 75.0 % 175 ms 198 ms",
        "python 20 0 16 50.0 % 28-72 % 0 75.0 % 175 ms 198 ms",
        "qwen2.5-coder:0.5b 20 0 16 50.0 % 28-72 % 0 75.0 % 175 ms 198 ms",
    ):
        assert line in lines
    assert "\x1b" not in done.out


def test_json_for_scripts(run: Run, counted: Path) -> None:
    """One object with names that stay."""
    done = run("stats", "--json")
    shown = json.loads(done.out)
    assert list(shown) == [
        "since", "days", "first_day", "last_day", "kept_local", "total", "accepted_further",
        "ahead", "left_alone", "ledger_failures", "waits", "wait_counts", "by", "unreadable",
        "comparisons", "people",
    ]  # fmt: skip
    assert list(shown["total"]) == [
        "name", "requests", "sent", "shown", "accepted", "partly_accepted", "kept", "gone",
        "kept_local", "kept_local_ci95", "acceptance", "acceptance_ci95", "still_there",
        "still_there_ci95", "tokens_generated", "tokens_thrown_away", "waits",
    ]  # fmt: skip
    assert shown["waits"]["local"] == {"count": 16, "p50": 175.0, "p95": 197.5}
    assert list(shown["by"]) == [
        "tier", "reason", "verdict", "language", "model", "decision", "day",
    ]  # fmt: skip
    assert shown["by"]["model"][0]["name"] == LOCAL.model


def test_days_before_a_date_are_left_out(run: Run, counted: Path) -> None:
    """The day itself counts."""
    shown = json.loads(run("stats", "--json", "--since", "2026-11-30").out)
    assert (shown["since"], shown["days"], shown["total"]["shown"]) == ("2026-11-30", 1, 10)
    assert run("stats", "--since", "2026-12-01").out == "Nothing was counted since 2026-12-01.\n"


def test_what_is_no_date_is_wrong_usage(run: Run) -> None:
    """With a date as an example."""
    done = run("stats", "--since", "yesterday")
    assert done.code == 2
    assert "2026-11-30" in done.sentence


def test_a_day_that_cannot_be_read_is_named(run: Run, counted: Path) -> None:
    """A newer version wrote it; the others are shown."""
    newer = json.dumps({"format": 99})
    (counted / "2026-11-30.json").write_text(newer, encoding="utf-8")
    done = run("stats")
    assert done.code == 0
    assert "2026-11-30.json" in done.sentence
    assert "shown 10" in [" ".join(line.split()) for line in done.out.splitlines()]
    assert json.loads(run("stats", "--json").out)["unreadable"] == ["2026-11-30.json"]


def test_a_page_in_a_file_or_on_stdout(run: Run, counted: Path, tmp_path: Path) -> None:
    """The same page, with nothing said beside it."""
    file = tmp_path / "page.html"
    done = run("stats", "--html", file)
    assert (done.code, done.out, done.err) == (0, "", "")
    text = file.read_text(encoding="utf-8")
    assert text.startswith("<!doctype html>")
    assert "83.3 %" in text
    assert "\x1b" not in text
    assert text.isascii()  # no terminal's encoding can spoil it
    assert run("stats", "--html", "-").out.strip() == text.strip()
    where = tmp_path / "missing" / "page.html"
    done = run("stats", "--html", where)
    assert done.code == 2
    assert "cannot be written" in done.sentence


def test_exports_are_put_together(run: Run, counted: Path, tmp_path: Path) -> None:
    """One machine's twice is one machine's; what is no export is wrong usage."""
    first, second = tmp_path / "first.json", tmp_path / "second.json"
    for file in (first, second):
        assert run("stats", "--export", file).code == 0
    pooled = run("stats", "--json", "--pool", first)
    here = json.loads(run("stats", "--json").out)
    assert json.loads(pooled.out) == {**here, "people": 1}
    done = run("stats", "--pool", first, second)
    assert done.code == 0
    assert "earlier export" in done.sentence
    assert "Completions of 1 exports on 2 days" in done.out
    (tmp_path / "other.json").write_text("{}", encoding="utf-8")
    done = run("stats", "--pool", tmp_path / "other.json")
    assert done.code == 2
    assert "--export FILE" in done.sentence
    assert run("stats", "--pool", first, "--serve").code == 2


def test_a_comparison_is_told_with_what_it_may_promise(run: Run, home: Path) -> None:
    """In the table, in the JSON, and for the difference that one wants to see."""
    day = date(2026, 11, 30)
    assert not add_days({day: {LOCAL: {"asked": 1}}})
    for number in range(16):
        arm = ("paper", "score")[number % 2]
        numbers = {"asked": 10, "shown": 10, "accepted": 2 + number // 2 % 3 + 3 * (number % 2)}
        session = Session(f"{number:016x}", ("score", "paper"), arm, 100, day, numbers)
        assert write_session(session)
    out = run("stats").out
    assert "paper and score in turn" in out
    assert "16 of 100 planned sessions." in out
    assert "To see a difference of 5 points" in out
    (found,) = json.loads(run("stats", "--json", "--difference", "20").out)["comparisons"]
    assert [arm["name"] for arm in found["arms"]] == ["paper", "score"]
    assert (found["sessions"], found["planned"], found["difference"]) == (16, 100, 0.2)
    acceptance = found["measures"][0]
    assert acceptance["name"] == "acceptance"
    assert acceptance["always95"][0] < acceptance["ci95"][0] < acceptance["difference"]
    assert json.loads(run("stats", "--json", "--since", "2026-12-01").out)["comparisons"] == []
    assert run("stats", "--difference", "0").code == 2


def test_metrics_are_served_until_the_process_ends(home: Path, counted: Path) -> None:
    """On this machine only; a port that is taken is a sentence."""
    command = [sys.executable, "-m", "synconfroute", "stats", "--serve"]
    env = {**os.environ, "PYTHONPATH": str(SOURCES)}

    def asked(address: str) -> subprocess.Popen[str]:
        pipe = subprocess.PIPE
        return subprocess.Popen(
            [*command, address], env=env, stdout=pipe, stderr=pipe, text=True, encoding="utf-8"
        )

    with asked("127.0.0.1:0") as first:
        assert first.stdout is not None
        line = first.stdout.readline()
        address = line.split()[1]
        with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(address) as answer:
            text = answer.read().decode()
        assert "synconfroute_shown_total{" in text
        with asked(address.removeprefix("http://").removesuffix("/metrics")) as second:
            _, complaint = second.communicate(timeout=60)
            assert second.returncode == 2
            assert complaint.count("\n") == 1
            assert "Nothing can listen on 127.0.0.1:" in complaint
        first.send_signal(signal.SIGINT if os.name != "nt" else signal.SIGTERM)
        _, complaint = first.communicate(timeout=60)
        assert complaint == ""
        assert first.returncode == 0 or os.name == "nt"


@pytest.mark.parametrize("address", ["0.0.0.0:9464", "example.org:1", "9464", "127.0.0.1"])
def test_no_address_but_this_machines_is_served(run: Run, address: str) -> None:
    """One sentence with an example."""
    done = run("stats", "--serve", address)
    assert done.code == 2
    assert "127.0.0.1:9464" in done.sentence
