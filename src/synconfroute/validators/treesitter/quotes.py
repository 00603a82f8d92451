"""What closes the quotes, comments and elements of markup that are open at a place."""

from synconfroute.validators.treesitter.language import Language
from synconfroute.validators.treesitter.tokens import DIRECTIVE, TAG, Frame, Mode


def quotes(mode: Mode, language: Language) -> dict[int, str]:
    """What closes them, by how many of the brackets open there must be closed before, as inside."""
    found: dict[int, str] = {}
    brackets = 0
    for frame in reversed(mode):
        if frame.quoted != DIRECTIVE:
            brackets += frame.held
            found[brackets] = found.get(brackets, "") + _end(frame, language)
    return found


def _end(frame: Frame, language: Language) -> str:
    if frame.quoted < 0:
        return "/>" if frame.quoted == TAG else frame.end
    if frame.quoted == 0 and language.embedded:
        return language.embedded
    quoted = language.quoted[frame.quoted]
    if not quoted.alone:
        return frame.end
    return f"\n{frame.end}\n" if quoted.late else f"\n{frame.end}"
