"""Does LiteLLM know these settings?"""

import inspect
import json
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import litellm
from litellm.proxy import _types
from litellm.types.router import Deployment, OptionalPreCallChecks


def main() -> None:
    """Ask."""
    given: dict[str, Any] = json.load(sys.stdin)
    general = set(_types.ConfigGeneralSettings.model_fields)
    # Some are read and stand in no model.
    proxy = Path(_types.__file__).with_name("proxy_server.py").read_text(encoding="utf-8")
    general |= set(re.findall(r'general_settings\.get\(\s*"(\w+)"', proxy))
    router = inspect.signature(litellm.Router.__init__).parameters
    known: dict[str, Callable[[str], bool]] = {
        "general_settings": general.__contains__,
        "litellm_settings": lambda name: hasattr(litellm, name),
        "router_settings": router.__contains__,
    }
    wrong = [f"no section {section}" for section in given if section not in {*known, "model_list"}]
    for section, has in known.items():
        wrong += [f"no {section}.{name}" for name in given[section] if not has(name)]
    checks = re.findall(r"'(\w+)'", str(OptionalPreCallChecks))
    asked = given["router_settings"]["optional_pre_call_checks"]
    wrong += [f"no check {name}" for name in asked if name not in checks]
    for entry in given["model_list"]:
        Deployment.model_validate(entry)
    print(json.dumps(wrong))


if __name__ == "__main__":
    main()
