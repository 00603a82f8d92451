"""Rules on what may leave: how a user writes them, and what they are."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

ACTIONS = ("allow", "deny", "shadow")
MOST_RULES = 200
"""In one source."""
_MOST_ENTRIES = 500
_LONGEST = 1_000
_LARGEST = 1_000_000_000
_LISTS = ("paths", "languages", "remotes")

FORM = (
    "a list of tables, each with an action (allow, deny or shadow) and, where it is not for every"
    " file, paths, languages or remotes (lists of texts) or larger_than (bytes)"
)
SCHEMA: dict[str, Any] = {
    "type": "object",
    "required": ["action"],
    "additionalProperties": False,
    "properties": {
        "action": {"type": "string", "enum": list(ACTIONS)},
        **{name: {"type": "array", "items": {"type": "string"}} for name in _LISTS},
        "larger_than": {"type": "integer", "minimum": 0, "maximum": _LARGEST},
    },
}
"""A rule as JSON schema, for editors."""


@dataclass(frozen=True, slots=True)
class Rule:
    """What to do with the files that it names; all conditions that it has must hold.

    Attributes:
        action: "allow", "deny" or "shadow".
        paths: patterns as in a `.gitignore` at the root of the repository; with `~/` before them,
            in the user's home folder. Any one of them.
        languages: LSP language ids; any one of them.
        remotes: repositories, such as "github.com/acme/*"; any one of them.
        larger_than: only documents of more bytes.
        where: the file or variable that it stands in, for sentences.
    """

    action: str
    paths: tuple[str, ...] = ()
    languages: tuple[str, ...] = ()
    remotes: tuple[str, ...] = ()
    larger_than: int | None = None
    where: str = ""

    @property
    def restricts(self) -> bool:
        """It keeps files here."""
        return self.action != "allow"

    def as_json(self) -> dict[str, Any]:
        """As it is written, without what it does not say."""
        lists = {"paths": self.paths, "languages": self.languages, "remotes": self.remotes}
        written: dict[str, Any] = {"action": self.action}
        written |= {name: list(texts) for name, texts in lists.items() if texts}
        return written if self.larger_than is None else written | {"larger_than": self.larger_than}


EVERYTHING_STAYS = Rule("deny", where="a list of rules that is not one")


def rules_of(value: Any) -> tuple[Rule, ...] | None:
    """The rules of a list of tables; None if it is no such list."""
    if not isinstance(value, list | tuple) or len(value) > MOST_RULES:
        return None
    rules = [each if isinstance(each, Rule) else _rule(each) for each in value]
    return tuple(rule for rule in rules if rule is not None) if None not in rules else None


def _rule(table: Any) -> Rule | None:
    if not isinstance(table, Mapping) or table.get("action") not in ACTIONS:
        return None
    lists: dict[str, tuple[str, ...]] = {}
    for name in _LISTS:
        texts = table.get(name, [])
        if not _is_texts(texts) or (name in table and not texts):
            return None  # an empty list would name nothing, and read as if it named everything
        if name == "paths" and not all(map(_is_pattern, texts)):
            return None
        lists[name] = tuple(texts)
    size = table.get("larger_than")
    if size is not None and not (type(size) is int and 0 <= size <= _LARGEST):
        return None
    if not set(table) <= {"action", "larger_than", *lists}:
        return None
    return Rule(
        table["action"], lists["paths"], lists["languages"], lists["remotes"], larger_than=size
    )


def _is_pattern(text: str) -> bool:
    """A line of a `.gitignore` that names something: no comment, and nothing taken back."""
    return text[0] not in "!# " and bool(text.removeprefix("~").strip("/ \\"))


def _is_texts(value: Any) -> bool:
    return (
        isinstance(value, list | tuple)
        and len(value) <= _MOST_ENTRIES
        and all(
            isinstance(text, str) and text.isprintable() and 0 < len(text.strip()) <= _LONGEST
            for text in value
        )
    )
