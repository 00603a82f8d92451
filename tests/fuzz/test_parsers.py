"""Every parser of bytes from outside, with any bytes: an answer or its own error, nothing else."""

import contextlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from synconfroute.clients.engine.answer import CompletionReader as EngineReader
from synconfroute.clients.engine.gguf import read_facts, vocabulary
from synconfroute.clients.faults import Peer
from synconfroute.clients.lines import LineSplitter, LineTooLong
from synconfroute.clients.ollama.answer import OllamaReader
from synconfroute.clients.openai.answer import CompletionReader
from synconfroute.clients.stream import AnswerReader
from synconfroute.errors import ModelServerError, WeightsDamaged
from synconfroute.server.completion.compile_commands import flags_of
from synconfroute.server.completion.ledger.history import history
from synconfroute.server.completion.ledger.verification import verify
from synconfroute.server.completion.policy.ignore_files import kept_by
from synconfroute.server.completion.policy.remotes import project_at
from synconfroute.server.settings.reader import read_settings

PEER = Peer("The model server", "http://127.0.0.1:1/v1", "m", start="start it")
READERS: list[Callable[[], AnswerReader]] = [
    lambda: CompletionReader(PEER),
    lambda: OllamaReader(PEER),
    lambda: EngineReader(PEER, max_tokens=8),
]

NAMES = st.sampled_from(
    ("choices", "index", "text", "logprobs", "tokens", "token_logprobs", "content", "token", "id",
     "logprob", "finish_reason", "model", "usage", "completion_tokens", "error", "message", "stop",
     "response", "done", "done_reason", "eval_count", "delta", "probs", "completion_probabilities",
     "event", "n", "of", "prev", "hash", "time", "request_id", "status", "ms", "seen", "chain",
     "part", "directory", "file", "command", "arguments", "prompt_eval_count", "truncated")
) | st.text(max_size=4)  # fmt: skip
LEAVES = (
    st.none() | st.booleans() | st.integers() | st.floats()
    | st.text(max_size=8) | st.sampled_from(("stop", "length", "sent", "ended", "begun", "dropped"))
)  # fmt: skip
JSON = st.recursive(
    LEAVES,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(NAMES, inner, max_size=5),
    max_leaves=12,
)
OBJECT = st.dictionaries(NAMES, JSON, max_size=6).map(lambda value: json.dumps(value).encode())
ANY = OBJECT | JSON.map(lambda value: json.dumps(value).encode()) | st.binary(max_size=60)
LINE = st.tuples(
    st.sampled_from((b"data: ", b"", b"data:", b"error: ", b"event: ", b": ")), ANY
).map(b"".join)
FILES = settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)


@pytest.mark.parametrize("reader", READERS, ids=["openai", "ollama", "engine"])
@given(lines=st.lists(LINE, max_size=6))
def test_an_answer_is_tokens_or_an_error_of_ours(
    reader: Callable[[], AnswerReader], lines: list[bytes]
) -> None:
    """Server-sent events and lines of JSON, whatever stands in them."""
    one = reader()
    with contextlib.suppress(ModelServerError):
        for line in lines:
            for token in one.read(line):
                assert isinstance(token.text, str)
            if one.finish is not None:
                return
        one.end()


@given(pieces=st.lists(st.binary(max_size=40), max_size=12))
def test_lines_are_those_of_the_whole(pieces: list[bytes]) -> None:
    """However the bytes come; a line that is too long is an error."""
    splitter = LineSplitter(limit=64)
    try:
        lines = [line for piece in pieces for line in splitter.feed(piece)]
    except LineTooLong:
        return
    whole = b"".join(pieces).split(b"\n")
    assert [*lines, splitter.rest()] == [
        *(line.removesuffix(b"\r") for line in whole[:-1]),
        whole[-1],
    ]


