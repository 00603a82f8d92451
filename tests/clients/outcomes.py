"""What each recorded answer must become. Written from the recordings, not from the clients."""

from dataclasses import dataclass

from synconfroute.errors import (
    KeyRefused,
    ModelMissing,
    ModelServerError,
    PromptTooLong,
    RequestRefused,
    ServerBusy,
    ServerFault,
)


@dataclass(frozen=True)
class Says:
    """An answer with tokens.

    Attributes:
        text: the tokens' texts, joined.
        tokens: how many.
        reason: why it ended; None: it was cut off and the client hangs up.
        generated: tokens by the server's count, the end token included.
        first: the first three log-probs.
        scored: how many tokens have a log-prob; None: all.
        lost: the server generated more tokens than it gave log-probs for.
    """

    text: str
    tokens: int
    reason: str | None
    generated: int
    first: tuple[float, ...]
    scored: int | None = None
    lost: bool = False


@dataclass(frozen=True)
class Fails:
    """An answer that is an error.

    Attributes:
        error: its class, exactly.
        says: what its sentence must contain.
    """

    error: type[ModelServerError]
    says: str


Outcome = Says | Fails

MEAN = "total / len(values)"
MEAN_AND_COMMENT = f"{MEAN}  # Calculate the mean"
MEAN_AND_PROSE = f"{MEAN_AND_COMMENT}\n```\n\nIn this code, the `mean` function takes a"
SIGNS = '𓀀", "🫠", "𝕬", "'
ADD_TWICE = "a + b;\n    }\n}\n\nclass B {\n    static int add(int a, int b) {\n        return a"
FIBONACCI = (
    "    if n <= 1:\n        return n\n    else:\n"
    "        return fib(n-1) + fib(n-2)\n\nprint(fib(10))"
)
FRONT = "v.front();\n}\nint last(const std::vector<int>& v) {\n    return v.back();\n}\nint "
TWO_SUMS = "sum(values) / len(values)\n"
LIST = (
    " list of values as input. It calculates the total sum of the values using the `sum` "
    "function and then divides this total by the number of values in the list using the "
    "`len` function to ensure that the division is performed correctly. The result is the "
    "mean of the values. The function is then tested with the input `[1, 2, 3]`, which "
    "should return `2.0`."
)

