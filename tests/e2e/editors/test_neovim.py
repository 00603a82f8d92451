"""SynConfRoute in a real Neovim: grey text, accepted by keys, as a user meets it.

`.ci/from_sid FOLDER neovim` unpacks one; SYNCONFROUTE_NEOVIM names it where PATH has
none or another.
"""

import re
import time
from collections.abc import Iterator

import pytest

import synconfroute
from tests.e2e.editors.keys import ACCEPT, BACKSPACE, NEWLINE, fast_typing
from tests.e2e.editors.neovim import WITH_PLUGIN, Neovim, neovim
from tests.e2e.editors.programs import program
from tests.e2e.editors.script import fresh, is_fresh
from tests.e2e.editors.stage import DELAY, Stage

BODY = "a, b):\n    return a + b"
STATUS = "return require('synconfroute').status()"
NAMED = {ACCEPT: "<Tab>", BACKSPACE: "<BS>", NEWLINE: "<CR>", "<": "<lt>"}


@pytest.fixture(scope="module")
def found() -> str:
    """A Neovim of at least 0.12."""
    return program("nvim", "SYNCONFROUTE_NEOVIM", "`.ci/from_sid FOLDER neovim` unpacks one")


@pytest.fixture(scope="module")
def running(found: str, stage: Stage) -> Iterator[Neovim]:
    """One Neovim with our plugin for all tests."""
    stage.settings(limits={"lines": "multi"})
    stage.local.script.answers["def add("] = BODY
    with neovim(found, stage, WITH_PLUGIN) as one:
        yield one


@pytest.fixture
def editor(running: Neovim, stage: Stage) -> Iterator[Neovim]:
    """The same with a new file; afterwards no log tells of an error, and the texts are equal."""
    stage.local.delay = stage.org.delay = DELAY
    running.open()
    yield running
    running.keys("<Esc>")
    running.agrees()
    assert running.faults() == []


def test_grey_text_comes_and_tab_takes_it(editor: Neovim, stage: Stage) -> None:
    """The server is told, so that its counts are right."""
    editor.keys("ivalue = al")
    editor.shows(fresh("value = al"))
    editor.keys("<Tab>")
    editor.holds(f"value = al{fresh('value = al')}\n")
    editor.until(lambda: " accepted " in stage.log(), "the server's word")


def test_tab_without_grey_text_is_tab(editor: Neovim) -> None:
    """In an empty line of an empty file nothing is shown yet."""
    editor.lua("vim.bo.expandtab = true; vim.bo.shiftwidth = 4; vim.bo.softtabstop = 4")
    editor.keys("i<Tab>x")
    editor.holds("    x\n")


def test_a_completion_of_several_lines_is_taken_whole(editor: Neovim) -> None:
    """Its first line stands at the cursor, the others below."""
    editor.keys("idef add(")
    editor.shows(BODY)
    editor.keys("<Tab>")
    editor.holds(f"def add({BODY}\n")
    assert editor.left() == "    return a + b"


def test_one_undo_takes_back_what_was_taken(editor: Neovim) -> None:
    """What was typed before it stays."""
    editor.keys("idef add(")
    editor.shows(BODY)
    editor.keys("<Tab>")
    editor.holds(f"def add({BODY}\n")
    editor.keys("<Esc>u")
    editor.holds("def add(\n")


def test_words_are_taken_one_by_one(editor: Neovim) -> None:
    """The rest stays; a run of signs is a word."""
    editor.keys("idef add(")
    editor.shows(BODY)
    for taken in ("a", ",", " b", "):", "\n    return"):
        before = editor.text()
        editor.keys("<M-Right>")
        editor.holds(before[:-1] + taken + "\n")
        rest = f"def add({BODY}"[len(editor.text()) - 1 :]
        editor.shows(rest)


def test_lines_are_taken_one_by_one(editor: Neovim) -> None:
    """First the rest of the line, then the next one."""
    editor.keys("idef add(")
    editor.shows(BODY)
    editor.keys("<M-Down>")
    editor.holds("def add(a, b):\n")
    editor.shows("\n    return a + b")
    editor.keys("<M-Down>")
    editor.holds(f"def add({BODY}\n")


