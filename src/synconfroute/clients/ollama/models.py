"""What Ollama says about models: which to use, how it fills in the middle, where it runs."""

import re
from collections.abc import Iterable, Sequence
from typing import Any

from synconfroute.clients.documents import count_of, object_of, objects_of, word_of
from synconfroute.clients.fim import family_of

SUGGESTED_MODEL = "qwen2.5-coder:1.5b"
"""The model to pull where there is none: the best that a CPU runs in time."""

_FIRST_WITH_LOGPROBS = (0, 12, 11)

# From the paper and from measurements: 3B is the best that answers in time on 8 GB of
# accelerator, 1.5B on a CPU. Larger ones are good but slow, 0.5B is fast but weak.
_QWEN_SIZES = ("3", "1.5", "7", "0.5", "14", "32")
_LINES = ("qwen2.5-coder", "qwen3-coder", "codestral", "deepseek-coder", "starcoder2", "starcoder")


def choose_code_model(models: Iterable[str]) -> str | None:
    """The model to complete code with, of those that an Ollama has, or None if none can.

    Only models that fill in the middle and run here: names that end in `-cloud` or `:cloud` do
    not. Qwen2.5-Coder first, in the sizes 3B, 1.5B, 7B, 0.5B, 14B, 32B; then Qwen3-Coder,
    Codestral, DeepSeek-Coder, StarCoder2, StarCoder, smaller before larger. A q2_K quantisation
    comes after everything else. Among equals the order given decides.
    """
    able = [name for name in models if not is_cloud(name) and family_of(names=[name])]
    return min(able, key=_rank, default=None)


def is_cloud(name: str) -> bool:
    """True if the name is of a model that Ollama runs on its own servers, not here."""
    tag = name.rpartition("/")[2].partition(":")[2].lower()
    return tag == "cloud" or tag.endswith("-cloud")


def remote_host(description: dict[str, Any]) -> str:
    """Where the model of a /api/show answer or a /api/tags entry runs, or "" if it is here."""
    return word_of(description, "remote_host")


def local_names(tags: dict[str, Any]) -> tuple[str, ...]:
    """Names of the models in a /api/tags answer that run here, the newest first."""
    return tuple(
        name
        for entry in objects_of(tags, "models")
        if (name := word_of(entry, "name") or word_of(entry, "model"))
        and not remote_host(entry)
        and not is_cloud(name)
    )


def fim_family(description: dict[str, Any], name: str) -> str | None:
    """The FIM family of the model in a /api/show answer; `name` is the last resort."""
    info = object_of(description, "model_info")
    details = object_of(description, "details")
    return family_of(
        architecture=word_of(info, "general.architecture") or word_of(details, "family"),
        names=[word_of(info, "general.basename"), word_of(info, "general.name"), name],
        template=template_of(description),
    )


def template_of(description: dict[str, Any]) -> str:
    """The template of the model in a /api/show answer, or ""."""
    template = description.get("template")
    return template if isinstance(template, str) else ""


def trained_context(description: dict[str, Any]) -> int | None:
    """The context that the model of a /api/show answer was trained with, in tokens."""
    info = object_of(description, "model_info")
    return count_of(info, f"{word_of(info, 'general.architecture')}.context_length")


def device_of(running: dict[str, Any], name: str) -> str | None:
    """Where a /api/ps answer says that the model is loaded: "cpu", "gpu", "mixed", or None."""
    for entry in objects_of(running, "models"):
        if _full(name) in {_full(word_of(entry, "name")), _full(word_of(entry, "model"))}:
            size, fast = count_of(entry, "size"), count_of(entry, "size_vram") or 0
            if not size:
                return None
            return "cpu" if fast == 0 else "gpu" if fast >= size else "mixed"
    return None


def gives_logprobs(version: str) -> bool | None:
    """Does this version give log-probs (0.12.11 and later)? None for builds that do not tell."""
    match = re.match(r"(\d{1,6})\.(\d{1,6})\.(\d{1,6})", version)
    if match is None or match[0] == "0.0.0":
        return None
    return tuple(int(part) for part in match.groups()) >= _FIRST_WITH_LOGPROBS


def _full(name: str) -> str:
    return name if not name or ":" in name.rpartition("/")[2] else f"{name}:latest"


def _rank(name: str) -> tuple[bool, int, float]:
    plain = name.lower()
    line = _position(_LINES, [item for item in _LINES if item in plain])
    size = re.search(r"(\d+(?:\.\d+)?)b\b", plain.replace("_", "-"))
    if line == 0:
        order = float(_position(_QWEN_SIZES, [size[1]] if size else ["7"]))
    else:
        order = float(size[1]) if size else 1000.0
    return ("q2-k" in plain.replace("_", "-"), line, order)


def _position(order: Sequence[str], found: list[str]) -> int:
    return min((order.index(item) for item in found if item in order), default=len(order))
