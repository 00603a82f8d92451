"""What keeps a session's requests on one replica of a server, whose cache holds their prompts.

Behind one address there may be many replicas, each with a cache of its own. Routers send a session
to the same one by a header that names it, or by a token or a cookie that they hand out and that the
next request carries back. The name is drawn at random for each session: it says nothing of the
user, the machine or the code, and nothing links it with the session before.
"""

import re
import secrets
from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from http.cookiejar import CookieJar

LONGEST_TOKEN = 1024
"""Characters of a token or a cookie; a longer one is not carried back."""

_MOST_COOKIES = 8
_PLAIN = re.compile(r"[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?")
_NEVER = frozenset(
    {
        "accept", "accept-encoding", "authorization", "connection", "content-encoding",
        "content-length", "content-type", "cookie", "expect", "forwarded", "host",
        "proxy-authorization", "te", "trailer", "transfer-encoding", "upgrade", "user-agent",
    }
)  # fmt: skip
"""A server may set none of these on us, whatever the settings name."""


class Affinity:
    """One session, as the routers of one server know it. Kept in memory only, never logged."""

    def __init__(
        self, session_headers: str = "", echoed_headers: str = "", cookies: str = ""
    ) -> None:
        """Draw the session's name.

        Args:
            session_headers: headers that carry it, with commas between; "": none does.
            echoed_headers: headers whose value in an answer goes along with the next request.
            cookies: names of the cookies that do.
        """
        name = secrets.token_hex(16)
        self._named = dict.fromkeys(_listed(session_headers), name)
        self._echoed = frozenset(_listed(echoed_headers)) - _NEVER
        self._cookies = frozenset(_listed(cookies, fold=False))
        self._told: dict[str, str] = {}

    def __repr__(self) -> str:
        return "Affinity()"

    @property
    def headers(self) -> dict[str, str]:
        """What the next request carries; names in lower case. A router's own word comes first."""
        return {**self._named, **self._told}

    @cached_property
    def jar(self) -> "CookieJar":
        """Where the cookies are kept that may go along; all others are dropped."""
        return jar_of(self._cookies)

    def learn(self, headers: Mapping[str, str]) -> None:
        """Note what an answer says of where its replica is found."""
        for name in self._echoed:
            value = headers.get(name)
            if value and len(value) <= LONGEST_TOKEN and _PLAIN.fullmatch(value):
                self._told[name] = value

    def forget(self) -> None:
        """The session is over: forget what routers have told."""
        self._told.clear()
        self.jar.clear()


def jar_of(names: frozenset[str] = frozenset()) -> "CookieJar":
    """A jar for the cookies of these names, and for no other; of bounded size.

    Whom a cookie is for, and how long it holds, is the standard library's to say.
    """
    from http.cookiejar import Cookie, CookieJar

    class Jar(CookieJar):
        def set_cookie(self, cookie: Cookie) -> None:
            fits = len(cookie.value or "") <= LONGEST_TOKEN and len(cookie.path) <= LONGEST_TOKEN
            if cookie.name in names and fits:
                super().set_cookie(cookie)
            if len(self) > _MOST_COOKIES:
                self.clear()

    return Jar()


def _listed(text: str, *, fold: bool = True) -> tuple[str, ...]:
    """The entries of a list with commas between."""
    entries = (entry.strip() for entry in text.split(","))
    return tuple(entry.lower() if fold else entry for entry in entries if entry)
