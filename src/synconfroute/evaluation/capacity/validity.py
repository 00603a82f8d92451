"""Where a plan stops being valid: one sentence for each thing in it that is not known well."""

from collections.abc import Iterator, Mapping

from synconfroute.evaluation.capacity.fleet import Site
from synconfroute.evaluation.capacity.outcome import Outcome
from synconfroute.evaluation.capacity.workload import GAP_S, Workload

_NEAR = 0.85
_WIDE = 0.2
_SCATTERED = 0.15
_FEW_DAYS = 5
ASSUMED, COUNTED, GIVEN = "assumed", "counted", "given"
"""Where a number comes from."""


def doubts(
    workload: Workload,
    site: Site,
    found: Outcome,
    sources: Mapping[str, str],
    *,
    days: int | None = None,
) -> list[str]:
    """What the numbers do not say.

    Args:
        workload: what is asked.
        site: by what it is answered.
        found: what was simulated.
        sources: of each attribute of the workload, "assumed", "counted" or "given".
        days: that were counted; None: nothing was.
    """
    return [
        *_about_the_profile(workload, site, found),
        *_about_the_load(found),
        *_about_the_workload(workload, sources, days),
    ]


def _about_the_profile(workload: Workload, site: Site, found: Outcome) -> Iterator[str]:
    profile = site.profile
    if not profile.measured:
        yield (
            f"What a replica can do is {profile.name}, and was measured nowhere: measure yours with"
            " `synconfroute plan --measure URL`."
        )
    most = min(found.most_at_once, profile.at_once)
    if most > profile.most_measured:
        yield (
            f"Up to {most} requests ran on a replica at the same time, and steps are known for up"
            f" to {profile.most_measured}: beyond it the line goes on straight."
        )
    read = workload.prompt_tokens * (1 - workload.cached)
    if profile.prompt_tokens is not None:
        low, high = profile.prompt_tokens
        if not low <= read <= high:
            yield (
                f"Prompts of {read:.0f} tokens to read are unlike those that were measured"
                f" ({low} to {high})."
            )
    if profile.spread is not None and profile.spread > _SCATTERED:
        yield (
            f"The measured steps scatter by {profile.spread:.0%} around the profile: the server"
            " was busy with others, or does not behave so."
        )
    if profile.kv_tokens is None:
        yield "How much the server's cache holds is not known, so here it never gets full."


def _about_the_load(found: Outcome) -> Iterator[str]:
    if found.busy.mean > _NEAR:
        yield (
            f"A replica computes {found.busy.mean:.0%} of the time: so near to 1 a little more to"
            " do makes much longer waits."
        )
    width = found.p95_ms.high - found.p95_ms.low
    if found.p95_ms.mean and width > _WIDE * found.p95_ms.mean:
        yield (
            "The seeds do not agree well about the longest waits (see the interval): more of them"
            " (--seeds), or longer runs (--requests), would tell more."
        )


def _about_the_workload(
    workload: Workload, sources: Mapping[str, str], days: int | None
) -> Iterator[str]:
    if sources.get("burst") == ASSUMED:
        yield (
            f"How requests bunch is assumed: bursts of {workload.burst:g}, about {GAP_S:g} s apart."
            " Nothing counts it."
        )
    names = {
        "peak": f"that the busiest hour has {workload.peak:g} times a mean one",
        "escalated": f"that {workload.escalated:.0%} escalate, as in the paper",
        "requests_per_hour": f"{workload.requests_per_hour:g} requests an hour",
        "prompt_tokens": f"prompts of {workload.prompt_tokens:g} tokens",
        "answer_tokens": f"answers of {workload.answer_tokens:g} tokens",
        "cached": f"that {workload.cached:.0%} of a prompt are in the server's cache",
    }
    assumed = [said for name, said in names.items() if sources.get(name) == ASSUMED]
    if assumed:
        yield f"Assumed, not known: {', '.join(assumed)}."
    if sources.get("answer_tokens") == COUNTED:
        yield "The length of answers is that of the local model's; a larger one's may differ."
    if days is not None and days < _FEW_DAYS:
        yield f"Only {days} {'day was' if days == 1 else 'days were'} counted."
