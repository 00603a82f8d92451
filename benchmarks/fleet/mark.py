"""A request's mark: it stands in the code before the cursor, and in the answers to it.

So what an editor waited for is found again in what the scripted models say they did.
"""

import re
import zlib
from dataclasses import dataclass

_FOUND = re.compile(r"_(\d+)x(\d+)_")
UNSURE = 0.42
"""Share of the local answers that escalate, as in the paper."""


@dataclass(frozen=True, slots=True, order=True)
class Mark:
    """Which request.

    Attributes:
        session: whose, from 0.
        number: from 1.
    """

    session: int
    number: int

    def __str__(self) -> str:
        return f"_{self.session}x{self.number}_"

    @property
    def unsure(self) -> bool:
        """Is the local model unsure of its answer? As good as drawn, and always the same."""
        return zlib.crc32(f"{self.session}/{self.number}".encode()) % 10_000 < UNSURE * 10_000


def last_mark(text: str) -> Mark | None:
    """The last one in a text; None where there is none."""
    found = _FOUND.findall(text)
    return Mark(*map(int, found[-1])) if found else None
