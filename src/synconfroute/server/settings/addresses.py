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
    plain = org.url.lower().startswith("http:") and not is_loopback(org.url)
    if plain and not org.allow_http:
        yield (
            "org.url",
            f"org.url {_host(org.url)} is plain http, so it is not used and nothing is escalated;"
            " give an https address, or let your organisation's settings file allow it"
            " (org.allow_http).",
        )


def _host(address: str) -> str:
    return urlsplit(address).hostname or "?"
