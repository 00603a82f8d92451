"""Which tasks a rule is fitted on, and which it is tested on."""

import random
from collections.abc import Sequence

from synconfroute.evaluation.datasets import drawn_for_calibration
from synconfroute.evaluation.routing.example import Example

Split = tuple[list[int], list[int]]
"""The indices of the tasks to fit on, and of those to test on."""

FOLDS = 5
SEED = 42


def by_function(examples: Sequence[Example], folds: int = FOLDS, seed: int = SEED) -> list[Split]:
    """Each task is tested once, by a rule that saw no task of its function.

    The functions are shuffled and dealt out in turn. With fewer functions than folds there are as
    many folds as functions.
    """
    groups = sorted({example.sight.group for example in examples})
    random.Random(seed).shuffle(groups)  # noqa: S311  no secret
    fold_of = {group: place % folds for place, group in enumerate(groups)}
    place = [fold_of[example.sight.group] for example in examples]
    return [
        (
            [index for index, at in enumerate(place) if at != fold],
            [index for index, at in enumerate(place) if at == fold],
        )
        for fold in range(min(folds, len(groups)))
    ]


def as_in_paper(examples: Sequence[Example]) -> list[Split]:
    """200 tasks drawn with seed 42 to fit on, all others to test on (paper, §2.4).

    Tasks of one function fall on both sides, so learned rules look better than they are.
    """
    drawn = drawn_for_calibration(len(examples))
    apart = set(drawn)
    return [(drawn, [index for index in range(len(examples)) if index not in apart])]
