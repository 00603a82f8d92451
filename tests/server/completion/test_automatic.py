"""Where a model is asked only if the user asks."""

import os
from pathlib import Path

import pytest

from synconfroute.server.completion.automatic import unwanted
from synconfroute.server.completion.hole import Hole


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("x = ", ""),
        ("ret", ""),
        ("print(", ")"),
        ("print(", "))))]]}};;  // "[:10]),
        ("f(a", " + b)"),
        ("f(", "12345678"),
        ("if x", ": pass"),
        ("x = ", "        \t  "),
    ],
)
def test_wanted(left: str, right: str) -> None:
    """At a line's end, before closers, before little code."""
    assert unwanted(Hole("python", f"a = 1\n{left}", f"{right}\nlong line of code below\n")) == ""


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("pri", "nt"),
        ("é", "é"),
        ("a_", "_b"),
        ("f(", "123456789"),
        ("x = ", "call(a, b)"),
        ("x = ", ")))))))) + y"),
    ],
)
def test_unwanted(left: str, right: str) -> None:
    """Inside a word, or with more than eight characters of code to the right."""
    assert unwanted(Hole("python", f"a = 1\n{left}", f"{right}\n"))


def test_files_that_look_secret_are_left_alone(tmp_path: Path) -> None:
    """By the name, or by what a link with a harmless name leads to."""
    assert unwanted(Hole("python", "x = ", "", path="/home/me/.aws/notes.py"))
    assert unwanted(Hole("plaintext", "x = ", "", path="/home/me/.env"))
    plain = tmp_path / "plain.py"
    plain.write_text("", encoding="utf-8")
    assert not unwanted(Hole("python", "x = ", "", path=str(plain)))
    if hasattr(os, "symlink"):
        (tmp_path / "id_rsa").write_text("", encoding="utf-8")
        link = tmp_path / "harmless.py"
        try:
            link.symlink_to(tmp_path / "id_rsa")
        except OSError:
            pytest.skip("this user may make no links")
        assert unwanted(Hole("python", "x = ", "", path=str(link)))
