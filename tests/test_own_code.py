"""What our code never does, whoever asks: run a text as a program, or undo a pickle."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import synconfroute

ROOT = Path(synconfroute.__file__).parent
RUN_A_TEXT = {"eval", "exec", "__import__"}
START_A_SHELL = {
    "os.system", "os.popen", "os.startfile", "subprocess.getoutput", "subprocess.getstatusoutput",
    "asyncio.create_subprocess_shell", "pty.spawn", "commands.getoutput",
}  # fmt: skip
UNDO_A_PICKLE = {"pickle", "cPickle", "marshal", "shelve", "dill", "cloudpickle", "jsonpickle"}
KNOWN = {("evaluation/execution/harness.py", "exec")}
"""Runs the benchmarks' programs, in a sandbox of their own; the server never imports it."""


def dangers(source: str) -> Iterator[str]:
    """What a module does of all this."""
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Import(names=names):
                yield from (each.name for each in names if each.name in UNDO_A_PICKLE)
            case ast.ImportFrom(module=str(module)) if module.partition(".")[0] in UNDO_A_PICKLE:
                yield module
            case ast.Call(func=ast.Name(id=name)) if name in RUN_A_TEXT:
                yield name
            case ast.Call(func=function) if ast.unparse(function) in START_A_SHELL:
                yield ast.unparse(function)
        if isinstance(node, ast.Call):
            for word in node.keywords:
                plain = isinstance(word.value, ast.Constant) and not word.value.value
                if word.arg == "shell" and not plain:
                    yield "shell=True"


def test_no_module_runs_a_text_a_shell_or_a_pickle() -> None:
    """In the whole package, but for the one place that runs benchmarks' answers."""
    found = {
        (file.relative_to(ROOT).as_posix(), danger)
        for file in ROOT.rglob("*.py")
        for danger in dangers(file.read_text(encoding="utf-8"))
    }
    assert found == KNOWN


@pytest.mark.parametrize(
    "source",
    [
        "eval('1')", "exec(text)", "import pickle", "from marshal import loads", "os.system('ls')",
        "subprocess.run('ls', shell=True)", "subprocess.run(x, shell=wanted)", "__import__(name)",
    ],
)  # fmt: skip
def test_each_would_be_found(source: str) -> None:
    """The test above can fail."""
    assert list(dangers(source))
