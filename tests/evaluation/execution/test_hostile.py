"""Programs that would do harm: each fails, does none, and is gone afterwards."""

import os
import shutil
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from synconfroute.evaluation.datasets import Task
from synconfroute.evaluation.execution import judge
from synconfroute.evaluation.execution.walls import Walls
from tests.evaluation.execution.conftest import skip_without
from tests.evaluation.execution.tasks import TO_END, answers

WALLS: list[Walls] = ["bubblewrap", "filter", "limits"]

needs_gpp = pytest.mark.skipif(shutil.which("g++") is None, reason="g++ is not installed")
needs_jdk = pytest.mark.skipif(shutil.which("javac") is None, reason="javac is not installed")

pytestmark = pytest.mark.skipif(os.name != "posix", reason="Windows has the clock alone")


def outcomes(walls: Walls, texts: list[str], task: Task = TO_END) -> list[str]:
    """What programs come to within these walls, given a second each."""
    skip_without(walls)
    pairs = [(task, text) for text in texts]
    results = judge(pairs, seconds=1, cache=False, walls=walls, workers=4)
    assert all(result.passed is (result.outcome == "passed") for result in results)
    return [result.outcome for result in results]


def outcome(walls: Walls, text: str, task: Task = TO_END) -> str:
    """What a program comes to."""
    return outcomes(walls, [text], task)[0]


HOSTILE = {
    "leaves before the tests": ("import os\nos._exit(0)", "failed"),
    "exits before the tests": ("import sys\nsys.exit(0)", "failed"),
    "raises SystemExit": ("raise SystemExit", "failed"),
    "writes what it likes to each descriptor": (
        "import os\nfor fd in range(1, 20):\n    try: os.write(fd, b'passed' * 9)\n"
        "    except OSError: pass\nos._exit(0)",
        "failed",
    ),
    "forks": ("import os\nwhile True: os.fork()", "forbidden"),
    "starts a shell": ("import os\nos.system('sleep 100 &')", "forbidden"),
    "starts a program": (
        "import subprocess\nsubprocess.Popen(['sleep', '100'], start_new_session=True)",
        "forbidden",
    ),
    "becomes another program": ("import os\nos.execv('/bin/sh', ['sh', '-c', ':'])", "forbidden"),
    "kills its parent": ("import os\nos.kill(os.getppid(), 9)", "forbidden"),
    "kills its group": ("import os\nos.killpg(0, 9)", "forbidden"),
    "writes a file without end": (
        "with open('/tmp/hostile', 'wb') as file:\n    while True: file.write(b'x' * 1_000_000)",
        "failed",
    ),
    "sleeps": ("import time\ntime.sleep(1000)", "timeout"),
    "sleeps through signals": (
        "import signal, time\nfor number in (1, 2, 15): signal.signal(number, signal.SIG_IGN)\n"
        "while True: time.sleep(1000)",
        "timeout",
    ),
    "computes without end": ("while True: pass", "timeout"),
    "asks for a line": ("input()", "failed"),
    "reads for ever": ("import sys\nwhile not sys.stdin.read(1): pass", "timeout"),
    "prints for ever": ("while True: print('x' * 100_000)", "too much output"),
    "complains for ever": (
        "import sys\nwhile True: sys.stderr.write('x' * 100_000)",
        "too much output",
    ),
    "recurses without end": ("def f(): f()\nf()", "failed"),
    "crashes the interpreter": ("import ctypes\nctypes.string_at(0)", "failed"),
    "is no program": ("def f(:", "compile error"),
    "is no text": ("\0", "compile error"),
    "is half a character": ("x = '\ud800", "compile error"),
}


@pytest.mark.parametrize("walls", WALLS)
def test_python(walls: Walls) -> None:
    """Each fails, by the strongest walls and by the weaker."""
    found = outcomes(walls, [text for text, _ in HOSTILE.values()])
    assert dict(zip(HOSTILE, found, strict=True)) == {
        name: expected for name, (_, expected) in HOSTILE.items()
    }


@pytest.mark.skipif(sys.platform != "linux", reason="macOS does not limit the address space")
@pytest.mark.parametrize("walls", WALLS)
def test_memory(walls: Walls) -> None:
    """More than two gibibytes are not given."""
    assert outcome(walls, "x = bytearray(3 << 30)") == "failed"


C = "import ctypes\nc = ctypes.CDLL(None)\n"
"""Past the interpreter, to the system."""


@pytest.mark.parametrize("walls", ["bubblewrap", "filter"])
def test_refused_by_the_kernel(walls: Walls) -> None:
    """What the interpreter's own events do not see, the filter does."""
    calls = ["c.fork()", "c.vfork()", "c.system(b'true')", "c.kill(-1000000, 9)", "c.unshare(0)"]
    found = outcomes(walls, [f"{C}while True: {call}" for call in calls])
    assert found == ["forbidden"] * len(calls)


