"""What a document says of a run, between its marks."""

from collections.abc import Iterator

from benchmarks import comparison
from benchmarks.result import Result
from benchmarks.suite import BENCHMARKS
from benchmarks.table import markdown
from benchmarks.validation.report import place_of_figures, with_figures

__all__ = ["place_of_figures", "with_figures", "written"]


def written(result: Result) -> str:
    """A table of the promises, each at its worst, then one a benchmark."""
    return "\n\n".join(_parts(result))


def _parts(result: Result) -> Iterator[str]:
    yield result.machine
    if result.promises:
        yield "Each promise, in the case that comes nearest to it or misses it most:"
        yield markdown(result.promises)
    for name, rows in result.rows.items():
        yield f"### {BENCHMARKS[name].title}"
        yield markdown(rows)
    if result.revision:
        yield f"### Beside {result.revision}"
        yield comparison.markdown(result.compared, result.revision)
