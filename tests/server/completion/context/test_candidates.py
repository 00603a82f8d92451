"""What comes first, and what is left out."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from synconfroute.server.completion.context.candidates import MOST_PIECES, Candidates
from synconfroute.server.completion.context.definitions import LANGUAGES, definitions
from synconfroute.server.completion.context.question import Shown
from tests.server.completion.context.workspace import CURSOR, Tree

FAR = "\n" * 40


def test_the_order_is_named_edited_used_alike_unused(tree: Tree) -> None:
    """What the code at the cursor names, recent edits, other imports, likeness, the rest."""
    tree.write("named.py", "def named(): pass\n")
    tree.write("used.py", "def used(): pass\ndef spare(): pass\n")
    tree.write(
        "app.py",
        f"import used\nfrom named import named\nused.used()\n{FAR}def alpha(beta, gamma):\n"
        f"    delta = named(beta)\n    {CURSOR}",
    )
    edited = Shown(str(tree.root / "edited.py"), "x1 = 5\n" * 3, ((1, 1),))
    alike = Shown(
        str(tree.root / "alike.py"), "def alpha(beta, gamma):\n    delta = named(gamma)\n"
    )
    found = tree.pieces("app.py", shown=(alike, edited))
    assert [(piece.path, piece.name) for piece in found] == [
        ("named.py", "named"),
        ("edited.py", ""),
        ("used.py", "used"),
        ("alike.py", ""),
        ("used.py", "spare"),
    ]
    assert [piece.needed for piece in found] == [True, False, False, False, False]


def test_the_nearest_name_comes_first(tree: Tree) -> None:
    """Of two definitions that are named, the one named nearer to the cursor."""
    tree.write("lib.py", "def one(): pass\ndef two(): pass\n")
    tree.write("app.py", f"from lib import one, two\n{FAR}two()\nx = 1\none({CURSOR}")
    assert [piece.name for piece in tree.pieces("app.py")] == ["one", "two"]


def test_an_instance_calls_for_its_type(tree: Tree) -> None:
    """`self._ring` is most likely a `Ring`."""
    tree.write("lib.py", "class Other: pass\nclass Ring: pass\n")
    tree.write("app.py", f"from lib import Other, Ring\n{FAR}self._ring.{CURSOR}")
    assert next(piece.name for piece in tree.pieces("app.py")) == "ring"


def test_the_newest_edit_comes_first(tree: Tree) -> None:
    """Of the document used last, and in it of the newest region."""
    tree.write("app.py", CURSOR)
    text = "".join(f"line_{number} = {number}\n" for number in range(60))
    first = Shown(str(tree.root / "a.py"), text, ((50, 50), (10, 11)))
    second = Shown(str(tree.root / "b.py"), text.replace("line", "row"), ((5, 5),))
    found = tree.pieces("app.py", shown=(first, second))
    assert [(piece.path, piece.first, piece.last) for piece in found] == [
        ("a.py", 47, 53),
        ("a.py", 7, 14),
        ("b.py", 2, 8),
    ]
    assert found[0].text.split("\n")[3] == "line_50 = 50"


def test_what_stands_in_the_file_is_left_out(tree: Tree) -> None:
    """A region that was copied into it says nothing new."""
    copied = "def copied(a, b):\n    return a + b\n"
    tree.write("app.py", f"{copied}\n{CURSOR}")
    assert tree.pieces("app.py", shown=(Shown(str(tree.root / "b.py"), copied, ((0, 1),)),)) == []


def test_no_two_pieces_overlap(tree: Tree) -> None:
    """Regions beside each other, and a region in what is shown as a definition."""
    tree.write("app.py", f"from lib import Ring\nRing({CURSOR}")
    text = "class Ring:\n" + "".join(f"    field_{number}: int = 0\n" for number in range(30))
    tree.write("lib.py", text)
    other = "".join(f"value_{number} = {number}\n" for number in range(30))
    shown = (
        Shown(str(tree.root / "lib.py"), text, ((5, 5),)),
        Shown(str(tree.root / "b.py"), other, ((10, 12), (14, 14), (25, 25))),
    )
    found = tree.pieces("app.py", shown=shown)
    assert [(piece.path, piece.first) for piece in found] == [
        ("lib.py", 0), ("b.py", 7), ("b.py", 22),
    ]  # fmt: skip


def test_a_definition_is_shown_as_the_editor_shows_it(tree: Tree) -> None:
    """What was typed and not saved yet counts; the disk does not."""
    lib = tree.write("lib.py", "def go(): pass\n")
    tree.write("app.py", f"from lib import go\ngo({CURSOR}")
    shown = (Shown(str(lib), "def go(speed: int): pass\n"),)
    assert tree.pieces("app.py", shown=shown)[0].text == "def go(speed: int): ..."


def test_a_changed_file_is_read_anew(tree: Tree) -> None:
    """One process sees many states of a file."""
    lib = tree.write("lib.py", "def go(): pass\n")
    tree.write("app.py", f"from lib import go\ngo({CURSOR}")
    candidates = Candidates()
    assert candidates.pieces(tree.question("app.py"))[0].text == "def go(): ..."
    lib.write_text("def go(speed): pass\n")
    assert candidates.pieces(tree.question("app.py"))[0].text == "def go(speed): ..."
    lib.unlink()
    assert candidates.pieces(tree.question("app.py")) == []


def test_pieces_are_bounded(tree: Tree) -> None:
    """A module of a thousand functions, one of them endless."""
    long = "def endless(" + ", ".join(f"argument_{number}" for number in range(5_000)) + "): pass\n"
    tree.write("lib.py", long + "".join(f"def f{n}(): pass\n" for n in range(1_000)))
    named = ", ".join(f"f{number}" for number in range(1_000))
    tree.write("app.py", f"from lib import endless, {named}\n{CURSOR}")
    found = tree.pieces("app.py")
    assert len(found) == MOST_PIECES
    assert max(len(piece.text) for piece in found) <= 1_200


@pytest.mark.parametrize("language", LANGUAGES)
@settings(
    max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(text=st.text(alphabet="class def fn x(){};:<>=,\n\"'#/*@é\ud800\0", max_size=200))
def test_any_text_gives_definitions_or_none(language: str, text: str) -> None:
    """Half-written and broken files raise nothing."""
    for each in definitions(language, text):
        assert 0 <= each.first <= each.last <= text.count("\n")
        assert each.name


@pytest.mark.parametrize(
    "text",
    [
        "from " * 20_000,
        "from a import (" * 5_000,
        "import " + "a," * 50_000,
        "from " + "." * 100_000 + "x import y",
        "from a import " + "b, " * 20_000,
        "from " + "." * 100_000,
        "from " + "a." * 50_000 + "b import c",
    ],
)
def test_hostile_imports_end(text: str, tree: Tree) -> None:
    """Reading them takes no more than a moment, and leads nowhere."""
    tree.write("app.py", text)
    assert tree.pieces("app.py") == []
