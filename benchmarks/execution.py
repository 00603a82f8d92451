"""How many programs a second are executed, by language, on two cores; beside no sandbox."""

import time
from dataclasses import replace

from benchmarks.figure import Figure, figure
from synconfroute.evaluation.datasets import Answers, RunToEnd, Task
from synconfroute.evaluation.execution import judge
from synconfroute.evaluation.execution.walls import Walls, strongest

WORKERS = 2
_PYTHON = "from typing import List\n\n\ndef double(values: List[int]) -> List[int]:\n"
_CPP = (
    "#include <bits/stdc++.h>\nusing namespace std;\nint main() {\n  map<int, vector<int>> seen;\n"
    "  int n;\n  cin >> n;\n  seen[n].push_back(n);\n  cout << seen[n].size() * n;\n}\n"
)
_JAVA = (
    "import java.util.*;\npublic class A {\n  public static void main(String[] args) {\n"
    "    Map<Integer, List<Integer>> seen = new HashMap<>();\n"
    "    int n = new Scanner(System.in).nextInt();\n"
    "    seen.computeIfAbsent(n, key -> new ArrayList<>()).add(n);\n"
    "    System.out.println(n * seen.get(n).size());\n  }\n}\n"
)


def measure(quick: bool) -> list[Figure]:
    """Milliseconds on the clock for a program, several at a time: compiled, run, judged."""
    double = Task(
        "python", "speed", "python", "speed", _PYTHON, "", "", whole_lines=False,
        check=RunToEnd("\nassert double([1, 2]) == [2, 4]\n"),
    )  # fmt: skip
    comment = {"python": "#", "cpp": "//", "java": "//"}
    sources = {
        "python": (double, "    return [2 * value for value in values]\n"),
        "cpp": (_whole("cpp"), _CPP),
        "java": (_whole("java"), _JAVA),
    }
    return [
        _speed(task, text, comment[name], (20 if quick else 100) // (1 if name == "python" else 5))
        for name, (task, text) in sources.items()
    ]


def _whole(language: str) -> Task:
    check = Answers((("21\n", ("21",)),), "{{completion}}")
    return Task(language, "speed", language, "speed", "", "", "", whole_lines=False, check=check)


def _speed(task: Task, text: str, mark: str, count: int) -> Figure:
    batch = 2 * WORKERS
    rounds = max(3, count // batch)
    _batch(task, [text], strongest())  # what compilers prepare is no part of it
    ours, bare = [], []
    for round_ in range(rounds):
        # No two programs are alike, as in a benchmark.
        texts = [f"{text}{mark} {round_} {number}\n" for number in range(batch)]
        ours.append(_batch(task, texts, strongest()))
        bare.append(_batch(task, texts, "clock"))
    case = f"{task.language}, {WORKERS} at a time, {strongest()}"
    return figure(
        "execute a program", case, "ms", ours, bare, beside="without walls", hold=2, held="ratio"
    )


def _batch(task: Task, texts: list[str], walls: Walls) -> float:
    """Milliseconds a program."""
    pairs = [(replace(task, id=str(number)), text) for number, text in enumerate(texts)]
    started = time.perf_counter()
    results = judge(pairs, workers=WORKERS, cache=False, walls=walls)
    took = time.perf_counter() - started
    assert all(result.passed for result in results)
    return 1000 * took / len(pairs)
