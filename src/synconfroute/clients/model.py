"""What every model server is to the rest of the project: a stream of tokens, and a probe."""

from collections.abc import AsyncIterator
from dataclasses import dataclass
from enum import StrEnum
from types import TracebackType
from typing import Protocol, Self, runtime_checkable


@dataclass(frozen=True, slots=True)
class Token:
    """One generated token.

    The texts of a stream's tokens, joined, are exactly the text that the server sent: a token
    that is a piece of a character has the text "" and the last piece carries the character.

    Attributes:
        text: the token's text.
        logprob: natural logarithm of its probability, ≤ 0; None where the server gave none.
        forced: a grammar left the model no choice; says nothing about confidence.
    """

    text: str
    logprob: float | None = None
    forced: bool = False


@dataclass(frozen=True, slots=True)
class TextPrompt:
    """A raw prompt: special tokens stand in the text, no template is applied."""

    text: str


@dataclass(frozen=True, slots=True)
class ChatPrompt:
    """A chat whose answer is begun for the model.

    Attributes:
        system: the system turn, or "" for the model's own.
        user: the user turn.
        prefill: how the assistant's turn begins; the model goes on from here.
    """

    user: str
    prefill: str = ""
    system: str = ""


@dataclass(frozen=True, slots=True)
class LineGrammar:
    """Forces one line of text where the server can (the embedded engine).

    Attributes:
        lead: text that the answer must begin with; the prompt was cut right before it. The client
            takes it off the stream again, so that tokens hold the answer proper.
        indent: the line may begin with white space after the lead; else its first character is
            visible. After an empty lead it always may: the cursor stands right behind code.
        forbid: characters that the line may not begin with, such as "#" in Python, where a
            comment is no answer.
    """

    lead: str = ""
    indent: bool = False
    forbid: str = ""


@dataclass(frozen=True, slots=True)
class GenerationRequest:
    """What to generate.

    Attributes:
        prompt: raw text or a chat.
        max_tokens: the most tokens to generate, ≥ 1.
        temperature: 0 is greedy.
        seed: of the random numbers that are drawn above temperature 0; None: the server's own.
        stop_token_ids: ids that end the answer (vLLM; others know their own).
        grammar: one forced line, where the server can; ignored elsewhere.
        request_id: our id of the request, sent along where a server takes one.
        given: white space at the prompt's end that the buffer does not hold: the answer to insert
            begins with it. Not sent apart from the prompt.
        heal: the end of what stands before the cursor, where the prompt leaves it out to end where
            a token does: the answer has to begin with it. Servers that can are made to; whoever
            asks takes it off the answer.
        plain: the prompt with `heal` in it, for when the model begins otherwise.
        automatic: nobody asked for it: a server that can may serve others first.
        traceparent: which trace it belongs to (W3C Trace Context), sent along; "": none is told.
    """

    prompt: TextPrompt | ChatPrompt
    max_tokens: int
    temperature: float = 0.0
    seed: int | None = None
    stop_token_ids: tuple[int, ...] = ()
    grammar: LineGrammar | None = None
    request_id: str = ""
    given: str = ""
    heal: str = ""
    plain: TextPrompt | ChatPrompt | None = None
    automatic: bool = False
    traceparent: str = ""


@dataclass(frozen=True, slots=True)
class Finish:
    """How a stream ended by itself.

    Attributes:
        reason: "stop" (the model ended) or "length" (max_tokens).
        generated: tokens generated, by the server's own count where it gives one.
        model: the model that the server says answered, or "".
        prompt_tokens: tokens of the prompt, by the server's count, where it gives one.
        logprobs_lost: the server generated more tokens than it gave log-probs for.
    """

    reason: str
    generated: int
    model: str = ""
    prompt_tokens: int | None = None
    logprobs_lost: bool = False


class TokenStream(Protocol):
    """Tokens in the order generated. Closing it closes the connection, which cancels."""

    @property
    def finish(self) -> Finish | None:
        """How it ended by itself; None while it runs and when it was closed early."""
        ...

    def __aiter__(self) -> AsyncIterator[Token]: ...

    async def __anext__(self) -> Token: ...

    async def aclose(self) -> None:
        """Close the connection at once. Safe to call twice."""
        ...

    async def __aenter__(self) -> Self: ...

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None: ...


class State(StrEnum):
    """What a probe found."""

    READY = "ready"
    LOADING = "loading"
    UNREACHABLE = "unreachable"
    KEY_REFUSED = "key_refused"
    MODEL_MISSING = "model_missing"
    NOT_A_SERVER = "not_a_server"
    NO_WEIGHTS = "no_weights"


@dataclass(frozen=True, slots=True)
class Probe:
    """What a server can do, found out by asking it. Never raised, always returned.

    Attributes:
        state: can it answer?
        message: one sentence: what was found and, if something is wrong, what mends it.
        server: name and version, such as "Ollama 0.33.0"; "" if it does not say.
        model: the model's name on that server.
        models: every model the server offers.
        logprobs: does it give log-probs? None where that was not found out.
        fim_family: name of a family in `clients.fim_families`, or None where the model has no FIM.
        grammar: can it force a line (`LineGrammar`)?
        chats: its chat endpoint goes on with an answer that was begun for the model. Found out only
            where there is no FIM.
        heals: can it make an answer begin with a text (`GenerationRequest.heal`)?
        context_tokens: the model's context, or None where unknown.
        device: "cpu", "gpu", "mixed", or None where unknown.
        prompt_tokens: the longest prompt that this machine evaluates in time, or None: no limit
            but the context.
        retry_after: seconds that a busy server asks to wait, or None where it does not say.
    """

    state: State
    message: str
    server: str = ""
    model: str = ""
    models: tuple[str, ...] = ()
    logprobs: bool | None = None
    fim_family: str | None = None
    grammar: bool = False
    context_tokens: int | None = None
    device: str | None = None
    prompt_tokens: int | None = None
    heals: bool = False
    chats: bool = False
    retry_after: float | None = None

    @property
    def ready(self) -> bool:
        """True if a request can be sent now."""
        return self.state is State.READY


class ModelClient(Protocol):
    """One model on one server."""

    @property
    def name(self) -> str:
        """Which client this is: "ollama", "openai" or "embedded"."""
        ...

    @property
    def address(self) -> str:
        """Scheme, host, port and base path; no key. "embedded" where it is our own engine."""
        ...

    @property
    def model(self) -> str:
        """The model's name, as the server knows it."""
        ...

    async def stream(self, request: GenerationRequest) -> TokenStream:
        """Send the request and return its tokens once the server has accepted it.

        Raises:
            ModelServerError: the server refused or cannot be reached.
            EngineError: the embedded engine does not start.
        """
        ...

    async def probe(self) -> Probe:
        """Ask the server what it can do. Raises nothing; a fault is a state."""
        ...

    async def aclose(self) -> None:
        """Close all connections."""
        ...


@runtime_checkable
class CountsTokens(Protocol):
    """A client that is told of its model's tokens."""

    def count_tokens(self, text: str) -> int:
        """The most tokens that a text has: exact where its lines were sent before, else a guess."""
        ...


@runtime_checkable
class OpensAhead(Protocol):
    """A client that can open its connection before a request wants it."""

    async def make_ready(self) -> None:
        """Have an open connection wait for the next request. Sends nothing; raises nothing."""
        ...
