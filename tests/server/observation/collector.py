"""A collector on this machine: takes OTLP over HTTP, as protobuf, and says what came."""

import gzip
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.common.v1.common_pb2 import AnyValue
from opentelemetry.proto.trace.v1.trace_pb2 import Span

SECONDS = 30.0


class Collector:
    """Listens until it is closed.

    Attributes:
        bodies: what came, unpacked.
        paths: where it was sent to.
        status: what each request is answered with.
        location: where it is sent on to, with a status of 3xx.
    """

    def __init__(self) -> None:
        self.bodies: list[bytes] = []
        self.paths: list[str] = []
        self.status = 200
        self.location = ""
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                if self.headers.get("Content-Encoding") == "gzip":
                    body = gzip.decompress(body)
                outer.paths.append(self.path)
                outer.bodies.append(body)
                self.send_response(outer.status)
                if outer.location:
                    self.send_header("Location", outer.location)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, format: str, *args: object) -> None:  # noqa: A002
                """Quiet."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.address = f"http://127.0.0.1:{self._server.server_port}"
        threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()

    @property
    def spans(self) -> list[Span]:
        """Every span that came, in order."""
        read = [ExportTraceServiceRequest.FromString(body) for body in self.bodies]
        return [
            span
            for each in read
            for resource in each.resource_spans
            for scope in resource.scope_spans
            for span in scope.spans
        ]

    @property
    def resource(self) -> dict[str, object]:
        """What the first request says of who sent it."""
        first = ExportTraceServiceRequest.FromString(self.bodies[0]).resource_spans[0]
        return {each.key: value_of(each.value) for each in first.resource.attributes}

    def until(self, spans: int) -> list[Span]:
        """Wait until so many have come."""
        deadline = time.monotonic() + SECONDS
        while len(self.spans) < spans:
            assert time.monotonic() < deadline, f"only {len(self.spans)} spans came"
            time.sleep(0.02)
        return self.spans

    def close(self) -> None:
        """Stop listening."""
        self._server.shutdown()
        self._server.server_close()


def value_of(value: AnyValue) -> object:
    """An attribute's value."""
    return getattr(value, str(value.WhichOneof("value")))


def attributes_of(span: Span) -> dict[str, object]:
    """A span's attributes."""
    return {each.key: value_of(each.value) for each in span.attributes}
