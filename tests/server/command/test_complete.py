"""`synconfroute complete` against model servers on real sockets."""

import json
from pathlib import Path

import pytest

from tests.ledger_lines import sent
from tests.server.command.conftest import Run
from tests.server.command.model_server import ModelServer, serving

_KEYS = [
    "text", "tier", "model", "confidence", "verdict", "evidence", "reason", "timings_ms",
]  # fmt: skip


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A Python file with a hole at 2:12."""
    path = tmp_path / "app.py"
    path.write_text("def add(a, b):\n    return \n")
    return path


def _local(server: ModelServer) -> dict[str, str]:
    return {"SYNCONFROUTE_LOCAL_PROVIDER": "openai", "SYNCONFROUTE_LOCAL_URL": server.url}


def _org(server: ModelServer) -> dict[str, str]:
    return {"SYNCONFROUTE_ORG_URL": server.url}


def test_a_kept_answer_as_json(run: Run, file: Path) -> None:
    """The keys come in the documented order, extra ones after them."""
    with serving(ModelServer()) as server:
        done = run("complete", file, "--at", "2:12", "--json", env=_local(server))
    answer = json.loads(done.out)
    assert (done.code, done.err) == (0, "")
    assert list(answer)[: len(_KEYS)] == _KEYS
    assert (answer["text"], answer["tier"], answer["verdict"]) == ("a + b", "local", "valid")
    assert (answer["model"], answer["reason"], answer["evidence"]) == ("qwen2.5-coder", "kept", [])
    assert 0.9 < answer["confidence"] <= 1
    assert answer["timings_ms"]["total"] > 0


def test_a_kept_answer_for_people(run: Run, file: Path) -> None:
    """The line with the completion in it, and how it was made."""
    with serving(ModelServer()) as server:
        done = run("complete", file, "--at", "2:12", env=_local(server))
    assert done.code == 0
    assert done.out.startswith("    return ⟦a + b⟧\n")
    for fact in ("local", "qwen2.5-coder", "0.99", "valid", "kept", "ms"):
        assert fact in done.out


def test_escapes_of_the_model_never_reach_the_terminal(run: Run, file: Path) -> None:
    """What a model sends is shown, not obeyed; in an ASCII terminal too."""
    with serving(ModelServer(text="'\x1b[2J\u202e💥'\n")) as server:
        env = {**_local(server), "PYTHONIOENCODING": "ascii"}
        done = run("complete", file, "--at", "2:12", env=env)
    assert done.code == 0
    assert "\x1b" not in done.out
    assert done.out.isascii()


@pytest.mark.parametrize("ends", [b"\n", b"\r\n", b"\r"])
def test_lines_end_in_any_way_and_columns_are_characters(
    run: Run, tmp_path: Path, ends: bytes
) -> None:
    """A byte order mark is no column, a character beyond 16 bits is one."""
    lines = ["def add(a, b):", "    '💥'; return "]
    file = tmp_path / "x.py"
    file.write_bytes(b"\xef\xbb\xbf" + ends.join(line.encode() for line in lines) + ends)
    with serving(ModelServer()) as server:
        done = run("complete", file, "--at", "2:17", "--json", env=_local(server))
        sent = server.bodies[-1]["prompt"]
    assert json.loads(done.out)["text"] == "a + b"
    assert "def add(a, b):\n    '💥'; return <" in sent


def test_text_from_stdin_takes_name_and_language_from_the_file(run: Run) -> None:
    """The file need not exist."""
    with serving(ModelServer()) as server:
        done = run(
            "complete", "none.py", "--at", "2:12", "--json", "--stdin",
            stdin=b"def add(a, b):\n    return \n", env=_local(server),
        )  # fmt: skip
    assert json.loads(done.out)["verdict"] == "valid"


def test_a_language_without_a_parser_is_unknown(run: Run, tmp_path: Path) -> None:
    """It is completed all the same."""
    (tmp_path / "a.lua").write_text("function add(a, b) return \n")
    with serving(ModelServer()) as server:
        done = run("complete", tmp_path / "a.lua", "--at", "1:27", "--json", env=_local(server))
    answer = json.loads(done.out)
    assert (done.code, answer["verdict"], answer["text"]) == (0, "unknown", "a + b")


def test_a_long_file_is_completed_in_a_window(run: Run, tmp_path: Path) -> None:
    """Of 3 MB only the surroundings of the hole are looked at."""
    lines = [f"x{number} = {number}" for number in range(200_000)]
    lines[100_000] = "y = "
    (tmp_path / "long.py").write_text("\n".join(lines))
    with serving(ModelServer()) as server:
        done = run(
            "complete", tmp_path / "long.py", "--at", "100001:5", "--json", env=_local(server)
        )
        (sent,) = (body["prompt"] for body in server.bodies if body.get("max_tokens", 0) > 1)
    answer = json.loads(done.out)
    assert (answer["verdict"], answer["text"]) == ("unknown", "a + b")
    assert "x99999 = 99999\ny = <" in sent


def test_a_doubtful_answer_goes_to_the_organisation(run: Run, file: Path, home: Path) -> None:
    """The organisation's answer is shown, and one ledger line names what left."""
    local, org = ModelServer(text="b\n", logprob=-3.0), ModelServer(text="a + b\n")
    with serving(local), serving(org):
        done = run("complete", file, "--at", "2:12", "--json", env=_local(local) | _org(org))
    answer = json.loads(done.out)
    assert (answer["tier"], answer["text"], answer["reason"]) == ("org", "a + b", "low_confidence")
    (line,) = sent(home)
    assert (line["path"], line["language"], line["server"]) == (str(file), "python", org.url)
    assert (line["reason"], line["request_id"]) == ("low_confidence", answer["request_id"])
    prompt = next(body["prompt"] for body in org.bodies if "prompt" in body)
    assert line["bytes"] == len(prompt.encode())
    assert "def add" not in json.dumps(line)


