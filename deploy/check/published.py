"""The configurations against what the programs themselves take: their parsers, models, schemas.

None of these is part of this repository. README.md says how a folder with all of them is made.
Each check runs in the Python of the program that it asks; what is absent is told as absent.
"""

import json
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import yaml

from deploy.check import asked, reading
from deploy.check.finding import Finding, of
from deploy.check.offline import listed, metrics_named

_SECONDS = 300
_PLAIN = (
    "llm-d/vllm.yaml", "production-stack/autoscaler.yaml", "production-stack/network-policy.yaml",
)  # fmt: skip
"""Objects that Kubernetes itself knows."""
_STACK, _ROUTER = "production-stack", "llm-d-router"
_EXTENSION, _GATEWAY = "gateway-api-inference-extension", "gateway-api"


def findings(folder: Path) -> Iterator[Finding]:
    """Look at everything that the folder has."""
    checks: list[tuple[str, str, Callable[[Path], Iterator[Finding]]]] = [
        ("vllm/bin/python", "vLLM and Ray", _vllm),
        ("litellm/bin/python", "LiteLLM", _litellm),
        (f"{_STACK}/helm", "production-stack", _stack),
        (f"{_ROUTER}/config/charts", "llm-d", _llm_d),
    ]
    for needed, name, check in checks:
        if (folder / needed).exists():
            yield from check(folder)
        else:
            yield Finding(f"{name}", f"not looked at: {folder / needed} is not there")


def _asks(python: Path, script: str, given: Any) -> Any:
    """What a script of `asked` answers in another Python, as JSON on its last line.

    Raises:
        RuntimeError: it failed; the last line that it wrote says why.
    """
    done = subprocess.run(
        [str(python), script],
        input=json.dumps(given),
        capture_output=True,
        text=True,
        timeout=_SECONDS,
        check=False,
        env={"PATH": "/usr/bin:/bin", **asked.ENVIRONMENT},
    )
    if done.returncode:
        raise RuntimeError(next(iter(done.stderr.strip().splitlines()[-1:]), "it failed"))
    return json.loads(done.stdout.strip().splitlines()[-1])


def _answered(what: str, python: Path, name: str, given: Any) -> Finding:
    """A finding from a script that answers with a list of what is wrong."""
    try:
        return of(what, _asks(python, str(asked.FOLDER / name), given))
    except (RuntimeError, subprocess.TimeoutExpired) as error:
        return Finding(what, str(error))


def _vllm(folder: Path) -> Iterator[Finding]:
    python = folder / "vllm" / "bin" / "python"
    (model,) = reading.document("production-stack/values.yaml")["servingEngineSpec"]["modelSpec"]
    given = {
        "config": str(reading.FOLDER / "vllm" / "completions.yaml"),
        "arguments": [model["modelURL"], *reading.stack_arguments()],
        "engine": reading.ray_model()["engine_kwargs"],
        "flags": sorted(listed("vllm_flags.txt")),
        "metrics": sorted(listed("vllm_metrics.txt")),
        "named": sorted(metrics_named()),
    }
    yield _answered("vLLM parses every flag, and has every metric", python, "ask_vllm.py", given)
    serving = reading.document("ray-serve/serve.yaml")
    yield _answered("Ray Serve takes the application", python, "ask_ray.py", serving)
    objects = [each for name in _PLAIN for each in reading.documents(reading.FOLDER / name)]
    yield _answered("Kubernetes takes its own objects", python, "ask_kubernetes.py", objects)


def _litellm(folder: Path) -> Iterator[Finding]:
    given = reading.document("litellm/config.yaml")
    python = folder / "litellm" / "bin" / "python"
    yield _answered("LiteLLM knows every setting", python, "ask_litellm.py", given)


def _stack(folder: Path) -> Iterator[Finding]:
    chart = folder / _STACK / "helm"
    values = reading.document("production-stack/values.yaml")
    schema = json.loads((chart / "values.schema.json").read_text(encoding="utf-8"))
    python = folder / "vllm" / "bin" / "python"
    if python.exists():
        pairs = [[schema, values]]
        yield _answered("the chart's schema takes the values", python, "ask_schema.py", pairs)
    yield from _rendered("production-stack", chart, "production-stack/values.yaml", _stack_wrong)


def _stack_wrong(objects: list[dict[str, Any]]) -> list[str]:
    """What does not arrive where it is meant to, in the chart's objects."""
    command = _command(objects, "-deployment-vllm")
    router = _command(objects, "-deployment-router")
    wrong = [flag for flag in reading.stack_arguments() if flag not in command]
    if "--enable-prefix-caching" not in command:
        wrong.append("the engine's cache is off")
    routed = " ".join(router)
    if "--routing-logic session" not in routed or "--session-key x-session-id" not in routed:
        wrong.append("the router does not keep sessions")
    return wrong


def _command(objects: list[dict[str, Any]], name: str) -> list[str]:
    found = next(
        each
        for each in objects
        if each["kind"] == "Deployment" and each["metadata"]["name"].endswith(name)
    )
    (container,) = found["spec"]["template"]["spec"]["containers"][:1]
    return [str(each) for each in [*container.get("command", []), *container.get("args", [])]]


