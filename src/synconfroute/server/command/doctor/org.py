"""Doctor's look at the organisation's server: its list of models is asked for, no code is sent."""

from synconfroute.clients.model import Probe, State
from synconfroute.server.command.doctor.finding import Finding, Health
from synconfroute.server.completion.tiers import org_client
from synconfroute.server.settings.tree import Settings

_KEY_REMEDY = "set SYNCONFROUTE_ORG_API_KEY, or org.api_key in your settings file"


async def org_finding(settings: Settings) -> Finding:
    """Off, ready, or what is in the way."""
    if not settings.escalation.enabled:
        return _off("it is switched off (escalation.enabled = false)")
    client = org_client(settings)
    if client is None:
        return _off("no address is set (org.url)")
    try:
        probe = await client.probe()
    finally:
        await client.aclose()
    if probe.ready:
        return Finding("org server", Health.OK, f"{probe.message} {_confidence(probe)}".strip())
    remedy = _KEY_REMEDY if probe.state is State.KEY_REFUSED else ""
    return Finding("org server", Health.BAD, probe.message, remedy)


def _off(why: str) -> Finding:
    return Finding("org server", Health.OK, f"Off: {why}, so nothing leaves this machine.")


def _confidence(probe: Probe) -> str:
    return "It gives no log-probs, which are not needed there." if probe.logprobs is False else ""