@given(content=st.binary(max_size=200) | JSON.map(lambda value: json.dumps(value).encode()))
@FILES
def test_settings_files_say_what_is_wrong_with_them(tmp_path: Path, content: bytes) -> None:
    """Of the user and of a workspace; what is right in them holds."""
    (tmp_path / ".synconfroute.toml").write_bytes(content)
    reading = read_settings(
        workspaces=[tmp_path], environ={}, user_file=tmp_path / ".synconfroute.toml"
    )
    assert all("\n" not in sentence for sentence in reading.messages)
    assert not reading.settings.org.url


@given(value=JSON)
def test_an_editors_settings_may_be_anything(value: Any) -> None:
    """JSON of any shape."""
    reading = read_settings(editor=value, environ={}, user_file=Path("/nowhere/settings.toml"))
    assert not reading.settings.org.url


@given(lines=st.lists(OBJECT | ANY, max_size=6))
@FILES
def test_any_ledger_can_be_read_and_verified(tmp_path: Path, lines: list[bytes]) -> None:
    """Damage is told, and never raised."""
    name = "20260101T000000Z-1-00000000"
    (tmp_path / f"{name}-0001.jsonl").write_bytes(b"\n".join(lines))
    (tmp_path / f"{name}.head").write_bytes(lines[0] if lines else b"")
    history(tmp_path)
    verify(tmp_path)


@given(
    content=st.binary(max_size=120) | st.text("!#*?[]\\/ab\n \u00e9", max_size=80).map(str.encode)
)
@FILES
def test_any_ignore_file_and_git_configuration_is_read(tmp_path: Path, content: bytes) -> None:
    """A sentence or nothing; nothing is raised."""
    (tmp_path / ".synconfrouteignore").write_bytes(content)
    (tmp_path / ".git").mkdir(exist_ok=True)
    (tmp_path / ".git" / "config").write_bytes(b'[remote "origin"]\n\turl = ' + content)
    (tmp_path / ".git" / "HEAD").write_bytes(b"ref: x")
    assert isinstance(kept_by(str(tmp_path / "a.py"), str(tmp_path), str(tmp_path)), str)
    project_at(str(tmp_path))


@given(entries=ANY)
@FILES
def test_any_compile_commands_gives_flags_that_run_nothing(tmp_path: Path, entries: bytes) -> None:
    """Include paths, definitions and the version, or nothing."""
    (tmp_path / "compile_commands.json").write_bytes(entries)
    allowed = ("-I", "-isystem", "-D", "-U", "-std=")
    assert all(flag.startswith(allowed) for flag in flags_of(tmp_path / "a.cpp").arguments)


@given(
    words=st.lists(
        st.text(max_size=12) | st.sampled_from(("-I", "-fplugin=x", "@a", "-B.")), max_size=8
    )
)
@FILES
def test_any_arguments_give_flags_that_run_nothing(tmp_path: Path, words: list[str]) -> None:
    """The same with an entry for the file."""
    entry = {"directory": str(tmp_path), "file": "a.cpp", "arguments": words}
    (tmp_path / "compile_commands.json").write_text(json.dumps([entry]), encoding="utf-8")
    allowed = ("-I", "-isystem", "-D", "-U", "-std=")
    assert all(flag.startswith(allowed) for flag in flags_of(tmp_path / "a.cpp").arguments)


@given(
    content=st.binary(max_size=300), counts=st.tuples(st.integers(0, 2**63), st.integers(0, 2**63))
)
@FILES
def test_any_model_file_is_facts_or_damaged(
    tmp_path: Path, content: bytes, counts: tuple[int, int]
) -> None:
    """GGUF's counts and lengths are not believed."""
    head = b"GGUF" + (3).to_bytes(4, "little") + b"".join(n.to_bytes(8, "little") for n in counts)
    (tmp_path / "m.gguf").write_bytes(head + content)
    with contextlib.suppress(WeightsDamaged):
        read_facts(tmp_path / "m.gguf")
        vocabulary(tmp_path / "m.gguf")("x")
