"""The ids of a request's spans: its own id is the trace's, so that nothing has to be remembered."""

from hashlib import sha256

ORG_REQUEST = "org request"
"""The span of the request to the organisation's server."""


def span_id(request_id: str, span: str) -> str:
    """16 hexadecimal digits, always the same for a span of a request."""
    return sha256(f"{request_id} {span}".encode()).hexdigest()[:16]


def traceparent(request_id: str) -> str:
    """What the organisation's server is told (W3C Trace Context, level 1).

    Args:
        request_id: 32 hexadecimal digits.
    """
    return f"00-{request_id}-{span_id(request_id, ORG_REQUEST)}-01"
