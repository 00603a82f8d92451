"""The confirmation by g++: C++ that our parser rejects or cannot judge may still compile.

Only a yes counts. A no says nothing about the text: the user is in the middle of an edit.
"""

import asyncio
import re
import shutil
import tempfile
from pathlib import Path

from synconfroute.server.completion.compile_commands import flags_of
from synconfroute.server.completion.hole import Hole
from synconfroute.server.completion.sandbox import Limits, run
from synconfroute.validators.verdict import Outcome, Verdict

_COMPILER = "g++"
_FIXED = (
    "-fsyntax-only", "-w", "-fmax-errors=1", "-fno-diagnostics-show-caret", "-x", "c++",
)  # fmt: skip
"""Without the caret no line is read of a file that a #line directive names."""
_MEMORY = 2 << 30
_CONFIRMED = Verdict(Outcome.VALID, "g++ accepts the buffer with the text in it")

_SPLICED = re.compile(r"(\\|\?\?/)[ \t]*\n")
_READS = re.compile(r"\b(include|include_next|import|embed|__has_include|__has_embed)\b")
_DIRECTIVE = re.compile(r"(#|%:|\?\?=|\*/)")
_PLAIN = re.compile(r'\s*#\s*include\s*[<"](?![/~])[\w./+-]+[>"]\s*(//.*)?')


class Confirmation:
    """Asks g++, in a sandbox, with what `compile_commands.json` may say."""

    def __init__(self, seconds: float) -> None:
        """Find the compiler.

        Args:
            seconds: the longest that one run may take; then the verdict stays as it is.
        """
        self._compiler = shutil.which(_COMPILER)
        self._limits = Limits(seconds, _MEMORY)

    async def __call__(self, hole: Hole, text: str, verdict: Verdict) -> Verdict:
        """The verdict, or `valid` where it was not and g++ accepts the whole buffer.

        The compiler runs in a thread's child process; the event loop is free meanwhile.
        """
        if verdict.outcome is Outcome.VALID or hole.language != "cpp" or not hole.whole:
            return verdict
        source = f"{hole.prefix}{text}{hole.suffix}"
        if self._compiler is None or reads_elsewhere(source):
            return verdict
        path = Path(hole.path) if hole.path is not None else None
        return _CONFIRMED if await asyncio.to_thread(self._accepts, source, path) else verdict

    def _accepts(self, source: str, path: Path | None) -> bool:
        arguments, readable = ["-std=c++20"], []
        if path is not None:
            flags = flags_of(path)
            arguments += [*flags.arguments, f"-iquote{path.parent}"]
            readable = [path.parent, *flags.folders]
        with tempfile.TemporaryDirectory() as folder:
            try:
                ended = run(
                    [str(self._compiler), *_FIXED, *arguments, "-"],
                    folder=Path(folder),
                    limits=self._limits,
                    stdin=source.encode("utf-8", "replace"),
                    readable=readable,
                )
            except OSError:
                return False
        return ended.code == 0


def reads_elsewhere(source: str) -> bool:
    """Might this text have a compiler read a file by a path that leaves the include paths?

    Where bubblewrap is missing, nothing else prevents it. A line that names a file to be read in
    any but the plainest way counts, even in a comment: then there is no confirmation.
    """
    for line in _SPLICED.sub("", source).split("\n"):
        if _READS.search(line) and (_DIRECTIVE.search(line) or "__has_" in line):
            plain = _PLAIN.fullmatch(line)
            if plain is None or ".." in line:
                return True
    return False
