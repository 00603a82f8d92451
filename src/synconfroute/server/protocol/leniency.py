"""Messages that do not quite fit the protocol's types, and are understood all the same."""

from typing import Any

Json = dict[str, Any]

_INVOKED = 1


def with_current_trigger(data: Json) -> Json:
    """An inline completion request in which trigger kind 0 is 1.

    Clients made with vscode-languageserver 9 count from 0, so their "invoked" is no value now.
    """
    context = _mapping(_mapping(data.get("params")).get("context"))
    if context.get("triggerKind") == 0:
        context["triggerKind"] = _INVOKED
    return data


def is_message(data: Any) -> bool:
    """Has it the parts that every message has, each of its kind?"""
    if not isinstance(data, dict) or data.get("jsonrpc") != "2.0":
        return False
    if "id" in data and not isinstance(data["id"], int | str):
        return False
    return isinstance(data.get("method"), str) or ("method" not in data and "id" in data)


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


def _mapping(value: Any) -> Json:
    return value if isinstance(value, dict) else {}
