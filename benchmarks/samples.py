"""Source code to measure with."""


def python_source(lines: int) -> str:
    """Valid Python of that many lines, 64 characters or so each."""
    text = []
    for number in range(0, lines, 4):
        text += [
            f"def compute_{number}(alpha, beta):",
            f"    result = compute_value(alpha={number}, beta=beta, gamma='x')",
            f"    return result + alpha * {number}  # the outcome of step {number}",
            "",
        ]
    return "\n".join(text[:lines]) + "\n"