@pytest.mark.parametrize("name", ["credentials.py", ".env.py", "secrets.py"])
def test_a_secret_looking_file_stays(run: Run, tmp_path: Path, home: Path, name: str) -> None:
    """The organisation's server is sent no completion request, and the ledger holds nothing."""
    (tmp_path / name).write_text("def add(a, b):\n    return \n")
    local, org = ModelServer(text="b\n", logprob=-3.0), ModelServer()
    with serving(local), serving(org):
        done = run(
            "complete", tmp_path / name, "--at", "2:12", "--json", env=_local(local) | _org(org)
        )
    answer = json.loads(done.out)
    assert (answer["tier"], answer["reason"]) == ("local", "refused_policy")
    assert ("POST", "/v1/completions") not in org.asked
    assert sent(home) == []


def test_nothing_leaves_without_a_ledger(run: Run, file: Path, home: Path) -> None:
    """Where the ledger cannot be written the local answer is shown and said to be so."""
    state = home / "state"
    state.mkdir()
    (state / "synconfroute").write_text("not a folder")
    local, org = ModelServer(text="b\n", logprob=-3.0), ModelServer()
    env = {"XDG_STATE_HOME": str(state)}
    with serving(local), serving(org):
        done = run("complete", file, "--at", "2:12", "--json", env=_local(local) | _org(org) | env)
    answer = json.loads(done.out)
    assert answer["tier"] == "local"
    assert "ledger" in answer["problem"]
    assert ("POST", "/v1/completions") not in org.asked


def test_a_workspace_file_keeps_everything_here(run: Run, file: Path) -> None:
    """`.synconfroute.toml` beside or above the file can switch escalation off."""
    (file.parent / ".synconfroute.toml").write_text("escalation.enabled = false")
    local, org = ModelServer(text="b\n", logprob=-3.0), ModelServer()
    with serving(local), serving(org):
        done = run("complete", file, "--at", "2:12", "--json", env=_local(local) | _org(org))
    assert json.loads(done.out)["tier"] == "local"
    assert org.asked == []


def test_without_any_model_the_remedy_is_one_line(run: Run, file: Path) -> None:
    """A bare machine is told what to type; with --json the answer is there too."""
    env = {"SYNCONFROUTE_LOCAL_PROVIDER": "embedded"}
    done = run("complete", file, "--at", "2:12", env=env)
    assert "synconfroute engine pull" in done.sentence
    assert (done.code, done.out) == (1, "")
    done = run("complete", file, "--at", "2:12", "--json", env=env)
    answer = json.loads(done.out)
    assert (done.code, answer["text"], answer["reason"]) == (1, None, "error")
