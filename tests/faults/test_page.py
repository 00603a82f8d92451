"""The page says what the table says."""

from tests.faults.page import PAGE, page
from tests.faults.table import ROWS


def test_the_page_is_the_tables() -> None:
    """`python -m tests.faults.page` would change nothing."""
    assert PAGE.read_text("utf-8") == page()


def test_each_fault_is_on_the_page() -> None:
    """One line each."""
    assert sum(line.count(row.happens) > 0 for row in ROWS for line in page().splitlines()) >= len(
        ROWS
    )
