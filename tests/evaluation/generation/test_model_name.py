"""How models are named, and the files of their answers."""

from pathlib import Path

import pytest

from synconfroute.errors import UsageError
from synconfroute.evaluation.generation.model_name import ModelName, model_name
from synconfroute.evaluation.generation.plan import files_for


@pytest.mark.parametrize(
    ("text", "provider", "name"),
    [
        ("ollama:qwen2.5-coder:0.5b", "ollama", "qwen2.5-coder:0.5b"),
        ("embedded:/models/a b.gguf", "embedded", "/models/a b.gguf"),
        (r"embedded:C:\models\a.gguf", "embedded", r"C:\models\a.gguf"),
        ("org:", "org", ""),
    ],
)
def test_the_first_colon_divides(text: str, provider: str, name: str) -> None:
    """Names may hold colons and be paths; an empty name is the server's own choice."""
    assert model_name(text) == ModelName(provider, name)
    assert str(model_name(text)) == text


@pytest.mark.parametrize("text", ["", "qwen", "vllm:qwen", ":qwen", "Ollama:qwen"])
def test_anything_else_is_wrong_usage(text: str) -> None:
    """A name without a known provider is not guessed at."""
    with pytest.raises(UsageError, match="PROVIDER:NAME"):
        model_name(text)


def test_one_model_has_the_file_that_was_named() -> None:
    """The name of a single file is the user's."""
    out = Path("runs") / "a.jsonl"
    model = model_name("ollama:q")
    assert list(files_for(out, [model], draws=1)) == [(model, None, out)]


def test_several_models_stand_in_the_names_of_their_files() -> None:
    """Each file's name holds provider and model, without what a file's name cannot hold."""
    named = [
        "ollama:qwen2.5-coder:0.5b",
        r"embedded:C:\models\tiny q4.gguf",
        "org:Qwen/Big",
        "org:",
    ]
    found = files_for(Path("runs") / "a.jsonl", [model_name(each) for each in named], draws=1)
    assert [file for _, _, file in found] == [
        Path("runs") / f"a.{each}.jsonl"
        for each in ("ollama-qwen2.5-coder-0.5b", "embedded-tiny-q4", "org-Big", "org")
    ]


def test_each_draw_has_its_own_file() -> None:
    """Counted from 1, behind the model where there are several."""
    models = [model_name("ollama:a"), model_name("ollama:b")]
    found = list(files_for(Path("v.jsonl"), models, draws=2))
    assert [(draw, file.name) for _, draw, file in found] == [
        (1, "v.ollama-a.draw-1.jsonl"),
        (2, "v.ollama-a.draw-2.jsonl"),
        (1, "v.ollama-b.draw-1.jsonl"),
        (2, "v.ollama-b.draw-2.jsonl"),
    ]
