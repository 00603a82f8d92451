"""JetBrains IDEs through LSP4IJ: its traffic against the real server, and the template's rules.

No IDE runs here: see `editors/jetbrains/README.md`.
"""

import hashlib
import json
import re
import runpy
from pathlib import Path
from typing import Any

import pytest

from synconfroute.validators.languages import no_parser
from tests.e2e.editor import environment, homes
from tests.e2e.lsp4ij import idea
from tests.server.command.model_server import ModelServer, serving

TEMPLATE = Path(__file__).parents[2] / "editors" / "jetbrains"
SYSTEMS = {"windows", "mac", "unix", "default"}
TASKS = {
    "exec": ({"command"}, {"name", "timeout", "workingDir", "ignoreStderr"}),
    "showMessage": ({"content"}, {"name", "actions"}),
    "configureServer": ({"command"}, {"name", "update"}),
}
"""What LSP4IJ reads of each of its tasks: what must be there, and what may."""


def read(name: str) -> Any:
    """A file of the template."""
    return json.loads((TEMPLATE / name).read_text(encoding="utf-8"))


def counted(folder: Path, event: str) -> int:
    """How often it was counted in the files below a folder."""
    files = [file for file in folder.rglob("*.json") if file.parent.name == "counts"]
    texts = [file.read_text(encoding="utf-8") for file in files]
    return sum(int(count) for text in texts for count in re.findall(rf'"{event}": (\d+)', text))


@pytest.mark.usefixtures("home")
async def test_what_stands_in_the_file_after_tab(tmp_path: Path) -> None:
    """Whatever surrounds the caret: the text goes where it belongs, once, and no bracket twice."""
    cases = [
        ("call(|)\n", "1, 2, 3)\n", "call(1, 2, 3)\n"),
        ("x = [|]  # ё\n", "1, 2]\n", "x = [1, 2]  # ё\n"),
        ('name = "😀"; total = pri|\n', "ce * 2\n", 'name = "😀"; total = price * 2\n'),
        ("def f(a, b):\n    return |\n", "a + b\n", "def f(a, b):\n    return a + b\n"),
    ]
    server = ModelServer()
    with serving(server):
        settings = read("settings.json")
        env = environment(**homes(str(tmp_path)))
        options = read("initializationOptions.json")
        options["local"] = {"provider": "openai", "url": server.url}
        async with idea(env, tmp_path, options, settings) as ide:
            capabilities = ide.session.initialized.capabilities
            assert capabilities.inline_completion_provider is not None
            assert capabilities.completion_provider is None
            for number, (before, written, after) in enumerate(cases):
                server.text = written
                uri = (tmp_path / f"case{number}.py").as_uri()
                caret = ide.open(uri, before)
                await ide.accept(caret)
                assert ide.text == after
                digest = await ide.session.command("synconfroute.digest", uri)
                assert digest["sha256"] == hashlib.sha256(after.encode()).hexdigest()
            await ide.cancel(caret)
            assert ide.session.shown == []
    assert counted(tmp_path, "accepted") == 4


def test_the_template_says_how_to_start_the_server() -> None:
    """An id, a name, and for each system one command; nothing that LSP4IJ does not read."""
    template = read("template.json")
    assert template["id"] == "synconfroute"
    assert template["name"]
    assert set(template) <= {
        "id", "name", "dev", "url", "env", "programArgs", "workingDir", "expandConfiguration",
        "fileTypeMappings", "languageMappings", "disablePromotionFor",
    }  # fmt: skip
    commands = template["programArgs"]
    assert "default" in commands
    assert set(commands) <= SYSTEMS
    for command in commands.values():
        assert re.fullmatch(r"synconfroute(\.exe)? serve", command)
    assert isinstance(template["expandConfiguration"], bool)


def test_the_template_maps_each_pattern_once_to_a_language_that_is_checked() -> None:
    """The language id is one that the server has a parser for."""
    mappings = read("template.json")["fileTypeMappings"]
    patterns: list[str] = []
    for mapping in mappings:
        assert set(mapping) == {"fileType", "languageId"}
        assert set(mapping["fileType"]) == {"patterns"}
        assert no_parser(mapping["languageId"]) is None
        patterns += mapping["fileType"]["patterns"]
    assert all(re.fullmatch(r"\*\.\w+", pattern) for pattern in patterns)
    assert len(patterns) == len(set(patterns))
    assert {"python", "java", "cpp"} <= {mapping["languageId"] for mapping in mappings}


def test_the_installer_has_only_tasks_that_lsp4ij_knows() -> None:
    """It looks for the program and says what to do; it downloads and installs nothing."""
    installer = read("installer.json")
    assert set(installer) <= {"id", "name", "executeOnStartServer", "properties", "check", "run"}
    assert installer["executeOnStartServer"] is False
    kinds: set[str] = set()

    def check(step: dict[str, Any]) -> None:
        for kind, task in step.items():
            must, may = TASKS[kind]
            kinds.add(kind)
            assert must <= set(task) <= must | may | {"onFail", "onSuccess"}
            if isinstance(task.get("command"), dict):
                assert "default" in task["command"]
                assert set(task["command"]) <= SYSTEMS
            for further in ("onFail", "onSuccess"):
                check(task.get(further, {}))

    check(installer["check"])
    check(installer["run"])
    assert kinds == {"exec", "showMessage"}


def test_the_schema_is_that_of_the_settings() -> None:
    """Made from the settings tree by `editors/jetbrains/schema.py`; it holds no secret's name."""
    schema = read("settings.schema.json")
    assert schema == runpy.run_path(str(TEMPLATE / "schema.py"))["schema"]()
    text = json.dumps(schema)
    assert '"api_key"' not in text
    assert '"headers"' not in text
    sections = schema["properties"]["synconfroute"]["properties"]
    assert "multi" in sections["limits"]["properties"]["lines"]["enum"]


def test_the_folder_is_a_template() -> None:
    """Only `template.json` is required; the names are those that LSP4IJ looks for."""
    known = {
        "template.json", "settings.json", "settings.schema.json", "initializationOptions.json",
        "clientSettings.json", "installer.json", "README.md", "schema.py",
    }  # fmt: skip
    names = {file.name for file in TEMPLATE.iterdir() if file.is_file()}
    assert "template.json" in names
    assert names <= known
    assert list(read("settings.json")) == ["synconfroute"]
