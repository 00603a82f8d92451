"""The settings tree: every key, its default, what is allowed, and who may set it.

Each field's metadata says what it means (`doc`), in which unit, and its limits. The reader and
the configuration reference are made from it.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from synconfroute.server.settings.rules import EVERYTHING_STAYS, Rule


def setting(  # noqa: PLR0913 - one name for each fact about a key
    default: Any,
    doc: str,
    *,
    choices: tuple[str, ...] = (),
    low: float | None = None,
    high: float | None = None,
    secret: bool = False,
    workspace: str = "never",
    address: bool = False,
    when_wrong: Any = None,
    organisation: bool = False,
) -> Any:
    """A field of the tree.

    Args:
        default: its value when nobody sets it.
        doc: one sentence for the user.
        choices: the values allowed, for text.
        low: the least value allowed, for numbers.
        high: the greatest value allowed, for numbers.
        secret: never shown.
        workspace: may a file in the workspace set it? "never"; "always"; "off": only to False,
            which tightens policy; "restrict": only with rules that keep files here.
        address: the text is the base address of a server.
        when_wrong: what holds if the value given is wrong, where falling back on another source
            could send code somewhere that the user did not mean.
        organisation: only the organisation's file may set it.
    """
    metadata = {
        "doc": doc,
        "choices": choices,
        "low": low,
        "high": high,
        "secret": secret,
        "workspace": workspace,
        "address": address,
        "when_wrong": when_wrong,
        "organisation": organisation,
    }
    if isinstance(default, dict):
        return field(default_factory=lambda: dict(default), metadata=metadata)
    return field(default=default, metadata=metadata)


_FIM = (
    "auto", "none", "qwen", "starcoder", "starcoder2", "deepseek", "codestral", "codellama",
    "codegemma", "codegeex", "granite", "glm", "seed-coder", "mellum", "falcon-h1",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Local:
    """The model on the developer's own machine."""

    provider: str = setting(
        "auto",
        "Who serves the local model: a running Ollama with a code model, else the embedded engine"
        " (auto); or one of them; or an OpenAI-compatible server such as llama.cpp or LM Studio.",
        choices=("auto", "ollama", "embedded", "openai"),
    )
    url: str = setting(
        "",
        "Address of the local server; empty: the provider's usual one.",
        address=True,
        when_wrong="",
    )
    model: str = setting("", "Model name there (embedded: a path or a known name); empty: chosen.")
    api_key: str = setting("", "Bearer key of the local server, if it wants one.", secret=True)
    allow_remote: bool = setting(
        False,
        "Allow an address that is not this machine as the local tier.",
        when_wrong=False,
    )
    fim: str = setting(
        "auto",
        "Fill-in-the-middle format; auto: by the model's own metadata; none: chat or plain text.",
        choices=_FIM,
    )
    keep_alive: str = setting("30m", "How long Ollama keeps the model in memory after a request.")
    context_tokens: int = setting(
        4096, "Context that the local server is asked for, in tokens.", low=256, high=1_048_576
    )
    threads: int = setting(
        0,
        "Threads that Ollama is asked to use, and the embedded engine where `engine.threads` is 0;"
        " 0: chosen there. Ollama loads the model anew for whoever asks for another number.",
        low=0,
        high=256,
    )
    warm_up: bool = setting(
        True,
        "Have the local model read the code around the cursor when you turn to a file, so that the"
        " first completion there comes sooner; not on battery.",
    )


