"""What may be wrong with a model server: faults for `servers.py`."""

import asyncio
import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Any

from tests.faults.servers import Exchange, Fault

HTML = b"<!doctype html><title>Sign in</title><p>Please sign in to the network.</p>\n"


def everywhere(_exchange: Exchange) -> bool:
    """At any request, the first question included."""
    return True


def with_code(exchange: Exchange) -> bool:
    """Only where text is asked for: what the server says of itself is right."""
    return exchange.generates


def says(
    status: int,
    error: Any = None,
    where: Callable[[Exchange], bool] = with_code,
    **headers: str | int,
) -> Fault:
    """Answers with an HTTP status."""

    async def fault(exchange: Exchange) -> bool:
        if not where(exchange):
            return False
        await exchange.json({"error": error or {"message": "no"}}, status, **headers)
        return True

    return fault


def in_two_minutes() -> str:
    """A date as HTTP writes it."""
    return format_datetime(datetime.now(UTC) + timedelta(minutes=2), usegmt=True)


def page(status: int = 200, where: Callable[[Exchange], bool] = with_code) -> Fault:
    """Answers with a page for people."""

    async def fault(exchange: Exchange) -> bool:
        if not where(exchange):
            return False
        await exchange.head(status, "text/html", Content_Length=len(HTML))
        await exchange.bytes(HTML)
        return True

    return fault


def serves_other_models(names: list[str]) -> Fault:
    """Has these models only."""

    async def fault(exchange: Exchange) -> bool:
        match exchange.path:
            case "/v1/models":
                entries = [{"id": name, "owned_by": "vllm"} for name in names]
                await exchange.json({"data": entries})
            case "/api/tags":
                await exchange.json({"models": [{"name": name} for name in names]})
            case _:
                return False
        return True

    return fault


def streams(send: Callable[[Exchange], Any]) -> Fault:
    """Begins to answer a request for text as it should, and goes on otherwise."""

    async def fault(exchange: Exchange) -> bool:
        if not exchange.generates:
            return False
        await exchange.stream()
        await exchange.piece("a")
        await send(exchange)
        return True

    return fault


async def stops_in_a_line(exchange: Exchange) -> None:
    """Sends half a line and closes the connection."""
    await exchange.bytes(exchange.server.piece(" + b")[:30])


async def stops_between_lines(_exchange: Exchange) -> None:
    """Closes the connection without an end."""


async def breaks_off(exchange: Exchange) -> None:
    """Resets the connection."""
    await asyncio.sleep(0.01)
    exchange.hang_up()


async def drips(exchange: Exchange) -> None:
    """Sends a token now and then, for ever."""
    while True:
        await asyncio.sleep(0.05)
        await exchange.piece(" x")


async def never_ends(exchange: Exchange) -> None:
    """Sends tokens as fast as it can, for ever."""
    while True:
        await exchange.piece(" x")
        await asyncio.sleep(0)


async def endless_line(exchange: Exchange) -> None:
    """Sends a line that does not end."""
    while True:
        await exchange.bytes(b"x" * 65536)


async def fails_inside(exchange: Exchange) -> None:
    """Sends an error where the next token should be."""
    error: Any = {"error": {"message": "CUDA out of memory", "type": "InternalServerError"}}
    lead = b"data: "
    if exchange.server.kind == "ollama":
        error, lead = {"error": "llama runner process has terminated"}, b""
    await exchange.bytes(lead + json.dumps(error).encode() + b"\n\n")


async def answers_as_another(exchange: Exchange) -> None:
    """Goes on with another model's name."""
    for line in (" + 1", ""):
        event = exchange.server.piece(line) if line else exchange.server.last()
        await exchange.bytes(event.replace(b"qwen2.5-coder", b"another-model"))


async def says_no_word(exchange: Exchange) -> bool:
    """Ends its answer at once."""
    if not exchange.generates:
        return False
    await exchange.stream()
    await exchange.end()
    return True


async def not_json(exchange: Exchange) -> None:
    """Sends a line that is no JSON."""
    await exchange.bytes(b"data: {'text': hello}\n\n")


async def says_nothing(exchange: Exchange) -> bool:
    """Takes a request for text and never answers."""
    if not exchange.generates:
        return False
    await exchange.until_left()
    return True


async def says_nothing_at_all(exchange: Exchange) -> bool:
    """Takes any request and never answers."""
    await exchange.until_left()
    return True


async def resets_at_once(exchange: Exchange) -> bool:
    """Breaks the connection off before its answer begins."""
    if not exchange.generates:
        return False
    exchange.hang_up()
    return True


async def speaks_tls(exchange: Exchange) -> bool:
    """Answers plain HTTP as TLS does: with an alert."""
    await exchange.bytes(b"\x15\x03\x03\x00\x02\x02\x0a")
    return True


async def redirects(exchange: Exchange) -> bool:
    """Sends requests for text elsewhere."""
    if not exchange.generates:
        return False
    await exchange.head(
        307, "text/plain", Location="http://127.0.0.1:1/v1/completions", Content_Length=0
    )
    return True


async def compresses_wrongly(exchange: Exchange) -> bool:
    """Says that it compresses, and sends something else."""
    if not exchange.generates:
        return False
    await exchange.head(200, "text/event-stream", Content_Encoding="gzip")
    await exchange.bytes(b"data: not gzip at all\n\n" * 4)
    return True


def too_long_once() -> Fault:
    """Finds the first prompt too long."""
    seen: list[str] = []

    async def fault(exchange: Exchange) -> bool:
        if not exchange.generates or seen:
            return False
        seen.append(exchange.path)
        await exchange.json({"error": {"message": "too large"}}, 413)
        return True

    return fault


async def loads_first(exchange: Exchange) -> bool:
    """Lets a request for text wait until the model is in memory."""
    if exchange.generates:
        await asyncio.sleep(0.05)
    return False
