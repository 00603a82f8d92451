"""Memory of our server with its parser process, with 20 documents open and completed in."""

from collections.abc import Iterator, Sequence

import psutil

from benchmarks import local_tier
from benchmarks.editing import Opened
from benchmarks.figure import Figure, figure
from benchmarks.processes import Session, idle_process, scripted_model, session
from benchmarks.samples import SAMPLES

DOCUMENTS = 20
LINES = 1_000
MOST_MB = 160.0
_SHAPE = "Ollama"
_KEYS = 3
_COUNTED = {
    "pss": "a share of shared pages",
    "uss": "own pages only",
    "rss": "shared pages twice",
}
"""What psutil tells of a process, from the fairest sum on; only Linux tells the first."""

_IMPORT_PYGLS = "import pygls.lsp.server"


def measure(quick: bool) -> Iterator[Figure]:
    """Python, Java and C++ in turn."""
    taken: dict[str, list[float]] = {}
    for _ in range(1 if quick else 3):
        for kind, megabytes in _after_all().items():
            taken.setdefault(kind, []).append(megabytes)
    with idle_process(_IMPORT_PYGLS) as alone:
        other = _megabytes([psutil.Process(alone)])
    held = next(kind for kind in _COUNTED if kind in taken)
    case = f"{DOCUMENTS} of {LINES:,} lines"
    for kind, said in _COUNTED.items():
        if kind in taken:
            yield figure(
                "memory of server and parser",
                f"{case}, {kind.upper()}: {said}", "MB", taken[kind], [other[kind]],
                beside="import pygls", hold=MOST_MB if kind == held else None,
            )  # fmt: skip


def _after_all() -> dict[str, float]:
    with (
        scripted_model(local_tier.module(_SHAPE), first_ms=5, next_ms=1) as model,
        session(*local_tier.settings(_SHAPE, model)) as editor,
    ):
        editor.initialize()
        for number in range(DOCUMENTS):
            _complete_in(editor, number)
        server = psutil.Process(editor.pid)
        children = server.children(recursive=True)
        assert children, "there is no parser process"
        return _megabytes([server, *children])


def _complete_in(editor: Session, number: int) -> None:
    language, sample = list(SAMPLES.items())[number % len(SAMPLES)]
    document = Opened(
        editor, sample.text(LINES), uri=f"file:///bench/{number}.{language}", language=language
    )
    line = sample.statement(LINES)
    document.go(line, 0)
    document.type(f"{sample.indent}\n")
    document.go(line, len(sample.indent))
    for _ in range(_KEYS):
        document.type("v")
        document.complete()


def _megabytes(processes: Sequence[psutil.Process]) -> dict[str, float]:
    """What they take together, in millions of bytes, by what is counted."""
    found = [process.memory_full_info() for process in processes]
    return {
        kind: sum(getattr(each, kind) for each in found) / 1e6
        for kind in _COUNTED
        if all(getattr(each, kind, 0) for each in found)
    }
