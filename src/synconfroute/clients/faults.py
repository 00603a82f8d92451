"""Faults of connections and answers, turned into the project's errors.

A server's own words are not passed on: they may repeat the prompt. What is passed on is what is
known to be harmless: numbers, and short identifiers such as `BadRequestError`.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any

from synconfroute.errors import (
    BadAnswer,
    KeyRefused,
    ModelMissing,
    ModelServerError,
    PromptTooLong,
    RequestRefused,
    ServerBusy,
    ServerFault,
    ServerUnreachable,
)

_LONGEST_WAIT_SECONDS = 86_400.0

_TOO_LONG = re.compile(
    r"exceed_context_size|exceeds? the (?:available )?context|longer than the context"
    r"|maximum context length|context length exceeded|context_length_exceeded",
    re.IGNORECASE,
)
_NO_MODEL = re.compile(
    r"model\b.{0,300}?\b(?:not found|does not exist|not exist)|model_not_found",
    re.IGNORECASE | re.DOTALL,
)
_NO_MEMORY = re.compile(
    r"model requires more system memory \([0-9. ]{1,12}GiB\)"
    r" than is available \([0-9. ]{1,12}GiB\)"
)
_IDENTIFIER = re.compile(r"[A-Za-z][A-Za-z0-9_. -]{1,48}")


@dataclass(frozen=True, slots=True)
class Peer:
    """The server that an error's sentence names.

    Attributes:
        title: what it is, such as "Ollama".
        address: where it is; without a key.
        model: the model asked for, or "".
        start: what starts it or mends its address, as half a sentence; "" if nothing is known.
        missing: what makes a missing model available, as half a sentence.
    """

    title: str
    address: str
    model: str = ""
    start: str = ""
    missing: str = ""

    def __str__(self) -> str:
        return f"{self.title} at {self.address}"


@dataclass(frozen=True, slots=True)
class _Complaint:
    """What a server says is wrong; `words` are for reading here, never for the user."""

    words: str
    kind: str
    parameter: str
    code: int | None


def from_transport(error: Exception, peer: Peer) -> ModelServerError:
    """The error for a connection that could not be made, or broke."""
    import socket
    import ssl

    import httpx

    advice = f": {peer.start}" if peer.start else ""
    match error:
        case httpx.ConnectTimeout():
            return ServerUnreachable(f"{peer} does not answer{advice}.")
        case httpx.ProxyError():
            return ServerUnreachable(
                f"The proxy on the way to {peer.address} refuses: set NO_PROXY or correct"
                " HTTPS_PROXY."
            )
        case httpx.ConnectError() if "expired" in str(error):
            return ServerUnreachable(
                f"The certificate of {peer.address} has expired: have it renewed, or set the clock"
                " of this machine."
            )
        case httpx.ConnectError() if "CERTIFICATE" in str(error):
            return ServerUnreachable(
                f"The certificate of {peer.address} is not trusted: let SSL_CERT_FILE name the"
                " file with your organisation's authority."
            )
        case httpx.ConnectError() if _has_cause(error, ssl.SSLError):
            return ServerUnreachable(
                f"What answers at {peer.address} speaks no TLS that we know: check the address."
            )
        case httpx.ConnectError() if _has_cause(error, socket.gaierror):
            return ServerUnreachable(
                f"The name in {peer.address} leads nowhere: check the address and the network."
            )
        case httpx.ConnectError():
            return ServerUnreachable(f"Nothing answers at {peer.address}{advice}.")
        case httpx.DecodingError():
            return BadAnswer(f"{peer} sent compressed bytes that cannot be read.")
        case httpx.RemoteProtocolError() if not _hung_up(error):
            return BadAnswer(
                f"What answers at {peer.address} does not speak HTTP: check the address."
            )
        case httpx.LocalProtocolError() | httpx.UnsupportedProtocol() | httpx.InvalidURL():
            return RequestRefused(
                f"No request can be sent to {peer.address}: check address and headers."
            )
    return ServerUnreachable(
        f"The connection to {peer.address} broke before the answer was complete."
    )


def from_status(
    status: int,
    headers: Mapping[str, str],
    body: bytes,
    peer: Peer,
    now: datetime | None = None,
) -> ModelServerError:
    """The error for an answer that is not a success.

    Args:
        status: HTTP status.
        headers: the answer's headers; names in lower case, or a case-insensitive mapping.
        body: the beginning of its body: JSON, HTML, text or nothing.
        peer: who answered.
        now: the time that a Retry-After date is counted from; None: the current time.
    """
    if 300 <= status < 400:
        return RequestRefused(
            f"{peer} redirects to another address (HTTP {status}), which is not followed: set the"
            " final address."
        )
    complaint = _complaint(body)
    return _classify(status, complaint, peer, _wait(headers, now))


def from_error(error: object, peer: Peer) -> ModelServerError:
    """The error for an `error` member, a string or an object, inside an accepted answer."""
    complaint = _complaint_of(error)
    status = complaint.code if complaint.code is not None and complaint.code >= 400 else 500
    return _classify(status, complaint, peer, None)


def not_json(peer: Peer) -> BadAnswer:
    """The error for something else where a model server's JSON should stand."""
    return BadAnswer(
        f"What came from {peer.address} is not the answer of a model server: check the address."
    )


