"""What `synconfroute.clients` offers, and what importing it costs."""

import os
import subprocess
import sys

import synconfroute.clients


def test_exported_names() -> None:
    """The names that others may import are these, and each is there."""
    assert sorted(synconfroute.clients.__all__) == [
        "Embedded",
        "ModelClient",
        "Ollama",
        "OpenAICompatible",
        "Token",
    ]
    for name in synconfroute.clients.__all__:
        assert getattr(synconfroute.clients, name).__name__ == name
    assert not hasattr(synconfroute.clients, "Nothing")


def test_importing_loads_nothing_heavy() -> None:
    """Neither the package nor its HTTP clients load httpx or the engine when imported."""
    program = (
        "import sys, synconfroute.clients.ollama, synconfroute.clients.openai\n"
        "print(sorted({'httpx', 'anyio', 'xllamacpp'} & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == "[]"
