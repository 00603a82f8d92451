"""Which addresses the settings together allow."""

from collections.abc import Iterator
from urllib.parse import urlsplit

from synconfroute.clients.http import is_loopback
from synconfroute.server.settings.tree import Settings


def refused_addresses(settings: Settings) -> Iterator[tuple[str, str]]:
    """Name each address key whose value may not be used, with one sentence why."""
    local, org = settings.local, settings.org
    if local.url and not local.allow_remote and not is_loopback(local.url):
        yield (
            "local.url",
            f"local.url {_host(local.url)} is not this machine, so it is not used; set"
            " local.allow_remote = true in your own settings if code may go there.",
        )
    listen, traces = settings.metrics.listen, settings.tracing
    if listen and listening(listen) is None:
        yield (
            "metrics.listen",
            "metrics.listen is not an address of this machine with a port, so no metrics are shown;"
            " give one such as 127.0.0.1:9464.",
        )
    if traces.endpoint and not traces.allow_remote and not is_loopback(traces.endpoint):
        yield (
            "tracing.endpoint",
            f"tracing.endpoint {_host(traces.endpoint)} is not this machine, so it is not used; set"
            " tracing.allow_remote = true in your own settings if traces may go there.",
        )
    plain = org.url.lower().startswith("http:") and not is_loopback(org.url)
    if plain and not org.allow_http:
        yield (
            "org.url",
            f"org.url {_host(org.url)} is plain http, so it is not used and nothing is escalated;"
            " give an https address, or let your organisation's settings file allow it"
            " (org.allow_http).",
        )


def listening(text: str) -> tuple[str, int] | None:
    """Host and port of "127.0.0.1:9464", "[::1]:9464" or "localhost:9464"; None of all else.

    Port 0 is any that is free.
    """
    try:
        parts = urlsplit(f"//{text}")
        host, port = parts.hostname, parts.port
    except ValueError:
        return None
    if not host or port is None or parts.netloc != text or "@" in text:
        return None
    return (host, port) if is_loopback(f"http://{text}") else None


def _host(address: str) -> str:
    return urlsplit(address).hostname or "?"
