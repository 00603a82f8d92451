"""Doctor's look at the router's thresholds: which hold for the local model, and who says so."""

from synconfroute.server.command.doctor.finding import Finding, Health
from synconfroute.server.completion.thresholds import PAPER, Origin, Threshold, threshold_for
from synconfroute.server.settings.tree import Settings
from synconfroute.validators.languages import LANGUAGES

_REMEDY = "synconfroute calibrate"


def threshold_finding(settings: Settings, model: str) -> Finding:
    """The thresholds for a local model, by language.

    Args:
        settings: with the rule, and what the user set.
        model: its name on its server.
    """
    router = settings.router
    if router.threshold is not None:
        sentence = f"Yours, router.threshold = {router.threshold:g}, for every model and language."
        return Finding("threshold", Health.OK, sentence)
    found = {language: threshold_for(router, model, language) for language in LANGUAGES}
    known = {name: each for name, each in found.items() if each.origin is not Origin.PAPER}
    if not known:
        return Finding(
            "threshold",
            Health.NOTE if settings.org.url else Health.OK,
            f"Nobody measured {model}, so the paper's {PAPER:g} holds.",
            _REMEDY,
        )
    parts = "; ".join(f"{language} {_told(each)}" for language, each in known.items())
    sentence = f"For {model}: {parts}. Other languages: the paper's {PAPER:g}."
    return Finding("threshold", Health.OK, sentence)


def _told(threshold: Threshold) -> str:
    where = f"measured: {threshold.run}" if threshold.run else "calibrated, router.thresholds"
    return f"{threshold.value:g} ({where})"
