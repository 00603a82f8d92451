"""The documents say what is there: files, tests and links that they name exist."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
DOCUMENTS = ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md"]


@pytest.mark.parametrize("name", DOCUMENTS)
def test_links_lead_somewhere(name: str) -> None:
    """Every relative link is a file of this repository."""
    links = re.findall(r"\]\(([^)#]+)\)", (ROOT / name).read_text(encoding="utf-8"))
    local = [link for link in links if "://" not in link]
    assert [link for link in local if not (ROOT / link).exists()] == []


def test_the_map_names_tests_that_exist() -> None:
    """Each `tests/…` in ARCHITECTURE.md is a file or folder, each `::test_…` a test in it."""
    text = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    named = re.findall(r"`(tests/[\w/.]*)(?:::(\w+))?`", text)
    assert len(named) >= 15
    for path, test in named:
        assert (ROOT / path).exists(), path
        if test:
            assert f"def {test}(" in (ROOT / path).read_text(encoding="utf-8"), test


def test_the_map_names_files_that_exist() -> None:
    """Each file name in the code map stands in the folder of its section or its table row."""
    text = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    code_map = text[text.index("## Code map") : text.index("### Beside the package")]
    package = ROOT / "src" / "synconfroute"
    names = {file.name for file in package.rglob("*.py")}
    missing = [name for name in re.findall(r"`(\w+\.py)`", code_map) if name not in names]
    assert missing == []


def test_every_invariant_names_what_holds_it() -> None:
    """Nine invariants, each with a test."""
    text = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    section = text[text.index("## Invariants") : text.index("## Decisions")]
    invariants = re.split(r"^\d\. ", section, flags=re.MULTILINE)[1:]
    assert len(invariants) == 9
    assert all("`tests/" in invariant for invariant in invariants)
