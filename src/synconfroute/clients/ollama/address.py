"""Where Ollama listens, by its own environment variable."""

import ipaddress
import re
from collections.abc import Mapping

DEFAULT_ADDRESS = "http://127.0.0.1:11434"
_DEFAULT_PORTS = {"": "11434", "http": "80", "https": "443"}


def ollama_address(environ: Mapping[str, str]) -> str:
    """The address that OLLAMA_HOST names, as a client can use it.

    `[scheme://]host[:port][/path]`, each part optional. Only a written scheme changes the port
    from 11434; a port that is none counts as not written; an address to listen on everywhere
    (`0.0.0.0`, `[::]`) is this machine's loopback to a client. Nothing here says whether code may
    be sent to that address.
    """
    named = environ.get("OLLAMA_HOST", "").strip().strip("\"'").strip()
    scheme, separator, rest = named.partition("://")
    if not separator:
        scheme, rest = "", named
    place, _, path = rest.partition("/")
    host, port = _host_and_port(place)
    if not re.fullmatch(r"[0-9]{1,5}", port) or int(port) > 65535:
        port = _DEFAULT_PORTS.get(scheme.lower(), "11434")
    tail = f"/{path}".rstrip("/")
    return f"{scheme.lower() or 'http'}://{_connectable(host)}:{int(port)}{tail}"


def _host_and_port(place: str) -> tuple[str, str]:
    """Host without brackets, and port or ""."""
    if place.startswith("["):
        host, _, port = place[1:].partition("]")
        return host, port.removeprefix(":")
    if place.count(":") > 1:
        return place, ""
    host, _, port = place.partition(":")
    return host, port


def _connectable(host: str) -> str:
    """The host as it stands in a URL, with loopback in place of "everywhere" and of nothing."""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return host or "127.0.0.1"
    if address.version == 4:
        return "127.0.0.1" if address.is_unspecified else host
    return "[::1]" if address.is_unspecified else f"[{host}]"
