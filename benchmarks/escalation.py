"""Escalation decided at the third token, against waiting for the whole local text.

Both models are scripted: the local one is unsure and slow, the organisation's is there at once.
Only decode time counts: from the first local token on.
"""

from collections.abc import Iterator

from benchmarks import local_tier
from benchmarks.editing import Opened
from benchmarks.figure import Figure, figure
from benchmarks.local_tier import PlainClient
from benchmarks.model import vllm
from benchmarks.model.script import Token
from benchmarks.processes import scripted_model, session
from benchmarks.samples import python_source

TOKENS = (
    (Token("total", -2.0), Token(" =", -2.0), Token(" alpha", -2.0))
    + (
        Token(" +", -2.0),
        Token(" beta", -2.0),
    )
    * 13
    + (Token(" # so far", -2.0),)
)
"""30 tokens of one line, each with a probability of 0.14: below every threshold."""

NEXT_MS = 20.0
MOST_MS = 5.0
MOST_SHARE = 0.2
_PREFILL_MS = 60.0
_UNCOUNTED = 3
_SHAPE = "Ollama"


def measure(quick: bool) -> Iterator[Figure]:
    """The local tier is Ollama, the organisation's vLLM."""
    waits, decided, whole = [], [], []
    with (
        scripted_model(
            local_tier.module(_SHAPE), first_ms=_PREFILL_MS, next_ms=NEXT_MS, tokens=TOKENS
        ) as local,
        scripted_model("vllm", first_ms=1, next_ms=1) as org,
        session(
            *local_tier.settings(_SHAPE, local),
            f"org.url={org.url}/v1",
            f"org.model={vllm.MODEL}",
            "escalation.per_minute=6000",
        ) as editor,
    ):
        editor.initialize()
        document = Opened(editor, python_source(1_000))
        document.go(500, 0)
        document.type("    \n")
        document.go(500, 4)
        client = PlainClient(_SHAPE, local)
        for run in range(-_UNCOUNTED, 10 if quick else 50):
            document.type("v")
            assert document.complete(), "nothing was shown"
            began, sent = local.generation(), org.generation()
            assert began.first is not None
            assert began.third is not None
            client.read(began.sent)
            straight = local.generation()
            assert straight.first is not None
            if run >= 0:
                waits.append((sent.came - began.third) * 1000)
                decided.append((sent.came - began.first) * 1000)
                whole.append((straight.ended - straight.first) * 1000)
        client.close()
    case = f"{len(TOKENS)} tokens at {NEXT_MS:g} ms, 1,000 lines"
    yield figure("third token to org request", case, "ms", waits, hold=MOST_MS)
    yield figure(
        "first token to org request", case, "ms", decided, whole,
        beside="all local tokens, plain http.client", hold=MOST_SHARE, held="ratio",
    )  # fmt: skip
