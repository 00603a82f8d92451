"""Secrets known by what they are called: a quoted text that is given to `password` or `api_key`.

The text itself has to look like one: not a word of a language, a path, a placeholder or a call.
"""

import math
import re
from collections import Counter
from collections.abc import Iterator

from synconfroute.server.completion.secret_scan.finding import Finding

_STEM = re.compile(r"[Pp](?:ass|ASS|wd|WD)|PWD|[Ss](?:ecret|ECRET)|[Tt](?:oken|OKEN)|[Kk](?:ey|EY)"
                   r"|[Cc](?:redential|REDENTIAL)")  # fmt: skip
_WORD = re.compile(
    r"passw(?:or)?d|passphrase|pwd|secret|token|credential"
    r"|(?:api|access|auth|private|signing|encryption|client|account|secret)[_-]?key",
    re.IGNORECASE,
)
_GIVEN = re.compile(
    r"""[A-Za-z0-9_-]{0,20}["']?\]?[ \t]{0,4}
    (?:(?::[ \t]{0,2}[A-Za-z_][A-Za-z0-9_.\[\]]{0,30}[ \t]{0,2})?(?::=|=>|=|:)|(?P<comma>,))
    [ \t]{0,4}(?:[bfru]{1,2})?(?P<mark>["'`])(?P<value>[^"'`\r\n]{6,512})(?P=mark)
    """,
    re.ASCII | re.IGNORECASE | re.VERBOSE,
)
_CALLED = re.compile(r"\(\s{0,4}[\"'][\w.-]{0,24}\Z", re.ASCII)
"""The first argument of a call, as in `put("db.password", "…")`, up to the word."""
_BEFORE = 11
"""What of a name stands before its last word, at most: `encryption_` in `encryption_key`."""
_NO_SECRET = re.compile(
    r"""\A(?:
        [A-Za-z]{1,24}(?:[ _.,/:-][A-Za-z]{1,24}){0,12}[.:?!]?   # words
        |.*(?:\$\{|\{\{|\{[a-z_]|%\(|%s|<[A-Za-z_ -]+>|\.\.\.).*    # a placeholder
        |(?:https?|file)://[^@]*|[./~][\w./*~-]*|[A-Za-z]:\\.*     # an address, a path
        |(.)\1*                                                     # one character again and again
        |.*\s.*\s.*\s.*                                             # a sentence
    )\Z""",
    re.ASCII | re.VERBOSE | re.DOTALL,
)
_EXAMPLE = re.compile(
    r"example|changeme|change[_-]me|placeholder|your[_-]|dummy|sample|redacted|xxxx|\*\*\*\*"
    r"|0123456789|12345678|abcdef",
    re.IGNORECASE,
)
_PASSWORDS = re.compile(r"pass|pwd", re.IGNORECASE)
_LEAST_BITS = 2.9
"""Entropy of a value's characters, in bits each, from which what is no password counts."""
_LEAST_LENGTH = 12


def by_name(text: str) -> Iterator[Finding]:
    """Each quoted text that is called a secret and looks like one."""
    for stem in _STEM.finditer(text):
        given = _GIVEN.match(text, stem.end())
        if given is None or (given["comma"] and not _CALLED.search(text, *_near(stem.start()))):
            continue
        word = _WORD.search(text, max(0, stem.start() - _BEFORE), stem.end() + len("phrase"))
        if word is None:
            continue
        called = word[0].lower()
        if _looks_secret(given["value"], password=_PASSWORDS.search(called) is not None):
            yield Finding(f"a value for {called}", given.start("value"), given.end("value"))


def _near(end: int) -> tuple[int, int]:
    """What of the text before a word is looked at."""
    return max(0, end - 32), end


def _looks_secret(value: str, *, password: bool) -> bool:
    if _NO_SECRET.match(value) or _EXAMPLE.search(value):
        return False
    classes = sum(
        bool(re.search(pattern, value)) for pattern in ("[a-z]", "[A-Z]", "[0-9]", r"[^\w\s]")
    )
    if password:
        return classes >= 2
    return len(value) >= _LEAST_LENGTH and classes >= 2 and _entropy(value) >= _LEAST_BITS


def _entropy(value: str) -> float:
    """Bits that each character holds on average, by how often each stands in the text."""
    counts = Counter(value).values()
    return -sum(count / len(value) * math.log2(count / len(value)) for count in counts)
