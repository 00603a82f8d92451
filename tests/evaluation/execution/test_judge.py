"""What passes: programs of three languages, answers that must be the truth, and the order."""

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from synconfroute.errors import EvaluationError
from synconfroute.evaluation.datasets import RunToEnd, Same, Task
from synconfroute.evaluation.execution import Result, judge, protection
from synconfroute.evaluation.execution.walls import Walls, strongest
from tests.evaluation.execution.conftest import left_running, nothing_left_running, skip_without
from tests.evaluation.execution.tasks import TO_END, answers, task

PYTHON = "n = int(input())\nprint('Sum', n + n)\nexit()\n"
CPP = '#include <iostream>\nint main() { int n; std::cin >> n; std::cout << "SUM " << n + n; }\n'
JAVA = """
class Helper { static int twice(int n) { return n + n; } }
public class Solution {
  public static void main(String[] args) {
    java.util.Scanner in = new java.util.Scanner(System.in);
    System.out.println("sum\\n" + Helper.twice(in.nextInt()));
  }
}
"""
LANGUAGES = [
    ("python", PYTHON, None),
    ("cpp", CPP, "g++"),
    ("java", JAVA, "javac"),
    ("java", JAVA.replace("public class Solution", "final class Elsewhere"), "javac"),
]
"""Language, program, and the tool that it wants."""


@pytest.mark.parametrize(
    ("language", "source", "tool"), LANGUAGES, ids=["python", "cpp", "java", "java-elsewhere"]
)
def test_programs_that_answer(language: str, source: str, tool: str | None) -> None:
    """Words are compared, whatever their case and the white space; each input must be answered."""
    if tool is not None and shutil.which(tool) is None:
        pytest.skip(f"{tool} is not installed")
    right = answers(language, ("1\n", ("sum 3", " Sum  2 ")), ("-4\n", ("sum -8",)))
    wrong = answers(language, ("1\n", ("sum 2",)), ("-4\n", ("sum -9",)))
    pairs = [(right, source), (wrong, source), (right, source.replace("n + n", "n + (n"))]
    pairs += [(right, source.replace("n + n", "n + n / 0"))]
    results = judge(pairs, cache=False)
    assert [result.outcome for result in results[:3]] == ["passed", "failed", "compile error"]
    assert not results[3].passed


def test_holes_in_functions() -> None:
    """The text, with a line break below it, stands between prefix and suffix; then the tests."""
    hole = Task(
        id="1", bench="ours", language="python", group="1", whole_lines=True, truth="    y = 2 * x",
        prefix="def f(x):\n", suffix="    return y\n", check=RunToEnd("\nassert f(2) == 4\n"),
    )  # fmt: skip
    texts = ["    y = 2 * x", "    y = x", "  y = 2 * x", "", "    exit()"]
    results = judge([(hole, text) for text in texts], cache=False)
    assert [result.outcome for result in results] == [
        "passed", "failed", "compile error", "failed", "failed",
    ]  # fmt: skip


@pytest.mark.parametrize("walls", ["bubblewrap", "filter", "limits", "clock"])
def test_what_programs_may(walls: Walls) -> None:
    """A program has its own module, threads, files for the moment, and sets in one order."""
    skip_without(walls)
    seeded = subprocess.run(
        [sys.executable, "-c", "print(hash('a'))"], check=True, capture_output=True, text=True,
        env=os.environ | {"PYTHONHASHSEED": "0"},
    )  # fmt: skip
    text = (
        "from __future__ import annotations\n"
        "import dataclasses, pickle, sys, tempfile, threading, typing\n"
        "@dataclasses.dataclass\nclass A:\n    x: typing.ClassVar[int] = 1\n    y: int = 2\n"
        "assert typing.get_type_hints(A)['y'] is int\n"
        "assert pickle.loads(pickle.dumps(A())) == A()\n"
        "assert __name__ == '__main__' and len(sys.argv) == 1\n"
        "thread = threading.Thread(target=print)\nthread.start()\nthread.join()\n"
        "open(tempfile.mktemp(), 'w').close()\n"
        "assert sys.stdin.read() == ''\n"
        f"assert hash('a') == {seeded.stdout}"
    )
    (result,) = judge([(TO_END, text)], cache=False, walls=walls)
    assert result.outcome == "passed"


