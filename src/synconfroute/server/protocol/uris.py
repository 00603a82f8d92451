"""What an editor calls a document, as a key and as a path."""

from pathlib import Path
from typing import Any
from urllib.parse import unquote

from pygls.uris import to_fs_path

from synconfroute.server.protocol.leniency import member, text_in


def key_of(uri: str) -> str:
    """One key for all spellings of a URI: editors differ in what they percent-encode."""
    return unquote(uri)


def path_of(uri: str) -> str | None:
    """The file system path of a "file:" URI (Windows drive letters in lower case), else None."""
    try:
        # Python takes what follows a ";" for parameters of the last segment, and drops it.
        path = to_fs_path(uri.replace(";", "%3B"))
    except ValueError:
        return None
    return path if path and "\0" not in path else None


def roots_of(params: Any) -> tuple[Path, ...]:
    """The folders that an editor has open, by the newest of the three ways to say so.

    Args:
        params: of its `initialize` request, as they came.
    """
    given = member(params, "workspaceFolders")
    folders = [text_in(each, "uri") for each in given] if isinstance(given, list) else []
    uris = [uri for uri in folders or [text_in(params, "rootUri")] if uri]
    paths = [path_of(uri) for uri in uris] or [text_in(params, "rootPath")]
    return tuple(Path(path) for path in paths if path)
