"""A candidate: text from one tier, before the decision."""

from dataclasses import dataclass

from synconfroute.clients.model import Token
from synconfroute.validators.verdict import Verdict


@dataclass(frozen=True, slots=True)
class Candidate:
    """
    Text from one tier, finished or still growing.

    Attributes:
        tokens: tokens of the answer so far, in order.
        finished: nothing more will come; `text` and `verdict` are final.
        text: the cleaned text; meaningful when finished.
        verdict: what inserting `text` does to the buffer; None until it is known.
        logprobs_lost: the server generated tokens whose log-probs never came.
    """

    tokens: tuple[Token, ...] = ()
    finished: bool = False
    text: str = ""
    verdict: Verdict | None = None
    logprobs_lost: bool = False