@pytest.mark.parametrize(
    ("text", "passed"),
    [("a.b( c )\n", True), ("a.b(c)", True), ("a.b(C)", False), ("", False), ("a.b(c);", False)],
)
def test_answers_that_must_be_the_truth(text: str, passed: bool) -> None:
    """White space makes no difference, all else does."""
    (result,) = judge([(task(Same(), truth="a.b(c)"), text)], cache=False)
    assert result == Result(passed, "passed" if passed else "failed", 0.0, cached=False)


def test_results_come_in_order() -> None:
    """However long each takes; and each is told once as it is done."""
    texts = [f"import time\ntime.sleep({0.3 if n == 0 else 0})\nassert {n} % 3" for n in range(9)]
    told: list[Result] = []
    results = judge([(TO_END, text) for text in texts], cache=False, on_done=told.append)
    assert [result.passed for result in results] == [n % 3 != 0 for n in range(9)]
    assert sorted(map(repr, told)) == sorted(map(repr, results))


def test_no_answers() -> None:
    """Nothing to judge is judged at once."""
    assert judge([]) == []


def test_a_language_that_cannot_be_run() -> None:
    """One sentence."""
    with pytest.raises(EvaluationError, match=r"^Programs in go cannot be run; python, java, cpp"):
        judge([(answers("go", ("", ("",))), "package main")], cache=False)


def test_a_compiler_that_is_missing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """One sentence that names it."""
    from synconfroute.evaluation.execution import languages

    languages.toolchain.cache_clear()
    with monkeypatch.context() as patched:
        patched.setenv("PATH", str(tmp_path))
        with pytest.raises(EvaluationError, match=r"^g\+\+ is not installed: install g\+\+ to run"):
            judge([(answers("cpp", ("", ("",))), "int main() {}")], cache=False, walls="limits")
    languages.toolchain.cache_clear()


def test_protection_is_one_sentence() -> None:
    """It says what protects the machine, whichever walls there are."""
    said = protection()
    assert said.startswith("Programs run ")
    assert said.endswith(".")
    assert ("bubblewrap" in said) is (strongest() in {"bubblewrap", "filter"})


SLEEPERS = """
import sys
from synconfroute.evaluation.execution import judge
from tests.evaluation.execution.tasks import TO_END
print("ready", flush=True)
pairs = [(TO_END, "print(1)")] + [(TO_END, "import time\\ntime.sleep(60)")] * 20
try:
    judge(pairs, cache=False, workers=2, on_done=lambda _: print("one", flush=True))
except KeyboardInterrupt:
    sys.exit(7)
"""


@pytest.mark.skipif(os.name != "posix", reason="POSIX signals")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_stopped_in_the_middle(number: signal.Signals) -> None:
    """Ctrl-C kills all programs at once; with bubblewrap they die with us however we die."""
    if number == signal.SIGKILL:
        skip_without("bubblewrap")
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    with subprocess.Popen(
        [sys.executable, "-c", SLEEPERS], stdout=subprocess.PIPE, env=environment
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"ready\n"
        assert process.stdout.readline() == b"one\n"
        deadline = time.monotonic() + 20
        # A sandbox notices our death from the moment that it stands.
        while sum(name.startswith("python") for name in left_running(process.pid)) < 2:
            assert time.monotonic() < deadline
            time.sleep(0.02)
        process.send_signal(number)
        assert process.wait(10) == (7 if number == signal.SIGINT else -signal.SIGKILL)
    assert nothing_left_running(process.pid)


def test_a_sandbox_that_does_not_start(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """It is said once, and counts against no answer; a program that only says so has failed."""
    skip_without("bubblewrap")
    text = "import sys\nsys.stderr.write('bwrap: no')\nsys.exit(1)"
    says_so = answers("python", ("", ("",)))
    (result,) = judge([(says_so, text)], cache=False, walls="bubblewrap")
    assert result.outcome == "failed"
    broken = tmp_path / "bwrap"
    broken.write_text(
        "#!/bin/sh\necho 'bwrap: No permissions to create new namespace' >&2\nexit 1\n"
    )
    broken.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    with pytest.raises(EvaluationError, match=r"here: the sandbox does not start any more\.$"):
        judge([(TO_END, "x = 1")], cache=False, walls="bubblewrap")
