"""What an editor says of itself, and what follows."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from synconfroute.server.protocol.client import Client, client_of
from synconfroute.server.protocol.fit import misfit

LISTS: dict[str, Any] = {"completion": {}}
INLINE: dict[str, Any] = {**LISTS, "inlineCompletion": {"dynamicRegistration": False}}

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=4,
)


def client(name: str, document: dict[str, Any]) -> Client:
    """An editor of this name with these capabilities for documents."""
    params = {"clientInfo": {"name": name}, "capabilities": {"textDocument": document}}
    return client_of({"params": params})


@pytest.mark.parametrize(
    ("name", "document", "setting", "wanted"),
    [
        ("helix", LISTS, "auto", True),
        ("Eglot", LISTS, "auto", True),
        ("Neovim", LISTS, "auto", True),  # 0.11
        ("Neovim", INLINE, "auto", False),  # 0.12
        ("Visual Studio Code", INLINE, "auto", False),
        ("IntelliJ IDEA", INLINE, "auto", False),
        ("emacs", LISTS, "auto", False),  # lsp-mode
        ("quiet", {}, "auto", False),
        ("odd", {"completion": None, "inlineCompletion": 3}, "auto", False),
        ("helix", LISTS, "off", False),
        ("Neovim", INLINE, "on", True),
    ],
)
def test_who_wants_a_list(name: str, document: dict[str, Any], setting: str, wanted: bool) -> None:
    """Who shows lists and nothing inline; or as the user says."""
    assert client(name, document).wants_list(setting) is wanted


@given(
    params=st.dictionaries(
        st.sampled_from(["capabilities", "clientInfo", "initializationOptions", "other"]),
        st.dictionaries(
            st.sampled_from(["textDocument", "window", "workspace", "name", "client", "status"]),
            JSON,
        )
        | JSON,
    )
    | JSON
)
def test_whatever_is_said_is_read(params: Any) -> None:
    """What is not as it should be counts as not said."""
    read = client_of({"id": 1, "method": "initialize", "params": params})
    assert isinstance(read.name, str)
    assert isinstance(read.options, dict)
    assert not {"status", "client", "provenance"} & set(read.options)


def test_everything_that_an_editor_can_say() -> None:
    """Each in its place."""
    options = {
        "local": {"model": "m"},
        "status": True,
        "provenance": True,
        "client": {"name": "synconfroute-x", "version": "1.2.3"},
        "editorPluginInfo": {"name": "p", "version": "1"},
    }
    can = {
        "textDocument": {
            "completion": {"completionItem": {"documentationFormat": ["plaintext", "markdown"]}},
            "inlineCompletion": {},
        },
        "window": {"workDoneProgress": True},
        "workspace": {
            "configuration": True,
            "didChangeConfiguration": {"dynamicRegistration": True},
        },
    }
    params = {
        "clientInfo": {"name": "X", "version": "9"},
        "capabilities": can,
        "initializationOptions": options,
    }
    assert client_of({"params": params}) == Client(
        name="X",
        version="9",
        shows_inline=True,
        shows_lists=True,
        reads_markdown=True,
        shows_progress=True,
        answers_configuration=True,
        registers_configuration=True,
        plugin="synconfroute-x",
        plugin_version="1.2.3",
        wants_status=True,
        wants_provenance=True,
        options={"local": {"model": "m"}},
    )


@pytest.mark.parametrize(
    ("theirs", "ours", "update"),
    [
        ("0.1.0", "0.1.5", None),
        ("0.1.99-beta", "0.1.0", None),
        ("", "0.1.0", None),
        ("nightly", "0.1.0", None),
        ("0.10.0", "0.9.0", "synconfroute"),
        ("1.0.0", "0.9.0", "synconfroute"),
        ("0.1.0", "0.2.0", "the extension"),
    ],
)
def test_which_versions_fit(theirs: str, ours: str, update: str | None) -> None:
    """Those of the same major and minor version; else the older one is to be updated."""
    sentence = misfit("x", theirs, ours)
    assert sentence.endswith(f"update {update}.") if update else sentence == ""
