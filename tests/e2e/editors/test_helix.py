"""A real Helix, in a terminal: the menu of completions, what is inserted, a minute of typing."""

import re
import time
from collections.abc import Iterator

import pytest

from tests.e2e.editors.helix import Helix, helix
from tests.e2e.editors.keys import ACCEPT, fast_typing
from tests.e2e.editors.picture import save_picture
from tests.e2e.editors.programs import program
from tests.e2e.editors.script import is_fresh
from tests.e2e.editors.stage import Stage
from tests.e2e.editors.terminal import SECONDS

LOOP = '\n    for name in names:\n        print("Hello,", name)'
TYPING_SECONDS = 60.0
LEAST_ACCEPTED = 4
"""Of some twenty chances; on a busy machine a completion often comes too late for one."""

_FRESH = re.compile(r"_[0-9a-f]{8}")
_LAST_WORD = re.compile(r"\w*\Z")


@pytest.fixture(scope="module")
def programs() -> tuple[str, str]:
    """Helix and tmux."""
    how = "`.ci/from_sid FOLDER hx` unpacks it and SYNCONFROUTE_HELIX may name it"
    return program("hx", "SYNCONFROUTE_HELIX", how), program("tmux", "SYNCONFROUTE_TMUX", "apt")


@pytest.fixture(scope="module")
def lines(stage: Stage) -> Stage:
    """A stage whose model answers in several lines, too."""
    stage.settings(limits={"lines": "multi"})
    stage.local.script.answers = {
        "one_end": " + 1",
        "call(": "1, 2",
        "def tell(names):": LOOP,
    }
    return stage


@pytest.fixture
def editor(
    programs: tuple[str, str], lines: Stage, request: pytest.FixtureRequest
) -> Iterator[Helix]:
    """Helix with a file of its own; no log may tell of an error in the end."""
    with helix(programs, lines, f"{request.node.name}.py") as one:
        yield one
        assert one.faults() == []


def test_a_completion_is_an_entry_of_the_menu(editor: Helix) -> None:
    """It shows the whole word; Tab and Enter put in exactly the text, and the word only once."""
    editor.insert("total = one_end")
    editor.wait_for("one_end + 1")
    assert editor.saved() == "total = one_end"
    editor.insert("\ntotal = one_end")
    editor.wait_for("one_end + 1")
    editor.take()
    assert editor.saved() == "total = one_end\ntotal = one_end + 1"


def test_inside_brackets(editor: Helix) -> None:
    """What stands right of the cursor stays there, once."""
    editor.insert("value = call(")
    editor.wait_for("1, 2")
    editor.take()
    assert editor.saved() == "value = call(1, 2)"


def test_behind_characters_of_many_bytes(editor: Helix) -> None:
    """Characters of two, three and four bytes shift nothing."""
    editor.insert("größe = naïve + 数値 + 𝒳 + one_end")
    editor.wait_for("one_end + 1")
    editor.take()
    assert editor.saved() == "größe = naïve + 数値 + 𝒳 + one_end + 1"


def test_several_lines(editor: Helix) -> None:
    """The menu shows that there is more, the popup all of it; it is inserted as it is."""
    editor.insert("def tell(names):")
    editor.screen.press("C-x")
    editor.wait_for("for name in names: …")
    editor.screen.press("Tab")
    editor.screen.until(lambda screen: screen.count('print("Hello,", name)') == 2, "the popup")
    save_picture("helix", editor.screen.coloured(), editor.screen.cursor())
    editor.screen.press("Enter")
    assert editor.saved() == "def tell(names):" + LOOP


def test_a_killed_server_comes_back(programs: tuple[str, str], lines: Stage) -> None:
    """After :lsp-restart completions come as before, for the text as it is now."""
    with helix(programs, lines, "killed.py") as one:
        one.insert("first = one_end")
        one.wait_for("one_end + 1")
        before = one.sessions()
        one.kill_server()
        one.insert("\nsecond = 2")
        one.command("lsp-restart synconfroute")
        one.screen.until(lambda _: one.sessions() > before, "the new server")
        one.insert("\nthird = one_end")
        one.wait_for("one_end + 1")
        one.take()
        assert one.saved() == "first = one_end\nsecond = 2\nthird = one_end + 1"
        assert one.faults("StreamClosed", "closed channel", "BrokenPipe") == []


@pytest.mark.timeout(TYPING_SECONDS * 4)
def test_a_minute_of_fast_typing(programs: tuple[str, str], lines: Stage) -> None:
    """No error in any log, no entry for a line that is gone, and the same text in both."""
    shown = 0
    with helix(programs, lines, "minute.py", columns=240) as one:
        one.insert("")
        for key in fast_typing(TYPING_SECONDS):
            time.sleep(key.pause)
            if key.name != ACCEPT:
                one.press(key)
            elif (proposal := one.proposal()) and _FRESH.search(proposal):
                _must_become_fresh(one)
                shown += 1
                one.press(key)
        text = one.saved()
        assert one.faults() == []
    assert shown >= LEAST_ACCEPTED
    assert len(_FRESH.findall(text)) >= LEAST_ACCEPTED


def _must_become_fresh(one: Helix) -> None:
    """What the menu shows is for the line as it is, or becomes so at once."""
    deadline = time.monotonic() + SECONDS
    while True:
        left, proposal = one.left(), one.proposal()
        if proposal is None or _is_for(left, proposal):
            return
        assert time.monotonic() < deadline, f"{proposal!r} is shown for the line {left!r}"


def _is_for(left: str, proposal: str) -> bool:
    word = _LAST_WORD.findall(left)[0]
    entry = proposal.rpartition(" ")[2]  # the menu may lie over other lines' text
    return entry.startswith(word) and is_fresh(left, entry[len(word) :])
