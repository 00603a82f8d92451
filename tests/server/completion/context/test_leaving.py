"""Each piece leaves by its own file's leave, whatever file the hole is in."""

from dataclasses import replace
from pathlib import Path

import pytest

from synconfroute.clients.model import TextPrompt
from synconfroute.server.completion.block_due import Extent
from synconfroute.server.completion.context.piece import Piece
from synconfroute.server.completion.escalation import OrgTier
from synconfroute.server.completion.hole import Hole
from synconfroute.server.completion.ledger import Ledger
from synconfroute.server.settings.tree import Context, Org, Settings
from tests.ledger_lines import lines_in
from tests.server.completion.scripted import ScriptedClient, words


@pytest.mark.parametrize(
    ("allowed", "expected"), [(True, ["good.py"]), (False, [])], ids=["allowed", "not allowed"]
)
async def test_a_piece_of_a_refused_file_stays(
    allowed: bool, expected: list[str], tmp_path: Path
) -> None:
    """In the prompt and in the ledger stands what may leave, and nothing else."""
    settings = replace(
        Settings(org=Org(url="http://127.0.0.1:1/v1")), context=Context(enabled=True, org=allowed)
    )
    client = ScriptedClient("org", [*words("b + a")], log=[])
    tier = OrgTier(settings, Ledger(tmp_path / "ledger"), client)
    pieces = [
        Piece(str(tmp_path / name), name, f"line of {name}", 0, 0)
        for name in ("good.py", ".env", "credentials.py")
    ]
    hole = Hole("python", "x = ", "\n", path=str(tmp_path / "app.py"))
    await tier.ask(hole, "invalid", "r1", Extent(single_line=True, max_tokens=8), context=pieces)
    (request,) = client.requests
    assert isinstance(request.prompt, TextPrompt)
    names = [each.path for each in pieces if f"line of {each.path}" in request.prompt.text]
    (line,) = lines_in((tmp_path / "ledger").glob("*.jsonl"), "sent")
    assert names == expected
    assert line["context_files"] == [str(tmp_path / name) for name in expected]
    assert line["context_bytes"] == sum(len(f"line of {name}") for name in expected)
    assert line["bytes"] == len(request.prompt.text)
