"""`static`: a decision tree of depth 4 on four features of the hole (paper §2.4)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from synconfroute.evaluation.routing.example import Example, Sight
from synconfroute.evaluation.routing.features import features

_DEPTH = 4


@dataclass(frozen=True, slots=True)
class Tree:
    """A fitted decision tree."""

    tree: Any

    def score(self, sight: Sight) -> float:
        """The share of right local answers among the examples of the hole's leaf."""
        shares = dict(
            zip(self.tree.classes_, self.tree.predict_proba([features(sight)])[0], strict=True)
        )
        return float(shares.get(True, 0.0))


def static(examples: Sequence[Example]) -> Tree:
    """Fit the tree to whether the local answer is right: the label is our reading."""
    from sklearn.tree import DecisionTreeClassifier

    tree = DecisionTreeClassifier(max_depth=_DEPTH, random_state=0)
    seen = [features(example.sight) for example in examples]
    return Tree(tree.fit(seen, [example.local_right for example in examples]))
