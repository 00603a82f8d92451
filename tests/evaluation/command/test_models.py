"""`synconfroute eval models`: the paper's Table 2."""

import json
from collections import Counter

from tests.server.command.conftest import Run


def test_the_29_models_of_the_paper(run: Run) -> None:
    """Twelve families, three tiers, who served them, and names to get them by."""
    done = run("eval", "models", "--json")
    found = json.loads(done.out)
    assert len({model["name"] for model in found}) == len(found) == 29
    assert len({model["family"] for model in found}) == 12
    assert Counter(model["tier"] for model in found) == {"small": 12, "mid-range": 11, "large": 6}
    assert Counter(model["serving"] for model in found) == {"ollama": 23, "vllm": 6}
    assert all("/" in model["vllm"] for model in found)
    assert [model["name"] for model in found if not model["ollama"]] == ["Refact-1.6B"]


def test_a_line_each(run: Run) -> None:
    """For people: sizes with what of them is active."""
    lines = run("eval", "models").out.splitlines()
    assert len(lines) == 29
    assert lines[-1].split() == [
        "Qwen3-Coder-480B-A35B", "Qwen", "480B", "(35B", "active)", "large", "vllm",
        "qwen3-coder:480b", "Qwen/Qwen3-Coder-480B-A35B-Instruct",
    ]  # fmt: skip
