"""JSON from model servers, read without trust."""

import json
import re
from typing import Any

from synconfroute.clients.faults import Peer, not_json

_LONE_SURROGATE = re.compile("[\ud800-\udfff]")


def json_object(data: bytes, peer: Peer) -> dict[str, Any]:
    """The JSON object in `data`.

    Raises:
        BadAnswer: it is half an object, something else, or nested without end.
    """
    try:
        document = json.loads(data)
    except (ValueError, RecursionError):
        document = None
    if not isinstance(document, dict):
        raise not_json(peer)
    return document


def text_of(document: dict[str, Any], member: str, peer: Peer) -> str:
    """A text member; "" where it is missing or null; lone surrogates become U+FFFD.

    Raises:
        BadAnswer: it is no text.
    """
    value = document.get(member)
    if value is None:
        return ""
    if not isinstance(value, str):
        raise not_json(peer)
    return _LONE_SURROGATE.sub("\ufffd", value)


def count_of(document: dict[str, Any], member: str) -> int | None:
    """A whole number ≥ 0, or None where there is none."""
    value = document.get(member)
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None


def objects_of(document: dict[str, Any], member: str) -> list[dict[str, Any]]:
    """The objects in a list member; none where it is missing or something else."""
    value = document.get(member)
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def object_of(document: dict[str, Any], member: str) -> dict[str, Any]:
    """An object member; empty where it is missing or something else."""
    value = document.get(member)
    return value if isinstance(value, dict) else {}


def word_of(document: dict[str, Any], member: str) -> str:
    """A short printable text, such as a version; "" where it is missing or something else."""
    value = document.get(member)
    return value[:200] if isinstance(value, str) and value.isprintable() else ""
