"""What /models says about the models served, and about who serves them."""

from dataclasses import dataclass, replace
from typing import Any

from synconfroute.clients.documents import count_of, object_of, word_of


@dataclass(frozen=True, slots=True)
class Served:
    """One entry of /models.

    Attributes:
        name: as requests name it.
        aliases: other names that it answers to.
        root: what was loaded, where the server says (vLLM).
        owner: who says so: "vllm", "llamacpp", "library" (Ollama), or a gateway's word.
        context_tokens: the longest prompt and answer together, or None.
    """

    name: str
    aliases: tuple[str, ...]
    root: str
    owner: str
    context_tokens: int | None

    def answers_to(self, name: str) -> bool:
        """True if a request may name it so."""
        return name == self.name or name in self.aliases


@dataclass(frozen=True, slots=True)
class Software:
    """The program that serves.

    Attributes:
        title: name and version; "" if it does not say.
        logprobs: does its /completions give log-probs? None where that is not known.
        takes_any_name: it has one model, and answers with it whatever the request names.
        grammar: its /completions follow a grammar in llama.cpp's notation.
        prefills: its chat can be told to go on with an answer that is begun.
        but: what does not work there, as the end of a sentence; "" if nothing.
    """

    title: str
    logprobs: bool | None = None
    takes_any_name: bool = False
    grammar: bool = False
    prefills: bool = False
    but: str = ""


_KNOWN: dict[str, Software] = {
    "vllm": Software("vLLM", logprobs=True, prefills=True),
    "llamacpp": Software(
        "llama.cpp", logprobs=True, takes_any_name=True, grammar=True, prefills=True
    ),
    # Ollama's own /api does better; this one, up to 0.33, never gives log-probs.
    "library": Software(
        "Ollama",
        logprobs=False,
        but=", but here it gives no log-probs and wraps prompts into its chat template: use the"
        " provider `ollama`",
    ),
}


def served_by(entry: dict[str, Any]) -> Served:
    """An entry of /models."""
    aliases = entry.get("aliases")
    return Served(
        name=word_of(entry, "id"),
        aliases=tuple(alias for alias in aliases if isinstance(alias, str))
        if isinstance(aliases, list)
        else (),
        root=word_of(entry, "root"),
        owner=word_of(entry, "owned_by"),
        context_tokens=count_of(entry, "max_model_len")
        or count_of(object_of(entry, "meta"), "n_ctx"),
    )


def software_of(owner: str, version: str) -> Software:
    """The program, by what /models calls the owner and by its own version."""
    known = _KNOWN.get(owner, Software(""))
    if not known.title or not version:
        return known
    return replace(known, title=f"{known.title} {version}")
