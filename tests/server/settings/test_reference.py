"""The configuration reference is what the settings tree says."""

from pathlib import Path

from synconfroute.server.settings.reference import reference

_PAGE = Path(__file__).parents[3] / "docs" / "configuration.md"


def test_the_page_is_current() -> None:
    """docs/configuration.md is what `reference` makes now; its head says how to make it anew."""
    assert _PAGE.read_text("utf-8") == reference()
