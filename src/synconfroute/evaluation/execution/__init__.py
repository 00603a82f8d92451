"""Runs the programs that answers make, where they can do no harm, and says which pass."""

from synconfroute.evaluation.execution.judging import Outcome, Result, judge
from synconfroute.evaluation.execution.walls import protection

__all__ = ["Outcome", "Result", "judge", "protection"]
