"""Does Ray Serve take this application?"""

import json
import sys
from importlib import import_module
from typing import Any

from pydantic import ValidationError
from ray.serve.llm import LLMServingArgs
from ray.serve.schema import ServeDeploySchema


def main() -> None:
    """Ask."""
    given: dict[str, Any] = json.load(sys.stdin)
    wrong = []
    try:
        schema = ServeDeploySchema.model_validate(given)
        for application in schema.applications:
            module, _, name = application.import_path.partition(":")
            getattr(import_module(module), name)
            serving = LLMServingArgs.model_validate(application.args)
            for model in serving.llm_configs:
                routing = model.deployment_config["request_router_config"]
                place, _, kind = routing["request_router_class"].rpartition(".")
                getattr(import_module(place), kind)
    except (ValidationError, ValueError, ImportError, AttributeError) as error:
        wrong.append(str(error).replace("\n", " "))
    print(json.dumps(wrong))


if __name__ == "__main__":
    main()
