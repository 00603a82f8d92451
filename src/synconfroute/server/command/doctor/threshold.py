"""Doctor's look at the router: which rule and thresholds hold for the model, and who says so."""

from synconfroute.server.command.doctor.finding import Finding, Health
from synconfroute.server.completion.router import applied
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
    found = {
        language: threshold_for(applied(router, model, language), model, language)
        for language in LANGUAGES
    }
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


def rule_finding(settings: Settings, model: str) -> Finding:
    """The rule, and where it gives way to another: a score is fitted for few models.

    Args:
        settings: with `router.rule`.
        model: its name on its server.
    """
    rule = settings.router.rule
    fitted = [name for name in LANGUAGES if applied(settings.router, model, name).rule == rule]
    if len(fitted) == len(LANGUAGES):
        return Finding("rule", Health.OK, f"router.rule = {rule}.")
    where = f"but for {', '.join(fitted)} " if fitted else ""
    sentence = f"router.rule = {rule}: {where}no score was fitted for {model}, so evidence holds."
    return Finding("rule", Health.OK, sentence)


def _told(threshold: Threshold) -> str:
    where = f"measured: {threshold.run}" if threshold.run else "calibrated, router.thresholds"
    return f"{threshold.value:g} ({where})"
