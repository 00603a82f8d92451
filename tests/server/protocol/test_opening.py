"""How a session begins: the answer to `initialize`, made by hand."""

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lsprotocol import types
from lsprotocol.converters import get_converter

from synconfroute.server.protocol.names import ACCEPT, COMMANDS
from synconfroute.server.protocol.opening import answered, opening_of
from synconfroute.server.protocol.positions import Encoding
from synconfroute.server.protocol.server import Server
from synconfroute.server.settings.tree import Settings, Typing

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=6,
)
SHOWS_ALL: dict[str, Any] = {
    "general": {"positionEncodings": ["utf-8"]},
    "textDocument": {"completion": {}},
    "notebookDocument": {"synchronization": {}},
}


def load(_editor: dict[str, Any] | None, _roots: Sequence[Path]) -> tuple[Settings, list[str]]:
    """Settings as nobody changed them."""
    return Settings(), []


def request(**params: Any) -> dict[str, Any]:
    """An `initialize` request."""
    return {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params}


@pytest.mark.parametrize("capabilities", [{}, SHOWS_ALL])
def test_the_answer_is_one_of_the_protocol(capabilities: dict[str, Any]) -> None:
    """Read by the protocol's types and written again it is the same: no name is misspelt."""
    result = opening_of(request(capabilities=capabilities), load).result()
    converter = get_converter()
    read = converter.structure(result, types.InitializeResult)
    assert converter.unstructure(read) == result
    assert isinstance(read.capabilities.inline_completion_provider, types.InlineCompletionOptions)
    assert (read.capabilities.notebook_document_sync is not None) is bool(capabilities)
    assert (read.capabilities.completion_provider is not None) is bool(capabilities)


async def test_every_command_is_offered() -> None:
    """What an editor may run is what the server runs."""

    def unused(*_: Any, **__: Any) -> Any:
        raise AssertionError("nothing here wants a model")

    server = Server(load, unused, unused)
    result = opening_of(request(), load).result()
    offered = result["capabilities"]["executeCommandProvider"]["commands"]
    assert offered == [ACCEPT, *COMMANDS] == [ACCEPT, *server.commands.table]


@given(params=JSON | st.fixed_dictionaries({"capabilities": JSON, "processId": JSON}))
def test_whatever_is_said_is_answered(params: Any) -> None:
    """What is not as it should be counts as not said, and the answer can be written."""
    opening = opening_of({"id": 1, "params": params}, load)
    assert opening.process_id is None or opening.process_id > 0
    assert json.loads(json.dumps(opening.result()))["capabilities"]["positionEncoding"] in {
        each.value for each in Encoding
    }


def test_what_an_editor_said_is_kept() -> None:
    """Settings, folders, process and encoding, for the server that comes after the answer."""
    told: list[Any] = []

    def reads(editor: dict[str, Any] | None, roots: Sequence[Path]) -> tuple[Settings, list[str]]:
        told.append((editor, roots))
        return Settings(typing=Typing(completion_list="on")), ["This is wrong."]

    opening = opening_of(
        request(
            processId=7,
            rootUri="file:///a",
            capabilities={"general": {"positionEncodings": ["utf-32"]}},
            initializationOptions={"local": {"model": "m"}},
        ),
        reads,
    )
    assert told == [({"local": {"model": "m"}}, (Path("/a"),))]
    assert (opening.process_id, opening.encoding) == (7, Encoding.UTF32)
    assert not opening.started_us
    assert opening.lists
    assert opening.read is not None
    assert opening.read[1] == ["This is wrong."]


def test_settings_that_cannot_be_read_keep_nobody_from_starting() -> None:
    """The server reads them once more, and says what is wrong."""

    def fails(*_: Any) -> Any:
        raise OSError("no disk")

    assert opening_of(request(), fails).read is None


@pytest.mark.parametrize(
    "body",
    [
        b"no JSON",
        b"[]",
        b'{"jsonrpc":"2.0","method":"initialize"}',
        b'{"jsonrpc":"2.0","id":1,"method":"shutdown"}',
        b'{"jsonrpc":"1.0","id":1,"method":"initialize"}',
        b"[" * 100_000,
    ],
)
def test_what_is_no_request_to_begin_is_left_to_the_server(body: bytes) -> None:
    """It knows how to refuse."""
    assert answered(body, load) is None


def test_the_answer_comes_before_the_server_is_imported() -> None:
    """Neither pygls nor the protocol's types are there yet: they take half a second."""
    code = (
        "import sys, json\n"
        "from synconfroute.server.protocol.opening import answered\n"
        "from synconfroute.server.settings.tree import Settings\n"
        f"body = {json.dumps(request(capabilities=SHOWS_ALL)).encode()!r}\n"
        "assert answered(body, lambda *_: (Settings(), []))[1].startswith(b'Content-Length: ')\n"
        "names = ('pygls.server', 'lsprotocol', 'cattrs', 'attrs')\n"
        "print([name for name in names if name in sys.modules])\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stdout.strip() == "[]"


def test_an_editor_that_started_us_is_known_as_our_parent() -> None:
    """Its id means something here, even where its process has ended since."""
    assert opening_of(request(processId=os.getppid()), load).started_us
