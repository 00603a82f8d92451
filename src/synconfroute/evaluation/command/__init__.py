"""The commands of the evaluation, one module each. What they need is imported when one runs."""

from argparse import ArgumentParser
from collections.abc import Callable

from synconfroute.evaluation.command import (
    calibrate,
    clean,
    cuts,
    latency,
    models,
    quantization,
    regressions,
    report,
    robustness,
    routes,
    run,
    vote,
)
from synconfroute.server.command.arguments import Further, add_set

__all__ = ["COMMANDS"]

_ACTIONS: dict[str, tuple[str, Callable[[ArgumentParser], None]]] = {
    "run": ("have models answer a benchmark, and execute the answers", run.add),
    "routes": ("replay routing strategies on stored answers of two models", routes.add),
    "clean": ("compare stored answers raw and as they would be shown", clean.add),
    "cuts": ("compare ways to end stored answers of several lines", cuts.add),
    "latency": ("time models' answers, warm, one after the other", latency.add),
    "quantization": ("compare levels of quantization of one model", quantization.add),
    "regressions": ("tell what examples in the prompt gain and lose", regressions.add),
    "vote": ("let several draws of answers vote", vote.add),
    "models": ("list the models of the paper, with their names at Ollama and vLLM", models.add),
    "robustness": ("try thresholds on fewer tasks and on other benchmarks", robustness.add),
    "report": ("write a study of two models' answers as Markdown and HTML", report.add),
}
"""What may follow `synconfroute eval`: what each does, and what adds its options."""


def _add_eval(parser: ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    for name, (does, add) in _ACTIONS.items():
        description = does[0].upper() + does[1:] + "."
        action = actions.add_parser(name, help=does, description=description, allow_abbrev=False)
        add(action)
        add_set(action, "set_last")


COMMANDS = (
    Further("calibrate", "find the router's threshold for a model and a language", calibrate.add),
    Further("eval", "run benchmarks and replay routing rules", _add_eval),
)
