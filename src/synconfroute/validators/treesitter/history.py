"""What a buffer's last sound text says about the buffer as it is now."""

from dataclasses import dataclass

from synconfroute.validators.treesitter.edit import Edit
from synconfroute.validators.treesitter.pairing import Places, paired_before
from synconfroute.validators.treesitter.skeleton import Skeleton


@dataclass(frozen=True, slots=True)
class Change:
    """The lines in which a buffer differs from a sound one.

    Attributes:
        clean: the sound one.
        above: how many lines at the beginning are the same.
        below: how many at the end are.
    """

    clean: Skeleton
    above: int
    below: int

    @classmethod
    def between(cls, clean: Skeleton, now: Skeleton) -> "Change":
        """Compare two states of a buffer."""
        old, new = clean.texts, now.texts
        most = min(len(old), len(new))
        above = 0
        while above < most and old[above] == new[above]:
            above += 1
        below = 0
        while below < most - above and old[-1 - below] == new[-1 - below]:
            below += 1
        return cls(clean, above, below)

    def paired(self, edit: Edit) -> Places | None:
        """The brackets open above a text that the code below closes; None if it cannot tell.

        It can where the text ends what was changed: all below is as it was when all was sound.
        """
        now = edit.frame.texts
        end = len(now) - self.below
        if (
            edit.right.strip()
            or not self.above <= edit.row
            or any(line.strip() for line in now[edit.row + 1 : end])
        ):
            return None
        last = len(self.clean.texts) - (len(now) - max(end, edit.row + 1))
        if not self.above <= last <= len(self.clean.texts):
            return None
        return paired_before(edit.opened_left, self.above, self.clean, last)
