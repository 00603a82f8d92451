"""A request that is about to leave, looked through for secrets: all that it would send, in time."""

import asyncio
import logging
from dataclasses import dataclass, replace

from synconfroute.clients.model import ChatPrompt, GenerationRequest, TextPrompt
from synconfroute.errors import Withheld
from synconfroute.server.completion.hole import Hole

_log = logging.getLogger(__name__)

SCAN_SECONDS = 1.0
"""A prompt that cannot be looked through in this time stays here."""
_SHORT = 16_000
"""A text of fewer characters is looked through at once: to ask a thread would take longer."""


@dataclass(frozen=True, slots=True)
class Screened:
    """A request that may leave.

    Attributes:
        request: without secrets.
        redacted: so many were replaced in its prompt.
    """

    request: GenerationRequest
    redacted: int = 0


async def screened(request: GenerationRequest, hole: Hole, secrets: str) -> Screened:
    """The request as it may leave.

    Args:
        request: all texts of it are looked through, pieces of other files among them.
        hole: the place; a secret in which the cursor stands has one half on each side of it.
        secrets: "deny" or "redact".

    Raises:
        Withheld: it holds what looks like a secret and may not be redacted, or it could not be
            looked through.
    """
    try:
        if _length(request) <= _SHORT:
            return _screen(request, hole, secrets)
        async with asyncio.timeout(SCAN_SECONDS):
            return await asyncio.to_thread(_screen, request, hole, secrets)
    except TimeoutError:
        raise Withheld(
            "The prompt could not be looked through for secrets in time, so it stays here."
        ) from None
    except Withheld:
        raise
    except Exception as error:
        _log.error("looking for secrets failed: %s", type(error).__name__)
        raise Withheld(
            "The prompt could not be looked through for secrets because of a fault of"
            " SynConfRoute's own, so it stays here."
        ) from None


class Screening:
    """Looks requests through, and remembers the last one that may leave: it may be asked ahead."""

    def __init__(self, secrets: str) -> None:
        """Nothing was looked at; `secrets` as of `screened`."""
        self._secrets = secrets
        self._known: tuple[object, Screened] | None = None

    async def screened(self, request: GenerationRequest, hole: Hole) -> Screened:
        """The request as it may leave; see `screened`. Raises as that, each time anew."""
        asked = (request.prompt, request.plain, hole.left, hole.right)
        if self._known is not None and self._known[0] == asked:
            known = self._known[1]
            prompt, plain = known.request.prompt, known.request.plain
            return replace(known, request=replace(request, prompt=prompt, plain=plain))
        found = await screened(request, hole, self._secrets)
        self._known = asked, found
        return found


def _screen(request: GenerationRequest, hole: Hole, secrets: str) -> Screened:
    from synconfroute.server.completion.secret_scan.scan import secrets_in

    split = [
        found
        for found in secrets_in(hole.left + hole.right)
        if found.start < len(hole.left) < found.end
    ]
    if split:
        raise _withheld(split[0].kind)  # what is not whole in the prompt cannot be replaced there
    prompt, count = _clean(request.prompt, secrets)
    plain = None if request.plain is None else _clean(request.plain, secrets)[0]
    return Screened(replace(request, prompt=prompt, plain=plain), count)


def _clean(prompt: TextPrompt | ChatPrompt, secrets: str) -> tuple[TextPrompt | ChatPrompt, int]:
    """The prompt without secrets, and how many were replaced."""
    if isinstance(prompt, TextPrompt):
        text, count = _clean_text(prompt.text, secrets)
        return TextPrompt(text), count
    user, first = _clean_text(prompt.user, secrets)
    prefill, second = _clean_text(prompt.prefill, secrets)
    system, third = _clean_text(prompt.system, secrets)
    return ChatPrompt(user, prefill, system), first + second + third


def _clean_text(text: str, secrets: str) -> tuple[str, int]:
    from synconfroute.server.completion.secret_scan.redaction import redacted
    from synconfroute.server.completion.secret_scan.scan import secrets_in

    findings = secrets_in(text)
    if findings and secrets != "redact":
        raise _withheld(findings[0].kind)
    return redacted(text, findings), len(findings)


def _withheld(kind: str) -> Withheld:
    return Withheld(
        f"What would be sent holds what looks like {kind}, so it stays on this machine: take it out"
        ' of the code, or set escalation.secrets = "redact" to have such texts replaced.'
    )


def _length(request: GenerationRequest) -> int:
    match request.prompt:
        case TextPrompt(text):
            return len(text)
        case ChatPrompt(user, prefill, system):
            return len(user) + len(prefill) + len(system)
