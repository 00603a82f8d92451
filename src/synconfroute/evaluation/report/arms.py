"""The arm that an answer belongs to: all that is the same for answers that may be compared."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from synconfroute.evaluation.generation.conditions import is_single_line

_USUAL: Mapping[str, Mapping[str, Any]] = {
    "live": {"cursor": "line-start", "suffix": "open", "indentation": "given", "hint": "none",
             "healing": "live", "cut": "live", "stop": "structural"},
    "paper": {"cursor": "line-start", "suffix": "raw", "indentation": "none", "hint": "none",
              "healing": "off", "cut": "context", "stop": "none"},
}  # fmt: skip
"""What `eval run` has where nothing else is asked for, by profile."""

_PROFILES = {"live": "as the server asks", "paper": "paper's profile", "": "as recorded"}
_PROMPTS = {"fim": "FIM", "chat": "chat", "": "unknown prompt"}


@dataclass(frozen=True, slots=True)
class Arm:
    """How answers were asked for.

    Attributes:
        profile: "live" or "paper"; "" where the file does not say.
        prompt: "fim" or "chat"; "" where neither file nor name says.
        shots: solved examples before the hole.
        examples: how these were found; "" for none.
        examples_by: who wrote what is in them; "" for the truth.
        temperature: 0 is greedy.
        unusual: what else was asked for otherwise than usual: names and values.
    """

    profile: str
    prompt: str
    shots: int = 0
    examples: str = ""
    examples_by: str = ""
    temperature: float = 0.0
    unusual: tuple[tuple[str, str], ...] = ()

    @property
    def label(self) -> str:
        """In few words."""
        parts = [f"{_PROMPTS.get(self.prompt, self.prompt)}, {_PROFILES[self.profile]}"]
        if self.shots:
            parts.append(self.few_shot)
        if self.temperature:
            parts.append(f"temperature {self.temperature:g}")
        parts += [f"{name.replace('_', ' ')} {value}" for name, value in self.unusual]
        return ", ".join(parts)

    @property
    def few_shot(self) -> str:
        """The examples in few words."""
        by = f" by {self.examples_by.partition(' (')[0]}" if self.examples_by else ""
        return f"{self.shots}-shot {self.examples}{by}".strip()

    @property
    def plain(self) -> bool:
        """Greedy and without examples."""
        return not self.shots and not self.temperature


def arm_of(made: Mapping[str, Any], bench: str, file: str) -> Arm:
    """The arm of an answer.

    Args:
        made: its provenance.
        bench: its benchmark.
        file: the name of its file, which ends in the prompt where the file says nothing itself.
    """
    profile = str(made.get("profile", ""))
    if profile not in _USUAL:
        bare = file.removesuffix(".gz").removesuffix(".jsonl")
        return Arm("", next((each for each in ("fim", "chat") if bare.endswith(f".{each}")), ""))
    shots = int(made.get("shots", 0))
    unusual = [
        (name, str(made[name]))
        for name, usual in _USUAL[profile].items()
        if made.get(name, usual) != usual
    ]
    if (limit := made.get("max_tokens")) not in {None, _usual_limit(profile, bench)}:
        unusual.append(("max_tokens", str(limit)))
    return Arm(
        profile,
        str(made.get("prompt", "")),
        shots,
        str(made.get("examples_as", "")) if shots else "",
        str(made.get("examples_by", "")) if shots else "",
        float(made.get("temperature") or 0.0),
        tuple(unusual),
    )


def _usual_limit(profile: str, bench: str) -> int:
    return 50 if profile == "paper" or is_single_line(bench) else 256
