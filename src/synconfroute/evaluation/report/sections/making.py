"""The commands that answers were made by, as their files record it."""

from collections.abc import Iterable

from synconfroute.evaluation.report.blocks import Command, Folded, Text
from synconfroute.evaluation.report.given import SEED, Answers, Origin

UNKNOWN = "not recorded"


def made_by(answers: Iterable[Answers]) -> Folded:
    """The commands behind some figures."""
    commands = dict.fromkeys(
        f"synconfroute {said}" if said != UNKNOWN else f"# {origin.file}: {UNKNOWN}"
        for each in answers
        for origin in each.origins
        for said in (command_of(each, origin),)
    )
    return Folded(
        "The commands behind these figures",
        [Text("The answers, and then the report’s own command (“In short”):"),
         Command("\n".join(commands))],
    )  # fmt: skip


def command_of(answers: Answers, origin: Origin) -> str:
    """The command that makes such answers; `UNKNOWN` where the file does not say."""
    arm = answers.arm
    if not arm.profile:
        return UNKNOWN
    parts = [
        "eval run --data DATA",
        f"--bench {answers.bench}",
        f"--model {origin.provider}:{origin.model}",
    ]
    if arm.profile == "paper":
        parts.append("--profile paper")
    if arm.prompt != ("chat" if arm.profile == "paper" else "fim"):
        parts.append(f"--prompt {arm.prompt}")
    if arm.shots:
        parts.append(f"--shots {arm.shots} --examples {arm.examples}")
    if arm.examples_by:
        parts.append(f"--examples-by {arm.examples_by.partition(' (')[0]}")
    if arm.temperature:
        parts.append(f"--temperature {arm.temperature:g} --draws N")
    parts += [f"--{name.replace('_', '-')} {value}" for name, value in arm.unusual]
    seed = f"--seed {SEED}" if f"seed {SEED}" in answers.drawn else ""
    if origin.asked:
        parts.append(f"{origin.asked} {seed}".strip())
    elif not answers.whole:
        parts.append(f"--sample {len(answers.stored)} {seed}".strip())
    return " ".join([*parts, f"--out {origin.file}"])
