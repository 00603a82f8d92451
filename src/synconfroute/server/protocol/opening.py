"""How a session begins: what an editor says in `initialize`, and what it is answered.

The answer depends on little, so it is made by hand and sent before pygls is imported, which takes
as long as all the rest of a start: the editor goes on meanwhile.
"""

import json
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from synconfroute import __version__
from synconfroute.server.protocol.client import Client, client_of
from synconfroute.server.protocol.completer import LoadSettings
from synconfroute.server.protocol.faults import describe
from synconfroute.server.protocol.leniency import Json, is_message, member
from synconfroute.server.protocol.logs import logger
from synconfroute.server.protocol.names import ACCEPT, COMMANDS, INITIALIZE
from synconfroute.server.protocol.positions import Encoding, negotiate
from synconfroute.server.protocol.uris import roots_of
from synconfroute.server.settings.tree import Settings

LISTED_AFTER = (" ", ".", "(", "=")
"""After these a list is asked for, though no word was begun. Not after what ends a line: there
Enter would take the entry where a new line was meant."""

CELL_LANGUAGES = (
    "python", "javascript", "typescript", "java", "kotlin", "csharp", "cpp", "go", "rust", "ruby",
    "php", "shellscript",
)  # fmt: skip
"""Of cells that are sent with their notebook."""

_INCREMENTAL = 2


@dataclass(frozen=True, slots=True)
class Opening:
    """What an editor said at the start.

    Attributes:
        client: what it is and can.
        encoding: what its columns count.
        roots: the folders that it has open.
        process_id: of the editor; None where it does not say.
        started_us: that is our parent process.
        read: the settings, and one sentence for each thing in them that is wrong; None where they
            could not be read.
        lists: completions are offered in a list.
    """

    client: Client
    encoding: Encoding
    roots: tuple[Path, ...]
    process_id: int | None
    started_us: bool
    read: tuple[Settings, list[str]] | None
    lists: bool

    def result(self) -> Json:
        """The `initialize` result (LSP 3.18, "Server lifecycle")."""
        can: Json = {
            "positionEncoding": self.encoding.value,
            "textDocumentSync": {"openClose": True, "change": _INCREMENTAL},
            # Always and statically: some clients that show inline completions do not say so.
            "inlineCompletionProvider": {},
            "executeCommandProvider": {"commands": [ACCEPT, *COMMANDS]},
        }
        if self.lists:
            can["completionProvider"] = {
                "triggerCharacters": [*LISTED_AFTER],
                "resolveProvider": False,
            }
        if self.client.shows_notebooks:
            can["notebookDocumentSync"] = {"notebookSelector": [_cells(CELL_LANGUAGES)]}
        about = {"name": "synconfroute", "version": __version__}
        return {"capabilities": can, "serverInfo": about}


def opening_of(initialize: Json, load: LoadSettings) -> Opening:
    """Read an `initialize` request; what is not as it should be counts as not said.

    Args:
        initialize: the message.
        load: reads the settings.
    """
    params = member(initialize, "params")
    client, roots = client_of(initialize), roots_of(params)
    try:
        read = load(client.options or None, roots)
    except Exception as error:
        logger.error("The settings could not be read: %s", describe(error))
        read = None
    process = member(params, "processId")
    process_id = process if type(process) is int and process > 0 else None
    return Opening(
        client,
        negotiate(member(params, "capabilities", "general", "positionEncodings")),
        roots,
        process_id,
        process_id == os.getppid(),
        read,
        lists=read is not None and client.wants_list(read[0].typing.completion_list),
    )


def answered(body: bytes, load: LoadSettings) -> tuple[Opening, bytes] | None:
    """The opening of a session and the message that answers it, if that is what came first."""
    try:
        data = json.loads(body)
    except (ValueError, RecursionError):
        return None
    if not is_message(data) or data.get("method") != INITIALIZE or "id" not in data:
        return None
    opening = opening_of(data, load)
    answer = {"jsonrpc": "2.0", "id": data["id"], "result": opening.result()}
    message = json.dumps(answer).encode()
    return opening, b"Content-Length: %d\r\n\r\n%s" % (len(message), message)


def _cells(languages: Sequence[str]) -> Json:
    return {"notebook": "*", "cells": [{"language": language} for language in languages]}
