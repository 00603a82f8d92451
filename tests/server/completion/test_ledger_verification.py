"""Whatever is done to the ledger's files is noticed, and where."""

import os
import subprocess
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from synconfroute.errors import LedgerError
from synconfroute.server.completion.ledger import Entry, Ledger
from synconfroute.server.completion.ledger.chain import START, linked, read
from synconfroute.server.completion.ledger.history import history
from synconfroute.server.completion.ledger.verification import missing_from, verify

ENTRY = Entry("/w/a.py", "python", 10, "https://h/v1", "m", "invalid", "r")


def write(folder: Path, requests: int = 3, day: int = 1) -> Ledger:
    """A chain of 1 + 2 · `requests` lines: begun, then sent and ended for each."""
    ledger = Ledger(folder, lambda: datetime(2026, 3, day, tzinfo=UTC))
    for _ in range(requests):
        ledger.ended(ledger.record(ENTRY), "answered", ms=1, tokens=1)
    ledger.close()
    return ledger


def breaks(folder: Path) -> list[tuple[str, int]]:
    """Kind and line of all that is found."""
    return [(each.damage.value, each.line) for each in verify(folder).breaks]


Lines = list[bytes]


def _change(lines: Lines) -> Lines:
    return [line.replace(b'"bytes": 10', b'"bytes": 11') for line in lines]


def _forge(lines: Lines) -> Lines:
    """Change the fourth line, and its hash with it."""
    record = read(lines[3][:-1])
    assert record is not None
    members = {name: value for name, value in record.members.items() if name not in {"n", "prev"}}
    forged, _ = linked(4, members | {"bytes": 11}, record.previous)
    return [*lines[:3], forged, *lines[4:]]


DAMAGES: dict[str, tuple[Callable[[Lines], Lines], list[tuple[str, int]]]] = {
    "nothing": (lambda lines: lines, []),
    "three lines changed": (_change, [("changed", 2), ("changed", 4), ("changed", 6)]),
    "a line changed, its hash too": (_forge, [("changed", 5)]),
    "a line taken out": (lambda lines: [*lines[:2], *lines[3:]], [("removed", 3)]),
    "the first lines taken out": (lambda lines: lines[2:], [("removed", 1)]),
    "a line put in twice": (lambda lines: [*lines[:4], lines[1], *lines[4:]], [("inserted", 5)]),
    "another line put in": (lambda lines: [*lines[:4], b"{}\n", *lines[4:]], [("inserted", 5)]),
    "two lines exchanged": (
        lambda lines: [*lines[:2], lines[3], lines[2], *lines[4:]],
        [("reordered", 3)],
    ),
    "the last line cut off": (lambda lines: lines[:-1], [("truncated", 6)]),
    "all but the first cut off": (lambda lines: lines[:1], [("truncated", 1)]),
    "half of the last line cut off": (
        lambda lines: [*lines[:-1], lines[-1][:20]],
        [("truncated", 6)],
    ),
    "all lines cut off": (lambda _: [], [("truncated", 0)]),
}


@pytest.mark.parametrize("name", DAMAGES)
def test_what_was_done_to_a_file_is_named(name: str, tmp_path: Path) -> None:
    """With its line; nothing else is said."""
    ledger = write(tmp_path)
    damage, expected = DAMAGES[name]
    lines = damage(ledger.file.read_bytes().splitlines(keepends=True))
    ledger.file.write_bytes(b"".join(lines))
    assert breaks(tmp_path) == expected


def test_a_last_line_that_was_written_anew_is_noticed(tmp_path: Path) -> None:
    """Though it fits its own hash: the head knows another one."""
    ledger = write(tmp_path, requests=1)
    *before, last = ledger.file.read_bytes().splitlines(keepends=True)
    record = read(last[:-1])
    assert record is not None
    forged, _ = linked(3, {"event": "ended", "of": 2, "status": "late"}, record.previous)
    ledger.file.write_bytes(b"".join([*before, forged]))
    assert breaks(tmp_path) == [("changed", 0)]


def test_lines_added_behind_the_end_are_noticed(tmp_path: Path) -> None:
    """The head knows nothing of them."""
    ledger = write(tmp_path, requests=1)
    last = read(ledger.file.read_bytes().splitlines()[-1])
    assert last is not None
    digest, text = last.hash, b""
    for number in range(4, 8):
        line, digest = linked(number, {"event": "sent"}, digest)
        text += line
    ledger.file.write_bytes(ledger.file.read_bytes() + text)
    assert breaks(tmp_path) == [("inserted", 7)]


def test_half_a_last_line_is_no_damage(tmp_path: Path) -> None:
    """It was being written when its process died, so its request did not leave."""
    ledger = write(tmp_path)
    with ledger.file.open("ab") as file:
        file.write(b'{"n": 8, "time": "2026')
    found = verify(tmp_path)
    assert (found.breaks, found.halves, found.lines) == ((), (ledger.file.name,), 7)
    assert len(history(tmp_path).requests) == 3


