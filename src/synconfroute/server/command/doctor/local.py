"""Doctor's look at the local tier: what serves it, why, and what would serve better."""

import shutil
import sys
from dataclasses import dataclass

from synconfroute.clients.model import Probe, State
from synconfroute.errors import SynConfRouteError
from synconfroute.server.command.doctor.finding import Finding, Health
from synconfroute.server.command.doctor.threshold import rule_finding, threshold_finding
from synconfroute.server.completion.tiers import Choice, LocalClients, choose_local
from synconfroute.server.settings.tree import Settings


@dataclass(frozen=True, slots=True)
class LocalTier:
    """What was found.

    Attributes:
        findings: what to report.
        ready: a completion can be asked for.
        ollama: address of an Ollama that was asked; else "".
        wanted: a model for it to pull, where it runs and has no code model; else "".
    """

    findings: tuple[Finding, ...]
    ready: bool = False
    ollama: str = ""
    wanted: str = ""


async def look_at_local(settings: Settings) -> LocalTier:
    """Choose the local tier as a request would, and say what is known of it."""
    clients = LocalClients(settings)
    try:
        choice = await choose_local(settings, clients)
        asked = choice.passed_over or (choice.probe if choice.client.name == "ollama" else None)
        address = "" if asked is None else clients.get("ollama").address
    except SynConfRouteError as error:
        return LocalTier((Finding("local model", Health.BAD, str(error)),))
    finally:
        await clients.aclose()
    wanted = "" if asked is None or settings.local.model else _model_to_pull(asked)
    findings = [_chosen(choice, wanted)]
    if choice.probe.ready:
        findings += _capabilities(choice.probe)
        model = choice.probe.model or choice.client.model
        findings += [rule_finding(settings, model), threshold_finding(settings, model)]
    if wanted and choice.probe.ready:
        findings.append(
            Finding(
                "code model",
                Health.NOTE,
                "Ollama runs here and has no code model; one would answer better.",
                f"ollama pull {wanted}",
            )
        )
    return LocalTier(tuple(findings), choice.probe.ready, address, wanted)


def recommended_model() -> str:
    """The code model that fits: 3B beside an accelerator, 1.5B on a plain processor."""
    apple = sys.platform == "darwin"
    accelerated = apple or any(shutil.which(tool) for tool in ("nvidia-smi", "rocm-smi"))
    return "qwen2.5-coder:3b" if accelerated else "qwen2.5-coder:1.5b"


def _model_to_pull(ollama: Probe) -> str:
    """A model for an Ollama that runs and has none for code, or ""."""
    lacks_one = ollama.state is State.MODEL_MISSING or (ollama.ready and ollama.fim_family is None)
    return recommended_model() if lacks_one else ""


def _chosen(choice: Choice, wanted: str) -> Finding:
    probe = choice.probe
    if probe.ready:
        model = probe.model or choice.client.model
        return Finding(
            "local model", Health.OK, f"{choice.client.name} answers with {model}: {choice.why}."
        )
    remedy = f"ollama pull {wanted}" if wanted else ""
    if not remedy and probe.state is State.NO_WEIGHTS:
        remedy = "synconfroute engine pull"
    why = choice.why[0].upper() + choice.why[1:].rstrip(".")
    return Finding("local model", Health.BAD, f"{why}. {probe.message}", remedy)


def _capabilities(probe: Probe) -> list[Finding]:
    findings = []
    if probe.device == "cpu":
        findings.append(
            Finding("processor", Health.NOTE, "The model runs on the CPU: small models only.")
        )
    elif probe.device is not None:
        findings.append(Finding("processor", Health.OK, f"The model runs on: {probe.device}."))
    if probe.logprobs is False:
        findings.append(
            Finding(
                "confidence",
                Health.NOTE,
                "The server gives no log-probs, so the verdict alone decides what is escalated.",
                "update the model server",
            )
        )
    elif probe.logprobs:
        findings.append(Finding("confidence", Health.OK, "The server gives log-probs."))
    return findings
