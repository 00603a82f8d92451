"""Where a server's key is kept, if not in the settings: read when it is first needed."""

import asyncio
from collections.abc import Callable
from pathlib import Path

from synconfroute.clients.private_file import exposure
from synconfroute.errors import KeyRefused

_LARGEST_FILE = 16 * 1024
_KEYRING_SECONDS = 20.0
"""A keyring may ask the user for its own password."""


class KeptKey:
    """A key that is read in a thread, once; and anew after a server refused it."""

    def __init__(self, read: Callable[[], str]) -> None:
        """`read` returns the key, or raises KeyRefused."""
        self._read = read
        self._key: str | None = None
        self._reading = asyncio.Lock()

    async def get(self) -> str:
        """The key.

        Raises:
            KeyRefused: it cannot be had; the sentence says why and what mends it.
        """
        async with self._reading:
            if self._key is None:
                try:
                    async with asyncio.timeout(_KEYRING_SECONDS):
                        self._key = await asyncio.to_thread(self._read)
                except TimeoutError:
                    raise KeyRefused("The keyring does not answer: unlock it.") from None
            return self._key

    def forget(self) -> None:
        """Read it anew at the next request: it may have been changed."""
        self._key = None


def from_file(path: str) -> str:
    """The key in a file that nobody else may read.

    Raises:
        KeyRefused: others may read it, or it holds no key.
    """
    exposed = exposure(path)
    if exposed:
        raise KeyRefused(f"The key is not read: {exposed}")
    try:
        with Path(path).open("rb") as file:
            key = file.read(_LARGEST_FILE).decode("ascii").strip()
    except (OSError, ValueError):
        key = ""
    return _checked(key, f"The file {path} holds no key: write the key into it, and nothing else.")


def from_keyring(entry: str) -> str:
    """The key in the operating system's keyring.

    Args:
        entry: service and user name, with a slash between.

    Raises:
        KeyRefused: there is no keyring, or no such entry in it.
    """
    service, _, user = entry.rpartition("/")
    try:
        import keyring
    except ImportError:
        raise KeyRefused(
            "The key is kept in the keyring, and the package for that is missing: install"
            " synconfroute[keyring]."
        ) from None
    try:
        key = keyring.get_password(service, user) or ""
    except Exception:
        raise KeyRefused(
            "The keyring cannot be opened: unlock it, or keep the key in a file (org.api_key_file)."
        ) from None
    return _checked(
        key, f"The keyring has no key for {entry}: store it with keyring set {service} {user}."
    )


def _checked(key: str, otherwise: str) -> str:
    if not key or not key.isascii() or not key.isprintable() or " " in key:
        raise KeyRefused(otherwise)
    return key
