"""Which rules are about a document?"""

import re
from functools import lru_cache

from synconfroute.server.completion.context.ignored import Rule as Pattern
from synconfroute.server.completion.context.ignored import rules as patterns_of
from synconfroute.server.completion.policy.folders import lies_in, parts_below, plain
from synconfroute.server.completion.policy.place import Place, View
from synconfroute.server.completion.policy.remotes import Project, plain_remote
from synconfroute.server.settings.rules import Rule

_HOME = "~/"
_ADDRESS = re.compile(r"://|@")


def is_about(rule: Rule, place: Place, language: str, size: int) -> bool:
    """Do all conditions of a rule hold for a document?

    A rule that restricts is about it if it is under any of its names, in any repository around it,
    also where a repository's remotes cannot be told. One that allows has to be about it under each
    of its names, in the repository that is nearest.
    """
    if rule.larger_than is not None and size <= rule.larger_than:
        return False
    if rule.languages and language.casefold() not in map(str.casefold, rule.languages):
        return False
    if rule.restricts:
        return any(
            _holds(rule, place, view, project) for view in place.views for project in view.projects
        )
    return all(_holds(rule, place, view, view.projects[0]) for view in place.views)


def _holds(rule: Rule, place: Place, view: View, project: Project) -> bool:
    return _is_by_path(rule, place, view, project) and _is_by_remote(rule, project)


def _is_by_path(rule: Rule, place: Place, view: View, project: Project) -> bool:
    return not rule.paths or any(
        _names(pattern, place, view.path, project.root) for pattern in rule.paths
    )


def _names(pattern: str, place: Place, path: str, root: str) -> bool:
    if pattern.startswith(_HOME):
        if not lies_in(path, place.home):
            return False
        return _covers(_compiled(plain(pattern[1:])), parts_below(path, place.home))
    return _covers(_compiled(plain(pattern)), parts_below(path, root))


def _is_by_remote(rule: Rule, project: Project) -> bool:
    if not rule.remotes:
        return True
    if project.remotes is None:
        return rule.restricts
    patterns = [_compiled("/" + _plain_pattern(each)) for each in rule.remotes]
    if None in patterns:
        return rule.restricts  # it names nothing, and meant something
    return any(
        _covers(pattern, tuple(remote.split("/")))
        for remote in project.remotes
        for pattern in patterns
    )


def _plain_pattern(pattern: str) -> str:
    """A remote may be written as git shows it, too."""
    return plain_remote(pattern) if _ADDRESS.search(pattern) else pattern.casefold().strip("/")


def _covers(pattern: Pattern | None, parts: tuple[str, ...]) -> bool:
    """Does it name the path, or a folder above it?"""
    return pattern is not None and any(
        pattern.matches(parts[:depth], folder=depth < len(parts))
        for depth in range(1, len(parts) + 1)
    )


@lru_cache(maxsize=1024)
def _compiled(pattern: str) -> Pattern | None:
    return next(iter(patterns_of([pattern])), None)