@dataclass(frozen=True, slots=True)
class Org:
    """The organisation's own model server. Nothing is sent there until `url` is set."""

    url: str = setting(
        "",
        "Base address, such as https://vllm.example.org/v1; empty: none.",
        address=True,
        when_wrong="",
    )
    allow_http: bool = setting(
        False,
        "Allow plain http to another machine: whoever is on the way reads the code and the key.",
        when_wrong=False,
        organisation=True,
    )
    model: str = setting("", "Model name there; empty: the one model that the server offers.")
    api_key: str = setting("", "Bearer key.", secret=True)
    api_key_file: str = setting(
        "",
        "File that holds the bearer key and that nobody else may read, where `org.api_key` is not"
        " set.",
    )
    keyring: str = setting(
        "",
        "Entry of the operating system's keyring that holds the bearer key, as service/user, where"
        " neither `org.api_key` nor a file is set; needs the extra `keyring`.",
    )
    headers: Mapping[str, str] = setting({}, "Extra request headers.", secret=True)
    ca_file: str = setting(
        "",
        "PEM file with the only authorities whose certificates count; empty: the operating"
        " system's.",
    )
    client_certificate: str = setting(
        "", "PEM file with a client certificate, where the server wants one."
    )
    client_key: str = setting(
        "", "PEM file with its key, without a password, if it stands in a file of its own."
    )
    proxy: str = setting(
        "",
        "Address of an HTTP proxy; empty: what HTTPS_PROXY and HTTP_PROXY say. Never used for this"
        " machine.",
        address=True,
        when_wrong="",
    )
    no_proxy: str = setting(
        "",
        "Hosts and domains reached without a proxy, with commas between; `*`: all; empty: what"
        " NO_PROXY says.",
    )
    fim: str = setting(
        "auto",
        "Fill-in-the-middle format of the organisation's model.",
        choices=_FIM,
    )
    context_tokens: int = setting(
        8192, "Most tokens of prompt and answer sent there.", low=256, high=1_048_576
    )
    connect_ahead: bool = setting(
        True,
        "Open the connection there (TCP and TLS) while the local model writes, where the file may"
        " leave and a request is likely, so that it need not wait for that. Nothing of a request is"
        " sent; the server, and who watches the network, see that somebody is at work.",
        when_wrong=False,
    )
    session_header: str = setting(
        "x-session-id",
        "Headers, with commas between, that name this session by a random number, so that a router"
        " sends its requests to the same replica, whose cache holds their prompts; empty: none.",
    )
    echo_headers: str = setting(
        "x-session-token, x-session-id",
        "Headers of an answer, with commas between, that the next request carries back, as routers"
        " hand them out to find a session's replica again; empty: none.",
    )
    echo_cookies: str = setting(
        "AWSALB, AWSALBCORS, GCLB, INGRESSCOOKIE",
        "Cookies that load balancers hand out for the same, with commas between; all others are"
        " dropped; empty: all are.",
    )
    priority: str = setting(
        "auto",
        "Mark completions that come by themselves as ones that may wait for what somebody asked"
        " for, where the server understands it (auto); or never (off).",
        choices=("auto", "off"),
    )
    automatic_headers: Mapping[str, str] = setting(
        {},
        "Further request headers of completions that come by themselves, for routers that read a"
        " priority from a header.",
        secret=True,
    )


@dataclass(frozen=True, slots=True)
class Router:
    """When a local answer is kept (Algorithm 1)."""

    rule: str = setting(
        "score",
        "Algorithm 1 of the paper: low confidence and invalid code escalate (paper); evidence in"
        " the answer halves its confidence (evidence); a probability that the answer is right,"
        " from all its tokens and what speaks against it, for the models that it was fitted for,"
        " else as evidence (score).",
        choices=("paper", "evidence", "score"),
    )
    threshold: float | None = setting(
        None,
        "Confidence below this escalates, whatever the model: t* of the paper. Not set: what"
        " `router.thresholds` has for the rule, model and language; else what was measured for"
        " them; else the paper's 0.7.",
        low=0.0,
        high=1.01,
    )
    thresholds: Mapping[str, float] = setting(
        {},
        'Thresholds by "rule/model/language", as `synconfroute calibrate --write` sets them.',
        low=0.0,
        high=1.01,
    )
    confidence: str = setting(
        "answer",
        "Which first three tokens count: those of the answer proper, leaving out fences, echoed"
        " prefix and tokens that a grammar forced (answer); of these only the ones with visible"
        " text (visible); the literal first three, as in the paper (literal).",
        choices=("answer", "visible", "literal"),
    )


@dataclass(frozen=True, slots=True)
class Escalation:
    """How a request goes to the organisation's server."""

    enabled: bool = setting(
        True,
        "Escalate when an organisation server is set.",
        workspace="off",
        when_wrong=False,
    )
    hedge: bool = setting(
        True, "Let the local answer run on beside the organisation's until a usable one is there."
    )
    secrets: str = setting(
        "deny",
        "What happens to a prompt in which something looks like a key, a password or a token: it"
        " stays here (deny), or it goes with a placeholder there (redact).",
        choices=("deny", "redact"),
        when_wrong="deny",
    )
    deadline_ms: int = setting(
        4_000, "Longest wait for the organisation's answer, in ms.", low=100, high=120_000
    )
    concurrent: int = setting(
        4, "Most requests of one editor that wait there at the same time.", low=1, high=64
    )
    per_minute: int = setting(60, "Most requests of one editor within a minute.", low=1, high=6_000)