@pytest.mark.skipif(sys.platform == "win32", reason="kill -9")
@pytest.mark.parametrize(("writes", "lines"), [(0, 0), (1, 2), (2, 3), (3, 4)])
def test_a_death_between_a_line_and_its_head_is_no_damage(
    tmp_path: Path, writes: int, lines: int
) -> None:
    """The head is made before the first line, and may be a line behind."""
    program = f"""
import os, signal
from pathlib import Path
from synconfroute.server.completion.ledger import Entry, Ledger
from synconfroute.server.completion.ledger.head import HeldHead
ledger = Ledger(Path({str(tmp_path)!r}))
entry = Entry("/w/a.py", "python", 1, "https://h/v1", "m", "invalid", "r")
write, left = HeldHead.write, [None] * {writes}

def until_killed(head, said):
    if not left:
        os.kill(os.getpid(), signal.SIGKILL)
    left.pop()
    write(head, said)

HeldHead.write = until_killed
for _ in range(5):
    ledger.record(entry)
"""
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    subprocess.run([sys.executable, "-c", program], timeout=60, env=environment, check=False)
    found = verify(tmp_path)
    assert (found.breaks, found.lines) == ((), lines)
    assert len(list(tmp_path.iterdir())) == 1 + bool(lines)


def test_where_no_line_could_be_written_nothing_is_left(tmp_path: Path) -> None:
    """Not even a head."""
    ledger = Ledger(tmp_path)
    ledger.file.mkdir()
    with pytest.raises(LedgerError):
        ledger.record(ENTRY)
    assert list(tmp_path.iterdir()) == [ledger.file]


def test_a_file_that_is_gone_is_noticed(tmp_path: Path) -> None:
    """By its head."""
    write(tmp_path).file.unlink()
    assert breaks(tmp_path) == [("removed", 0)]


def test_a_chain_that_is_gone_with_its_head_is_noticed(tmp_path: Path) -> None:
    """By the chains that were begun later; the newest one has no witness."""
    first, last = write(tmp_path, day=1), write(tmp_path, day=2)
    for file in tmp_path.glob(f"{first.file.name[:16]}*"):
        file.unlink()
    (found,) = verify(tmp_path).breaks
    assert found.damage == "removed"
    assert last.file.name in found.sentence


def test_a_chain_that_was_written_anew_is_noticed(tmp_path: Path) -> None:
    """By the chains that were begun later, though it is whole in itself."""
    first, _ = write(tmp_path, day=1), write(tmp_path, day=2)
    text, digest = b"", START
    for number in range(1, 8):
        line, digest = linked(number, {"event": "sent"}, digest)
        text += line
    first.file.write_bytes(text)
    head = first.file.with_name(first.file.name.replace("-0001.jsonl", ".head"))
    head.write_text(f'{{"lines": 7, "hash": "{digest}"}}')
    (found,) = verify(tmp_path).breaks
    assert (found.damage, found.file) == ("changed", first.file.name)


def test_an_earlier_report_is_a_witness(tmp_path: Path) -> None:
    """What grew since is as it was; what was cut, written anew or taken away is not."""
    ledger = write(tmp_path, requests=1)
    heads = verify(tmp_path).heads
    ledger.ended(ledger.record(ENTRY), "answered", ms=1, tokens=1)
    ledger.close()
    assert missing_from(tmp_path, heads) == ()
    lines = ledger.file.read_bytes().splitlines(keepends=True)
    ledger.file.write_bytes(b"".join(lines[:2]))
    assert [each.damage for each in missing_from(tmp_path, heads)] == ["truncated"]
    ledger.file.write_bytes(b"".join([*lines[:2], linked(3, {"event": "x"}, START)[0]]))
    assert [each.damage for each in missing_from(tmp_path, heads)] == ["changed"]
    ledger.file.unlink()
    assert [each.damage for each in missing_from(tmp_path, heads)] == ["removed"]


@settings(deadline=None)
@given(st.data())
def test_any_damage_is_read_without_a_fault_and_noticed(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    """Bytes changed anywhere but in the head's padding."""
    folder = tmp_path_factory.mktemp("ledger")
    ledger = write(folder, requests=2)
    text = bytearray(ledger.file.read_bytes())
    at = data.draw(st.integers(0, len(text) - 1))
    byte = data.draw(st.integers(0, 255).filter(lambda byte: byte != text[at]))
    text[at] = byte
    ledger.file.write_bytes(bytes(text))
    assert breaks(folder)
    history(folder)


@settings(deadline=None)
@given(st.binary(max_size=2000), st.binary(max_size=200))
def test_any_bytes_are_read_without_a_fault(
    tmp_path_factory: pytest.TempPathFactory, lines: bytes, head: bytes
) -> None:
    """In a file and in its head."""
    folder = tmp_path_factory.mktemp("ledger")
    (folder / "20260301T000000Z-1-00000000-0001.jsonl").write_bytes(lines)
    (folder / "20260301T000000Z-1-00000000.head").write_bytes(head)
    verify(folder)
    assert history(folder).requests == ()
