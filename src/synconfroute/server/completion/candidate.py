"""A candidate: text from one tier, before the decision."""

from dataclasses import dataclass

from synconfroute.clients.model import Token
from synconfroute.server.completion.score import Signals
from synconfroute.validators.verdict import Verdict


@dataclass(frozen=True, slots=True)
class Candidate:
    """Text from one tier, finished or still growing.

    Attributes:
        tokens: the answer's tokens so far, in order.
        preamble: how many leading tokens are not the answer proper (a fence, an echoed prefix);
            None while that cannot be told.
        finished: nothing more will come; `text` and `verdict` are final.
        text: the cleaned text; meaningful when finished.
        verdict: what inserting `text` does to the buffer; None until it is known.
        signals: what is known of a finished answer beside its text, for the rule `score`; None
            where log-probs are missing.
        model: the model's name on its server, or "": thresholds are measured for a model.
        language: LSP language id of the buffer, or "".
        repeats: `text` would only write once more what stands right below.
        repaired: the verdict on the text as the model wrote it, where `text` is a repair of it.
    """

    tokens: tuple[Token, ...] = ()
    preamble: int | None = 0
    finished: bool = False
    text: str = ""
    verdict: Verdict | None = None
    signals: Signals | None = None
    model: str = ""
    language: str = ""
    repaired: Verdict | None = None
    repeats: bool = False