@dataclass(frozen=True, slots=True)
class Breaker:
    """A model server that failed is left alone for a while, and then tried again."""

    first_pause_ms: int = setting(
        1_000,
        "How long it is left alone after it failed, in ms; twice as long after the next failure,"
        " and so on; the local model, at first, never longer than half a second.",
        low=10,
        high=600_000,
    )
    longest_pause_ms: int = setting(
        300_000,
        "The longest time that it is left alone, in ms, whatever it asks for; at once where it"
        " refuses the key; the local model never longer than five seconds.",
        low=10,
        high=3_600_000,
    )


@dataclass(frozen=True, slots=True)
class Policy:
    """Which files may go to the organisation's server; see `docs/policy.md`."""

    default: str = setting(
        "allow",
        "What holds for files that no rule is about: they may go (allow), stay here (deny), or stay"
        " here with a line in the ledger that says what would have gone (shadow).",
        choices=("allow", "deny", "shadow"),
        when_wrong="deny",
    )
    rules: tuple[Rule, ...] = setting(
        (),
        "Rules by path, language, repository and size. Those of all places count: deny comes before"
        " shadow, shadow before allow.",
        workspace="restrict",
        when_wrong=(EVERYTHING_STAYS,),
    )


@dataclass(frozen=True, slots=True)
class Limits:
    """How much is generated, and how long anything may take."""

    lines: str = setting(
        "auto",
        "One line at a time (single), several wherever the line has no code behind the cursor"
        " (multi), or several only where a block is due, as below a header without a body, and"
        " where you ask for a completion (auto).",
        choices=("auto", "single", "multi"),
        workspace="always",
    )
    single_line_tokens: int = setting(
        50, "Most tokens of a one-line answer.", low=1, high=1024, workspace="always"
    )
    multi_line_tokens: int = setting(
        256, "Most tokens of an answer of several lines.", low=1, high=4096, workspace="always"
    )
    alternatives: int = setting(
        2,
        "Further texts drawn from the local model where you ask for a completion yourself; 0: none."
        " Completions that come by themselves are single.",
        low=0,
        high=8,
    )
    alternatives_ms: int = setting(
        700,
        "Longest time that the first text waits for the further ones, in ms.",
        low=50,
        high=60_000,
    )
    local_deadline_ms: int = setting(
        30_000, "Longest wait for the local answer, in ms.", low=100, high=600_000
    )
    validation_ms: int = setting(
        500,
        "Longest time for one verdict, in ms; past it the verdict is unknown.",
        low=10,
        high=60_000,
    )


@dataclass(frozen=True, slots=True)
class Typing:
    """Completions that come by themselves while you type."""

    debounce_ms: int = setting(
        250,
        "Longest wait of such a completion for your next key, in ms; 0: none. How long it really"
        " waits follows from how fast you type and the local model answers; one that answers"
        " between two keys is asked at once. What you ask for never waits.",
        low=0,
        high=5_000,
    )
    speculate: bool = setting(
        True,
        "Once you accept a completion, ask the local model for the next one before the editor asks."
        " Nothing is sent to the organisation's server for it.",
    )
    on_battery: str = setting(
        "on",
        "While the machine runs on battery, completions come by themselves (on), or only when you"
        " ask for them (ask_only).",
        choices=("on", "ask_only"),
    )
    completion_list: str = setting(
        "auto",
        "Offer completions in the editor's list of completions, too: where the editor does not show"
        " them inline (auto); or always (on); or never (off). Read when the editor starts the"
        " server.",
        choices=("auto", "on", "off"),
    )


@dataclass(frozen=True, slots=True)
class Context:
    """What of other files goes into prompts: definitions of what a file imports, recent edits."""

    enabled: bool = setting(
        False,
        "Put pieces of other files of the workspace into prompts for the local model.",
        workspace="off",
        when_wrong=False,
    )
    org: bool = setting(
        False,
        "Put them into prompts for the organisation's server, too.",
        workspace="off",
        when_wrong=False,
    )
    tokens: int = setting(
        512, "Most tokens of a prompt that they take, by estimate.", low=32, high=32_768
    )
    deadline_ms: int = setting(
        50,
        "Longest wait for them, in ms, at the first completion in a document; later ones take what"
        " is ready.",
        low=0,
        high=5_000,
    )


