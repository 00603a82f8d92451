"""What an editor calls a document, as a key and as a path."""

from urllib.parse import unquote

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