def incomplete(peer: Peer) -> BadAnswer:
    """The error for an answer that ends too early."""
    return BadAnswer(f"The answer from {peer.address} ended before it was complete: try again.")


def _classify(
    status: int, complaint: _Complaint, peer: Peer, retry_after: float | None
) -> ModelServerError:
    model = f" {peer.model!r}" if peer.model else ""
    details = _details(status, complaint)
    if status in {401, 403}:
        return KeyRefused(f"{peer} refuses the key, or wants one{details}: set the right one.")
    if status in {429, 503}:
        return ServerBusy(f"{peer} is busy{details}: try again later.", retry_after)
    if status == 413 or _TOO_LONG.search(complaint.words) or _TOO_LONG.search(complaint.kind):
        return PromptTooLong(
            f"The prompt is too long for the model{model} at {peer.address}"
            f"{_numbers(complaint.words)}: lower `context_tokens`."
        )
    if status < 500 and (_NO_MODEL.search(complaint.words) or complaint.parameter == "model"):
        advice = f": {peer.missing}" if peer.missing else ""
        return ModelMissing(f"{peer} does not have the model{model}{advice}.")
    if status == 404:
        return RequestRefused(f"{peer} has no such path (HTTP 404): check the address.")
    if status == 407:
        return ServerUnreachable(f"The proxy on the way to {peer.address} wants a password.")
    if status < 500:
        return RequestRefused(f"{peer} refuses the request{details}.")
    known = _NO_MEMORY.search(complaint.words)
    return ServerFault(f"{peer} failed{details}{': ' + known[0] if known else ''}.")


def _complaint(body: bytes) -> _Complaint:
    try:
        document = json.loads(body)
    except (ValueError, RecursionError):
        return _Complaint("", "", "", None)
    if isinstance(document, dict):
        for member in ("error", "detail", "message"):
            if member in document:
                return _complaint_of(document[member])
    return _Complaint("", "", "", None)


def _complaint_of(error: object) -> _Complaint:
    if not isinstance(error, dict):
        return _Complaint(error if isinstance(error, str) else "", "", "", None)
    return _Complaint(
        _text(error, "message"), _text(error, "type"), _text(error, "param"), _code(error)
    )


def _text(error: dict[str, Any], member: str) -> str:
    value = error.get(member)
    return value if isinstance(value, str) else ""


def _code(error: dict[str, Any]) -> int | None:
    code = error.get("code")
    if isinstance(code, str) and re.fullmatch(r"[1-5][0-9]{2}", code):
        return int(code)
    return code if isinstance(code, int) and 100 <= code < 600 else None


def _details(status: int, complaint: _Complaint) -> str:
    """Status and identifiers in brackets, such as " (HTTP 400, BadRequestError, suffix)"."""
    words = [word for word in (complaint.kind, complaint.parameter) if _IDENTIFIER.fullmatch(word)]
    return f" ({', '.join([f'HTTP {status}', *words])})"


def _numbers(words: str) -> str:
    """The two sizes of a context complaint, such as " (5204 tokens, context of 2048)"."""
    found = [int(number) for number in re.findall(r"\b[0-9]{2,8}\b(?= (?:input )?tokens)", words)]
    return f" ({max(found)} tokens, room for {min(found)})" if len(set(found)) == 2 else ""


def _wait(headers: Mapping[str, str], now: datetime | None) -> float | None:
    """Seconds that an answer asks to wait; None where it does not say.

    Where there is no Retry-After, gateways that count requests say when the count begins anew:
    Envoy in X-RateLimit-Reset, others in RateLimit-Reset. Larger numbers there are no seconds.
    """
    asked = _retry_after(headers.get("retry-after"), now)
    for name in () if asked is not None else ("x-ratelimit-reset", "ratelimit-reset"):
        plain = (headers.get(name) or "").strip()
        if re.fullmatch(r"[0-9]{1,5}", plain) and float(plain) <= _LONGEST_WAIT_SECONDS:
            return float(plain)
    return asked


def _retry_after(value: str | None, now: datetime | None) -> float | None:
    """Seconds that a Retry-After header asks to wait (RFC 9110 §10.2.3), at most a day."""
    plain = (value or "").strip()
    if re.fullmatch(r"[0-9]{1,9}(\.[0-9]{1,9})?", plain):
        return min(float(plain), _LONGEST_WAIT_SECONDS)
    try:
        date = parsedate_to_datetime(plain)
        moment = date if date.tzinfo else date.replace(tzinfo=UTC)
        seconds = (moment - (now or datetime.now(UTC))).total_seconds()
    except (ValueError, TypeError, IndexError, OverflowError):
        return None
    return min(max(seconds, 0.0), _LONGEST_WAIT_SECONDS)


def _has_cause(error: BaseException, kind: type[BaseException]) -> bool:
    """True if an error of this kind is what another one came from."""
    reason: BaseException | None = error
    for _ in range(10):
        if reason is None or isinstance(reason, kind):
            break
        reason = reason.__cause__ or reason.__context__
    return isinstance(reason, kind)


def _hung_up(error: Exception) -> bool:
    """True if the peer closed the connection; False if it sent bytes that are not HTTP."""
    words = str(error).lower()
    return "disconnected" in words or "closed connection" in words
