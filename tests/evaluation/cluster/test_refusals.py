"""`eval run --on` where there is no cluster: one sentence each."""

from pathlib import Path

import pytest

from synconfroute.errors import UsageError
from synconfroute.evaluation.cluster.address import address
from tests.evaluation.command import conftest as command_fixtures
from tests.evaluation.command.test_run import command
from tests.server.command.conftest import Run

run = command_fixtures.run
data = command_fixtures.data
NO_RAY = "import sys; sys.modules['ray'] = None; from synconfroute.__main__ import main; "


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("ray://127.0.0.1:10001", "ray://127.0.0.1:10001"),
        ("ray://head.example:1/", "ray://head.example:1"),
        ("ray://[::1]:10001", "ray://[::1]:10001"),
    ],
)
def test_an_address(text: str, written: str) -> None:
    """A host and a port."""
    assert str(address(text)) == written


@pytest.mark.parametrize(
    "text",
    ["", "auto", "127.0.0.1:10001", "ray://", "ray://head", "ray://head:port", "ray://head:70000",
     "http://head:10001", "ray://me:secret@head:10001", "ray://head:10001/there"],
)  # fmt: skip
def test_no_address(text: str) -> None:
    """Anything else is refused; what may be a password is not repeated."""
    with pytest.raises(UsageError, match="ray://HOST:PORT") as caught:
        address(text)
    assert "secret" not in str(caught.value)


def test_ray_is_not_installed(run: Run, data: Path, tmp_path: Path) -> None:
    """The sentence names the extra."""
    arguments = command(data, tmp_path / "run.jsonl", "--on", "ray://127.0.0.1:1")
    done = run(*arguments, program=("-c", f"{NO_RAY}sys.exit(main())"))
    assert done.code == 1
    assert "pip install 'synconfroute[eval,cluster]'" in done.sentence
