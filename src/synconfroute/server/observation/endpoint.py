"""A small web server on this machine, for numbers. It only ever answers GET.

A web page anywhere can make a browser ask a port of this machine, under a name that it made to mean
this machine: what does not ask for this machine by its own name is refused.
"""

import os
import socket
import socketserver
import threading
from collections.abc import Callable, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from synconfroute.errors import UsageError

MOST_AT_ONCE = 8
"""Further requests are hung up on."""
PATIENCE_S = 5.0
"""So long may who asks take over it, in seconds."""

_LOOKING_S = 0.25
"""So often it is looked whether to end, in seconds."""

Page = Callable[[str], tuple[str, bytes]]
"""What stands at a path: given the Accept header, its content type and all of it."""

_OWN_NAMES = ("127.0.0.1", "localhost", "[::1]")
_HEADERS = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; img-src data:;"
    " frame-ancestors 'none'",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}
_SENTENCES = {
    403: "Ask for this machine by its own name, such as 127.0.0.1.",
    404: "There is nothing here.",
    405: "Only GET is answered here.",
    500: "The numbers cannot be shown because of a fault of SynConfRoute's own.",
}


class Endpoint:
    """Listens from the moment it is made, on threads of its own, until it is closed."""

    def __init__(self, host: str, port: int, pages: Mapping[str, Page]) -> None:
        """Begin to listen.

        Args:
            host: a name or number of this machine.
            port: 0: any that is free.
            pages: what stands at each path.

        Raises:
            UsageError: nothing can listen there now.
        """
        kind = _Server if ":" not in host else _Server6
        try:
            self._server = kind((host, port), _answering(pages, host))
        except OSError as error:
            raise UsageError(
                f"Nothing can listen on {host}:{port} now ({error.strerror or 'it is taken'}): end"
                " what listens there, or give another port."
            ) from error
        self.port = self._server.port
        self._thread = threading.Thread(
            target=self._server.serve_forever, args=(_LOOKING_S,), name="endpoint", daemon=True
        )
        self._thread.start()

    def wait(self) -> None:
        """Return once it is closed."""
        while self._thread.is_alive():  # a join without end would not let Ctrl-C through on Windows
            self._thread.join(0.5)

    def close(self) -> None:
        """Stop listening. Takes a quarter of a second at most."""
        self._server.shutdown()
        self._server.server_close()


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    # On Windows two processes could have the same port then, and on the others none could have one
    # that was closed a minute ago otherwise.
    allow_reuse_address = os.name != "nt"

    def __init__(self, *arguments: Any) -> None:
        self._free = threading.BoundedSemaphore(MOST_AT_ONCE)
        super().__init__(*arguments)

    @property
    def port(self) -> int:
        """Where it listens."""
        return int(self.socket.getsockname()[1])

    def server_bind(self) -> None:
        """Listen, without asking anybody for this machine's full name."""
        socketserver.TCPServer.server_bind(self)

    def process_request(self, request: Any, client_address: Any) -> None:
        if self._free.acquire(blocking=False):
            super().process_request(request, client_address)
        else:
            self.shutdown_request(request)

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        try:
            super().process_request_thread(request, client_address)
        finally:
            self._free.release()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Who asked is gone; nobody needs to know."""


class _Server6(_Server):
    address_family = socket.AF_INET6


def _answering(pages: Mapping[str, Page], host: str) -> type[BaseHTTPRequestHandler]:
    """The handler of a server with these pages, which has the name `host`, too."""
    names = {*_OWN_NAMES, f"[{host}]" if ":" in host else host}

    class Handler(BaseHTTPRequestHandler):
        timeout = PATIENCE_S
        server_version = "synconfroute"
        sys_version = ""
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            asked = self.headers.get_all("Host") or []
            port = self.connection.getsockname()[1]
            page = pages.get(self.path.partition("?")[0])
            if len(asked) != 1 or not _is_own(asked[0], names, port):
                self.send_error(403)
            elif page is None:
                self.send_error(404)
            else:
                try:
                    content_type, content = page(self.headers.get("Accept", ""))
                except Exception:  # a page must not end the server, and its error may quote
                    self.send_error(500)
                else:
                    self._send(200, content_type, content)

        def send_error(
            self, code: int, message: str | None = None, explain: str | None = None
        ) -> None:
            """One sentence of our own: what the library says quotes what was asked."""
            code = 405 if code == 501 else code
            sentence = _SENTENCES.get(code, "That is no request.")
            self._send(code, "text/plain; charset=utf-8", f"{sentence}\n".encode())

        def _send(self, code: int, content_type: str, content: bytes) -> None:
            self.send_response(code)
            headers = {**_HEADERS, "Content-Type": content_type}
            if code == 405:
                headers["Allow"] = "GET"
            for name, value in headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(content)))
            self.send_header("Connection", "close")
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - its own name
            """Nothing is logged of who asks."""

    return Handler


def _is_own(asked: str, names: set[str], port: int) -> bool:
    """A Host header that names this machine, with our port or none."""
    name, colon, given = asked.rpartition(":")
    if not colon or given.endswith("]"):
        name, given = asked, ""
    return name.lower() in names and given in {"", str(port)}
