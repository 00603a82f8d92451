"""The organisation's configurations agree with each other and the client, and a slip is seen."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from deploy.check import offline, reading

ROOT = Path(__file__).resolve().parents[2]


def problems() -> str:
    """All that is wrong, as one text."""
    return "\n".join(each.problem for each in offline.findings() if each.problem)


def test_nothing_is_wrong() -> None:
    """As they stand in this repository."""
    found = list(offline.findings())
    assert [each for each in found if each.problem] == []
    assert len(found) > 15


def test_the_command_says_so() -> None:
    """One line for each thing looked at, and exit code 0."""
    run = [sys.executable, "-m", "deploy.check"]
    done = subprocess.run(run, cwd=ROOT, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 0, done.stdout + done.stderr
    assert re.search(r"^\d+ looked at, 0 wrong$", done.stdout, re.MULTILINE)


def test_what_cannot_be_asked_is_told(tmp_path: Path) -> None:
    """A folder without the programs is no agreement with them: exit code 1, and what is absent."""
    run = [sys.executable, "-m", "deploy.check", "--schemas", str(tmp_path)]
    done = subprocess.run(run, cwd=ROOT, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 1
    assert done.stdout.count("not looked at") == 4


@pytest.mark.parametrize(
    ("name", "text", "instead", "told"),
    [
        ("vllm/completions.yaml", "max-num-seqs:", "max-nun-seqs:", "--max-nun-seqs"),
        ("production-stack/values.yaml", "- --max-logprobs", "- --max-logprob", "--max-logprob"),
        ("ray-serve/serve.yaml", "max_num_seqs:", "max_seqs:", "--max-seqs"),
        ("vllm/completions.yaml", "max-model-len: 8192", "max-model-len: 4096", "vllm: 4096"),
        (
            "ray-serve/serve.yaml",
            "model_id: qwen2.5-coder-14b",
            "model_id: coder",
            "calls it coder",
        ),
        ("litellm/config.yaml", '["session_affinity"]', "[]", "LiteLLM does not route by it"),
        (
            "production-stack/values.yaml",
            "sessionKey: x-session-id",
            "sessionKey: x-user-id",
            "stack",
        ),
        ("llm-d/values.yaml", "type: session-affinity-scorer", "type: queue-scorer", "llm-d"),
        (
            "vllm/completions.yaml",
            "enable-log-requests: false",
            "enable-log-requests: true",
            "not f",
        ),
        (
            "production-stack/values.yaml",
            "- --no-enable-log-requests",
            "- --enable-log-requests",
            "n",
        ),
        ("litellm/config.yaml", "turn_off_message_logging: true", "cache: false", "turn_off"),
        (
            "monitoring/alerts.yaml",
            "vllm:num_preemptions_total",
            "vllm:preemptions",
            "vllm:preempt",
        ),
        ("llm-d/gateway.yaml", "spec:", "spec: [", "expected"),
        (
            "ray-serve/README.md",
            'session_header = "x-session-id"',
            "session_header = 3",
            "session_h",
        ),
        ("llm-d/README.md", "automatic_headers", "automatic_header", "automatic_header"),
    ],
)
def test_a_slip_is_seen(
    name: str, text: str, instead: str, told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In any of the files: a flag, a name, a length, a route, a log, a metric, a setting."""
    copied = tmp_path / "deploy"
    shutil.copytree(ROOT / "deploy", copied)
    file = copied / name
    before = file.read_text(encoding="utf-8")
    assert text in before
    file.write_text(before.replace(text, instead), encoding="utf-8")
    monkeypatch.setattr(reading, "FOLDER", copied)
    found = problems()
    assert told in found


def test_every_page_that_is_named_is_there() -> None:
    """Links between the pages lead to files."""
    for page in (ROOT / "deploy").rglob("*.md"):
        links = re.findall(r"\]\(([^)#]+)\)", page.read_text(encoding="utf-8"))
        missing = [
            link for link in links if "://" not in link and not (page.parent / link).exists()
        ]
        assert missing == [], page


def test_no_key_stands_in_a_file() -> None:
    """Keys come from the environment, a secret, or a file that only its user reads."""
    for file in (ROOT / "deploy").rglob("*"):
        if file.is_file() and file.suffix in {".yaml", ".service", ".md"}:
            text = file.read_text(encoding="utf-8")
            assert not re.search(r"\bsk-[A-Za-z0-9]{8}|Bearer [A-Za-z0-9]{8}", text), file
