"""What the commands that measure time have in common."""

from argparse import Namespace
from collections.abc import Sequence
from typing import TYPE_CHECKING

from synconfroute.errors import UsageError
from synconfroute.server.command import console

if TYPE_CHECKING:
    from synconfroute.evaluation.generation.model_name import ModelName
    from synconfroute.evaluation.latency.document import Spread
    from synconfroute.evaluation.machine import Load

_BUSY = 0.25


def load_told() -> "Load":
    """How busy the machine is; where it is busy enough to matter, it is complained about."""
    from synconfroute.evaluation.machine import load_now

    load = load_now()
    if load.busy > _BUSY:
        console.complain(
            f"{load.busy:.0%} of the processors' time was in use before the first request: these"
            " times say what this machine does while it is busy with other things."
        )
    return load


def refuse_unasked_sending(options: Namespace, names: "Sequence[ModelName]") -> None:
    """Refuse models of the organisation's server where nobody said that they may be asked.

    Raises:
        UsageError: there is such a model.
    """
    if not options.send_to_org and any(name.provider == "org" for name in names):
        raise UsageError(
            "Nothing was sent: models of the organisation's server are asked only with"
            " --send-to-org."
        )


def seconds_told(spread: "Spread") -> str:
    """Some times for people."""
    low, high = spread.ci95
    return (
        f"{spread.median:.3f} s in the middle (95 % interval {low:.3f} to {high:.3f}),"
        f" nine of ten within {spread.p90:.3f} s"
    )