def test_typing_along_shows_the_rest_without_the_model(editor: Neovim, stage: Stage) -> None:
    """Key by key, and at once."""
    editor.keys("idef add(")
    editor.shows(BODY)
    asked = len(stage.local.asked)
    for typed in range(1, 6):
        editor.keys(BODY[typed - 1])
        assert editor.ghost() == BODY[typed:]
    editor.keys("<Tab>")
    editor.holds(f"def add({BODY}\n")
    assert "def add(" not in stage.local.asked[asked:]


def test_taking_right_behind_typed_keys_doubles_nothing(editor: Neovim) -> None:
    """Neovim alone inserts the text where it was made for: `def add(a, a, b)`."""
    editor.keys("idef add(")
    editor.shows(BODY)
    editor.keys("a, <Tab>")
    editor.holds(f"def add({BODY}\n")


def test_a_wrong_key_takes_grey_text_away_at_once(editor: Neovim, stage: Stage) -> None:
    """Not only when the next answer is there; and Tab is Tab."""
    editor.lua("vim.bo.expandtab = true; vim.bo.softtabstop = 2")
    editor.keys("idef add(")
    editor.shows(BODY)
    stage.local.delay = 5.0
    editor.keys("x")
    assert editor.ghost() is None
    editor.keys("<Tab>y")
    editor.holds("def add(x y\n")


def test_an_answer_for_an_older_text_is_not_shown(editor: Neovim, stage: Stage) -> None:
    """Whoever types on while the model writes sees the newer answer, and never the older one."""
    stage.local.delay = 0.4
    asked = len(stage.local.asked)
    editor.keys("ivalue = al")
    editor.until(lambda: len(stage.local.asked) > asked, "the request")
    editor.keys("so")
    editor.until(editor.ghost, "grey text")
    assert editor.ghost() == fresh("value = also")


def test_a_slow_model_is_not_asked_at_every_key(editor: Neovim, stage: Stage) -> None:
    """Who types fast sees the answer for the last key, and the model wrote few for others."""
    stage.local.delay = 0.5
    asked = len(stage.local.asked)
    line = "total = alpha + beta_2"
    editor.keys("i")
    for key in line:
        editor.keys(key)
        time.sleep(0.03)
    editor.shows(fresh(line))
    assert len(stage.local.asked) - asked < len(line) / 2


def test_leaving_insert_mode_ends_the_models_work(editor: Neovim, stage: Stage) -> None:
    """Its stream is closed."""
    stage.local.delay = 15.0
    asked, hung_up = len(stage.local.asked), stage.local.hung_up
    editor.keys("ivalue = al")
    editor.until(lambda: len(stage.local.asked) > asked, "the request")
    editor.keys("<Esc>")
    editor.until(lambda: stage.local.hung_up > hung_up, "the end of the stream")


def test_characters_of_two_units_move_nothing(editor: Neovim) -> None:
    """Left of the cursor, in a whole text and in the words of one."""
    line = "größe = '𝒳😀数' + al"
    editor.keys(f"i{line}")
    editor.shows(fresh(line))
    editor.keys("<Tab>")
    editor.holds(f"{line}{fresh(line)}\n")


def test_the_organisations_answer_is_marked_in_the_status(editor: Neovim, stage: Stage) -> None:
    """A line that the local model is unsure of."""
    editor.keys("iunsure = al")
    editor.shows("_org" + fresh("unsure = al"))
    editor.until(lambda: editor.lua(STATUS) == "scr:org", "the status")
    assert "unsure = al" in stage.org.asked
    editor.keys("<CR>value = al")
    editor.shows(fresh("value = al"))
    editor.until(lambda: editor.lua(STATUS) == "scr:local", "the status")


def test_settings_change_while_it_runs(editor: Neovim, stage: Stage) -> None:
    """Without escalation the organisation is not asked, and then again."""
    asked = len(stage.org.asked)
    configure = "require('synconfroute').configure({ escalation = { enabled = ... } })"
    editor.lua(configure, False)
    editor.keys("iunsure = be")
    editor.shows(fresh("unsure = be"))
    assert len(stage.org.asked) == asked
    editor.lua(configure, True)
    editor.keys("<CR>unsure = ce")
    editor.shows("_org" + fresh("unsure = ce"))


