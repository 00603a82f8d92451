"""What can be told without any of the programs: that the files agree, with each other and us."""

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

from deploy.check import reading
from deploy.check.finding import Finding, of
from synconfroute.clients.fim import family_of
from synconfroute.server.settings.reader import read_settings
from synconfroute.server.settings.tree import Org, Settings

_LISTS = Path(__file__).parent
_PRIVATE = {
    "--enable-log-requests": False,
    "--enable-log-outputs": False,
    "--disable-uvicorn-access-log": True,
}
"""What every configuration has to say of what vLLM logs, if it says it by flags."""


def findings() -> Iterator[Finding]:
    """Look at everything; only at the files' form where one cannot be read."""
    formed = list(_readable())
    yield from formed
    if any(each.problem for each in formed):
        return
    yield _known_flags()
    yield _known_metrics()
    yield _one_model()
    yield _one_length()
    yield _sessions()
    yield _nothing_logged()
    for folder in sorted({file.parent for file in reading.files()}):
        yield from _client_settings(folder / "README.md")


def listed(name: str) -> set[str]:
    """A stored list of names, without its heading."""
    lines = (_LISTS / name).read_text(encoding="utf-8").splitlines()
    return {line for line in lines if line and not line.startswith("#")}


def metrics_named() -> set[str]:
    """The metrics of vLLM in the rules, and in what grows and shrinks by one."""
    text = "".join(file.read_text(encoding="utf-8") for file in reading.files())
    return set(re.findall(r"\bvllm:[a-z_]+", text))


def _readable() -> Iterator[Finding]:
    for file in reading.files():
        name = file.relative_to(reading.FOLDER).as_posix()
        try:
            found = reading.documents(file)
        except yaml.YAMLError as error:
            yield Finding(f"{name} is YAML", str(error).replace("\n", " "))
        else:
            yield Finding(f"{name} is YAML", "" if found else "nothing stands in it")


def _known_flags() -> Finding:
    known = listed("vllm_flags.txt")
    wrong = [
        f"{file}: {flag}"
        for file, flags in reading.flags_used().items()
        for flag in flags
        if flag not in known
    ]
    return of("vLLM 0.32.0 has every flag that is used", wrong)


def _known_metrics() -> Finding:
    known = listed("vllm_metrics.txt")
    ends = re.compile(r"_(?:total|bucket|count|sum)$")
    wrong = [name for name in metrics_named() if not {name, ends.sub("", name)} & known]
    return of("vLLM 0.32.0 has every metric that is named", sorted(wrong))


def _one_model() -> Finding:
    arguments = reading.stack_arguments()
    names = {
        "vllm": reading.vllm_options()["served-model-name"],
        "production-stack": arguments[arguments.index("--served-model-name") + 1],
        "ray-serve": reading.ray_model()["model_loading_config"]["model_id"],
        **{
            f"litellm {number}": entry["model_name"]
            for number, entry in enumerate(reading.document("litellm/config.yaml")["model_list"])
        },
    }
    wrong = [f"{where} calls it {name}" for where, name in names.items() if name != names["vllm"]]
    if family_of(names=[names["vllm"]]) is None:
        wrong.append(f"of {names['vllm']} no format of prompts is known")
    return of("all serve one model, by a name that tells its format", wrong)


def _one_length() -> Finding:
    (model,) = reading.document("production-stack/values.yaml")["servingEngineSpec"]["modelSpec"]
    lengths = {
        "vllm": reading.vllm_options()["max-model-len"],
        "production-stack": model["vllmConfig"]["maxModelLen"],
        "ray-serve": reading.ray_model()["engine_kwargs"]["max_model_len"],
    }
    sent = Org().context_tokens
    wrong = [f"{where}: {length}" for where, length in lengths.items() if length != sent]
    return of(f"all take what the client sends at most, {sent} tokens", wrong)


def _sessions() -> Finding:
    sent = Org().session_header
    stack = reading.document("production-stack/values.yaml")["routerSpec"]
    wrong = []
    if (stack["routingLogic"], stack["sessionKey"]) != ("session", sent):
        wrong.append("production-stack does not route by it")
    routing = reading.ray_model()["deployment_config"]["request_router_config"]
    if not routing["request_router_class"].endswith(".ConsistentHashRouter"):
        wrong.append("Ray Serve does not route by it")
    if "session_affinity" not in _router_settings()["optional_pre_call_checks"]:
        wrong.append("LiteLLM does not route by it")
    if "session-affinity-scorer" not in {each["type"] for each in reading.picker()["plugins"]}:
        wrong.append("llm-d does not hand out tokens")
    return of(f"all keep a session on its replica, by {sent} or a token of their own", wrong)


def _router_settings() -> dict[str, Any]:
    return dict(reading.document("litellm/config.yaml")["router_settings"])


def _nothing_logged() -> Finding:
    options = reading.vllm_options()
    arguments = reading.stack_arguments()
    wrong = []
    for flag, on in _PRIVATE.items():
        if options.get(flag[2:]) is not on:
            wrong.append(f"vllm/completions.yaml: {flag} is not {str(on).lower()}")
        if (flag if on else flag.replace("--", "--no-", 1)) not in arguments:
            wrong.append(f"production-stack: {flag} is not {str(on).lower()}")
    if reading.ray_model()["engine_kwargs"].get("enable_log_requests") is not False:
        wrong.append("ray-serve: enable_log_requests is not false")
    lite = reading.document("litellm/config.yaml")
    if lite["litellm_settings"].get("turn_off_message_logging") is not True:
        wrong.append("litellm: turn_off_message_logging is not true")
    if lite["general_settings"].get("store_prompts_in_spend_logs") is not False:
        wrong.append("litellm: store_prompts_in_spend_logs is not false")
    return of("nothing logs prompts", wrong)


def _client_settings(page: Path) -> Iterator[Finding]:
    """The settings that a page gives for the client are read without a word."""
    what = f"{page.parent.name}/{page.name} gives settings that the client takes"
    if not page.exists():
        yield Finding(what, "there is no such page")
        return
    blocks = re.findall(r"```toml\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)
    if page.parent.name != "monitoring" and not blocks:
        yield Finding(what, "it gives none")
    for block in blocks:
        given = tomllib.loads(block)
        read = read_settings(
            environ={},
            editor=given,
            user_file=Path("/nowhere/settings.toml"),
            organisation_file=Path("/nowhere/organisation.toml"),
        )
        wrong = [*read.messages]
        if read.settings == Settings():
            wrong.append("they set nothing")
        yield of(what, wrong)
