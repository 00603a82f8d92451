"""Does vLLM parse these flags, and has it these metrics?"""

import json
import re
import sys
from pathlib import Path
from typing import Any

import vllm  # the Python that runs this has it
from vllm.engine.arg_utils import AsyncEngineArgs
from vllm.entrypoints.launchers.cli_args import make_arg_parser
from vllm.utils.argparse_utils import FlexibleArgumentParser


def main() -> None:
    """Ask."""
    given: dict[str, Any] = json.load(sys.stdin)
    wrong = []
    for arguments in (["serve", "--config", given["config"]], ["serve", *given["arguments"]]):
        try:
            _parsers()[0].parse_args(arguments)
        except SystemExit:
            wrong.append(f"vLLM does not parse {' '.join(arguments)}")
    fields = AsyncEngineArgs.__dataclass_fields__
    wrong += [f"no engine argument {name}" for name in given["engine"] if name not in fields]
    has = {option for action in _parsers()[1]._actions for option in action.option_strings}
    wrong += [f"no flag {flag}" for flag in given["flags"] if flag not in has]
    source = "".join(
        file.read_text(encoding="utf-8") for file in Path(vllm.__file__).parent.rglob("loggers.py")
    )
    metrics = set(re.findall(r'"(vllm:[a-z_]+)"', source))
    wrong += [f"no metric {name}" for name in given["metrics"] if name not in metrics]
    print(json.dumps(wrong))


def _parsers() -> tuple[FlexibleArgumentParser, FlexibleArgumentParser]:
    """Of `vllm`, which reads `--config`, and below it of `vllm serve`."""
    top = FlexibleArgumentParser()
    serve = top.add_subparsers(dest="command").add_parser("serve")
    return top, make_arg_parser(serve)


if __name__ == "__main__":
    main()
