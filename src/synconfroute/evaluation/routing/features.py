"""What of a hole can be seen before any model has answered: the paper's four features (§2.4)."""

import re
from functools import lru_cache

from synconfroute.evaluation.routing.example import Sight

FEATURES = ("prefix length", "suffix length", "nesting depth", "identifier overlap")

_IDENTIFIER = re.compile(r"[^\W\d]\w*")
_COLUMNS = 4


def features(sight: Sight) -> tuple[float, float, float, float]:
    """The four, in the order of `FEATURES`. Their definitions are our reading.

    Lengths are in characters. The nesting depth is the indentation of the nearest line above the
    hole, in levels of four columns, and one more where that line opens a block. The overlap is the
    share of the suffix's different identifiers that the prefix has too; 0 without any.
    """
    return _features(sight.prefix, sight.suffix)


@lru_cache(maxsize=1 << 14)
def _features(prefix: str, suffix: str) -> tuple[float, float, float, float]:
    before = set(_IDENTIFIER.findall(prefix))
    after = set(_IDENTIFIER.findall(suffix))
    overlap = len(before & after) / len(after) if after else 0.0
    return float(len(prefix)), float(len(suffix)), _depth(prefix), overlap


def _depth(prefix: str) -> float:
    above = prefix.rstrip().rpartition("\n")[2].expandtabs(_COLUMNS)
    columns = len(above) - len(above.lstrip())
    return columns / _COLUMNS + above.endswith((":", "{", "(", "["))
