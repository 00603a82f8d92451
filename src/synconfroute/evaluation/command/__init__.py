"""The commands of the evaluation, one module each.

A module is imported where its command is typed, and what it needs when it runs: the server starts
through the same command line.
"""

from argparse import ArgumentParser
from importlib import import_module

from synconfroute.server.command.arguments import Further, add_set

__all__ = ["COMMANDS"]

_ACTIONS: dict[str, str] = {
    "run": "have models answer a benchmark, and execute the answers",
    "routes": "replay routing strategies on stored answers of two models",
    "clean": "compare stored answers raw and as they would be shown",
    "cuts": "compare ways to end stored answers of several lines",
    "latency": "time models' answers, warm, one after the other",
    "quantization": "compare levels of quantization of one model",
    "regressions": "tell what examples in the prompt gain and lose",
    "vote": "let several draws of answers vote",
    "models": "list the models of the paper, with their names at Ollama and vLLM",
    "robustness": "try thresholds on fewer tasks and on other benchmarks",
    "report": "write a study of two models' answers as Markdown and HTML",
}
"""What may follow `synconfroute eval`: each module's name, and what it does."""


def _add_eval(parser: ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    for name, does in _ACTIONS.items():
        description = does[0].upper() + does[1:] + "."
        action = actions.add_parser(name, help=does, description=description, allow_abbrev=False)
        _add(name, action)
        add_set(action, "set_last")


def _add_calibrate(parser: ArgumentParser) -> None:
    _add("calibrate", parser)


def _add_plan(parser: ArgumentParser) -> None:
    _add("plan", parser)


def _add(module: str, parser: ArgumentParser) -> None:
    import_module(f"{__name__}.{module}").add(parser)


COMMANDS = (
    Further("calibrate", "find the router's threshold for a model and a language", _add_calibrate),
    Further("plan", "say how many model servers a fleet of developers needs", _add_plan),
    Further("eval", "run benchmarks and replay routing rules", _add_eval),
)