@pytest.mark.parametrize("walls", ["bubblewrap", "filter"])
def test_no_socket(walls: Walls) -> None:
    """Nothing listens, nothing is called: there is no socket."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.setblocking(False)
        port = server.getsockname()[1]
        assert outcome(walls, f"{C}assert c.socket(2, 1, 0) == -1") == "passed"
        text = f"import socket\nsocket.create_connection(('127.0.0.1', {port}))"
        assert outcome(walls, text) == "failed"
        assert outcome(walls, "import socket\nsocket.create_server(('', 0))") == "failed"
        with pytest.raises(BlockingIOError):
            server.accept()


@pytest.mark.parametrize("walls", ["bubblewrap", "filter"])
def test_signals_reach_nobody(walls: Walls) -> None:
    """A process of the user's outlives a program that kills it, and all that it can."""
    victim = subprocess.Popen(["sleep", "100"])
    try:
        assert outcome(walls, f"{C}c.kill({victim.pid}, 9)") == "forbidden"
        assert outcome(walls, f"{C}c.tgkill({victim.pid}, {victim.pid}, 9)") == "forbidden"
        # Only where the process ids are its own: else this test would be the harm.
        text = f"{C}import os\nif os.getpid() < 50: c.kill(-1, 9)\nelse: c.kill({victim.pid}, 9)"
        assert outcome(walls, text) == "forbidden"
        assert victim.poll() is None
    finally:
        victim.kill()
        victim.wait()


def test_no_files_but_its_own(tmp_path: Path) -> None:
    """Within bubblewrap the user's files are not there, and little can be written anywhere."""
    secret = tmp_path / "secret"
    secret.write_text("x")
    assert outcome("bubblewrap", f"open({str(secret)!r})") == "failed"
    assert outcome("bubblewrap", f"open({str(secret)!r}, 'w')") == "failed"
    for place in ("/", "/dev", "/dev/shm", "/usr", "/etc", "/proc"):
        assert outcome("bubblewrap", f"open('{place}/hostile', 'w')") == "failed", place
    many = (
        "import itertools\nfor n in itertools.count():\n"
        "    with open(f'/tmp/{n}', 'wb') as file: file.write(b'x' * 10_000_000)"
    )
    assert outcome("bubblewrap", many) == "failed"
    assert secret.read_text() == "x"


def test_what_left_its_group_is_found() -> None:
    """Without a filter a child of a child in a session of its own is found by its mark."""
    text = (
        f"{C}import os, time\nif c.fork() == 0:\n    c.setsid()\n"
        "    if c.fork() == 0: time.sleep(60)\n    os._exit(0)\n"
    )
    assert outcome("limits", text) == "forbidden"


CPP = {
    "forks": ("while (true) fork();", "forbidden"),
    "leaves its session": ("if (!fork()) { setsid(); if (!fork()) sleep(60); }", "forbidden"),
    "kills its parent": ("kill(getppid(), 9);", "forbidden"),
    "prints for ever": ('while (true) puts("1");', "too much output"),
    "recurses without end": ("int a[999]; read(0, a, 9); return main() + a[1];", "failed"),
    "reads for ever": ("char c; while (read(0, &c, 1) >= 0);", "timeout"),
    "writes through a bad pointer": ("*(volatile int *)8 = 1;", "failed"),
    "answers, and fails": ('puts("1"); return 1;', "failed"),
}


@needs_gpp
@pytest.mark.parametrize("walls", ["bubblewrap", "filter"])
def test_cpp(walls: Walls) -> None:
    """Compiled programs meet the same walls."""
    head = "#include <csignal>\n#include <cstdio>\n#include <unistd.h>\nint main() {\n"
    texts = [f"{head}{body}\n}}\n" for body, _ in CPP.values()]
    found = outcomes(walls, texts, answers("cpp", ("", ("1",))))
    assert dict(zip(CPP, found, strict=True)) == {name: is_ for name, (_, is_) in CPP.items()}


@needs_gpp
def test_the_compiler_meets_walls(tmp_path: Path) -> None:
    """A source cannot read a user's file into the program, nor an endless one."""
    secret = tmp_path / "secret.h"
    secret.write_text("int main() {}\n")
    task = answers("cpp", ("", ("",)))
    assert outcome("bubblewrap", f'#include "{secret}"\n', task) == "compile error"
    huge = "int a[1 << 28] = {1};\nint main() {}\n"
    assert outcome("bubblewrap", huge, task) == "compile error"


JAVA = {
    "starts a program": 'new ProcessBuilder("sleep", "100").start();',
    "listens": "new java.net.ServerSocket(0).accept();",
    "asks for more than the heap": "long[] b = new long[1 << 28];",
    "sleeps": "Thread.sleep(100_000);",
}


@needs_jdk
def test_java() -> None:
    """Java's programs too. What Java starts programs with cannot start: Java says so."""
    head = "class A { public static void main(String[] a) throws Exception {"
    texts = [f"{head} {body} System.out.println(1); }} }}" for body in JAVA.values()]
    found = outcomes("bubblewrap", texts, answers("java", ("", ("1",))))
    found[0] = "failed" if found[0] == "forbidden" else found[0]
    assert dict(zip(JAVA, found, strict=True)) == {
        name: "timeout" if name == "sleeps" else "failed" for name in JAVA
    }
