"""The extension in real VS Code: code-server, driven through a browser with real keys."""

import re
import time
from collections.abc import Iterator

import pytest

from tests.e2e.editors import keys
from tests.e2e.editors.script import fresh, is_fresh
from tests.e2e.editors.stage import DELAY, Stage, digest_of
from tests.e2e.editors.vscode.desk import Desk, furnished
from tests.e2e.editors.vscode.needs import needs
from tests.e2e.editors.vscode.window import until

TYPING_SECONDS = 60.0
_TOLD = re.compile(r"synconfroute|extension host", re.IGNORECASE)
"""Tells errors of extensions from those of VS Code itself, which finds no marketplace here."""
_NOT_BUILT = "Could not locate the bindings file"
"""VS Code's log files need a module that has to be compiled: what goes there comes here as well."""
_NOT_STARTED = "SynConfRoute's server could not be started"
_SETTLE = """\
def settle(accounts, unsure):
    \"\"\"Book what is sure; a person looks at the rest.\"\"\"
    for account in accounts:
        if unsure(
"""
_KEYS = {keys.ACCEPT: "Tab", keys.BACKSPACE: "Backspace", keys.NEWLINE: "Enter"}


@pytest.fixture(scope="module")
def desk(stage: Stage, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    """One window for all tests."""
    with furnished(needs(), stage, tmp_path_factory.mktemp("vscode")) as one:
        yield one


def test_a_grey_text_appears_and_tab_takes_it(desk: Desk) -> None:
    """The server is told, and its copy of the document is the editor's."""
    desk.window.fill("value = \nother = 1\n", 0, 8)
    desk.window.type("al")
    desk.window.shows(fresh("value = al"))
    accepted = desk.stage.log().count(" accepted ")
    desk.window.press("Tab")
    wanted = f"value = al{fresh('value = al')}\nother = 1\n"
    until(lambda: desk.window.text() == wanted, "the text", desk.window.text)
    until(lambda: desk.stage.log().count(" accepted ") == accepted + 1, "the acceptance")
    assert desk.digest() == digest_of(wanted)


def test_typing_along_keeps_the_text_and_asks_no_model(desk: Desk) -> None:
    """What is shown shrinks key by key."""
    desk.window.fill("along = \n", 0, 8)
    desk.window.type("be")
    text = fresh("along = be")
    desk.window.shows(text)
    asked = len(desk.stage.local.asked)
    for typed in range(1, 5):
        desk.window.press(text[typed - 1])
        desk.window.shows(text[typed:])
    answers = desk.stage.log().count(" answer ")
    desk.window.press(text[4])
    until(lambda: desk.stage.log().count(" answer ") > answers, "the answer to the last key")
    assert len(desk.stage.local.asked) == asked
    desk.window.press("Tab")
    until(lambda: desk.window.text() == f"along = be{text}\n", "the text", desk.window.text)


def test_fast_typing_closes_what_runs(desk: Desk) -> None:
    """Taking a key back hangs up on the model; shown is what belongs to the last key."""
    desk.window.fill("quick = \n", 0, 8)
    hung_up, asked = desk.stage.local.hung_up, len(desk.stage.local.asked)
    desk.stage.local.delay = 10.0
    try:
        desk.window.type("a")
        until(lambda: len(desk.stage.local.asked) > asked, "the request")
        desk.stage.local.delay = DELAY
        desk.window.press("Backspace")
        desk.window.type("b.x")
        until(lambda: desk.stage.local.hung_up > hung_up, "the end of the stream")
    finally:
        desk.stage.local.delay = DELAY
    desk.window.shows(fresh("quick = b.x"))


def test_an_answer_of_the_organisation_is_marked(desk: Desk) -> None:
    """In the status bar and in its tooltip; the next local answer is marked local again."""
    desk.stage.org.script.answers["if unsure(acc"] = "ount) or account.frozen:"
    desk.window.fill(_SETTLE, 3, 18)
    desk.window.type("acc")
    desk.window.shows("ount) or account.frozen:")
    desk.window.says("org")
    tooltip = desk.window.tooltip()
    assert "SynConfRoute · org" in tooltip
    assert "Why this completion?" in tooltip
    desk.picture("org")
    desk.window.fill("sure = \n", 0, 7)
    desk.window.type("al")
    desk.window.shows(fresh("sure = al"))
    desk.window.says("local")


def test_a_server_that_is_killed_is_started_again(desk: Desk) -> None:
    """Without a word to the user, and the next completion comes."""
    (server,) = desk.servers()
    server.kill()
    until(lambda: desk.servers() not in ([], [server]), "a new server")
    desk.ready()
    desk.window.fill("again = \n", 0, 8)
    desk.window.type("al")
    desk.window.shows(fresh("again = al"))
    assert desk.window.notifications() == []


def test_a_threshold_holds_at_once(desk: Desk) -> None:
    """Picked in the palette it stands in the user's settings, and the running server has it."""
    (server,) = desk.servers()
    built = desk.stage.log().count(" local tier: ")
    desk.window.palette("Pick Threshold…")
    desk.window.choose("Another…")
    desk.window.enter("1.5")
    until(lambda: "from 0 to 1.01" in desk.window.hint(), "the complaint", desk.window.hint)
    desk.window.enter("1.01")
    desk.setting("router.threshold", 1.01)
    until(lambda: desk.stage.log().count(" local tier: ") == built + 1, "the server")
    desk.window.fill("sure = \n", 0, 7)
    desk.window.type("be")
    desk.window.shows("_org" + fresh("sure = be"))
    desk.window.palette("Pick Threshold…")
    desk.window.choose("Measured")
    desk.setting("router.threshold", None)
    until(lambda: desk.stage.log().count(" local tier: ") == built + 2, "the server")
    desk.window.fill("sure = \n", 0, 7)
    desk.window.type("al")
    desk.window.shows(fresh("sure = al"))
    assert desk.servers() == [server]


def test_completions_are_turned_off_and_on(desk: Desk) -> None:
    """The status bar says so; while off no model is asked."""
    desk.window.palette("Turn Completions On or Off")
    desk.window.says("off")
    asked = len(desk.stage.local.asked)
    desk.window.fill("off = \n", 0, 6)
    desk.window.type("al")
    desk.window.press("Alt+\\")
    assert desk.digest() == digest_of("off = al\n")
    desk.window.palette("Turn Completions On or Off")
    desk.window.says("local")
    assert len(desk.stage.local.asked) == asked
    desk.window.press("Escape")
    desk.window.type("x")
    desk.window.shows(fresh("off = alx"))


def test_completions_are_snoozed(desk: Desk) -> None:
    """They are off until somebody turns them on."""
    desk.window.palette("Snooze…")
    desk.window.choose("15 minutes")
    desk.window.says("off")
    desk.window.palette("Turn Completions On or Off")
    desk.window.says("local")


def test_it_is_said_why(desk: Desk) -> None:
    """One sentence, and the provenance on demand."""
    desk.window.fill("why = \n", 0, 6)
    desk.window.type("al")
    desk.window.shows(fresh("why = al"))
    desk.window.palette("Why This Completion?")
    (sentence,) = until(desk.window.notifications, "the sentence")
    assert "local" in sentence
    desk.window.silence()


@pytest.mark.parametrize(
    ("title", "name", "wanted"),
    [
        ("Doctor", "doctor.txt", "qwen2.5-coder"),
        ("Open Statistics", "statistics.txt", "local"),
        ("Open Ledger", "ledger", "qwen2.5-coder"),
    ],
)
def test_pages_open(desk: Desk, title: str, name: str, wanted: str) -> None:
    """The doctor's report, the numbers, the ledger: each in the editor, to be read.

    The numbers are there after half a minute: opened before, the page says when they begin.
    """
    desk.window.fill("unsure = \n", 0, 9)
    desk.window.type("al")
    desk.window.shows("_org" + fresh("unsure = al"))

    def opened() -> bool:
        desk.window.palette(title)
        until(lambda: name in desk.window.address(), name, desk.window.address)
        renewed = time.monotonic() + 3.0
        while not (there := wanted in desk.window.text().lower()) and time.monotonic() < renewed:
            time.sleep(0.1)
        desk.window.command("workbench.action.closeActiveEditor")
        until(lambda: "example.py" in desk.window.address(), "example.py")
        return there

    until(opened, wanted)


def test_the_statistics_open_as_a_page(desk: Desk) -> None:
    """In a tab of the editor, also before there are numbers."""
    desk.window.palette("Open Statistics as a Page")

    def headings() -> list[str]:
        return [str(each) for each in desk.window.act("framed", selector="h1")]

    until(lambda: "Completions on this machine" in headings(), "the page", headings)
    desk.window.command("workbench.action.closeActiveEditor")
    until(lambda: "example.py" in desk.window.address(), "example.py")


def test_no_folder_decides_which_program_runs_or_where_code_goes(desk: Desk) -> None:
    """The settings in the workspace name another program and another server: neither is used."""
    assert desk.servers() != []
    assert "elsewhere.example" not in desk.stage.log()
    assert desk.window.probe("setting", name="synconfroute.org.url") == ""


def test_a_missing_server_is_said_once(desk: Desk) -> None:
    """One sentence with the remedy, however often it is looked for; then all is well again."""
    desk.code.configure({"synconfroute.server.path": str(desk.stage.home / "absent")})
    desk.window.says("error")
    for _ in range(3):
        desk.window.command("synconfroute.restartServer")
    (sentence,) = until(desk.window.notifications, "the sentence")
    assert sentence.startswith("SynConfRoute's server was not found: install it")
    assert "was not found" in desk.window.tooltip()
    desk.window.silence()
    desk.code.configure({})
    desk.ready()


def test_a_program_that_is_no_server_is_said_once(desk: Desk) -> None:
    """It is not started over and over."""
    program = desk.stage.home / "no-server"
    program.write_text("#!/bin/sh\nexit 3\n", encoding="utf-8")
    program.chmod(0o755)
    desk.code.configure({"synconfroute.server.path": str(program)})
    desk.window.says("error")
    (sentence,) = until(desk.window.notifications, "the sentence")
    assert sentence.startswith(_NOT_STARTED)
    desk.window.silence()
    desk.code.configure({})
    desk.ready()


def test_a_minute_of_fast_typing(desk: Desk) -> None:
    """No text that is out of date is ever shown, and in the end both sides hold the same."""
    desk.window.fill("", 0, 0)
    shown = 0
    for key in keys.fast_typing(TYPING_SECONDS):
        time.sleep(key.pause)
        left, ghost = desk.window.line()
        assert ghost == "" or _belongs(left, ghost), f"{ghost!r} is shown behind {left!r}"
        shown += ghost != ""
        desk.window.key(_KEYS.get(key.name, key.name))
    # The last keys are still on their way from the page to both.
    until(lambda: desk.digest() == digest_of(desk.window.text()), "two equal copies", desk.digest)
    assert shown > 0
    assert len(desk.window.text().splitlines()) > 10


def test_nothing_has_gone_wrong_unseen(desk: Desk) -> None:
    """No exception in the server's log, in the page, in the extension host; no message is left."""
    assert desk.stage.faults() == []
    faults = [line for line in desk.window.faults() if _TOLD.search(line)]
    expected = (_NOT_BUILT, _NOT_STARTED)
    assert [line for line in faults if not any(word in line for word in expected)] == []
    assert desk.window.notifications() == []


def _belongs(left: str, ghost: str) -> bool:
    return is_fresh(left, ghost) or (ghost.startswith("_org") and is_fresh(left, ghost[4:]))
