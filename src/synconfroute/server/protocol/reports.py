"""What editors report of a completion, in the words of the Copilot language server.

Several clients know these notifications already. They are no part of LSP, so they come as plain
JSON, and whatever does not fit is no report.
"""

from typing import Any

from synconfroute.server.protocol.leniency import member
from synconfroute.server.protocol.names import ACCEPT

SHOWN = "textDocument/didShowCompletion"
"""`{"item"}`: the item is in front of the user."""

PARTLY_ACCEPTED = "textDocument/didPartiallyAcceptCompletion"
"""`{"item", "acceptedLength"}`: so many UTF-16 code units from the start of its text were taken."""

FOCUS = "textDocument/didFocus"
"""`{"textDocument": {"uri"}}`, or `{}`: the user has turned to this document, or to none."""

METHODS = frozenset({SHOWN, PARTLY_ACCEPTED, FOCUS})


def request_of(params: Any) -> str:
    """The id of the request that the reported item answered; "" where it names none."""
    command = member(params, "item", "command")
    arguments = member(command, "arguments")
    if member(command, "command") != ACCEPT or not isinstance(arguments, list) or not arguments:
        return ""
    return arguments[0] if isinstance(arguments[0], str) else ""


def accepted_length(params: Any) -> int:
    """How much of it was taken, in UTF-16 code units; 0 where that is not said."""
    length = member(params, "acceptedLength")
    return length if isinstance(length, int) and not isinstance(length, bool) else 0
