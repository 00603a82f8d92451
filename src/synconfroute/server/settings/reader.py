"""One reader for all sources of settings: which value holds, where from, and what was wrong.

From weakest to strongest: default, organisation's file, user file, workspace file, editor,
environment, command line. What the organisation locks, nobody else sets.
A workspace file may only set limits and tighten policy; what it tightens holds against every
other source. A wrong value of a key that decides where code goes leaves nothing allowed
(`when_wrong`), and so does a settings file that cannot be read: nobody knows what it forbade.
"""

import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from synconfroute.clients.private_file import exposure
from synconfroute.errors import SettingsError
from synconfroute.server.places import (
    organisation_settings_file,
    user_settings_file,
    workspace_settings_file,
)
from synconfroute.server.settings.addresses import refused_addresses
from synconfroute.server.settings.keys import KEYS, Key, build
from synconfroute.server.settings.organisation import read_organisation
from synconfroute.server.settings.rules import Rule
from synconfroute.server.settings.sentences import (
    exposed_secret,
    locked,
    not_a_setting,
    not_allowed,
    not_its_place,
    only_off,
    only_restricting,
    rule_locked,
)
from synconfroute.server.settings.sources import (
    Given,
    Source,
    from_environment,
    from_file,
    from_pairs,
    from_table,
)
from synconfroute.server.settings.tree import Settings
from synconfroute.server.settings.values import NotAllowed, check, from_text

_MOST_MESSAGES = 20


@dataclass(frozen=True, slots=True)
class Reading:
    """What all sources together say.

    Attributes:
        settings: the values that hold.
        sources: for each key's name, where its value comes from.
        messages: one sentence for each thing that was wrong. No secrets.
        locked: names of the keys that only the organisation's file sets.
    """

    settings: Settings
    sources: Mapping[str, Source]
    messages: tuple[str, ...]
    locked: frozenset[str] = frozenset()


def read_settings(
    *,
    workspaces: Iterable[Path] = (),
    editor: Any = None,
    environ: Mapping[str, str] | None = None,
    command_line: Iterable[str] = (),
    user_file: Path | None = None,
    organisation_file: Path | None = None,
) -> Reading:
    """Read every source. Raises nothing: what is wrong is a message, the rest applies.

    Args:
        workspaces: root folders of what is open; what one of them forbids is forbidden.
        editor: the editor's `initializationOptions`: nested or dotted keys.
        environ: environment variables; None: the process's own.
        command_line: the `section.key=value` of `--set`.
        user_file: None: the platform's usual place.
        organisation_file: the same.
    """
    merge = _Merge()
    merge.add_organisation(organisation_file or organisation_settings_file())
    merge.add(lambda: from_file(user_file or user_settings_file(), Source.USER), own_file=True)
    for file in map(workspace_settings_file, workspaces):
        merge.add(partial(from_file, file, Source.WORKSPACE))
    merge.add(lambda: _from_editor(editor))
    merge.add(lambda: from_environment(os.environ if environ is None else environ))
    merge.add(lambda: from_pairs(command_line))
    return merge.reading()


def _from_editor(options: Any) -> list[Given]:
    if options is None or options == []:
        return []
    if not isinstance(options, Mapping):
        raise SettingsError("The editor's initialization options are not an object of settings.")
    return from_table(options, Source.EDITOR, "the editor")


class _Merge:
    """Values gathered so far, weakest source first."""

    def __init__(self) -> None:
        self._values: dict[str, Any] = {}
        self._sources: dict[str, Source] = dict.fromkeys(KEYS, Source.DEFAULT)
        self._forbidden: dict[str, Source] = {}
        self._messages: list[str] = []
        self._locked: frozenset[str] = frozenset()
        self._locked_in = ""
        self._told: set[str] = set()

    def add_organisation(self, file: Path) -> None:
        """Take what the organisation says, and from here on what it locks."""

        def read() -> list[Given]:
            organisation = read_organisation(file)
            self._locked, self._locked_in = organisation.locked, str(file)
            return list(organisation.given)

        self.add(read, own_file=True)

    def add(self, read: Callable[[], list[Given]], *, own_file: bool = False) -> None:
        """Take what a source gives; from a file that others may read no keys."""
        try:
            given = read()
        except SettingsError as error:
            self._messages.append(f"{error} Until it is mended nothing is escalated.")
            self._forbidden["escalation.enabled"] = Source.DEFAULT
            return
        for each in given:
            key = KEYS.get(each.name)
            exposed = exposure(each.where) if own_file and key is not None and key.secret else ""
            if exposed and key is not None:
                self._messages.append(exposed_secret(key, exposed))
            else:
                self._take(each)

    def reading(self) -> Reading:
        """Apply what was forbidden and the rules on addresses, and build the tree."""
        for name, source in self._forbidden.items():
            self._values[name], self._sources[name] = False, source
        self._keep_the_organisations_rule()
        for name, sentence in refused_addresses(build(self._values)):
            self._values[name] = ""
            self._messages.append(sentence)
        settings = build(self._values)
        return Reading(settings, self._sources, _bounded(self._messages), self._locked)

    def _keep_the_organisations_rule(self) -> None:
        """Compare no other rule with one that is locked, unless who locked it does."""
        rule, source = self._values.get("comparison.rule", "off"), self._sources["comparison.rule"]
        held = {"router.rule", "router.threshold"} & self._locked
        if held and rule != "off" and source is not Source.ORGANISATION:
            self._values["comparison.rule"] = "off"
            self._messages.append(rule_locked(self._locked_in))

    def _take(self, given: Given) -> None:
        key = KEYS.get(given.name)
        complaint = not_a_setting(given) if key is None else not_its_place(key, given)
        if key is None or complaint:
            self._messages.append(complaint)
            return
        if self._is_locked(key, given):
            if key.name not in self._told:
                self._told.add(key.name)
                self._messages.append(locked(key, given, self._locked_in))
            return
        try:
            value = check(key, from_text(key, given.value) if given.is_text else given.value)
        except NotAllowed:
            self._messages.append(not_allowed(key, given))
            if key.when_wrong is None:
                return
            value = key.when_wrong
        if given.source is Source.WORKSPACE and key.workspace == "off":
            if value is not False:
                self._messages.append(only_off(key, given))
                return
            self._forbidden[key.name] = given.source
        if key.kind is tuple:
            value = (*self._values.get(key.name, ()), *self._rules(key, given, value))
        self._values[key.name], self._sources[key.name] = value, given.source

    def _rules(self, key: Key, given: Given, rules: tuple[Rule, ...]) -> tuple[Rule, ...]:
        """A source's rules, each with its place; of a workspace's those that keep files here."""
        placed = tuple(replace(rule, where=given.where) for rule in rules)
        if given.source is not Source.WORKSPACE or all(rule.restricts for rule in placed):
            return placed
        self._messages.append(only_restricting(key, given))
        return tuple(rule for rule in placed if rule.restricts)

    def _is_locked(self, key: Key, given: Given) -> bool:
        """Locked against this source. A workspace may keep files here whatever is locked."""
        tightens = given.source is Source.WORKSPACE and key.workspace != "always"
        mine = given.source is Source.ORGANISATION
        return key.name in self._locked and not mine and not tightens


def _bounded(messages: list[str]) -> tuple[str, ...]:
    if len(messages) <= _MOST_MESSAGES:
        return tuple(messages)
    more = len(messages) - _MOST_MESSAGES
    return (*messages[:_MOST_MESSAGES], f"There are {more} more wrong settings.")
