"""Recorded cases of calls that this project does not make, each with its reason."""

_CHAT = "a chat is asked in a stream; `test_openai.py` asks it as recorded"
_METRICS = "operators' figures; no client reads them"
_TOKENIZE = "asked with the pieces of text that the tokens are; see `test_token_counts.py`"
_UNKNOWN = "a path that no client asks; the answer shows what a wrong path looks like"
_HEALTH = "says less than /v1/models, which the probe asks"

NOT_CALLED: dict[str, dict[str, str]] = {
    "llama.cpp-server": {
        "chat-logprobs": _CHAT,
        "chat-not-streamed": _CHAT,
        "chat-prefilled": _CHAT,
        "health": _HEALTH,
        "infill": "builds its own prompt with made-up file names; we send our own FIM tokens",
        "metrics": _METRICS,
        "slots": "asked by the embedded engine's own process only, and tested there",
        "tokenize": _TOKENIZE,
        "unknown-path": _UNKNOWN,
        "version": "llama.cpp has none; /props names its build",
    },
    "ollama-0.24.0": {
        "root": "says that something is there, but not what; /api/version does",
        "unknown-path": _UNKNOWN,
        "v1-chat-logprobs": "Ollama's own /api/chat is asked",
    },
    "ollama-0.33.0-rc2": {
        "root": "says that something is there, but not what; /api/version does",
        "unknown-path": _UNKNOWN,
        "v1-chat-logprobs": "Ollama's own /api/chat is asked",
    },
    "vllm-0.32.0": {
        "chat-logprobs": _CHAT,
        "chat-prefilled": _CHAT,
        "health": _HEALTH,
        "metrics": _METRICS,
        "tokenize": _TOKENIZE,
        "unknown-path": _UNKNOWN,
    },
}
