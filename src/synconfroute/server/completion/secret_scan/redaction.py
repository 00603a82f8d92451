"""Secrets in a text replaced by placeholders. Only in what is sent: the buffer keeps them."""

from collections.abc import Sequence

from synconfroute.server.completion.secret_scan.finding import Finding

_FILL = "REDACTED"


def redacted(text: str, findings: Sequence[Finding]) -> str:
    """The text with each finding replaced, as long as it was; line breaks stay where they are.

    A placeholder of another length would move the model's columns and the budget of the prompt.
    """
    parts, end = [], 0
    for finding in findings:
        parts.append(text[end : finding.start])
        parts.append(_placeholder(text[finding.start : finding.end]))
        end = finding.end
    return "".join(parts) + text[end:]


def _placeholder(secret: str) -> str:
    lines = secret.split("\n")
    return "\n".join((_FILL * (len(line) // len(_FILL) + 1))[: len(line)] for line in lines)
