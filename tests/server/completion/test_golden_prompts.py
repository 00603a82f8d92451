"""The prompt of every kind of model, against golden files."""

import tomllib
from pathlib import Path
from typing import Any

import pytest

from synconfroute.clients.fim import family_of
from synconfroute.clients.fim_families import FAMILIES
from synconfroute.clients.model import ChatPrompt, TextPrompt
from synconfroute.server.completion.context.snippet import Snippet
from synconfroute.server.completion.hole import Hole
from synconfroute.server.completion.prompt import Ask, build_request

HOLE = Hole("python", "P = 1\n", "S = 2\n", path="/home/someone/shop/cart.py", whole=False)
CONTEXT = (Snippet("tax.py", "RATE = 0.2\n"), Snippet("shop/item.py", "class Item:\n    pass"))
GOLDEN = Path(__file__).parent / "golden" / "prompts.toml"
CASES = tomllib.loads(GOLDEN.read_text("utf-8"))["case"]


def written(prompt: TextPrompt | ChatPrompt) -> str:
    """A prompt as the golden file has it: of a chat, the user's turn and what begins the answer."""
    return (
        prompt.text if isinstance(prompt, TextPrompt) else f"{prompt.user}\n>>>\n{prompt.prefill}"
    )


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["models"][0])
def test_golden(case: dict[str, Any]) -> None:
    """Alone, with its file named, and below pieces of other files: as the family documents it."""
    for model in case["models"]:
        ask = Ask(family_of(names=[model]), case.get("chat", False), False, 4096)
        hinted = Ask(ask.family, ask.chat, False, 4096, hint=True)
        plain = build_request(HOLE, ask, max_tokens=50, request_id="")
        named = build_request(HOLE, hinted, max_tokens=50, request_id="")
        files = build_request(HOLE, ask, max_tokens=50, request_id="", context=CONTEXT)
        found = {"plain": plain.prompt, "hint": named.prompt, "context": files.prompt}
        assert {kind: written(prompt) for kind, prompt in found.items()} == {
            kind: case[kind] for kind in found
        }


def test_every_family_has_a_golden_prompt() -> None:
    """So has what knows no format, by chat and as plain text."""
    named = {family_of(names=[case["models"][0]]) for case in CASES}
    assert named == {*FAMILIES, None}
    assert {case.get("chat", False) for case in CASES if not family_of(names=case["models"])} == {
        True,
        False,
    }
