"""`synconfroute eval models`: the models of the paper, and their names where one gets them."""

import json
from argparse import ArgumentParser, Namespace
from dataclasses import asdict

from synconfroute.server.command import console


def add(parser: ArgumentParser) -> None:
    """Add the options of the command."""
    parser.set_defaults(run=models)
    parser.add_argument("--json", action="store_true", help="print JSON")


def models(options: Namespace) -> int:
    """Print the paper's Table 2. Nothing is downloaded."""
    from synconfroute.evaluation.datasets.models import read_models

    found = read_models()
    if options.json:
        console.say(json.dumps([asdict(model) for model in found]))
        return 0
    for model in found:
        size = f"{model.size:g}B" + (f" ({model.active:g}B active)" if model.active else "")
        console.say(
            f"{model.name:24}{model.family:12}{size:18}{model.tier:11}{model.serving:8}"
            f"{model.ollama or '-':24}{model.vllm}"
        )
    return 0
