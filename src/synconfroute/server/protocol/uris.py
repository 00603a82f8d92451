"""What an editor calls a document, as a key and as a path."""

from pathlib import Path
from urllib.parse import unquote

from lsprotocol import types
from pygls.uris import to_fs_path


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


def roots_of(params: types.InitializeParams) -> tuple[Path, ...]:
    """The folders that an editor has open, by the newest of the three ways to say so."""
    folders = [folder.uri for folder in params.workspace_folders or ()]
    uris = folders or ([params.root_uri] if params.root_uri else [])
    paths = [path_of(uri) for uri in uris] or [params.root_path]
    return tuple(Path(path) for path in paths if path)
