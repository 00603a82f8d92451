"""URIs as paths."""

from pathlib import Path
from typing import Any

import pytest

from synconfroute.server.protocol.uris import path_of, roots_of


@pytest.mark.parametrize(
    ("uri", "path"),
    [
        ("file:///home/me/a.py", "/home/me/a.py"),
        ("file:///home/me/a%20b%23c.py", "/home/me/a b#c.py"),
        ("file:///home/a;b.py", "/home/a;b.py"),
        ("file:///home/%C3%A9.py", "/home/é.py"),
        ("file:///c%3A/Work/a.py", "c:/Work/a.py"),
        ("file:///C:/Work/a.py", "c:/Work/a.py"),
        ("file://server/share/a.py", "//server/share/a.py"),
    ],
)
def test_a_file_uri_is_a_path(uri: str, path: str) -> None:
    """Percent-decoded; a drive letter is in lower case and has no slash before it."""
    found = path_of(uri)
    assert found is not None
    assert found.replace("\\", "/") == path


@pytest.mark.parametrize(
    "uri",
    [
        "untitled:Untitled-1",
        "vscode-notebook-cell:/a.ipynb#X",
        "git:/home/a.py?ref",
        "",
        "file:",
        "file://[",
        "file:///a%00b",
    ],
)
def test_what_is_not_a_file_has_no_path(uri: str) -> None:
    """Unsaved buffers, other schemes, and what is no URI at all."""
    assert path_of(uri) is None


@pytest.mark.parametrize(
    ("said", "roots"),
    [
        ({"workspaceFolders": [{"uri": "file:///a"}, {"uri": "file:///b c"}]}, ("/a", "/b c")),
        ({"workspaceFolders": [{"uri": "file:///a"}], "rootUri": "file:///other"}, ("/a",)),
        ({"workspaceFolders": None, "rootUri": "file:///a%20b"}, ("/a b",)),
        ({"workspaceFolders": [], "rootUri": None, "rootPath": "/old"}, ("/old",)),
        ({"workspaceFolders": [{"uri": "untitled:x", "name": ""}], "rootUri": None}, ()),
        ({"workspaceFolders": [3, {}, {"uri": 4}], "rootUri": 5, "rootPath": []}, ()),
        ({}, ()),
    ],
)
def test_the_folders_that_an_editor_has_open(said: dict[str, Any], roots: tuple[str, ...]) -> None:
    """Workspace folders, else the root URI, else the old root path; only what is on disk."""
    assert roots_of(said) == tuple(map(Path, roots))
