"""From a key to grey text in VS Code, before a model that takes 50 ms.

Usage: python -m tests.e2e.editors.vscode.latency
"""

import tempfile
from pathlib import Path
from statistics import median

from tests.e2e.editors.script import fresh
from tests.e2e.editors.stage import DELAY, staged
from tests.e2e.editors.vscode.desk import furnished
from tests.e2e.editors.vscode.needs import needs
from tests.e2e.editors.vscode.window import Window

SAMPLES = 30
GAP = 0.12
"""Seconds between two keys of somebody who types briskly."""
OWN_DEBOUNCE_MS = 50
"""So long VS Code itself waits before it asks."""


def measure(window: Window) -> list[float]:
    """Milliseconds from a line's last key to the text for that line, `SAMPLES` times."""
    window.fill("", 0, 0)
    window.act("watch")
    return [_sample(window, f"name{number} = alpha") for number in range(SAMPLES)]


def _sample(window: Window, line: str) -> float:
    window.type(line, GAP)
    window.shows(fresh(line))
    times = window.act("times")
    window.press("Escape", "Enter")
    return float(times["ghost"] - times["key"])


def main() -> None:
    """Measure and print."""
    with (
        tempfile.TemporaryDirectory() as name,
        staged(Path(name)) as stage,
        furnished(needs(), stage, Path(name) / "vscode") as desk,
    ):
        took = measure(desk.window)
    model = DELAY * 1000
    print(f"Milliseconds from key to grey text, {SAMPLES} samples: median {median(took):.0f},")
    print(f"least {min(took):.0f}, most {max(took):.0f}. Of these the model takes {model:.0f},")
    print(f"and VS Code itself waits {OWN_DEBOUNCE_MS} before it asks.")


if __name__ == "__main__":
    main()
