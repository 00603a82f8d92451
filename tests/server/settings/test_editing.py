"""Writing a threshold into the user's settings file."""

import os
import stat
import sys
import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from synconfroute.errors import SettingsError
from synconfroute.server.settings.editing import edited, set_threshold
from synconfroute.server.settings.reader import read_settings

NAME = "paper/qwen2.5-coder:0.5b/python"
ENTRY = f'"{NAME}" = 0.81'


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param("", f"[router.thresholds]\n{ENTRY}\n", id="no file"),
        pytest.param(
            "# mine\n[local]\nmodel = 'm' # why\n",
            f"# mine\n[local]\nmodel = 'm' # why\n\n[router.thresholds]\n{ENTRY}\n",
            id="no table",
        ),
        pytest.param(
            "[router]\nrule = 'paper'",
            f"[router]\nrule = 'paper'\n\n[router.thresholds]\n{ENTRY}\n",
            id="no line break at the end",
        ),
        pytest.param(
            f"[ router . thresholds ] # t\n'{NAME}'  =  0.5  # old\n\n[log]\n",
            f"[ router . thresholds ] # t\n'{NAME}'  =  0.81  # old\n\n[log]\n",
            id="the entry is there",
        ),
        pytest.param(
            "[router.thresholds]\n# others\n'a/b/c' = 1\n\n# log\n[log]\n",
            f"[router.thresholds]\n# others\n'a/b/c' = 1\n{ENTRY}\n\n# log\n[log]\n",
            id="other entries are there",
        ),
        pytest.param(
            "[router.thresholds]\n'a/b/c' = 1",
            f"[router.thresholds]\n'a/b/c' = 1\n{ENTRY}\n",
            id="the table is the last line",
        ),
        pytest.param(
            "[log]\r\nlevel = 'info'\r\n",
            f"[log]\r\nlevel = 'info'\r\n\r\n[router.thresholds]\r\n{ENTRY}\r\n",
            id="line ends of Windows",
        ),
    ],
)
def test_one_entry_is_set_and_all_else_stays(old: str, new: str) -> None:
    """Comments, order, quotes and line ends are the user's."""
    assert edited(old, NAME, 0.81) == new


@pytest.mark.parametrize(
    "old",
    [
        "router = { rule = 'paper' }\n",
        f"[router]\nthresholds = {{ '{NAME}' = 0.5 }}\n",
        f"[router]\nthresholds.'{NAME}' = 0.5\n",
        'note = """\n[router.thresholds]\n"""\n',
        "router = 3\n",
    ],
)
def test_what_cannot_be_edited_is_said(old: str) -> None:
    """The sentence holds the line to add by hand; nothing is guessed."""
    with pytest.raises(SettingsError, match=r'"paper/qwen2\.5-coder:0\.5b/python" = 0\.81'):
        edited(old, NAME, 0.81)


@given(
    name=st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs"]), min_size=1),
    value=st.floats(0, 1.01),
)
def test_any_name_comes_back(name: str, value: float) -> None:
    """Whatever the model is called, the file says it; written twice, it says the last."""
    text = edited(edited("[log]\nlevel = 'info'\n", name, 0.5), name, value)
    table = tomllib.loads(text)
    assert table["router"]["thresholds"] == {name: pytest.approx(value, abs=1e-9)}
    assert table["log"] == {"level": "info"}


def test_the_reader_reads_what_was_written(tmp_path: Path) -> None:
    """In a folder that did not exist, and through a symbolic link in one that did."""
    file = tmp_path / "new" / "settings.toml"
    set_threshold(file, NAME, 0.81)
    reading = read_settings(user_file=file, environ={})
    assert reading.messages == ()
    assert reading.settings.router.thresholds == {NAME: 0.81}


@pytest.mark.skipif(sys.platform == "win32", reason="links and modes of POSIX")
def test_a_link_stays_a_link_and_a_private_file_private(tmp_path: Path) -> None:
    """Settings are often kept elsewhere and linked, and may hold keys."""
    real, link = tmp_path / "real.toml", tmp_path / "settings.toml"
    real.write_text("")
    real.chmod(0o600)
    link.symlink_to(real)
    set_threshold(link, NAME, 0.81)
    assert link.is_symlink()
    assert stat.S_IMODE(real.stat().st_mode) == 0o600
    assert os.listdir(tmp_path) != []
    assert {each.name for each in tmp_path.iterdir()} == {"real.toml", "settings.toml"}


def test_a_broken_file_is_left_alone(tmp_path: Path) -> None:
    """One sentence, and not a byte is changed."""
    file = tmp_path / "settings.toml"
    file.write_text("[router\n")
    with pytest.raises(SettingsError, match="mend it first"):
        set_threshold(file, NAME, 0.81)
    assert file.read_text() == "[router\n"
