"""The whole way with a real Ollama as local tier and a real vLLM as organisation's tier.

Needs both running, named by the environment: REAL_OLLAMA_URL and REAL_OLLAMA_MODEL (a
qwen2.5-coder:0.5b), REAL_VLLM_URL and REAL_VLLM_KEY (CONTRIBUTING.md says how to get them).
"""

import asyncio
import json
import os
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.editor import SERVE, Editor, editor, environment
from tests.ledger_lines import sent

NEEDED = ("REAL_OLLAMA_URL", "REAL_OLLAMA_MODEL", "REAL_VLLM_URL", "REAL_VLLM_KEY")
MISSING = [name for name in NEEDED if name not in os.environ]

pytestmark = [
    pytest.mark.real_servers,
    pytest.mark.timeout(900),
    pytest.mark.skipif(
        bool(MISSING), reason=f"no real Ollama and vLLM are named: {', '.join(MISSING)}"
    ),
]

KEPT = 'def middle(a, b):\n    """Return the middle of two numbers."""\n    return \n'
UNSURE = 'def parse(line):\n    """Parse a line of the settings file."""\n    \n    return result\n'
BROKEN = (
    "def f(items):\n    total = 0\n    for item in items:\n\n"
    "        if item > 0:\n            total += item\n    return total\n"
)


class Session:
    """An editor with the real server, and its ledger."""

    def __init__(self, session: Editor, folder: Path, home: Path) -> None:
        self.editor = session
        self._folder = folder
        self._home = home

    async def complete(self, name: str, text: str, line: int, column: int) -> dict[str, Any]:
        """Open a file, ask for a completion, and return its provenance with the text shown."""
        file = self._folder / name
        file.write_text(text, encoding="utf-8")
        self.editor.open(file.as_uri(), text)
        answer = await asyncio.wait_for(self.editor.begin(file.as_uri(), line, column), 300)
        items = answer.items if answer else ()
        made = self.editor.provenance[-1]
        assert made is not None
        return {"shown": [item.insert_text for item in items], **_plain(made)}

    @property
    def ledger(self) -> list[dict[str, Any]]:
        """The ledger's line of each request that left."""
        return sent(self._home)


@pytest.fixture
async def session(home: Path, tmp_path: Path) -> AsyncIterator[Session]:
    """`synconfroute serve`, told of both real servers."""
    options = {
        "local": {
            "provider": "ollama",
            "url": os.environ["REAL_OLLAMA_URL"],
            "model": os.environ["REAL_OLLAMA_MODEL"],
        },
        "org": {"url": os.environ["REAL_VLLM_URL"]},
        "escalation": {"deadline_ms": 120_000},
        "limits": {"local_deadline_ms": 300_000, "validation_ms": 10_000},
        "provenance": True,
    }
    env = environment(SYNCONFROUTE_ORG_API_KEY=os.environ["REAL_VLLM_KEY"])
    async with editor(SERVE, env, options=options) as one:
        yield Session(one, tmp_path, home)
        assert one.shown == []


async def test_kept_low_confidence_and_invalid(session: Session) -> None:
    """One request of each kind: who answers it, why, and what the ledger says."""
    kept = await session.complete("kept.py", KEPT, 2, 11)
    print(json.dumps(kept))
    assert (kept["tier"], kept["reason"], kept["verdict"]) == ("local", "kept", "valid")
    assert kept["shown"] == ["(a + b) / 2"]
    assert session.ledger == []

    unsure = await session.complete("unsure.py", UNSURE, 2, 4)
    print(json.dumps(unsure))
    assert (unsure["tier"], unsure["reason"]) == ("org", "low_confidence")
    assert unsure["confidence"] < 0.7
    assert unsure["shown"]

    broken = await session.complete("broken.py", BROKEN, 3, 0)
    print(json.dumps(broken))
    assert broken["reason"] == "invalid"
    assert broken["confidence"] >= 0.7
    assert [line["reason"] for line in session.ledger] == ["low_confidence", "invalid"]
    assert [line["request_id"] for line in session.ledger] == [
        unsure["request_id"],
        broken["request_id"],
    ]


def _plain(made: Any) -> dict[str, Any]:
    """Provenance as pytest-lsp gives it, as a dictionary."""
    fields = made._asdict() if hasattr(made, "_asdict") else dict(made)
    return {
        name: dict(value._asdict()) if hasattr(value, "_asdict") else value
        for name, value in fields.items()
    }