@dataclass(frozen=True, slots=True)
class Validation:
    """What stands beside the parser."""

    compiler: str = setting(
        "off",
        "Let g++ confirm C++ that the parser is not sure of, with the include paths and"
        " definitions of compile_commands.json (g++). It runs the compiler on code as it is being"
        " written, in a sandbox, and such answers wait for it.",
        choices=("off", "g++"),
    )
    compiler_ms: int = setting(
        3_000, "Longest time for one run of the compiler, in ms.", low=100, high=60_000
    )


@dataclass(frozen=True, slots=True)
class Engine:
    """The embedded llama.cpp process, one per user."""

    idle_minutes: float = setting(
        15.0, "The engine ends after this long without a request, in minutes.", low=0.05, high=1440
    )
    threads: int = setting(
        0,
        "Threads for generation; 0: as many as there are physical cores, less one above two.",
        low=0,
        high=256,
    )


@dataclass(frozen=True, slots=True)
class Ledger:
    """What is written down about everything that leaves this machine."""

    paths: str = setting(
        "full",
        "How the ledger names files: by their path (full), or by its SHA-256, which whoever knows"
        " a path can find and nobody can read (hash).",
        choices=("full", "hash"),
    )
    keep_mb: int = setting(
        64,
        "How much the ledger keeps, in megabytes: beyond it the oldest files go, but none with a"
        " request that has not ended.",
        low=1,
        high=100_000,
    )


@dataclass(frozen=True, slots=True)
class Log:
    """What is written about what happens. Never source code, never keys."""

    file: str = setting("", "Log file; empty: stderr only.")
    level: str = setting(
        "info", "How much is logged.", choices=("debug", "info", "warning", "error")
    )


@dataclass(frozen=True, slots=True)
class Metrics:
    """Numbers for a monitoring system on this machine; see `docs/observability.md`."""

    listen: str = setting(
        "",
        "Where numbers are shown as OpenMetrics and as a page, such as 127.0.0.1:9464: an address"
        " of this machine only; empty: nowhere. Of several windows one shows those of all.",
        when_wrong="",
    )


@dataclass(frozen=True, slots=True)
class Tracing:
    """Spans of each request for an OpenTelemetry collector; see `docs/observability.md`."""

    enabled: bool = setting(
        False,
        "Send what is known of each request, its times and how it was decided, to a collector;"
        " never code, names of files or folders. Needs the extra `tracing`.",
        when_wrong=False,
    )
    endpoint: str = setting(
        "",
        "Address of the collector, such as http://127.0.0.1:4318; empty: what the variables"
        " OTEL_EXPORTER_OTLP_… say, else that one.",
        address=True,
        when_wrong="",
    )
    allow_remote: bool = setting(
        False, "Allow a collector that is not this machine.", when_wrong=False
    )
    traceparent: bool = setting(
        False,
        "Tell the organisation's server which trace a request belongs to (W3C traceparent).",
        when_wrong=False,
    )


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two rules in turn, to find out which one's completions you take; see `docs/statistics.md`."""

    rule: str = setting(
        "off",
        "Each session works, by chance, with `router.rule` or with this one, and what becomes of"
        " its completions is counted. Only where an organisation's server is set: the rules differ"
        " in what is asked of it. Policy holds as ever.",
        choices=("off", "paper", "evidence", "score"),
    )
    threshold: float | None = setting(
        None,
        "The threshold beside `comparison.rule`; not set: as `router.threshold` says for it.",
        low=0.0,
        high=1.01,
    )
    sessions: int = setting(
        200,
        "So many sessions are planned, over both rules: fixed before the comparison begins.",
        low=10,
        high=1_000_000,
    )


@dataclass(frozen=True, slots=True)
class Settings:
    """The whole tree."""

    local: Local = field(default_factory=Local)
    org: Org = field(default_factory=Org)
    router: Router = field(default_factory=Router)
    escalation: Escalation = field(default_factory=Escalation)
    breaker: Breaker = field(default_factory=Breaker)
    policy: Policy = field(default_factory=Policy)
    limits: Limits = field(default_factory=Limits)
    typing: Typing = field(default_factory=Typing)
    context: Context = field(default_factory=Context)
    validation: Validation = field(default_factory=Validation)
    engine: Engine = field(default_factory=Engine)
    ledger: Ledger = field(default_factory=Ledger)
    log: Log = field(default_factory=Log)
    metrics: Metrics = field(default_factory=Metrics)
    tracing: Tracing = field(default_factory=Tracing)
    comparison: Comparison = field(default_factory=Comparison)
