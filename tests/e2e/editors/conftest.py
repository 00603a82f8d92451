"""What the tests of all editors share."""

from collections.abc import Iterator

import pytest

from tests.e2e.editors.stage import Stage, staged


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    """One home with two scripted models for all tests of a module."""
    with staged(tmp_path_factory.mktemp("editor")) as one:
        yield one
