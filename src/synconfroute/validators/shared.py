"""The validator that a whole program shares, behind a plain function."""

import atexit
from functools import cache

from synconfroute.validators.validator import Validator
from synconfroute.validators.verdict import Verdict

DEADLINE_S = 2.0
"""The longest that `validate` takes for a verdict, in seconds, once its parser runs."""


def validate(
    language: str,
    prefix: str,
    text: str,
    suffix: str,
    *,
    path: str | None = None,
    before: str | None = None,
) -> Verdict:
    """Say what inserting the text does to the buffer.

    The user goes on typing behind the text, and what is broken elsewhere is not its fault.
    `valid`: what the text does to the buffer can be gone on with. `invalid`: nothing that the user
    may write behind it mends the damage that it does; the reason says what breaks and on which
    line of the resulting buffer, without source code. `unknown`: no parser can say: no parser for
    the language, a buffer over 1 MB, a NUL or half a character in it, nested beyond reason, or no
    verdict within `DEADLINE_S`. Evidence is what is suspicious in a valid text.

    Blocks for as long as the parser takes; the first call starts the parser process. Raises
    nothing on any text.

    Args:
        language: LSP language id; see `languages.LANGUAGES`.
        prefix: the buffer before the hole; any of LF, CRLF and CR ends a line.
        text: the text to insert.
        suffix: the buffer after the hole.
        path: the buffer's path; names a dialect, where a language has several. Not used yet.
        before: the buffer before the user's edit, where known: what it shares with the buffer now
            was there before the edit, and if it parses, the edit is all that can be unfinished.
    """
    return _validator().validate_blocking(
        language, prefix, text, suffix, deadline=DEADLINE_S, before=before
    )


@cache
def _validator() -> Validator:
    validator = Validator()
    atexit.register(validator.close)
    return validator
