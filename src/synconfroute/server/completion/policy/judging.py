"""The rule: may text of this file go to the organisation's server?

In this order: escalation is on; the file has a path that can be followed; its name is not that of
a file with secrets; no ignore file keeps it; no rule denies it; one allows it, or `policy.default`
does not deny it; none wants it only noted.
"""

import os
from collections.abc import Iterable

from synconfroute.server.completion.hole import Hole
from synconfroute.server.completion.policy.decision import Allowed, Refused
from synconfroute.server.completion.policy.matching import is_about
from synconfroute.server.completion.policy.place import Place, look
from synconfroute.server.completion.policy.secret_names import secret_mark
from synconfroute.server.settings.rules import Rule
from synconfroute.server.settings.tree import Settings

_LONGEST_PATH = 4096
_LONGEST_SHOWN = 60


def may_leave(hole: Hole, settings: Settings) -> Allowed | Refused:
    """Whether text of the hole's file may go to the organisation's server.

    Follows symbolic links on disk, so that a link cannot give a secret file a harmless name.
    """
    short = bool(hole.path) and len(hole.path or "") <= _LONGEST_PATH
    real = _real_path(hole.path) if short and settings.escalation.enabled else None
    place = look(hole.path, real) if hole.path and real else Place()
    return judge(hole, settings, real, place)


def judge(
    hole: Hole, settings: Settings, real_path: str | None, place: Place | None = None
) -> Allowed | Refused:
    """The rule itself, a function of its inputs.

    Args:
        hole: whose text would leave.
        settings: `escalation.enabled` and `policy`.
        real_path: the hole's path with symbolic links followed; None if they lead nowhere.
        place: what the disk says about the file.
    """
    if not settings.escalation.enabled:
        return Refused("Escalation is switched off (escalation.enabled = false).")
    if not hole.path:
        return Refused("A document without a file path never leaves this machine.")
    if len(hole.path) > _LONGEST_PATH:
        return Refused("The file's path is too long to be looked at, so its text stays here.")
    if not real_path:
        return Refused("The file's path cannot be followed on disk, so its text stays here.")
    for path in dict.fromkeys((hole.path, real_path)):
        mark = secret_mark(path)
        if mark is not None:
            return Refused(
                f"The file looks like one that holds secrets ({mark}), and such files never leave"
                " this machine."
            )
    place = place or Place()
    if place.kept:
        return Refused(place.kept)
    return _by_rules(hole, settings, place)


def _by_rules(hole: Hole, settings: Settings, place: Place) -> Allowed | Refused:
    size = max(place.bytes_on_disk, _bytes(hole.prefix) + _bytes(hole.suffix))
    named = [rule for rule in settings.policy.rules if is_about(rule, place, hole.language, size)]
    first = {rule.action: rule for rule in reversed(named)}
    if "deny" in first:
        return Refused(f"{_words(first['deny'])} keeps this file on this machine.")
    allowed = "allow" in first or settings.policy.default == "allow"
    if not allowed and settings.policy.default == "deny":
        return Refused("No rule lets this file leave this machine (policy.default = deny).")
    if "shadow" in first:
        return _shadowed(f"{_words(first['shadow'])} has it only noted")
    return Allowed() if allowed else _shadowed("policy.default = shadow has it only noted")


def _shadowed(why: str) -> Refused:
    return Refused(
        f"This would have gone to the organisation's server; {_lower(why)}, and nothing was sent.",
        shadow=True,
    )


def _words(rule: Rule) -> str:
    """Which rule it is, for people: its place and its conditions."""
    parts: list[str] = []
    for name, texts in (
        ("path", rule.paths),
        ("language", rule.languages),
        ("remote", rule.remotes),
    ):
        parts += [f"{name} {_some(texts)}"] if texts else []
    if rule.larger_than is not None:
        parts.append(f"larger than {rule.larger_than} bytes")
    conditions = f" ({', '.join(parts)})" if parts else ""
    return f"A rule in {rule.where or 'the settings'}{conditions}"


def _some(texts: Iterable[str]) -> str:
    text = " or ".join(texts)
    return text if len(text) <= _LONGEST_SHOWN else text[:_LONGEST_SHOWN] + "..."


def _lower(sentence: str) -> str:
    return sentence[:1].lower() + sentence[1:]


def _bytes(text: str) -> int:
    return len(text.encode("utf-8", "replace"))


def _real_path(path: str | None) -> str | None:
    try:
        return os.path.realpath(path) if path else None
    except (OSError, ValueError):
        return None