STREAMS: dict[str, dict[str, Outcome]] = {
    "llama.cpp-server": {
        "completions-bad-json": Fails(ServerFault, "failed (HTTP 500, server_error)"),
        "completions-closed-after-3": Says("    if len", 3, None, 0, (-0.197, -0.175, -0.096)),
        "completions-empty-body": Fails(ServerFault, "failed (HTTP 500, server_error)"),
        "completions-fim-cpp": Says(
            FRONT + "sum(const", 24, "length", 24, (-1.439, -0.701, -0.201)
        ),
        "completions-fim-java": Says(ADD_TWICE, 24, "length", 24, (-0.044, -0.01, 0.0)),
        "completions-fim-python": Says(MEAN_AND_PROSE, 24, "length", 24, (-0.112, -0.025, -0.005)),
        "completions-five-stops": Says(
            MEAN_AND_PROSE.removesuffix(" a"), 24, "length", 24, (-0.115, -0.025, -0.005)
        ),
        "completions-logprobs-too-many": Says(
            MEAN_AND_PROSE, 24, "length", 24, (-0.115, -0.025, -0.005)
        ),
        "completions-max-tokens-too-large": Says(
            MEAN_AND_PROSE + LIST, 107, "stop", 108, (-0.115, -0.025, -0.005)
        ),
        "completions-model-missing": Says(
            MEAN_AND_PROSE, 24, "length", 24, (-0.115, -0.025, -0.005)
        ),
        "completions-no-logprobs": Says(MEAN_AND_PROSE, 24, "length", 24, (), scored=0, lost=True),
        "completions-not-streamed": Says(
            MEAN_AND_PROSE, 24, "length", 24, (-0.115, -0.025, -0.005)
        ),
        "completions-priority": Says(
            "total / len(values", 4, "length", 4, (-0.112, -0.025, -0.005)
        ),
        "completions-request-id": Says(
            "total / len(values", 4, "length", 4, (-0.115, -0.025, -0.005)
        ),
        "completions-split-utf8": Says(SIGNS, 9, "length", 16, (-0.011, -0.021, -0.005), lost=True),
        "completions-stop-newline": Says("x + 1", 4, "stop", 5, (-0.672, -1.346, -0.533)),
        "completions-stop-partial-match": Says(
            MEAN_AND_COMMENT, 10, "stop", 11, (-0.115, -0.025, -0.005)
        ),
        "completions-suffix-field": Says(
            " total / len(values)\n\n# Example usage\nvalues = [1, 2, 3, 4, ",
            24,
            "length",
            24,
            (-0.718, -0.042, -0.014),
        ),
        "completions-three-choices": Says(
            "total / len(values)  # Mean", 8, "length", 8, (-0.115, -0.025, -0.005)
        ),
        "completions-too-long": Fails(PromptTooLong, "(5204 tokens, room for 2048)"),
        "completions-usage": Says(MEAN_AND_PROSE, 24, "length", 24, (-0.115, -0.025, -0.005)),
        "completions-wrong-type": Fails(RequestRefused, "(HTTP 400, invalid_request_error)"),
        "no-key": Fails(KeyRefused, "refuses the key"),
        "wrong-key": Fails(KeyRefused, "refuses the key"),
    },
    "ollama-0.24.0": {
        "chat-logprobs": Says(
            "def add(*args, **kwargs):\n    result = 0\n    for arg",
            16,
            "length",
            16,
            (-1.64, -0.327, -2.873),
        ),
        "chat-prefilled": Says(
            "```python\n# Example of a function", 8, "length", 8, (-2.217, -0.248, -0.003)
        ),
        "chat-stop-newline": Says(
            "def add(*args, **kwargs):", 8, "stop", 9, (-1.64, -0.327, -2.873)
        ),
        "generate-at-once-end": Says(
            "while x < 5:\n    print(x)\n    x += 1\n\n", 16, "length", 16, (-1.462, -0.145, -0.559)
        ),
        "generate-bad-json": Fails(RequestRefused, "refuses the request (HTTP 400)"),
        "generate-cjk": Says(
            '世界"\n\n# 输出问候语\nprint(GREETING)', 12, "length", 12, (-0.006, -0.486, -0.204)
        ),
        "generate-closed-after-3": Says("    if len", 3, None, 0, (-0.201, -0.195, -0.085)),
        "generate-emoji": Says(
            '🔥"}\n\ndef get_smiles(smile', 8, "length", 8, (-1.612, -1.944, -0.395)
        ),
        "generate-fim-again-cached": Says(MEAN, 5, "stop", 6, (-0.134, -0.024, -0.005)),
        "generate-fim-cpp": Says(
            "v.front();\n}\n\nint main() {\n    std::vector<int> vec = {1, 2, 3",
            24,
            "length",
            24,
            (-1.284, -0.683, -0.209),
        ),
        "generate-fim-java": Says(
            "a + b;\n    }\n}\n\nclass B extends A {\n    static int add(int a, int b) {\n       ",
            24,
            "length",
            24,
            (-0.04, -0.011, 0.0),
        ),
        "generate-fim-python": Says(MEAN, 5, "stop", 6, (-0.134, -0.024, -0.005)),
        "generate-length-cut": Says("total / len", 3, "length", 3, (-0.134, -0.024, -0.005)),
        "generate-model-missing": Fails(ModelMissing, "`ollama pull nope:3b`"),
        "generate-multiline": Says(FIBONACCI, 34, "stop", 35, (-0.523, -0.812, -0.007)),
        "generate-no-body": Fails(RequestRefused, "refuses the request (HTTP 400)"),
        "generate-no-logprobs-asked": Says(MEAN, 5, "stop", 6, (), scored=0, lost=True),
        "generate-not-streamed": Says(MEAN, 5, "stop", 6, (-0.134, -0.024, -0.005)),
        "generate-raw-with-system": Fails(RequestRefused, "HTTP 400"),
        "generate-split-utf8": Says(SIGNS, 14, "length", 16, (-1.19, -0.002, -0.01), lost=True),
        "generate-stop-held-back": Says("return a + b", 4, "stop", 5, (-1.037, -0.445, -0.767)),
        "generate-stop-newline": Says("x + x - x * x", 7, "stop", 8, (-0.643, -1.301, -1.212)),
        "generate-stop-partial-match": Says(MEAN, 5, "stop", 6, (-0.134, -0.024, -0.005)),
        "generate-suffix-no-insert": Fails(RequestRefused, "HTTP 400"),
        "generate-suffix-template": Says(MEAN, 5, "stop", 6, (-0.134, -0.024, -0.005)),
        "generate-think-true": Fails(RequestRefused, "HTTP 400"),
        "generate-too-long-default": Says(
            TWO_SUMS + "values = [1, 2, 3, 4, 5]\n", 24, "length", 24, (-0.42, -0.003, -0.01)
        ),
        "generate-too-long-no-shift": Says("sum", 1, "length", 1, (-0.42,)),
        "generate-too-long-no-truncate": Fails(PromptTooLong, "too long for the model 'qwen'"),
        "generate-top-logprobs-21": Fails(RequestRefused, "HTTP 400"),
        "generate-top-logprobs": Says(MEAN, 5, "stop", 6, (-0.134, -0.024, -0.005)),
        "generate-unknown-option": Says(MEAN, 5, "stop", 6, (-0.134, -0.024, -0.005)),
        "generate-wrong-option-type": Fails(ServerFault, "failed (HTTP 500)"),
        "load-only": Says("", 0, "stop", 0, ()),
        "unload": Says("", 0, "stop", 0, ()),
        "v1-completions-logprobs": Says(
            "The `mean` function calculates the average", 8, "length", 8, (), scored=0, lost=True
        ),
        "v1-model-missing": Fails(ModelMissing, "does not have the model 'nope'"),
    },
    "ollama-0.33.0-rc2": {
        "chat-logprobs": Says(
            "def add(a, b):\n    return a + b", 12, "stop", 13, (-1.64, -0.327, -0.126)
        ),
        "chat-prefilled": Says("def add(a, b):\n   ", 8, "length", 8, (-1.662, -0.472, -0.053)),
        "chat-stop-newline": Says("def add(a, b):", 7, "stop", 8, (-1.64, -0.327, -0.126)),
        "generate-at-once-end": Says(
            "while x < 10:\n    x += 1\n    print(x", 16, "length", 16, (-1.413, -0.165, -0.559)
        ),
        "generate-bad-json": Fails(RequestRefused, "refuses the request (HTTP 400)"),
        "generate-cjk": Says(
            '世界"\n\n# 输出问候语\nprint(GREETING)', 12, "length", 12, (-0.006, -0.483, -0.187)
        ),
        "generate-closed-after-3": Says("    if len", 3, None, 0, (-0.208, -0.184, -0.092)),
        "generate-emoji": Says('🚀", "snake again": "🐍', 8, "length", 8, (-1.126, -1.052, -0.011)),
        "generate-fim-again-cached": Says(
            MEAN_AND_PROSE, 24, "length", 24, (-0.112, -0.025, -0.005)
        ),
        "generate-fim-cpp": Says(FRONT + "size(const", 24, "length", 24, (-1.435, -0.716, -0.205)),
        "generate-fim-java": Says(ADD_TWICE, 24, "length", 24, (-0.041, -0.011, 0.0)),
        "generate-fim-python": Says(MEAN_AND_PROSE, 24, "length", 24, (-0.112, -0.025, -0.005)),
        "generate-length-cut": Says("total / len", 3, "length", 3, (-0.112, -0.025, -0.005)),
        "generate-model-missing": Fails(ModelMissing, "`ollama pull nope:3b`"),
        "generate-multiline": Says(FIBONACCI + "\n", 34, "stop", 35, (-0.505, -0.852, -0.006)),
        "generate-no-body": Fails(RequestRefused, "refuses the request (HTTP 400)"),
        "generate-no-logprobs-asked": Says(
            MEAN_AND_PROSE, 24, "length", 24, (), scored=0, lost=True
        ),
        "generate-not-streamed": Says(MEAN_AND_PROSE, 24, "length", 24, (-0.112, -0.025, -0.005)),
        "generate-raw-with-system": Fails(RequestRefused, "HTTP 400"),
        "generate-split-utf8": Says(SIGNS, 9, "length", 16, (-0.012, -0.022, -0.005), lost=True),
        "generate-stop-held-back": Says("return a + b", 4, "stop", 5, (-1.025, -0.43, -0.802)),
        "generate-stop-newline": Says("x + 1", 4, "stop", 5, (-0.65, -1.257, -0.547)),
        "generate-stop-partial-match": Says(
            MEAN_AND_COMMENT, 4, "stop", 11, (-0.025, -1.514, -0.143), lost=True
        ),
        "generate-suffix-no-insert": Fails(RequestRefused, "HTTP 400"),
        "generate-suffix-template": Says(
            MEAN_AND_PROSE, 24, "length", 24, (-0.112, -0.025, -0.005)
        ),
        "generate-think-true": Fails(RequestRefused, "HTTP 400"),
        "generate-too-long-default": Says(
            TWO_SUMS + "\n# Example usage\nvalues = [1, 2, 3, 4",
            24,
            "length",
            24,
            (-0.546, -0.003, -0.011),
        ),
        "generate-too-long-no-shift": Fails(PromptTooLong, "too long for the model 'qwen'"),
        "generate-too-long-no-truncate": Fails(PromptTooLong, "(5211 tokens, room for 2048)"),
        "generate-top-logprobs-21": Fails(RequestRefused, "HTTP 400"),
        "generate-top-logprobs": Says(MEAN_AND_PROSE, 24, "length", 24, (-0.112, -0.025, -0.005)),
        "generate-unknown-option": Says(MEAN_AND_PROSE, 24, "length", 24, (-0.112, -0.025, -0.005)),
        "generate-wrong-option-type": Fails(ServerFault, "failed (HTTP 500)"),
        "load-only": Says("", 0, "stop", 0, ()),
        "unload": Says("", 0, "stop", 0, ()),
        "v1-completions-logprobs": Says(
            "The `mean` function calculates the mean", 8, "length", 8, (), scored=0, lost=True
        ),
        "v1-model-missing": Fails(ModelMissing, "does not have the model 'nope'"),
    },
    "vllm-0.32.0": {
        "completions-bad-json": Fails(RequestRefused, "(HTTP 400, Bad Request, body.18)"),
        "completions-closed-after-3": Says("    if len", 3, None, 0, (-0.19, -0.168, -0.103)),
        "completions-empty-body": Fails(RequestRefused, "(HTTP 400, Bad Request, body)"),
        "completions-fim-cpp": Says(
            FRONT + "middle(const", 24, "length", 24, (-1.227, -0.688, -0.196)
        ),
        "completions-fim-java": Says(ADD_TWICE, 24, "length", 24, (-0.046, -0.011, 0.0)),
        "completions-fim-python": Says(MEAN_AND_PROSE, 24, "length", 24, (-0.092, -0.025, -0.004)),
        "completions-five-stops": Fails(RequestRefused, "(HTTP 400, Bad Request, body.stop)"),
        "completions-logprobs-too-many": Fails(
            RequestRefused, "(HTTP 400, BadRequestError, logprobs)"
        ),
        "completions-max-tokens-too-large": Fails(
            RequestRefused, "(HTTP 400, BadRequestError, max_tokens)"
        ),
        "completions-model-missing": Fails(ModelMissing, "does not have the model 'nope'"),
        "completions-no-logprobs": Says(MEAN_AND_PROSE, 24, "length", 24, (), scored=0, lost=True),
        "completions-not-streamed": Says(
            MEAN_AND_PROSE, 24, "length", 24, (-0.092, -0.025, -0.004)
        ),
        "completions-priority": Says(
            "total / len(values", 4, "length", 4, (-0.092, -0.025, -0.004)
        ),
        "completions-request-id": Says(
            "total / len(values", 4, "length", 4, (-0.092, -0.025, -0.004)
        ),
        "completions-split-utf8": Says(SIGNS, 16, "length", 16, (-1.216, -0.002, -0.011)),
        "completions-stop-newline": Says("x + 1", 4, "stop", 5, (-0.7, -1.274, -0.544)),
        "completions-stop-partial-match": Says(
            MEAN_AND_COMMENT, 11, "stop", 11, (-0.092, -0.025, -0.004)
        ),
        "completions-suffix-field": Fails(RequestRefused, "(HTTP 400, BadRequestError, suffix)"),
        "completions-three-choices": Fails(ServerBusy, "is busy"),
        "completions-too-long": Fails(PromptTooLong, "(2049 tokens, room for 2048)"),
        "completions-usage": Says(MEAN_AND_PROSE, 24, "length", 24, (-0.092, -0.025, -0.004)),
        "completions-wrong-type": Fails(RequestRefused, "(HTTP 400, Bad Request, body.max_tokens)"),
        "no-key": Fails(KeyRefused, "refuses the key"),
        "wrong-key": Fails(KeyRefused, "refuses the key"),
    },
}
