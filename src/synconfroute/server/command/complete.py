"""`synconfroute complete`: one completion from a terminal, and how it was made."""

import asyncio
import json
from argparse import Namespace
from dataclasses import asdict
from pathlib import Path
from typing import Any

from synconfroute.errors import DocumentError
from synconfroute.server.command import console
from synconfroute.server.command.document import read_document
from synconfroute.server.command.languages import language_of
from synconfroute.server.command.reading import read_and_tell
from synconfroute.server.completion.answer import Answer, Provenance, Reason, Tier
from synconfroute.server.completion.hole import Hole
from synconfroute.server.places import repository_above
from synconfroute.server.settings.tree import Settings

_LOOK_SECONDS = 3.0
"""The longest wait for pieces of other files: a process starts for them."""


def complete(options: Namespace) -> int:
    """Complete FILE at a position.

    Returns:
        0, also where there is nothing to show; 1 where no answer could be made.

    Raises:
        UsageError: the language is not known.
        DocumentError: the file cannot be read, is empty, or lacks the position.
    """
    language = language_of(options.file, options.language)
    document = read_document(options.file, language, from_stdin=options.stdin)
    if not document.text.strip():
        raise DocumentError(f"{options.file} is empty: there is nothing to complete from.")
    hole = document.hole(options.at)
    settings = read_and_tell(options, beside=options.file).settings
    answer = asyncio.run(_answer(hole, settings))
    failed = answer.provenance.reason is Reason.ERROR
    if options.json:
        console.say(json.dumps(_as_json(answer)))
    elif not failed:
        console.say(_for_people(hole, answer))
    if failed:
        console.complain(answer.provenance.problem or "No completion could be made.")
    return int(failed)


async def _answer(hole: Hole, settings: Settings) -> Answer:
    from synconfroute.server.completion.completer import Completer

    # Nobody is told twice: what was noticed on the way is the answer's own problem.
    completer = Completer(settings, on_notice=lambda _: None)
    try:
        if settings.context.enabled:
            root = repository_above(Path(hole.path or "").parent)
            completer.follower.folders([] if root is None else [root])
            await completer.look_around(hole, _LOOK_SECONDS)
        answer = await completer.complete(hole)
        if answer.provenance.tier is Tier.ORG:
            completer.shown(answer.provenance.request_id)
        return answer
    finally:
        await completer.aclose()


def _as_json(answer: Answer) -> dict[str, Any]:
    made = answer.provenance
    return {
        "text": answer.text,
        "tier": made.tier,
        "model": made.model,
        "confidence": made.confidence,
        "verdict": made.verdict,
        "evidence": [asdict(evidence) for evidence in made.evidence],
        "reason": made.reason,
        "timings_ms": made.timings_ms,
        "problem": made.problem,
        "verdict_reason": made.verdict_reason,
        "provider": made.provider,
        "request_id": made.request_id,
        "context_files": made.context_files,
    }


def _for_people(hole: Hole, answer: Answer) -> str:
    """The line with the completion in brackets, and below it how it was made."""
    made = answer.provenance
    lines = ["(nothing to show)"]
    if answer.text is not None:
        lines = [hole.left + "⟦" + answer.text + "⟧" + hole.right]
    lines += ["", *(f"  {name:<11} {fact}" for name, fact in _facts(made) if fact)]
    return console.printable("\n".join(lines))


def _facts(made: Provenance) -> list[tuple[str, str]]:
    total = made.timings_ms.get("total")
    maker = f"{made.provider} ({made.model})" if made.model else made.provider
    return [
        ("tier", made.tier or "none"),
        ("made by", maker),
        ("confidence", "none" if made.confidence is None else f"{made.confidence:.2f}"),
        ("verdict", made.verdict or "none"),
        ("", made.verdict_reason),
        *(("evidence", evidence.message) for evidence in made.evidence),
        ("decision", made.reason),
        ("context", f"{made.context_files} other files" if made.context_files else ""),
        ("time", "" if total is None else f"{total:.0f} ms"),
        ("note", made.problem),
    ]
