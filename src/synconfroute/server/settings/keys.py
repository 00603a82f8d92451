"""The settings tree as a flat list of keys."""

from dataclasses import Field, dataclass, fields
from types import UnionType
from typing import Any, get_args, get_origin, get_type_hints

from synconfroute.server.settings.tree import Settings


@dataclass(frozen=True, slots=True)
class Key:
    """One setting, as `tree.setting` describes it.

    Attributes:
        name: section and field, such as "org.url".
        kind: the type of its values: str, bool, int, float, dict, or tuple for a list.
        item: the type of a table's or a list's values; None where it is neither.
        default: its value when nobody sets it; None says that something else then decides.
    """

    name: str
    kind: type
    item: type | None
    default: Any
    doc: str
    choices: tuple[str, ...]
    low: float | None
    high: float | None
    secret: bool
    workspace: str
    address: bool
    when_wrong: Any
    organisation: bool

    @property
    def variable(self) -> str:
        """The environment variable that sets it."""
        return "SYNCONFROUTE_" + self.name.replace(".", "_").upper()

    @property
    def for_editors(self) -> bool:
        """Editors may offer it: no secret, which their files are no place for, and the user's."""
        return not self.secret and not self.organisation


def _key(section: str, entry: Field[Any], hint: Any, default: Any) -> Key:
    kind, item = hint, None
    if get_origin(hint) is UnionType:
        kind = get_args(hint)[0]
    elif get_origin(hint) is tuple:
        kind, item = tuple, get_args(hint)[0]
    elif get_origin(hint) is not None:
        kind, item = dict, get_args(hint)[1]
    return Key(f"{section}.{entry.name}", kind, item, default, **entry.metadata)


def _all_keys() -> dict[str, Key]:
    keys = {}
    for section, kind in get_type_hints(Settings).items():
        hints, defaults = get_type_hints(kind), kind()
        for entry in fields(kind):
            key = _key(section, entry, hints[entry.name], getattr(defaults, entry.name))
            keys[key.name] = key
    return keys


KEYS: dict[str, Key] = _all_keys()
SECTIONS: tuple[str, ...] = tuple(dict.fromkeys(name.partition(".")[0] for name in KEYS))


def build(values: dict[str, Any]) -> Settings:
    """The tree with these values, by key name; every other key has its default."""
    sections = {}
    for section, kind in get_type_hints(Settings).items():
        own = {
            name.partition(".")[2]: value
            for name, value in values.items()
            if name.partition(".")[0] == section
        }
        sections[section] = kind(**own)
    return Settings(**sections)


def value_of(settings: Settings, key: Key) -> Any:
    """What `settings` holds for `key`."""
    section, _, name = key.name.partition(".")
    return getattr(getattr(settings, section), name)
