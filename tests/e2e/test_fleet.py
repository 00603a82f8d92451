"""What an organisation's router sees of a real server's sessions, and what security can join."""

from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.clients.replay import Answer, ReplayServer, case, recorded, scripted
from tests.e2e.editor import SERVE, editor, environment, homes
from tests.ledger_lines import sent
from tests.server.command.model_server import ModelServer, serving

SOURCE = "def add(a, b):\n    return \n"
ANSWER = recorded(case("vllm-0.32.0", "completions-fim-python"))


def with_token(answer: Answer) -> Answer:
    """The answer of a router that hands a token out."""
    head, *rest = answer.pieces
    line = b"\r\nx-session-token: cG9kLTE=\r\n"
    return Answer((head.replace(b"\r\n", line, 1), *rest), answer.then)


@pytest.fixture
async def router() -> AsyncIterator[ReplayServer]:
    """A router before vLLM that hands out tokens."""
    models = b'{"data":[{"id":"qwen2.5-coder","owned_by":"vllm","max_model_len":8192}]}'
    answers = {
        "GET /v1/models": scripted(models),
        "GET /version": recorded(case("vllm-0.32.0", "version")),
        "POST /v1/completions": with_token(ANSWER),
    }
    async with ReplayServer(answers) as server:
        yield server


async def completed(router: ReplayServer, folder: Path) -> list[Mapping[str, str]]:
    """What the router got of one session of three completions; the second was asked for."""
    begun = len(router.received)
    with serving(ModelServer(logprob=-3.0)) as local:
        options: dict[str, Any] = {
            "local": {"provider": "openai", "url": local.url},
            "org": {"url": router.url},
            "typing": {"debounce_ms": 0},
        }
        env = environment(**homes(str(folder)))
        async with editor(SERVE, env, options=options) as session:
            for number, explicit in enumerate((False, True, False)):
                file = folder / f"part{number}.py"
                _write(file)
                session.open(file.as_uri(), SOURCE)
                assert await session.complete(file.as_uri(), 1, 11, explicit=explicit)
    asked = [each for each in router.received[begun:] if each.path == "/v1/completions"]
    return [{**each.headers, "priority": str(each.json().get("priority"))} for each in asked]


def _write(file: Path) -> None:
    file.write_text(SOURCE, encoding="utf-8")


def _written(folder: Path) -> str:
    """All that stands in the files of a folder."""
    files = [file for file in folder.rglob("*") if file.is_file()]
    return "".join(file.read_text(encoding="utf-8", errors="replace") for file in files)


@pytest.mark.usefixtures("home")
async def test_a_session_is_known_by_chance_and_only_while_it_lasts(
    router: ReplayServer, tmp_path: Path
) -> None:
    """One name, one token carried back; the next session has another name, and no token yet."""
    first, second = await completed(router, tmp_path), await completed(router, tmp_path)
    names = [{sent["x-session-id"] for sent in session} for session in (first, second)]
    assert [len(each) for each in names] == [1, 1]
    assert names[0] != names[1]
    for session in (first, second):
        tokens = [sent.get("x-session-token") for sent in session]
        assert tokens == [None, "cG9kLTE=", "cG9kLTE="]
        assert [sent["priority"] for sent in session] == ["10", "None", "10"]


@pytest.mark.usefixtures("home")
async def test_a_line_of_the_ledger_leads_to_a_line_of_the_router_s_log(
    router: ReplayServer, tmp_path: Path
) -> None:
    """By the request's id; neither the session's name nor its token is written down here."""
    asked = await completed(router, tmp_path)
    lines = sent(tmp_path)
    assert [line["request_id"] for line in lines] == [each["x-request-id"] for each in asked]
    assert len({line["request_id"] for line in lines}) == 3
    written = _written(tmp_path)
    assert asked[0]["x-session-id"] not in written
    assert "cG9kLTE=" not in written
