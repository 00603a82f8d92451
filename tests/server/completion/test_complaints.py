"""What users of other tools complain about in public, each with the text that is shown here."""

import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from synconfroute.server.completion.cleaning import clean
from synconfroute.server.completion.hole import Hole
from synconfroute.server.completion.judging import Judging
from synconfroute.server.completion.repair import shown
from synconfroute.validators import Validator

SECONDS = 20.0


@pytest.fixture(scope="module")
def judging() -> Iterator[Judging]:
    """The real validator, with time enough on a busy machine."""
    validator = Validator()
    yield Judging(validator, SECONDS)
    validator.close()


def _cases() -> Iterator[object]:
    golden = Path(__file__).parent / "golden" / "complaints.toml"
    for case in tomllib.loads(golden.read_text("utf-8"))["case"]:
        yield pytest.param(case, id=f"{case['complaint']}: {case['name']}")


@pytest.mark.parametrize("case", list(_cases()))
async def test_what_is_shown(judging: Judging, case: dict[str, str]) -> None:
    """Cleaned, judged and repaired, where nothing can be escalated."""
    hole = Hole(case.get("language", "python"), case["prefix"], case["suffix"])
    cleaned = clean(hole, case["text"], single_line="lines" not in case)
    assert await shown(hole, cleaned, judging.verdict) == case["shown"]
