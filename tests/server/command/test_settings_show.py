"""`synconfroute settings show`."""

import json
import sys
from pathlib import Path

from tests.server.command.conftest import Run

_SECRET = "sk-very-secret"


def _user_file(run: Run) -> Path:
    return Path(json.loads(run("settings", "show", "--json").out)["user_file"])


def test_each_value_and_its_source(run: Run) -> None:
    """The user's file, the environment and --set before and after the command."""
    file = _user_file(run)
    file.parent.mkdir(parents=True)
    file.write_text('[local]\nmodel = "mine"\n')
    done = run(
        "--set", "router.threshold=0.8", "settings", "show", "--json",
        env={"SYNCONFROUTE_ENGINE_THREADS": "3"},
    )  # fmt: skip
    shown = json.loads(done.out)["settings"]
    assert (done.code, done.err) == (0, "")
    assert shown["local.model"] == {"value": "mine", "source": "user file"}
    assert shown["engine.threads"] == {"value": 3, "source": "environment"}
    assert shown["router.threshold"] == {"value": 0.8, "source": "command line"}
    assert shown["log.level"] == {"value": "info", "source": "default"}
    lines = run("--set", "router.threshold=0.8", "settings", "show").out.splitlines()
    (line,) = [line for line in lines if line.split()[:1] == ["router.threshold"]]
    assert line.split() == ["router.threshold", "0.8", "(command", "line)"]
    assert any(str(file) in line for line in lines)


def test_secrets_are_only_set_or_not_set(run: Run) -> None:
    """Neither for people nor as JSON."""
    env = {
        "SYNCONFROUTE_ORG_API_KEY": _SECRET,
        "SYNCONFROUTE_ORG_HEADERS": json.dumps({"X-Key": _SECRET}),
    }
    for arguments in (["settings", "show"], ["settings", "show", "--json"]):
        done = run(*arguments, env=env)
        assert _SECRET not in done.out + done.err
    shown = json.loads(done.out)["settings"]
    assert shown["org.api_key"]["value"] == "set"
    assert shown["org.headers"]["value"] == "set"
    assert shown["local.api_key"]["value"] == "not set"


def test_the_workspace_of_the_current_folder_counts(run: Run, tmp_path: Path) -> None:
    """A file in a folder above is found; what it may not set is told and ignored."""
    (tmp_path / ".synconfroute.toml").write_text(
        "org.url = 'https://evil.example'\nlimits.single_line_tokens = 9\n"
    )
    done = run("settings", "show", "--json")
    answer = json.loads(done.out)
    assert answer["settings"]["limits.single_line_tokens"]["source"] == "workspace file"
    assert answer["settings"]["org.url"]["value"] == ""
    assert len(answer["messages"]) == 1


def test_the_program_alone_prints_help(run: Run) -> None:
    """So does --help; the version is one line."""
    alone = run()
    assert (alone.code, alone.err) == (0, "")
    assert alone.out.startswith("usage: synconfroute")
    for command in ("serve", "complete", "validate", "doctor", "settings", "engine"):
        assert command in alone.out
        assert run(command, "--help").code == 0
    assert run("--version").out.startswith("synconfroute ")


def test_little_is_imported_at_the_start(run: Run) -> None:
    """Neither HTTP, nor parsers, nor LSP, nor llama.cpp, nor pip: only what a command needs."""
    heavy = {"httpx", "tree_sitter", "pygls", "lsprotocol", "xllamacpp", "tqdm", "psutil", "pip"}
    program = (
        "import sys; from synconfroute.server.command.main import run; run(sys.argv[1:]);"
        "print(*{name.partition('.')[0] for name in sys.modules}, file=sys.stderr)"
    )
    for arguments in ([], ["settings", "show"]):
        done = run(*arguments, program=("-c", program))
        assert set(done.err.split()) & heavy == set()
        assert "argparse" in done.err.split()
    assert sys.version_info >= (3, 11)
