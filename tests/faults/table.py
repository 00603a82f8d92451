"""What may fail, what comes of it, how it heals: the tests of this folder, and docs/faults.md."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from tests.faults import wrongs
from tests.faults.servers import Fault
from tests.faults.wrongs import everywhere, page, says, serves_other_models, streams

SHORT = {"escalation.deadline_ms": 500}
"""The deadline where a server lets one wait."""
LOCAL, ORG, NOTHING = "local", "org", "nothing"


@dataclass(frozen=True)
class Row:
    """One fault.

    Attributes:
        name: of the test.
        who: whose fault: "org" (vLLM or another server of the organisation's), "openai" (a local
            server such as llama.cpp), "ollama", or "machine".
        happens: what is wrong, for people.
        reason: of the first answer, in its provenance.
        then: of the following ones; "": the same.
        shown: whose text is shown: LOCAL, ORG or NOTHING.
        says: the sentence that the user is told, once; "": nothing. {at} is the server's address.
        kind: of the status: "Normal", "Warning" or "Error".
        heals: what mends it, for people.
        fault: what the server does.
        makes: makes such a fault for each test, where it remembers something.
        absent: nothing listens.
        server: attributes of the server while it is wrong.
        address: in place of the server's own, until the settings are corrected.
        settings: what else is set, by dotted names.
        served: it also runs against the real server process.
    """

    name: str
    who: str
    happens: str
    reason: str
    says: str
    heals: str
    then: str = ""
    shown: str = LOCAL
    kind: str = "Warning"
    fault: Fault | None = None
    makes: Callable[[], Fault] | None = None
    absent: bool = False
    server: Mapping[str, Any] = field(default_factory=dict)
    address: str = ""
    settings: Mapping[str, Any] = field(default_factory=dict)
    served: bool = False

    def __str__(self) -> str:
        return self.name


_UNSURE = "low_confidence"
_ALONE = "refused_breaker"
_PAUSE = "the next request after the pause"
_SLOW = "a minute of seldom tries, then the next request"
_PERSON = "other settings at once; the server's own mending within five minutes"


def _org(name: str, happens: str, says: str, **more: Any) -> Row:
    """A fault after which the server is left alone."""
    facts = {"then": _ALONE, "heals": _PAUSE, "reason": _UNSURE} | more
    return Row(name, "org", happens, says=says, **facts)


def _local(name: str, happens: str, says: str, who: str = "openai", **more: Any) -> Row:
    """A fault by which no completion can be made."""
    facts = {"shown": NOTHING, "kind": "Error", "heals": "the next request after half a second"}
    return Row(name, who, happens, reason="error", says=says, **(facts | more))


_KEY = "The model server at {at} refuses the key, or wants one (HTTP {status}): set the right one."
_BUSY = "The model server at {at} is busy (HTTP {status}): try again later."
_HANGUP = "The connection to {at} broke before the answer was complete."
_CUT = "The answer from {at} ended before it was complete: try again."
_NO_SERVER = "What came from {at} is not the answer of a model server: check the address."
_LATE = (
    "The organisation's server takes longer than escalation.deadline_ms (0.5 s) to answer, so it"
    " is asked only now and then."
)
_NO_HTTP = "What answers at {at} does not speak HTTP: check the address."
_TOO_LONG = "The prompt is too long for the model 'qwen2.5-coder' at {at}: lower `context_tokens`."

ROWS: tuple[Row, ...] = (
    # the organisation's server
    _org(
        "org_absent",
        "nothing listens at its address",
        "Nothing answers at {at}: start it, or correct the address.",
        absent=True,
        served=True,
    ),
    _org(
        "org_dns_gone",
        "its name leads nowhere",
        "The name in {at} leads nowhere: check the address and the network.",
        address="https://org.invalid/v1",
        heals="other settings at once; the network's mending at the next request after the pause",
        served=True,
    ),
    _org(
        "org_tls_expired",
        "its certificate has expired",
        "The certificate of {at} has expired: have it renewed, or set the clock of this machine.",
        server={"certificate": "expired.pem"},
        served=True,
    ),
    _org(
        "org_no_tls",
        "its address says https, and it speaks http",
        "What answers at {at} speaks no TLS that we know: check the address.",
        address="https://127.0.0.1:{port}/v1",
        heals="other settings at once",
    ),
    _org(
        "org_401",
        "401: it refuses the key at the first question",
        _KEY.replace("{status}", "401"),
        fault=says(401, where=everywhere),
        heals=_PERSON,
        served=True,
    ),
    _org(
        "org_403",
        "403: it tells its models to everybody and refuses the key where code comes",
        _KEY.replace("{status}", "403"),
        fault=says(403),
        heals=_PERSON,
        served=True,
    ),
    _org(
        "org_model_gone",
        "it does not offer the model that is set",
        "The model server at {at} does not have the model 'qwen2.5-coder', but another-model.",
        fault=serves_other_models(["another-model"]),
        settings={"org.model": "qwen2.5-coder"},
        heals=_PERSON,
    ),
    _org(
        "org_no_model",
        "it offers no model at all",
        "The model server at {at} offers no model: load one there.",
        fault=serves_other_models([]),
        heals=_PERSON,
    ),
    _org(
        "org_404_model",
        "404: the model was unloaded between two requests",
        "The model server at {at} does not have the model 'qwen2.5-coder': correct the name, or"
        " leave it empty for the one it serves.",
        fault=says(404, {"message": "The model `x` does not exist.", "type": "NotFoundError"}),
        heals=_PERSON,
    ),
    _org(
        "org_404_path",
        "404: it lists models and has no path for completions",
        "The model server at {at} has no such path (HTTP 404): check the address.",
        fault=page(404),
        heals=_PERSON,
    ),
    _org(
        "org_400",
        "400: it cannot do what is asked",
        "The model server at {at} refuses the request (HTTP 400, BadRequestError).",
        fault=says(400, {"message": "logprobs are not allowed", "type": "BadRequestError"}),
        heals=_PERSON,
    ),
    _org(
        "org_307",
        "a redirect to another address, which is never followed",
        "The model server at {at} redirects to another address (HTTP 307), which is not followed:"
        " set the final address.",
        fault=wrongs.redirects,
        heals=_PERSON,
        served=True,
    ),
    _org(
        "org_413_once",
        "413: the prompt is too long for it; a shorter one is not",
        "",
        makes=wrongs.too_long_once,
        shown=ORG,
        then=_UNSURE,
        kind="Normal",
        heals="the same request, with half and then a quarter of the prompt",
    ),
    _org(
        "org_413",
        "413: it finds every prompt too long",
        _TOO_LONG,
        fault=says(413),
        then=_UNSURE,
        heals="the next request",
    ),
    _org(
        "org_429",
        "429: too many requests",
        _BUSY.replace("{status}", "429"),
        fault=says(429),
        served=True,
    ),
    _org(
        "org_429_seconds",
        "429 with `Retry-After: 120`",
        _BUSY.replace("{status}", "429"),
        fault=says(429, Retry_After=120),
        heals="the next request after the time that it asked for, five minutes at most",
    ),
    _org(
        "org_429_date",
        "429 with a date in `Retry-After`",
        _BUSY.replace("{status}", "429"),
        makes=lambda: says(429, Retry_After=wrongs.in_two_minutes()),
        heals="the next request after that date, five minutes at most",
    ),
    _org(
        "org_500",
        "500: it fails",
        "The model server at {at} failed (HTTP 500).",
        fault=says(500),
        served=True,
    ),
    _org(
        "org_502",
        "502: the gateway before it shows a page",
        "The model server at {at} failed (HTTP 502).",
        fault=page(502),
    ),
    _org(
        "org_503_loading",
        "503: it is loading its model",
        _BUSY.replace("{status}", "503"),
        fault=says(503, where=everywhere),
        served=True,
    ),
    _org(
        "org_503_seconds",
        "503 with `Retry-After: 30` where code comes",
        _BUSY.replace("{status}", "503"),
        fault=says(503, Retry_After=30),
        heals="the next request after the time that it asked for, five minutes at most",
    ),
    _org(
        "org_html_first",
        "a page for people in place of JSON, as of a network that wants a sign-in",
        _NO_SERVER,
        fault=page(200, where=everywhere),
        served=True,
    ),
    _org(
        "org_html",
        "a page for people in place of the answer",
        _NO_SERVER,
        fault=page(200),
    ),
    _org(
        "org_no_json",
        "a line that is no JSON",
        _NO_SERVER,
        fault=streams(wrongs.not_json),
    ),
    _org(
        "org_half_line",
        "half a line, then the end of the connection",
        _CUT,
        fault=streams(wrongs.stops_in_a_line),
        served=True,
    ),
    _org(
        "org_cut",
        "the connection ends between two lines",
        _CUT,
        fault=streams(wrongs.stops_between_lines),
    ),
    _org(
        "org_reset",
        "the connection breaks in the middle of the answer",
        _HANGUP,
        fault=streams(wrongs.breaks_off),
    ),
    _org(
        "org_reset_at_once",
        "the connection breaks before the answer begins",
        _HANGUP,
        fault=wrongs.resets_at_once,
    ),
    _org(
        "org_silent",
        "it takes the request and never answers",
        _LATE,
        fault=wrongs.says_nothing,
        reason="late",
        then="late",
        settings={**SHORT, "breaker.longest_pause_ms": 2500},
        heals=_SLOW,
        served=True,
    ),
    _org(
        "org_silent_first",
        "it takes the first question and never answers",
        _LATE,
        fault=wrongs.says_nothing_at_all,
        reason="late",
        then="late",
        settings=SHORT,
        heals=_SLOW,
    ),
    _org(
        "org_drip",
        "a slow drip: a token now and then, no end",
        _LATE,
        fault=streams(wrongs.drips),
        reason="late",
        then="late",
        settings=SHORT,
        heals=_SLOW,
    ),
    _org(
        "org_endless",
        "an endless stream of tokens",
        "What answers at {at} sends more than it was asked for: check the address.",
        fault=streams(wrongs.never_ends),
        served=True,
    ),
    _org(
        "org_endless_line",
        "a line that does not end",
        "The model server at {at} sent a line of more than 4 MB, which no model server does: check"
        " the address.",
        fault=streams(wrongs.endless_line),
    ),
    _org(
        "org_fails_inside",
        "an error where the next token should be",
        "The model server at {at} failed (HTTP 500, InternalServerError).",
        fault=streams(wrongs.fails_inside),
    ),
    _org(
        "org_compressed",
        "bytes that are compressed wrongly",
        "The model server at {at} sent compressed bytes that cannot be read.",
        fault=wrongs.compresses_wrongly,
    ),
    _org(
        "org_https",
        "its address says http, and it speaks https",
        _NO_HTTP,
        fault=wrongs.speaks_tls,
    ),
    _org(
        "org_another_model",
        "another model answers than was asked: its name stands in `complete --json` and the ledger",
        "",
        fault=streams(wrongs.answers_as_another),
        shown=ORG,
        then=_UNSURE,
        kind="Normal",
        heals="nothing to mend",
    ),
    _org(
        "org_empty",
        "an answer without text",
        "",
        fault=wrongs.says_no_word,
        then=_UNSURE,
        kind="Normal",
        heals="nothing to mend",
    ),
    Row(
        "ledger_unwritable",
        "machine",
        "the ledger cannot be written",
        reason="refused_policy",
        says="The ledger in {ledger} cannot be written ({why}), so nothing leaves this machine:"
        " free or mend that folder.",
        heals="the next request after the folder is mended",
    ),
    # a local server of OpenAI's protocol
    _local(
        "local_absent",
        "nothing listens at its address",
        "Nothing answers at {at}: start it, or correct the address.",
        absent=True,
        served=True,
    ),
    _local(
        "local_loading",
        "503: llama.cpp is loading its model",
        _BUSY.replace("{status}", "503, unavailable_error"),
        fault=says(
            503, {"message": "Loading model", "type": "unavailable_error"}, where=everywhere
        ),
        served=True,
    ),
    _local(
        "local_401",
        "401: it wants another key",
        _KEY.replace("{status}", "401"),
        fault=says(401, where=everywhere),
    ),
    _local(
        "local_memory",
        "500: it runs out of memory",
        "The model server at {at} failed (HTTP 500, server_error).",
        fault=says(500, {"message": "failed to allocate buffer", "type": "server_error"}),
    ),
    _local(
        "local_dies",
        "it dies in the middle of an answer",
        _HANGUP,
        fault=streams(wrongs.breaks_off),
        served=True,
    ),
    _local(
        "local_silent",
        "it takes the request and never answers",
        "The local model did not answer in time.",
        fault=wrongs.says_nothing,
        settings={"limits.local_deadline_ms": 500},
    ),
    _local(
        "local_endless",
        "an endless stream of tokens",
        "What answers at {at} sends more than it was asked for: check the address.",
        fault=streams(wrongs.never_ends),
        server={"logprob": -0.05},
    ),
    _local(
        "local_another",
        "a web server listens there",
        _NO_SERVER,
        fault=page(200, where=everywhere),
    ),
    _local(
        "local_https",
        "its address says http, and it speaks https",
        _NO_HTTP,
        fault=wrongs.speaks_tls,
    ),
    Row(
        "local_no_logprobs",
        "openai",
        "it gives no log-probs: the parser alone decides",
        reason="kept",
        says="",
        kind="Normal",
        heals="nothing to mend",
        server={"logprob": None},
    ),
    # Ollama
    _local(
        "ollama_absent",
        "Ollama does not run",
        "Nothing answers at {at}: start it with `ollama serve`, or correct its address.",
        who="ollama",
        absent=True,
        served=True,
    ),
    _local(
        "ollama_no_model",
        "Ollama has no code model",
        "Ollama at {at} has no code model: get one with `ollama pull qwen2.5-coder:1.5b`.",
        who="ollama",
        fault=serves_other_models([]),
    ),
    _local(
        "ollama_evicted",
        "404: the model was deleted between two requests",
        "Ollama at {at} does not have the model 'qwen2.5-coder': get it with `ollama pull"
        " qwen2.5-coder`.",
        who="ollama",
        fault=says(404, "model 'qwen2.5-coder' not found"),
        served=True,
    ),
    _local(
        "ollama_memory",
        "500: the model does not fit into memory",
        "Ollama at {at} failed (HTTP 500): model requires more system memory (5.6 GiB) than is"
        " available (3.2 GiB).",
        who="ollama",
        fault=says(
            500,
            "model requires more system memory (5.6 GiB) than is available (3.2 GiB)",
        ),
        served=True,
    ),
    _local(
        "ollama_crashes",
        "the process that runs the model dies in the middle of an answer",
        "Ollama at {at} failed (HTTP 500).",
        who="ollama",
        fault=streams(wrongs.fails_inside),
    ),
    _local(
        "ollama_busy",
        "503: too many requests wait there",
        "Ollama at {at} is busy (HTTP 503): try again later.",
        who="ollama",
        fault=says(503, "server busy, please try again. maximum pending requests exceeded"),
    ),
    Row(
        "ollama_unloaded",
        "ollama",
        "it has put the model out of memory, and loads it again for the next request",
        reason="low_confidence",
        says="",
        shown=ORG,
        kind="Normal",
        heals="nothing to mend: the first answer takes as long as that",
        fault=wrongs.loads_first,
    ),
    Row(
        "ollama_too_old",
        "ollama",
        "an Ollama before 0.12.11, which gives no log-probs: the parser alone decides",
        reason="kept",
        says="Ollama 0.5.1 at {at} gives no log-probs, so confidence is unknown: update it to"
        " 0.12.11 or later.",
        kind="Normal",
        heals="the next request after Ollama was updated",
        server={"version": "0.5.1", "logprob": None},
    ),
)
