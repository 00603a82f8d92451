"""What of a hole can be seen before any model has answered: the paper's four features (§2.4)."""

import re

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
    before = set(_IDENTIFIER.findall(sight.prefix))
    after = set(_IDENTIFIER.findall(sight.suffix))
    overlap = len(before & after) / len(after) if after else 0.0
    return float(len(sight.prefix)), float(len(sight.suffix)), _depth(sight.prefix), overlap


def _depth(prefix: str) -> float:
    above = prefix.rstrip().rpartition("\n")[2].expandtabs(_COLUMNS)
    columns = len(above) - len(above.lstrip())
    return columns / _COLUMNS + above.endswith((":", "{", "(", "["))
