"""Lines that already stand below the cursor."""

from itertools import islice

from synconfroute.server.completion.hole import Hole

_TRIVIAL = 3
"""Visible characters up to which a line, such as a closing bracket, repeats without meaning."""
_TAB = 4
_READ = 200
"""Lines below the cursor that are compared."""


def without_following_lines(hole: Hole, text: str) -> str:
    """Cut a text of several lines where it goes on with what stands below.

    Lines are the same if they begin in the same column and else differ in white space alone. All
    lines from there on must stand below, in their order, and one of them must be more than a
    bracket. The first line is kept whatever it says: one line may be meant twice, and evidence of
    kind `duplicate` weighs that.
    """
    if "\n" not in text:
        return text
    lines = text.split("\n")
    under = hole.suffix[len(hole.right) :].split("\n", _READ)[:_READ]
    below = [_bare(line) for line in under if line.strip()]
    later = [index for index in range(1, len(lines)) if lines[index].strip()]
    bare = [_bare(lines[index]) for index in later[-len(below) :]] if below else []
    for count in range(len(bare), 0, -1):
        rest = bare[-count:]
        if rest == below[:count] and any(len(line) > _TRIVIAL for _, line in rest):
            return "\n".join(lines[: later[-count]]).rstrip("\n")
    return text


def stands_below(hole: Hole, text: str) -> bool:
    """True if inserting the text would write what stands right below once more, and nothing else.

    Of 1,033 holes of single lines no true line does so, of 947 half-typed lines of real edits two
    (in Java), and of the recorded 0.5B's answers 28: two pass, as they do without the line.
    """
    lines = [_bare(line) for line in (hole.left + text).split("\n") if line.strip()]
    under = (line for line in hole.suffix.split("\n", _READ)[1:_READ] if line.strip())
    return (
        not hole.right.strip()
        and lines == [_bare(line) for line in islice(under, len(lines))]
        and any(len(line) > _TRIVIAL for _, line in lines)
    )


def _bare(line: str) -> tuple[int, str]:
    begin = line[: len(line) - len(line.lstrip())]
    return len(begin.expandtabs(_TAB)), "".join(line.split())
