"""What becomes of a plan if one of its numbers is wrong."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from synconfroute.evaluation.capacity.fleet import Site
from synconfroute.evaluation.capacity.outcome import Outcome
from synconfroute.evaluation.capacity.profile import Profile
from synconfroute.evaluation.capacity.sizing import Effort, Target, expect
from synconfroute.evaluation.capacity.workload import Workload
from synconfroute.server.settings.tree import Settings

BY = 0.25
"""A number is made so much smaller and greater, as a share of itself."""


@dataclass(frozen=True, slots=True)
class Shifted:
    """One number changed, everything else as it was.

    Attributes:
        name: of the number.
        by: its factor.
        found: what is to be expected then, with as many replicas.
        kept: the target is still kept.
    """

    name: str
    by: float
    found: Outcome
    kept: bool


_Change = Callable[[Workload, Site, float], tuple[Workload, Site]]

_NUMBERS: dict[str, _Change] = {
    "requests an hour": lambda workload, site, by: (
        replace(workload, requests_per_hour=workload.requests_per_hour * by),
        site,
    ),
    "share escalated": lambda workload, site, by: (
        replace(workload, escalated=min(1.0, workload.escalated * by)),
        site,
    ),
    "prompt tokens to read": lambda workload, site, by: (
        replace(workload, prompt_tokens=workload.prompt_tokens * by),
        site,
    ),
    "answer tokens": lambda workload, site, by: (
        replace(workload, answer_tokens=max(1.0, workload.answer_tokens * by)),
        site,
    ),
    "requests a burst": lambda workload, site, by: (
        replace(workload, burst=max(1.0, workload.burst * by)),
        site,
    ),
    "time of the server": lambda workload, site, by: (
        workload,
        replace(site, profile=_slower(site.profile, by)),
    ),
}


def shifts(
    workload: Workload, site: Site, settings: Settings, target: Target, effort: Effort
) -> Iterator[Shifted]:
    """Each number smaller, then greater, by `BY`.

    Raises:
        EvaluationError: simpy is not installed.
    """
    for name, change in _NUMBERS.items():
        for by in (1 - BY, 1 + BY):
            found = expect(*change(workload, site, by), settings, effort)
            yield Shifted(name, by, found, target.kept(found))


def _slower(profile: Profile, by: float) -> Profile:
    return replace(
        profile,
        step_ms=tuple((batch, ms * by) for batch, ms in profile.step_ms),
        prefill_ms_per_token=profile.prefill_ms_per_token * by,
        overhead_ms=profile.overhead_ms * by,
    )
