"""How a server is reached: whose certificates count, whether a proxy stands between."""

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from synconfroute.clients.private_file import exposure
from synconfroute.errors import RequestRefused

if TYPE_CHECKING:
    import ssl


@dataclass(frozen=True, slots=True)
class Transport:
    """The way to one server. A connection to this machine never uses a proxy.

    Attributes:
        ca_file: PEM file with the only authorities that count; "": the operating system's own
            store, and what SSL_CERT_FILE names.
        client_certificate: PEM file that says who we are, where the server wants to know; "": none.
        client_key: its key, if it does not stand in the same file.
        proxy: address of an HTTP proxy; "": what HTTPS_PROXY and HTTP_PROXY say.
        no_proxy: hosts and domains that are reached without one, with commas between, "*" for all;
            "": what NO_PROXY says.
        plain_http: plain http to another machine is allowed.
    """

    ca_file: str = ""
    client_certificate: str = ""
    client_key: str = ""
    proxy: str = ""
    no_proxy: str = ""
    plain_http: bool = True

    def without_proxy(self, host: str) -> bool:
        """True if `no_proxy` names the host, or a domain that it belongs to."""
        host = host.strip("[]").lower()
        for entry in self.no_proxy.lower().split(","):
            name = entry.strip().strip("[]").removeprefix("*.").lstrip(".")
            if name == "*" or (name and (host == name or host.endswith(f".{name}"))):
                return True
        return False

    def proxy_to(self, url: str) -> tuple[str | None, bool]:
        """The proxy to use, and whether the environment's variables decide instead."""
        if self.no_proxy and self.without_proxy(urlsplit(url).hostname or ""):
            return None, False
        return (self.proxy, False) if self.proxy else (None, True)


def tls_context(transport: Transport) -> "ssl.SSLContext":
    """What decides whether a server's certificate is believed, and says who we are.

    Raises:
        RequestRefused: a file that the transport names cannot be used.
    """
    context = _believing(transport.ca_file)
    if transport.client_certificate:
        _introduce(context, transport)
    return context


def _believing(ca_file: str) -> "ssl.SSLContext":
    import ssl

    if not ca_file:
        import truststore

        context: ssl.SSLContext = truststore.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        named = os.environ.get("SSL_CERT_FILE", "")
        if named and os.path.isfile(named):
            _load(context, named, "SSL_CERT_FILE")
        return context
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    _load(context, ca_file, "ca_file")
    return context


def _load(context: "ssl.SSLContext", file: str, name: str) -> None:
    try:
        context.load_verify_locations(cafile=file)
    except OSError:
        raise RequestRefused(
            f"The file {file} ({name}) cannot be read as certificates in PEM: correct it."
        ) from None


def _introduce(context: "ssl.SSLContext", transport: Transport) -> None:
    key = transport.client_key or transport.client_certificate
    exposed = exposure(key)
    if exposed:
        raise RequestRefused(f"The client certificate's key {exposed}")
    try:
        # Without a password OpenSSL would ask for one on a terminal, and nobody sits there.
        context.load_cert_chain(
            transport.client_certificate, transport.client_key or None, password=lambda: ""
        )
    except (OSError, ValueError):
        raise RequestRefused(
            f"The client certificate {transport.client_certificate} and its key cannot be used:"
            " give PEM files that belong together, the key without a password."
        ) from None
