"""Figures in words: shares in percent, intervals, counts of a whole."""


def percent(share: float) -> str:
    """With one decimal and without the sign."""
    return f"{100 * share:.1f}"


def interval(bounds: tuple[float, float]) -> str:
    """In percent, without decimals."""
    low, high = bounds
    return f"{100 * low:.0f}–{100 * high:.0f}"


def number(value: float | None, form: str) -> str:
    """In that form; a dash where it is not known."""
    return "–" if value is None else format(value, form)


def of(part: int, whole: int) -> str:
    """A count with its share."""
    return f"{part:,} ({part / whole:.1%})" if whole else f"{part:,}"


def milliseconds(seconds: float | None) -> str:
    """Whole ones."""
    return "–" if seconds is None else f"{1000 * seconds:,.0f} ms"


BENCHES = {
    "humaneval-single-line": "HumanEval-Infilling, single lines",
    "humaneval-multi-line": "HumanEval-Infilling, several lines",
    "table-1": "the six tasks of Table 1",
}
KINDS = {"control": "Control", "block": "Block", "api": "API"}
LANGUAGES = {"python": "Python", "java": "Java", "cpp": "C++"}


def bench_name(bench: str) -> str:
    """A benchmark for people."""
    if bench in BENCHES:
        return BENCHES[bench]
    first, _, rest = bench.partition("-")
    kind, _, language = rest.partition("-")
    if first == "safim" and kind in KINDS and language in LANGUAGES:
        return f"SAFIM {LANGUAGES[language]} {KINDS[kind]}"
    return bench
