"""A workspace of files for tests."""

from pathlib import Path

import pytest

from tests.server.completion.context.workspace import Tree


@pytest.fixture
def tree(tmp_path: Path) -> Tree:
    """An empty workspace."""
    return Tree(tmp_path / "workspace")
