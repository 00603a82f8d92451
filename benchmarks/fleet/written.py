"""Puts what was measured into a page of the documentation, between two marks."""

from pathlib import Path

PAGE = Path(__file__).parents[2] / "docs" / "plan.md"


def write(name: str, text: str, file: Path = PAGE) -> None:
    """Put a text where the page has `<!-- NAME: begin -->` and `<!-- NAME: end -->`.

    Raises:
        ValueError: it has not.
    """
    begin, end = f"<!-- {name}: begin -->", f"<!-- {name}: end -->"
    page = file.read_text(encoding="utf-8")
    before, found, rest = page.partition(begin)
    _, also, behind = rest.partition(end)
    if not (found and also):
        raise ValueError(f"{file.name} has no place for {name}")
    file.write_text(f"{before}{begin}\n{text.strip()}\n{end}{behind}", encoding="utf-8")
