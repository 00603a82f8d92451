"""A real Emacs: lsp-mode with our own package, and Eglot without."""

import re
import time

import pytest

from tests.e2e.editors.emacs import emacs, need_library, run_tests
from tests.e2e.editors.keys import ACCEPT, fast_typing
from tests.e2e.editors.picture import save_picture
from tests.e2e.editors.programs import program
from tests.e2e.editors.script import is_fresh
from tests.e2e.editors.stage import Stage, digest_of, faults_in

TYPING_SECONDS = 60.0
LEAST_ACCEPTED = 4
"""Of some twenty chances; on a busy machine a completion often comes too late for one."""
LOOP = '\n    for name in names:\n        print("Hello,", name)'
HOW = "`.ci/from_sid FOLDER emacs-nox elpa-lsp-mode` unpacks both"

_MISHAP = re.compile(
    r"^(?!.*signaled \(quit\)$).*(?i:\berror\b|wrong-type|void-|could not).*$", re.MULTILINE
)
"""What Emacs says of errors; that C-g interrupted its own colouring is none."""


@pytest.fixture(scope="module")
def found() -> str:
    """An Emacs, by SYNCONFROUTE_EMACS or on PATH."""
    return program("emacs", "SYNCONFROUTE_EMACS", HOW)


@pytest.fixture(scope="module")
def tmux() -> str:
    """The terminal."""
    return program("tmux", "SYNCONFROUTE_TMUX", "apt install tmux")


@pytest.fixture(scope="module")
def lines(stage: Stage) -> Stage:
    """A stage whose model answers in several lines, too."""
    stage.local.script.answers = {
        "one_end": " + 1",
        "call(": "1, 2",
        "words_end": " + alpha.beta(gamma)",
        "def tell(names):": LOOP,
    }
    return stage


def test_in_lsp_mode(found: str, lines: Stage) -> None:
    """Shown, taken whole and in parts, typed on, switched off, restarted: all of our ERT tests."""
    need_library(found, "lsp-inline-completion", HOW)
    done = run_tests(found, lines, "lsp-mode-test")
    assert done.returncode == 0, done.stderr
    assert " 0 unexpected" in done.stderr
    assert faults_in(lines.log()) == []


def test_in_eglot(found: str, lines: Stage) -> None:
    """Completion at point inserts the text; Emacs brings Eglot from version 29 on."""
    need_library(found, "eglot", "Emacs 29 or newer has it")
    done = run_tests(found, lines, "eglot-test")
    assert done.returncode == 0, done.stderr
    assert faults_in(lines.log()) == []


def test_on_the_screen(found: str, tmux: str, lines: Stage) -> None:
    """Grey text comes while one types, Tab takes it, and the mode line says who made it."""
    need_library(found, "lsp-inline-completion", HOW)
    with emacs(found, tmux, lines, "screen.py", columns=88) as one:
        one.screen.type("def tell(names):")
        one.screen.until(lambda screen: 'print("Hello,", name)' in screen, "the grey text")
        assert one.ask("(buffer-string)") == "def tell(names):"
        save_picture("emacs", one.screen.coloured(), one.screen.cursor())
        one.screen.press("Tab")
        one.screen.until(lambda _: one.ask("(buffer-string)") == f"def tell(names):{LOOP}", "it")


@pytest.mark.timeout(TYPING_SECONDS * 4)
def test_a_minute_of_fast_typing(found: str, tmux: str, lines: Stage) -> None:
    """No error in any log, no grey text for a line that is gone, and the same text in both."""
    need_library(found, "lsp-inline-completion", HOW)
    accepted = 0
    with emacs(found, tmux, lines, "minute.py", columns=240) as one:
        for key in fast_typing(TYPING_SECONDS):
            time.sleep(key.pause)
            if key.name == ACCEPT:
                left, grey = one.ask("(session-line-and-grey-text)")
                if not grey:
                    continue
                assert is_fresh(left, grey), f"{grey!r} is shown for the line {left!r}"
                accepted += 1
            one.press(key)
        one.screen.press("C-g")
        one.screen.until(lambda _: not one.ask("(session-grey-text)"), "the end of grey text")
        text, held = one.ask("(vector (buffer-string) (session-digest))")
        messages = one.ask('(with-current-buffer "*Messages*" (buffer-string))')
    assert digest_of(text).items() <= held.items()
    assert accepted >= LEAST_ACCEPTED
    assert _MISHAP.findall(messages) == []
    assert faults_in(lines.log()) == []
