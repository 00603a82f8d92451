"""The statistics' page in a real Chromium: numbers, colours, keyboard, and silence."""

import json
import os
import random
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest

from synconfroute.server.completion.counts import Event, Rows, Source, Wait, add_to, cell
from synconfroute.server.completion.day_files import History, add_days
from synconfroute.server.completion.summary import Summary, summarise
from synconfroute.server.observation.comparison.sessions import Session, write_session
from synconfroute.server.observation.words import percent
from tests.e2e.editor import SECONDS, environment, homes
from tests.e2e.editors.programs import program

HERE = Path(__file__).parent
MODULES = HERE.parent / "editors" / "vscode" / "node_modules"
PICTURES = "SYNCONFROUTE_PICTURES"
FIRST = date(2026, 11, 2)

Look = Callable[..., dict[str, Any]]


@pytest.fixture(scope="module")
def look(tmp_path_factory: pytest.TempPathFactory) -> Look:
    """Opens an address in Chromium and says what there is to see."""
    if not (MODULES / "playwright-core").is_dir():
        pytest.skip("playwright-core is not installed: run .ci/vs_code")
    chromium = program("chromium", "SYNCONFROUTE_CHROMIUM", "apt-get install chromium")
    node = program("node", "SYNCONFROUTE_NODE", "run .ci/vs_code")
    home = tmp_path_factory.mktemp("browser")

    def looker(address: str, keys: tuple[str, ...] = (), **more: Any) -> dict[str, Any]:
        asked = {
            "address": address, "width": 1060, "scheme": "light", "media": "", "picture": "",
            "keys": keys, **more,
        }  # fmt: skip
        done = subprocess.run(
            (node, str(HERE / "reader.js"), chromium, json.dumps(asked)),
            env={**environment(**homes(str(home))), "NODE_PATH": str(MODULES)},
            capture_output=True,
            text=True,
            encoding="utf-8",
            timeout=180,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        found: dict[str, Any] = json.loads(done.stdout)
        return found

    return looker


def weeks() -> History:
    """Four weeks of work: some languages, every tier, a model with a name that wants escaping."""
    chance, days = random.Random(9), {}
    small, large = "qwen2.5-coder:1.5b", "<b>big</b> & Co"
    sources = {
        Source("local", small, "python", "kept", "valid"): (50, 0.36, 200),
        Source("local", small, "typescript", "kept", "unknown"): (16, 0.31, 170),
        Source("org", large, "python", "low_confidence", "valid"): (15, 0.42, 560),
        Source("org", large, "java", "invalid", "valid"): (8, 0.35, 680),
        Source("local", small, "java", "refused_policy", "invalid"): (3, 0.15, 210),
        Source("local", small, "cpp", "late", "valid"): (1, 0.1, 4_100),
        Source("", small, "python", "cancelled", ""): (14, 0.0, 0),
        Source("", small, "python", "empty", ""): (6, 0.0, 0),
    }
    for number in range(27):
        day = FIRST + timedelta(days=number)
        rows: Rows = {}
        for _ in range(chance.randrange(90, 260) if day.weekday() < 5 else 0):
            source = chance.choices(list(sources), [weight for weight, _, _ in sources.values()])[0]
            _, taste, ms = sources[source]
            add_to(rows, source, Event.ASKED, 1)
            add_to(rows, source, Event.GENERATED, 20)
            if source.tier == "org" or source.reason == "late":
                add_to(rows, source, Event.SENT, 1)
            if not source.tier:
                continue
            add_to(rows, source, cell(Wait.MODEL, ms * chance.lognormvariate(0, 0.4)), 1)
            add_to(rows, source, cell(Wait.MEMORY, chance.lognormvariate(-0.4, 0.5)), 2)
            add_to(rows, source, Event.SHOWN, 1)
            if source.tier == "local":
                add_to(rows, source, Event.USED, 20)
            if chance.random() < taste:
                add_to(rows, source, Event.ACCEPTED, 1)
                kept = chance.random() < 0.85
                add_to(rows, source, Event.KEPT if kept else Event.GONE, 1)
        if rows:
            days[day] = rows
    return History(days, ())


def compared(folder: Path) -> None:
    """Sessions of two rules."""
    chance = random.Random(2)
    for number in range(48):
        arm, taste = (("paper", 0.3), ("score", 0.38))[number % 2]
        shown = chance.randrange(5, 60)
        accepted = sum(chance.random() < taste for _ in range(shown))
        numbers: dict[str, int] = {
            "asked": shown + 9, "sent": shown // 5, "shown": shown, "accepted": accepted,
            "kept": accepted, "model_ms 200": shown // 2, "model_ms 300": shown - shown // 2,
        }  # fmt: skip
        held = {name: count for name, count in numbers.items() if count}
        session = Session(f"{number:016x}", ("score", "paper"), arm, 200, FIRST, held)
        assert write_session(session, folder)


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home with four weeks of counts, and a comparison."""
    folder = tmp_path_factory.mktemp("home")
    code = "from synconfroute.server.places import counts_folder; print(counts_folder())"
    done = subprocess.run(
        [sys.executable, "-c", code],
        env=environment(**homes(str(folder))),
        capture_output=True,
        text=True,
        check=True,
    )
    counts = Path(done.stdout.strip())
    assert folder in counts.parents
    assert not add_days(weeks().days, counts)
    compared(counts)
    return folder


def synconfroute(home: Path, *arguments: str) -> str:
    """What a command prints."""
    done = subprocess.run(
        [sys.executable, "-m", "synconfroute", *arguments],
        env=environment(**homes(str(home))),
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=120,
        check=True,
    )
    return done.stdout


@pytest.fixture(scope="module")
def page(home: Path) -> str:
    """The address of the page, in a file."""
    file = home / "statistics.html"
    synconfroute(home, "stats", "--html", str(file))
    return file.as_uri()


@pytest.fixture(scope="module")
def summary() -> Summary:
    """What the page has to say."""
    return summarise(weeks())


@pytest.fixture(scope="module")
def seen(look: Look, page: str) -> dict[str, Any]:
    """The page, as it stands there; a picture of it where one is wanted."""
    folder = os.environ.get(PICTURES)
    picture = str(Path(folder).absolute() / "statistics.png") if folder else ""
    found = look(page, picture=picture)
    if picture:
        from PIL import Image

        Image.open(picture).convert("RGB").quantize(64).save(picture, optimize=True)
    return found


def table(seen: dict[str, Any], caption: str) -> list[list[str]]:
    """The rows of a table, without its head."""
    (found,) = [each for each in seen["tables"] if each["caption"] == caption]
    rows: list[list[str]] = found["rows"][1:]
    return rows


def test_no_request_leaves_and_nothing_is_wrong(seen: dict[str, Any], page: str) -> None:
    """The file itself is all that is asked for, and the console stays empty."""
    assert seen["asked"] == [page]
    assert seen["faults"] == []
    assert seen["title"] == "SynConfRoute: completions"
    assert seen["headings"] == [
        "Completions on this machine", "Kept on this machine", "Why answers are what they are",
        "How long answers took", "What you take", "Paper and score in turn", "Languages", "Models",
        "Tokens",
    ]  # fmt: skip


def test_the_tiles_say_what_is_counted(seen: dict[str, Any], summary: Summary) -> None:
    """Each with how many it is of."""
    tiles = {name: (value, of) for name, value, of in seen["tiles"]}
    value, of = tiles["Kept local"]
    assert value == percent(summary.kept_local)
    assert f"of {summary.total.requests:,} requests" in of
    value, of = tiles["Accepted"]
    assert value == percent(summary.total.acceptance)
    assert f"of {summary.total.shown:,} shown" in of
    assert re.search(r"95 %: \d+–\d+ %", of)
    assert tiles["Tokens thrown away"][1] == f"of {summary.total.tokens_generated:,} generated here"


def test_the_timeline_stands_where_its_numbers_are(seen: dict[str, Any], summary: Summary) -> None:
    """A point a day, as high as its share; a bar a day, as high as its requests."""
    days = summary.by["day"]
    (drawing,) = [each for each in seen["drawings"] if each["label"].startswith("Share kept")]
    assert drawing["role"] == "img"
    assert len(drawing["circles"]) == len(drawing["bars"]) == len(days)
    heights = [circle["y"] for circle in drawing["circles"]]
    shares = [day.kept_local or 0.0 for day in days]
    low, high = shares.index(min(shares)), shares.index(max(shares))
    scale = (heights[low] - heights[high]) / (shares[high] - shares[low])
    for height, share in zip(heights, shares, strict=True):
        assert height == pytest.approx(heights[low] - (share - shares[low]) * scale, abs=0.3)
    most = max(day.requests for day in days)
    tallest = max(bar["height"] for bar in drawing["bars"])
    for bar, day in zip(drawing["bars"], days, strict=True):
        assert bar["height"] == pytest.approx(day.requests / most * tallest, abs=0.3)
    for note, day in zip(drawing["notes"], days, strict=True):
        assert note.startswith(f"{day.name}: {percent(day.kept_local)} of {day.requests:,}")
    rows = table(seen, "Share kept local by day, from 2026-11-02 on")
    assert [row[:4] for row in rows] == [
        [day.name, f"{day.requests:,}", f"{day.sent:,}", percent(day.kept_local)] for day in days
    ]


def test_the_distribution_holds_every_answer(seen: dict[str, Any], summary: Summary) -> None:
    """The area of its bars is the share of answers, for each that they were waited for."""
    (drawing,) = [each for each in seen["drawings"] if each["label"].startswith("How long")]
    for name, cells in summary.wait_counts.items():
        bars = [bar for bar in drawing["bars"] if bar["kind"] == name]
        assert len(bars) == len(cells)
        areas = [bar["height"] * bar["width"] for bar in bars]
        count = sum(count for _, count in cells)
        for area, (_, counted) in zip(areas, cells, strict=True):
            assert area / sum(areas) == pytest.approx(counted / count, abs=0.02)
    rows = {row[0]: row[1] for row in table(seen, "Answers with a text by what was waited for")}
    assert rows == {
        "Local model": f"{summary.waits['local'].count:,}",
        "Organisation": f"{summary.waits['org'].count:,}",
        "From memory": f"{summary.waits['memory'].count:,}",
    }


def test_acceptance_is_drawn_where_it_is_written(seen: dict[str, Any], summary: Summary) -> None:
    """By tier, reason and verdict, each with its interval and how many it is of."""
    caption = "Acceptance by tier, reason and verdict"
    rows = [row for row in table(seen, caption) if len(row) > 1]
    shown = [row for name in ("tier", "reason", "verdict") for row in summary.by[name] if row.shown]
    assert [(row[2], row[4]) for row in rows] == [
        (percent(row.acceptance), f"{row.accepted:,} of {row.shown:,}") for row in shown
    ]
    (dots,) = [each["dots"] for each in seen["tables"] if each["caption"] == caption]
    for place, row in zip(dots, shown, strict=True):
        assert place * 0.5 == pytest.approx(row.acceptance, abs=0.01)


def test_names_are_text_and_never_markup(seen: dict[str, Any]) -> None:
    """What a server calls its model is shown as it is."""
    names = [row[0] for row in table(seen, "Acceptance and waits by model")]
    assert set(names) == {"qwen2.5-coder:1.5b", "<b>big</b> & Co"}


def test_the_comparison_promises_no_more_than_it_holds(seen: dict[str, Any]) -> None:
    """Both intervals, and how many sessions there are."""
    counted = table(seen, "What was counted by rule")
    assert [row[:2] for row in counted] == [["paper", "24"], ["score", "24"]]
    measured = table(seen, "score less paper")
    assert [row[0] for row in measured] == ["accepted", "still there", "kept local", "wait, p50"]
    assert re.fullmatch(r"[+-]\d+\.\d to [+-]\d+\.\d", measured[0][4])


@pytest.mark.parametrize("width", [360, 768, 1600])
def test_no_window_is_too_narrow(look: Look, page: str, width: int) -> None:
    """The page itself never scrolls sideways; a wide table does, for itself."""
    assert look(page, width=width)["wide"] <= 0


def test_the_keyboard_opens_what_is_folded(look: Look, page: str) -> None:
    """The first stop is the first drawing's numbers; a key opens them."""
    there = look(page, ("Tab",))
    assert (there["focused"], there["open"][0]) == ("SUMMARY", False)
    assert look(page, ("Tab", "Enter"))["open"][0] is True


def brightness(colour: str) -> float:
    """Relative luminance (WCAG 2) of "rgb(r, g, b)"."""
    parts = [int(part) / 255 for part in re.findall(r"\d+", colour)[:3]]
    linear = [
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    """Of two colours, from 1 to 21."""
    low, high = sorted((brightness(one), brightness(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize(
    ("more", "dark"),
    [({}, False), ({"scheme": "dark"}, True), ({"scheme": "dark", "media": "print"}, False)],
)
def test_it_is_read_in_light_in_dark_and_on_paper(
    look: Look, page: str, more: dict[str, str], dark: bool
) -> None:
    """Text and notes stand out 4.5 to 1 at least; paper is never dark."""
    found = look(page, **more)
    assert (brightness(found["body"]["background"]) < 0.2) == dark
    assert contrast(found["body"]["color"], found["card"]["background"]) >= 7
    assert contrast(found["soft"]["color"], found["card"]["background"]) >= 4.5
    assert contrast(found["soft"]["color"], found["body"]["background"]) >= 4.5


def test_without_numbers_it_says_so(look: Look, tmp_path: Path) -> None:
    """One sentence, and nothing is wrong."""
    file = tmp_path / "empty.html"
    synconfroute(tmp_path, "stats", "--html", str(file))
    found = look(file.as_uri())
    assert (found["faults"], found["tables"], found["drawings"]) == ([], [], [])
    assert "Nothing was counted" in file.read_text(encoding="utf-8")


@pytest.fixture
def served(home: Path) -> Iterator[str]:
    """`stats --serve` at any free port."""
    command = [sys.executable, "-m", "synconfroute", "stats", "--serve", "127.0.0.1:0"]
    env = environment(**homes(str(home)))
    with subprocess.Popen(command, env=env, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        line = process.stdout.readline()
        yield line.rpartition(" ")[2].strip()
        process.terminate()
        process.wait(SECONDS)


def test_the_same_page_is_served(look: Look, served: str, seen: dict[str, Any]) -> None:
    """With the same numbers, and still only one request."""
    found = look(served)
    assert found["asked"] == [served]
    assert found["faults"] == []
    assert found["tables"] == seen["tables"]