def _llm_d(folder: Path) -> Iterator[Finding]:
    charts = folder / _ROUTER / "config" / "charts"
    yield _picker(folder / _ROUTER)
    python = folder / "vllm" / "bin" / "python"
    chart = charts / "llm-d-router-gateway"
    for objects in _helm(chart, "llm-d/values.yaml"):
        if isinstance(objects, Finding):
            yield objects
            return
        every = [*objects, *reading.documents(reading.FOLDER / "llm-d" / "gateway.yaml")]
        pairs = [
            [schema, each] for each in every for schema in _custom(folder, each) if python.exists()
        ]
        kinds = sorted({each["kind"] for _, each in pairs})
        needed = {"Gateway", "HTTPRoute", "InferenceObjective", "InferencePool"}
        what = f"the definitions of {', '.join(kinds) or 'nothing'} take what the chart makes"
        missing = sorted(needed - set(kinds))
        yield (
            of(what, [f"no definition or object of {kind}" for kind in missing])
            if missing
            else _answered(what, python, "ask_schema.py", pairs)
        )


def _custom(folder: Path, wanted: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The schema of an object's kind and version, from the definitions in the folder."""
    group, _, version = wanted["apiVersion"].rpartition("/")
    for place in (
        folder / _ROUTER / "config" / "crd",
        folder / _EXTENSION / "config" / "crd",
        folder / _GATEWAY / "config" / "crd" / "standard",
    ):
        for file in sorted(place.rglob("*.yaml")):
            for found in yaml.safe_load_all(file.read_text(encoding="utf-8")):
                if (found or {}).get("kind") != "CustomResourceDefinition":
                    continue
                spec = found["spec"]
                if spec["group"] == group and spec["names"]["kind"] == wanted["kind"]:
                    for each in spec["versions"]:
                        if each["name"] == version:
                            yield each["schema"]["openAPIV3Schema"]


def _picker(router: Path) -> Finding:
    """Plugins of the endpoint picker are ones that its source has, and refer to each other."""
    source = "".join(
        file.read_text(encoding="utf-8")
        for place in ("pkg", "cmd")
        for file in (router / place).rglob("*.go")
    )
    fields = (router / "apix" / "config" / "v1alpha1" / "endpointpickerconfig_types.go").read_text(
        encoding="utf-8"
    )
    given = reading.picker()
    named = {each.get("name", each["type"]) for each in given["plugins"]}
    wrong = [
        f"no plugin {each['type']}"
        for each in given["plugins"]
        if f'"{each["type"]}"' not in source
    ]
    wrong += [
        f"{each['pluginRef']} is not among the plugins"
        for profile in given["schedulingProfiles"]
        for each in profile["plugins"]
        if each["pluginRef"] not in named
    ]
    wrong += [f"no gate {gate}" for gate in given["featureGates"] if f'"{gate}"' not in source]
    wrong += [name for name in _names(given["flowControl"]) if f'json:"{name}' not in fields]
    return of("the endpoint picker has every plugin, gate and field", wrong)


def _names(value: Any) -> Iterator[str]:
    """Every member's name in a value."""
    if isinstance(value, dict):
        for name, each in value.items():
            yield name
            yield from _names(each)
    elif isinstance(value, list):
        for each in value:
            yield from _names(each)


def _rendered(
    name: str, chart: Path, values: str, wrong: Callable[[list[dict[str, Any]]], list[str]]
) -> Iterator[Finding]:
    for objects in _helm(chart, values):
        if isinstance(objects, Finding):
            yield objects
        else:
            yield of(f"the chart of {name} makes of the values what is meant", wrong(objects))


def _helm(chart: Path, values: str) -> Iterator[list[dict[str, Any]] | Finding]:
    """The objects that a chart makes, without what it would fetch from elsewhere."""
    helm = shutil.which("helm")
    what = f"helm makes objects of {values}"
    if helm is None:
        yield Finding(what, "not looked at: there is no helm on the PATH")
        return
    with tempfile.TemporaryDirectory() as scratch:
        copied = Path(scratch) / chart.parent.name
        shutil.copytree(chart.parent, copied)
        own = copied / chart.name
        described = yaml.safe_load((own / "Chart.yaml").read_text(encoding="utf-8"))
        beside = [
            each
            for each in described.get("dependencies", [])
            if each.get("repository", "").startswith("file://")
        ]
        (own / "Chart.lock").unlink(missing_ok=True)
        (own / "Chart.yaml").write_text(
            yaml.safe_dump({**described, "dependencies": beside}), encoding="utf-8"
        )
        run = [[helm, "dependency", "build", str(own)]] if beside else []
        file = str(reading.FOLDER / values)
        run.append([helm, "template", "completions", str(own), "-n", "completions", "-f", file])
        for command in run:
            done = subprocess.run(
                command, capture_output=True, text=True, timeout=_SECONDS, check=False
            )
            if done.returncode:
                yield Finding(what, done.stderr.strip().replace("\n", " "))
                return
        yield [each for each in yaml.safe_load_all(done.stdout) if each]
