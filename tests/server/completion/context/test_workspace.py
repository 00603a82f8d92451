"""Only files of the workspace that hold no secrets are read, whatever leads to them."""

import os
import sys
from pathlib import Path

import pytest

from synconfroute.server.completion.context.candidates import Candidates
from synconfroute.server.completion.context.question import Question, Shown
from synconfroute.server.completion.context.workspace import MOST_BYTES, MOST_FILES, Workspace
from tests.server.completion.context.workspace import CURSOR, Tree

LEAK = "def stolen(key: str) -> None: pass\n"
ASKING = f"from leak import stolen\nstolen({CURSOR}"

posix = pytest.mark.skipif(sys.platform == "win32", reason="links need rights on Windows")


def test_a_file_of_the_workspace_is_read(tree: Tree) -> None:
    """The case that the others differ from."""
    tree.write("leak.py", LEAK)
    tree.write("app.py", ASKING)
    assert tree.found("app.py") == {"leak.py:0": "def stolen(key: str) -> None: ..."}


@posix
def test_a_link_out_of_the_workspace_is_not_followed(tree: Tree, tmp_path: Path) -> None:
    """Neither of a file nor of a folder."""
    (tmp_path / "leak.py").write_text(LEAK)
    (tree.root / "leak.py").symlink_to(tmp_path / "leak.py")
    (tree.root / "folder").symlink_to(tmp_path)
    tree.write("app.py", f"from leak import stolen\nfrom folder.leak import stolen\n{CURSOR}")
    assert tree.pieces("app.py") == []


@posix
def test_a_link_within_the_workspace_is_followed(tree: Tree) -> None:
    """The piece bears the name of the file itself."""
    tree.write("real/leak.py", LEAK)
    (tree.root / "leak.py").symlink_to(tree.root / "real" / "leak.py")
    tree.write("app.py", ASKING)
    assert list(tree.found("app.py")) == ["real/leak.py:0"]


@posix
def test_a_harmless_name_of_a_secret_file_does_not_help(tree: Tree) -> None:
    """A link to what looks secret leads nowhere."""
    tree.write("secrets/leak.py", LEAK)
    (tree.root / "leak.py").symlink_to(tree.root / "secrets" / "leak.py")
    tree.write("app.py", ASKING)
    assert tree.pieces("app.py") == []


@pytest.mark.parametrize(
    ("path", "module"),
    [
        ("secrets/leak.py", "secrets.leak"),
        ("credentials.py", "credentials"),
        ("node_modules/leak.py", "node_modules.leak"),
        ("generated/leak.py", "generated.leak"),
        (".ssh/leak.py", ".ssh.leak"),
    ],
)
def test_what_is_secret_or_left_out_is_not_read(path: str, module: str, tree: Tree) -> None:
    """By name, by folder, by `.gitignore`."""
    tree.write(".gitignore", "generated/\n")
    tree.write(path, LEAK)
    tree.write("app.py", f"from {module} import stolen\nstolen({CURSOR}")
    assert tree.pieces("app.py") == []


def test_above_the_root_nothing_is_read(tree: Tree) -> None:
    """A relative import cannot climb out."""
    tree.write("inner/pack/__init__.py", "")
    tree.write("leak.py", LEAK)
    tree.write("inner/pack/app.py", f"from ...leak import stolen\nstolen({CURSOR}")
    question = tree.question("inner/pack/app.py")
    inner = Question("python", question.path, question.prefix, "", (str(tree.root / "inner"),))
    assert Candidates().pieces(inner) == []


def test_a_file_outside_the_workspace_gets_nothing(tree: Tree, tmp_path: Path) -> None:
    """Pieces of the workspace do not stand in prompts for files of elsewhere."""
    tree.write("leak.py", LEAK)
    question = Question("python", str(tmp_path / "app.py"), ASKING, "", (str(tree.root),))
    assert Candidates().pieces(question) == []


def test_an_open_document_that_may_not_be_read_is_not_shown(tree: Tree, tmp_path: Path) -> None:
    """Outside, secret, or left out: what the editor shows of it stays where it is."""
    tree.write(".gitignore", "generated/\n")
    tree.write("app.py", CURSOR)
    shown = tuple(
        Shown(str(path), LEAK, ((0, 0),))
        for path in (
            tmp_path / "else.py",
            tree.root / ".env",
            tree.root / "secrets" / "x.py",
            tree.root / "generated" / "x.py",
        )
    )
    assert tree.pieces("app.py", shown=shown) == []
    (piece,) = tree.pieces("app.py", shown=(Shown(str(tree.root / "x.py"), LEAK, ((0, 0),)),))
    assert piece.path == "x.py"


def test_a_whole_drive_is_no_workspace() -> None:
    """An editor opened at the root of the disk reads nothing."""
    assert Workspace([os.path.abspath(os.sep)]).roots == ()


def test_what_is_no_text_is_not_read(tree: Tree) -> None:
    """Too long, binary, of another encoding, or no file."""
    workspace = Workspace([str(tree.root)])
    (tree.root / "long.py").write_bytes(b"x" * (MOST_BYTES + 1))
    (tree.root / "binary.py").write_bytes(b"x\0")
    (tree.root / "latin.py").write_bytes(b"\xe9")
    (tree.root / "folder.py").mkdir()
    for name in ("long.py", "binary.py", "latin.py", "folder.py", "missing.py"):
        located = workspace.locate(str(tree.root / name))
        assert located is not None
        assert workspace.read(located) is None


@posix
def test_a_pipe_is_not_waited_for(tree: Tree) -> None:
    """Nobody writes into it."""
    os.mkfifo(tree.root / "pipe.py")
    workspace = Workspace([str(tree.root)])
    located = workspace.locate(str(tree.root / "pipe.py"))
    assert located is not None
    assert workspace.read(located) is None
    assert workspace.find(str(tree.root / "pipe.py")) is None


def test_a_place_reads_so_many_files_at_most(tree: Tree) -> None:
    """A file that imports everything costs no more."""
    workspace = Workspace([str(tree.root)])
    texts = []
    for number in range(MOST_FILES + 5):
        tree.write(f"m{number}.py", "x = 1\n")
        located = workspace.locate(str(tree.root / f"m{number}.py"))
        assert located is not None
        texts.append(workspace.read(located))
    assert texts == ["x = 1\n"] * MOST_FILES + [None] * 5


def test_a_listing_is_bounded_and_stays_inside(tree: Tree, tmp_path: Path) -> None:
    """Of a folder with many files the first ones; of a folder outside, none."""
    workspace = Workspace([str(tree.root)])
    for number in range(100):
        tree.write(f"p/m{number:03}.go", "package p\n")
        tree.write(f"p/m{number:03}.txt", "x")
    (tmp_path / "out.go").write_text("package p\n")
    assert [each.path for each in workspace.listing(str(tree.root / "p"), ".go")] == [
        f"p/m{number:03}.go" for number in range(64)
    ]
    assert workspace.listing(str(tmp_path), ".go") == []
