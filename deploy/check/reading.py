"""The configurations as values."""

from pathlib import Path
from typing import Any

import yaml

FOLDER = Path(__file__).resolve().parent.parent
"""Of the configurations."""

Document = dict[str, Any]


def files() -> list[Path]:
    """Every configuration in YAML."""
    return sorted(FOLDER.rglob("*.yaml"))


def documents(file: Path) -> list[Document]:
    """The documents of a file.

    Raises:
        yaml.YAMLError: it is no YAML.
    """
    return [each for each in yaml.safe_load_all(file.read_text(encoding="utf-8")) if each]


def document(name: str) -> Document:
    """The first document of a file, by its path below the folder."""
    return documents(FOLDER / name)[0]


def of_kind(name: str, kind: str) -> Document:
    """The object of a kind in a file of Kubernetes objects."""
    return next(each for each in documents(FOLDER / name) if each["kind"] == kind)


def vllm_options() -> Document:
    """What `vllm serve --config` reads, by option."""
    return document("vllm/completions.yaml")


def stack_arguments() -> list[str]:
    """The arguments of vLLM that production-stack hands on as they are."""
    (model,) = document("production-stack/values.yaml")["servingEngineSpec"]["modelSpec"]
    return [str(each) for each in model["vllmConfig"]["extraArgs"]]


def ray_model() -> Document:
    """The one model of the Ray Serve application."""
    (application,) = document("ray-serve/serve.yaml")["applications"]
    (model,) = application["args"]["llm_configs"]
    return dict(model)


def picker() -> Document:
    """The configuration of llm-d's endpoint picker, which stands as text in the chart's values."""
    epp = document("llm-d/values.yaml")["router"]["epp"]
    return dict(yaml.safe_load(epp["pluginsCustomConfig"][epp["pluginsConfigFile"]]))


def flags_used() -> dict[str, list[str]]:
    """Flags of vLLM by the file that uses them."""
    kwargs = ray_model()["engine_kwargs"]
    options = [name for name in vllm_options() if name != "model"]
    return {
        "vllm/completions.yaml": [f"--{name}" for name in options],
        "production-stack/values.yaml": [
            each for each in stack_arguments() if each.startswith("--")
        ],
        "ray-serve/serve.yaml": [f"--{name.replace('_', '-')}" for name in kwargs],
    }
