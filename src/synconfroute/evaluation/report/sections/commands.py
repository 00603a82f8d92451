"""The commands that make what a report lacks."""

_RUN = "synconfroute eval run --data DATA --model PROVIDER:NAME"


def run(options: str, out: str) -> str:
    """Have a model answer."""
    return f"{_RUN} {options} --out {out}"


SINGLE_LINE = run("--bench humaneval-single-line --profile paper --sample 300", "answers.jsonl")
TABLE_1 = run("--bench table-1 --profile paper", "table-1.jsonl")
SAFIM = "\n".join(
    run(f"--bench safim-{kind} --sample 40 --cut context", f"{kind}.jsonl")
    for kind in ("control", "block", "api")
)
LATENCY = (
    "synconfroute eval latency --data DATA --bench humaneval-single-line --sample 60"
    " --model PROVIDER:NAME --out latency.json"
)
FEW_SHOT = run(
    "--bench humaneval-single-line --profile paper --sample 100 --shots 1 --examples tfidf",
    "tfidf.jsonl",
)
VOTING = run(
    "--bench humaneval-single-line --profile paper --sample 60 --draws 10 --temperature 0.6",
    "draws.jsonl",
)
LEVELS = (
    "synconfroute eval quantization --data DATA --bench humaneval-single-line --sample 60"
    " --model embedded:MODEL-Q4_K_M.gguf embedded:MODEL-Q8_0.gguf --out levels/"
)
