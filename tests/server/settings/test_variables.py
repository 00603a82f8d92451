"""Settings that go to another process as variables mean the same there."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from synconfroute.server.settings.keys import KEYS, Key, value_of
from synconfroute.server.settings.reader import Reading, read_settings
from synconfroute.server.settings.variables import as_variables


def values_of(key: Key) -> st.SearchStrategy[object]:
    """Allowed values of a key."""
    if key.choices:
        return st.sampled_from(key.choices)
    if key.kind is bool:
        return st.booleans()
    if key.kind in (int, float):
        return st.integers(int((key.low or 0) + 1), int(key.high or 9)).map(key.kind)
    if key.item is float:
        return st.dictionaries(st.sampled_from(["a/b/c", "é"]), st.floats(0, 1))
    if key.kind is dict:
        return st.dictionaries(st.sampled_from(["X-One", "X-Two"]), st.sampled_from(["1", "a b"]))
    if key.kind is tuple:
        return st.lists(st.sampled_from([{"action": "deny"}, {"action": "allow", "paths": ["a"]}]))
    if key.address:
        return st.sampled_from(["", "http://127.0.0.1:9/v1"])
    return st.sampled_from(["", "name", "7"])


def _values(reading: Reading) -> dict[str, Any]:
    """All values; of rules without the place where they stand, which differs."""
    values = {name: value_of(reading.settings, key) for name, key in KEYS.items()}
    return {
        name: [rule.as_json() for rule in value] if isinstance(value, tuple) else value
        for name, value in values.items()
    }


@given(data=st.data())
def test_a_process_reads_the_same_settings(data: st.DataObject) -> None:
    """Whatever the editor sets, nested or dotted."""
    of_users = sorted(name for name, key in KEYS.items() if not key.organisation)
    keys = data.draw(st.lists(st.sampled_from(of_users), unique=True, max_size=6))
    table = {name: data.draw(values_of(KEYS[name]), label=name) for name in keys}
    told = read_settings(editor=table, environ={})
    other = read_settings(environ=as_variables(table))
    assert _values(other) == _values(told)
    assert other.messages == told.messages


def test_what_is_no_setting_is_left_out() -> None:
    """Nor does a text that no variable can hold become one."""
    table = {"local": {"modell": "x", "model": "a\0b"}, "colour": 3, "limits.lines": "multi"}
    assert as_variables(table) == {"SYNCONFROUTE_LIMITS_LINES": "multi"}
