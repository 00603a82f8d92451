"""`synconfroute complete`: one completion from a terminal, and how it was made."""

import asyncio
import json
from argparse import Namespace
from dataclasses import asdict
from typing import Any

from synconfroute.errors import DocumentError
from synconfroute.server.command import console
from synconfroute.server.command.document import read_document
from synconfroute.server.command.languages import language_of
from synconfroute.server.command.reading import read_and_tell
from synconfroute.server.completion.answer import Answer, Reason
from synconfroute.server.completion.hole import Hole
from synconfroute.server.settings.tree import Settings


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
    console.say(json.dumps(_as_json(answer)) if options.json else _for_people(hole, answer))
    if answer.provenance.reason is Reason.ERROR:
        console.complain(answer.provenance.problem or "No completion could be made.")
        return 1
    return 0


async def _answer(hole: Hole, settings: Settings) -> Answer:
    from synconfroute.server.completion.completer import Completer

    completer = Completer(settings, on_notice=console.complain)
    try:
        return await completer.complete(hole)
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
        "request_id": made.request_id,
    }


def _for_people(hole: Hole, answer: Answer) -> str:
    made = answer.provenance
    if answer.text is None:
        shown = "(nothing to show)"
    else:
        shown = console.printable(hole.left + "⟦" + answer.text + "⟧" + hole.right)
    facts = {
        "made by": f"{made.tier or 'nobody'} ({made.model})" if made.model else str(made.tier),
        "confidence": "none" if made.confidence is None else f"{made.confidence:.2f}",
        "verdict": made.verdict or "none",
        "decision": made.reason,
        "time": f"{made.timings_ms['total']:.0f} ms" if "total" in made.timings_ms else "",
        "note": made.problem,
    }
    facts |= {f"evidence {n}": each.message for n, each in enumerate(made.evidence, 1)}
    lines = [f"  {name:<11} {console.printable(fact)}" for name, fact in facts.items() if fact]
    return "\n".join([shown, "", *lines])
