"""Where a Ray cluster takes its work."""

from dataclasses import dataclass
from urllib.parse import urlsplit

from synconfroute.errors import UsageError


@dataclass(frozen=True, slots=True)
class Address:
    """The client server of a cluster's head.

    Attributes:
        host: name or address.
        port: 10001 where the cluster says nothing else.
    """

    host: str
    port: int

    def __str__(self) -> str:
        return f"ray://{f'[{self.host}]' if ':' in self.host else self.host}:{self.port}"


def address(text: str) -> Address:
    """Read ray://HOST:PORT.

    Raises:
        UsageError: it is none.
    """
    refusal = UsageError(
        "--on names no Ray cluster: give ray://HOST:PORT, with the port of the head's client server"
        " (10001 unless it was started with another)."
    )
    try:
        parts = urlsplit(text)
        host, port = parts.hostname, parts.port
    except ValueError:
        raise refusal from None
    whole = parts.scheme == "ray" and parts.netloc and not (parts.path.strip("/") or parts.query)
    if not whole or not host or not port or "@" in parts.netloc:
        raise refusal
    return Address(host, port)
