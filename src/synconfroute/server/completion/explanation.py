"""One sentence about a decision, for whoever asks why. Holds no source code."""

from synconfroute.server.completion.answer import Provenance, Reason, Tier
from synconfroute.validators.verdict import Outcome

_VERDICTS = {
    Outcome.VALID: "the parser found nothing wrong with it",
    Outcome.INVALID: "the parser found that it breaks the code",
    Outcome.UNKNOWN: "the parser could not say anything about it",
}
_DOUBTS = {
    Reason.INVALID: "the local answer would break the code",
    Reason.EVIDENCE: "the local answer looks suspicious",
}


def explain(made: Provenance) -> str:
    """Why the answer is what it is."""
    match made.tier:
        case Tier.ORG:
            return (
                f"The organisation's {made.model} wrote it, since {_doubt(made)}; {_verdict(made)}."
                f"{_redacted(made)}"
            )
        case Tier.LOCAL:
            return _local(made)
        case _:
            return _nothing(made)


def _local(made: Provenance) -> str:
    if made.reason is Reason.KEPT:
        return f"The local {made.model} wrote it ({_sureness(made)}); {_verdict(made)}."
    if made.problem:
        hindrance = made.problem
    elif made.reason in {Reason.LOW_CONFIDENCE, Reason.INVALID, Reason.EVIDENCE}:
        hindrance = "No better one could be had elsewhere."
    else:
        hindrance = "The organisation's server could not be asked."
    return f"The local {made.model} wrote it ({_sureness(made)}); {_verdict(made)}. {hindrance}"


def _nothing(made: Provenance) -> str:
    if made.problem:
        return f"Nothing is shown: {made.problem[:1].lower()}{made.problem[1:]}"
    if made.reason is Reason.EMPTY:
        return "Nothing is shown: the model had nothing to add here."
    return f"Nothing is shown, since {_doubt(made)}."


def _redacted(made: Provenance) -> str:
    """What was replaced in the prompt, as a further sentence."""
    if not made.redacted:
        return ""
    what = "1 text" if made.redacted == 1 else f"{made.redacted} texts"
    return f" In what was sent, {what} that looked like a secret had been replaced."


def _doubt(made: Provenance) -> str:
    doubt = _DOUBTS.get(made.reason, "the local model was not sure")
    return f"{doubt} ({_sureness(made)})"


def _sureness(made: Provenance) -> str:
    return "confidence unknown" if made.confidence is None else f"confidence {made.confidence:.2f}"


def _verdict(made: Provenance) -> str:
    return "it was not judged" if made.verdict is None else _VERDICTS[made.verdict]
