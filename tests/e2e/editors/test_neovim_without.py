"""Neovim without our plugin, and a Neovim that has no grey text."""

import time
from collections.abc import Iterator

import pytest

from tests.e2e.editors.neovim import SECONDS, WITH_PLUGIN, Neovim, neovim, without_plugin
from tests.e2e.editors.programs import program
from tests.e2e.editors.script import fresh
from tests.e2e.editors.stage import Stage


def test_the_pages_few_lines_are_enough(stage: Stage) -> None:
    """What the plugin's page gives for Neovim alone shows grey text, and Tab takes it."""
    found = program("nvim", "SYNCONFROUTE_NEOVIM", "`.ci/from_sid FOLDER neovim` unpacks one")
    with neovim(found, stage, without_plugin()) as editor:
        editor.open()
        editor.keys("ivalue = al")
        # Neovim alone asks at a change of the text, and not for one before the server was there.
        asked = time.monotonic()
        while editor.ghost() != fresh("value = al"):
            assert time.monotonic() < asked + SECONDS
            editor.keys("<BS>l")
            time.sleep(2.0)
        editor.keys("<Tab>")
        editor.holds(f"value = al{fresh('value = al')}\n")
        editor.agrees()
        assert editor.faults() == []


@pytest.fixture
def older(stage: Stage) -> Iterator[Neovim]:
    """Neovim 0.11 with our plugin."""
    found = program(
        "nvim-0.11",
        "SYNCONFROUTE_NEOVIM_0_11",
        "`pip install --target FOLDER -r requirements/neovim-0.11.lock` unpacks one",
    )
    with neovim(found, stage, WITH_PLUGIN) as one:
        yield one


def test_an_older_neovim_offers_completions_in_its_menu(older: Neovim) -> None:
    """By itself, once the user pauses; taken as any entry is."""
    older.open()
    older.keys("ivalue = al")
    older.until(lambda: older.lua("return vim.fn.pumvisible()") == 1, "the menu")
    older.keys("<C-n><C-y>")
    older.holds(f"value = al{fresh('value = al')}\n")
    older.agrees()
    assert older.faults() == []


def test_an_older_neovims_health_says_what_it_lacks(older: Neovim) -> None:
    """And that the rest works."""
    older.open()
    older.keys(":checkhealth synconfroute<CR>")
    older.until(lambda: "The doctor is content" in older.text(), "the doctor")
    assert "has no inline completion: completions come in the completion menu" in older.text()