def test_a_killed_server_is_started_again(editor: Neovim) -> None:
    """By itself, with the text as it is."""
    editor.keys("ivalue = al")
    editor.shows(fresh("value = al"))
    old = editor.server()
    session = "return (vim.lsp.get_clients({ bufnr = 0 })[1] or {}).id"
    first = editor.lua(session)
    old.kill()
    editor.until(lambda: editor.lua(session) not in {None, first}, "another session")
    editor.keys("<CR>value = be")
    editor.shows(fresh("value = be"))
    assert editor.server().pid != old.pid


def test_restart_starts_another_server(editor: Neovim, stage: Stage) -> None:
    """As the user asks for it; in the new session all is as it was in the first."""
    session = "local one = vim.lsp.get_clients({ bufnr = 0 })[1]; return one and one.id or 0"
    old, first = editor.server(), editor.lua(session)
    editor.keys(":Synconfroute restart<CR>")
    editor.until(lambda: not old.is_running(), "the old server's end")
    editor.until(lambda: editor.lua(session) > first, "another session")
    editor.keys("idef add(")
    editor.shows(BODY)
    stage.local.delay = 5.0
    editor.keys("x")
    assert editor.ghost() is None


def test_who_types_before_the_session_begins_is_answered_once_it_does(editor: Neovim) -> None:
    """Without another key."""
    old = editor.server()
    editor.keys(":Synconfroute restart<CR>ivalue = al")
    editor.shows(fresh("value = al"))
    assert not old.is_running()


def test_toggling_ends_and_begins_completions(editor: Neovim) -> None:
    """The status says it."""
    editor.keys(":Synconfroute toggle<CR>")
    editor.until(lambda: editor.lua(STATUS) == "scr:off", "the status")
    editor.keys(":Synconfroute toggle<CR>")
    editor.until(lambda: editor.lua(STATUS) != "scr:off", "the status")
    editor.keys("ivalue = al")
    editor.shows(fresh("value = al"))


def test_why_tells_where_the_last_completion_came_from(editor: Neovim) -> None:
    """One sentence, in Neovim's messages."""
    editor.keys("ivalue = al")
    editor.shows(fresh("value = al"))
    editor.keys("<Esc>:messages clear<CR>:Synconfroute why<CR>")
    editor.until(lambda: "wrote it" in editor.messages(), "the sentence")


def test_a_snooze_says_how_long_it_lasts(editor: Neovim) -> None:
    """And no minutes end it."""
    editor.keys(":messages clear<CR>:Synconfroute snooze 600<CR>")
    editor.until(lambda: editor.lua(STATUS) == "scr:off", "the status")
    editor.until(lambda: re.search(r"quiet until \d\d:\d\d\.", editor.messages()), "the time")
    editor.keys(":Synconfroute snooze 0<CR>")
    editor.until(lambda: editor.lua(STATUS) != "scr:off", "the status")


@pytest.mark.parametrize(
    ("command", "shown"),
    [("doctor", "Completions can be made"), ("stats", "accepted|Nothing was counted")],
)
def test_commands_open_a_window(editor: Neovim, command: str, shown: str) -> None:
    """What they show is longer than a message; q closes it."""
    editor.keys(f":Synconfroute {command}<CR>")
    editor.until(lambda: re.search(shown, editor.text()), shown)
    editor.keys("q")
    editor.until(lambda: len(editor.lua("return vim.api.nvim_list_wins()")) == 1, "its end")


def test_checkhealth_says_what_works(editor: Neovim) -> None:
    """Neovim, the server, versions that fit, and the doctor's report."""
    editor.keys(":checkhealth synconfroute<CR>")
    editor.until(lambda: "The doctor is content" in editor.text(), "the doctor")
    report = editor.text()
    assert "has inline completion" in report
    assert f"Server {synconfroute.__version__}, plugin {synconfroute.__version__}." in report
    assert "ERROR" not in report
    assert "WARNING" not in report
    editor.keys(":close<CR>")


def test_a_minute_of_fast_typing(editor: Neovim) -> None:
    """No error in any log, no grey text but for the line as it is, equal texts at the end."""
    shown, stale = 0, []
    editor.keys("i")
    for key in fast_typing(60):
        time.sleep(key.pause)
        ghost, left = editor.ghost_and_left()
        if ghost:
            shown += 1
            if not is_fresh(left, ghost):
                stale.append((left, ghost))
        editor.keys(NAMED.get(key.name, key.name))
    assert stale == []
    assert shown > 10
    editor.agrees()
