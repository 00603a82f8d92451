"""Messages that do not quite fit the protocol's types, and are understood all the same."""

from typing import Any

from lsprotocol import types

Json = dict[str, Any]


def initialize_request(data: Json) -> types.InitializeRequest:
    """An `initialize` request with what we read of it, and nothing else.

    A client's capabilities are a large tree that grows with every version of the protocol; one
    value in it that we do not know must not keep us from starting. Leaving the rest out also
    saves the time to build it.
    """
    params = _mapping(data.get("params"))
    process = params.get("processId")
    options = params.get("initializationOptions")
    return types.InitializeRequest(
        id=data["id"],
        params=types.InitializeParams(
            capabilities=types.ClientCapabilities(
                general=types.GeneralClientCapabilities(position_encodings=_encodings(params))
            ),
            process_id=process if type(process) is int and process > 0 else None,
            client_info=_client(params),
            initialization_options=options if isinstance(options, dict) else None,
            workspace_folders=_folders(params),
            root_uri=_text(params.get("rootUri")),
            root_path=_text(params.get("rootPath")),
        ),
    )


def with_current_trigger(data: Json) -> Json:
    """An inline completion request in which trigger kind 0 is 1.

    Clients made with vscode-languageserver 9 count from 0, so their "invoked" is no value now.
    """
    context = _mapping(_mapping(data.get("params")).get("context"))
    if context.get("triggerKind") == 0:
        context["triggerKind"] = types.InlineCompletionTriggerKind.Invoked.value
    return data


def member(data: Any, *names: str) -> Any:
    """What stands under these names, one inside the other; None where nothing does."""
    for name in names:
        data = data.get(name) if isinstance(data, dict) else None
    return data


def text_in(data: Any, *names: str) -> str:
    """The text that stands there, as `member`; "" where there is none."""
    found = member(data, *names)
    return found if isinstance(found, str) else ""


def uri_in(data: Json) -> str | None:
    """The URI of the document that a message is about, where it names one."""
    uri = _mapping(_mapping(data.get("params")).get("textDocument")).get("uri")
    return uri if isinstance(uri, str) else None


def _encodings(params: Json) -> list[str]:
    offered = _mapping(_mapping(params.get("capabilities")).get("general")).get("positionEncodings")
    return [name for name in offered if isinstance(name, str)] if isinstance(offered, list) else []


def _folders(params: Json) -> list[types.WorkspaceFolder]:
    given = params.get("workspaceFolders")
    uris = [_text(_mapping(each).get("uri")) for each in given] if isinstance(given, list) else []
    return [types.WorkspaceFolder(uri, uri) for uri in uris if uri]


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) else None


def _client(params: Json) -> types.ClientInfo | None:
    info = _mapping(params.get("clientInfo"))
    name, version = info.get("name"), info.get("version")
    return types.ClientInfo(name, _text(version)) if isinstance(name, str) else None


def _mapping(value: Any) -> Json:
    return value if isinstance(value, dict) else {}
