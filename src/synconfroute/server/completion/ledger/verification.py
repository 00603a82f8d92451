"""Is the ledger as it was written?

What this can tell: a line that was changed, taken out, put in or moved, an end that was cut off, a
file or a whole chain that is gone. What it cannot: that somebody who may write the user's files has
written all of it anew, from one line to the last and every head, and every chain that names it.
Against that helps a report of this kind that was put where he cannot write; see `missing_from`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path

from synconfroute.server.completion.ledger.chain import START, Record
from synconfroute.server.completion.ledger.files import Chain, chains_in
from synconfroute.server.completion.ledger.head import Head, read_head
from synconfroute.server.completion.ledger.lines import Line, lines_of

_AT_ONCE = 2
"""So many lines, at most, are written before the head is."""


class Damage(StrEnum):
    """What is wrong."""

    CHANGED = "changed"
    REMOVED = "removed"
    INSERTED = "inserted"
    REORDERED = "reordered"
    TRUNCATED = "truncated"
    UNREADABLE = "unreadable"


@dataclass(frozen=True, slots=True)
class Break:
    """A place where the ledger is not as it was written.

    Attributes:
        damage: what is wrong.
        file: name of the file.
        line: which line of it, from 1; 0: the file as a whole.
        sentence: what was found there.
    """

    damage: Damage
    file: str
    line: int
    sentence: str


@dataclass(frozen=True, slots=True)
class Found:
    """The ledger as it stands.

    Attributes:
        heads: of each chain, by its name, as its lines say.
        files: so many there are.
        lines: so many there are in them.
        halves: names of files that end with half a line, which was being written when a process
            or the machine died; its request did not leave.
        breaks: what is wrong, in order.
    """

    heads: Mapping[str, Head]
    files: int
    lines: int
    halves: tuple[str, ...]
    breaks: tuple[Break, ...]


def verify(folder: Path) -> Found:
    """Read all of it.

    Raises:
        OSError: the folder cannot be read.
    """
    chains = chains_in(folder)
    # Heads first: a living process may go on to write while its lines are read.
    heads = {chain.name: read_head(chain.head) for chain in chains}
    read = [_Reading(chain, heads[chain.name]) for chain in chains]
    gone_before = max((one.drops_before for one in read), default="")
    breaks = [found for one in read for found in one.breaks(gone_before)]
    by_name = {one.chain.name: one for one in read}
    for one in read:
        breaks += _unseen(one, by_name, gone_before)
    return Found(
        heads={one.chain.name: one.head for one in read if one.lines},
        files=sum(len(chain.files) for chain in chains),
        lines=sum(len(one.lines) for one in read),
        halves=tuple(half.file.name for one in read for half in one.halves),
        breaks=tuple(breaks),
    )


def missing_from(folder: Path, heads: Mapping[str, Head]) -> tuple[Break, ...]:
    """What an earlier report knew and the ledger no longer holds: written anew, cut, or gone.

    Args:
        folder: the ledger's.
        heads: of each chain, by its name, in the earlier report.

    Raises:
        OSError: the folder cannot be read.
    """
    read = {chain.name: _Reading(chain, None) for chain in chains_in(folder)}
    gone_before = max((one.drops_before for one in read.values()), default="")
    breaks = []
    for name, head in heads.items():
        found = _compared(name, head, read.get(name), gone_before, "the earlier report")
        breaks += [] if found is None else [found]
    return tuple(breaks)


class _Reading:
    """One chain, read."""

    def __init__(self, chain: Chain, head: Head | None) -> None:
        self.chain = chain
        self._head = head
        self.halves: list[Line] = []
        self.lines: list[Line] = []
        self.seen: list[tuple[Line, str, Head]] = []
        self.drops_before = ""
        self._parts_before = 0
        self._first_part: int | None = None
        self._unreadable: list[Break] = []
        for file in chain.files:
            try:
                for line in lines_of(file):
                    self._take(line)
            except OSError:
                self._unreadable.append(
                    Break(Damage.UNREADABLE, file.name, 0, "The file cannot be read.")
                )
        records = [line.record for line in self.lines if line.record is not None]
        self.hashes = {record.number: record.hash for record in records if record.sound}

    @property
    def head(self) -> Head:
        """The last of its lines that can be read."""
        last = max(self.hashes, default=0)
        return Head(last, self.hashes.get(last, START))

    def _take(self, line: Line) -> None:
        """Keep of a line what is looked at again: a ledger may be long."""
        record = line.record
        if record is None:
            (self.lines if line.whole else self.halves).append(line)
            return
        slim = replace(line, record=replace(record, members={}))
        self.lines.append(slim)
        if record.event == "begun":
            self.seen += [(slim, name, head) for name, head in _seen_in(record)]
            if self._first_part is None:
                self._first_part = record.count("part")
        elif record.event == "dropped":
            self.drops_before = max(self.drops_before, record.text("chains_before"))
            self._parts_before = max(self._parts_before, record.count("parts_before") or 0)

    def breaks(self, gone_before: str) -> list[Break]:
        """All that is wrong with it."""
        if self._unreadable:
            return self._unreadable
        name = self.chain.head.name
        if not self.chain.files:
            begun = self._head is not None and self._head.lines > 0
            if self.chain.name < gone_before or not begun:
                return []  # dropped; or its process died before the first line
            return [Break(Damage.REMOVED, name, 0, "All files of this chain are missing.")]
        found = _walk(self.lines, self._may_begin_late(gone_before))
        if self._head is None:
            return [*found, Break(Damage.REMOVED, name, 0, "The head is missing or damaged.")]
        return found + self._against_head(self._head)

    def _may_begin_late(self, gone_before: str) -> bool:
        """True if its first files were dropped."""
        if self.chain.name < gone_before:
            return True
        return self._first_part is not None and 1 < self._first_part <= self._parts_before

    def _against_head(self, head: Head) -> list[Break]:
        last, file = self.head.lines, self.chain.files[-1].name
        at = self.lines[-1].at if self.lines else 0
        if head.lines > last:
            missing = head.lines - last
            return [
                Break(
                    Damage.TRUNCATED,
                    file,
                    at,
                    f"{_many(missing)} behind it {'is' if missing == 1 else 'are'} missing: cut"
                    " off by hand, or lost when the machine lost its power.",
                )
            ]
        if self.hashes.get(head.lines, head.hash) != head.hash:
            sentence = f"Line number {head.lines} is not the one that the head knows."
            return [Break(Damage.CHANGED, file, 0, sentence)]
        written_since = read_head(self.chain.head) or head
        if last > written_since.lines + _AT_ONCE:
            sentence = f"The head knows of no line behind number {head.lines}."
            return [Break(Damage.INSERTED, file, at, sentence)]
        return []


def _walk(lines: Sequence[Line], late: bool) -> list[Break]:
    """Follow the chain from line to line. `late`: it need not begin with its first line."""
    breaks: list[Break] = []
    numbers = [line.record.number if line.record else 0 for line in lines]
    moved: set[int] = set()
    last, digest = 0, START
    strange: list[Line] = []
    for index, line in enumerate(lines):
        record = line.record
        if record is None or not record.sound:
            strange.append(line)
            continue
        if strange:
            goes_on = record.number == last + 1 and record.previous == digest
            breaks += _of_strange(strange, inserted=goes_on)
            last, digest = (last, digest) if goes_on else (last + len(strange), "")
            strange.clear()
        if index == 0 and late:
            last, digest = record.number - 1, record.previous
        if record.number <= last:
            if record.number not in moved:
                sentence = f"The line has number {record.number}, which another line had."
                breaks.append(_break(Damage.INSERTED, line, sentence))
            continue
        missing = range(last + 1, record.number)
        if missing:
            here = _moved(missing, numbers[index + 1 :])
            moved |= here
            breaks.append(_gap(line, missing, bool(here)))
        elif digest and record.previous != digest:
            sentence = "The line does not go on from the one before it, which was changed."
            breaks.append(_break(Damage.CHANGED, line, sentence))
        last, digest = record.number, record.hash
    return breaks + _of_strange(strange, inserted=False)


def _of_strange(lines: Sequence[Line], *, inserted: bool) -> list[Break]:
    """What is said of lines that nobody wrote so; `inserted`: what is around goes on without."""
    if inserted:
        return [
            _break(Damage.INSERTED, line, "The line is none of the ledger's.") for line in lines
        ]
    return [_break(Damage.CHANGED, line, "The line is not as it was written.") for line in lines]


def _moved(missing: range, later: Sequence[int]) -> set[int]:
    """Which of the missing numbers stand further down."""
    return {number for number in later if number in missing}


def _gap(line: Line, missing: range, moved: bool) -> Break:
    numbers = f"{missing[0]}" if len(missing) == 1 else f"{missing[0]} to {missing[-1]}"
    what = "line" if len(missing) == 1 else "lines"
    if moved:
        sentence = f"Before this line should stand {what} {numbers}, found further down."
        return _break(Damage.REORDERED, line, sentence)
    verb = "is" if len(missing) == 1 else "are"
    sentence = f"Before this line {what} number {numbers} {verb} missing."
    return _break(Damage.REMOVED, line, sentence)


def _break(damage: Damage, line: Line, sentence: str) -> Break:
    return Break(damage, line.file.name, line.at, sentence)


def _unseen(one: _Reading, by_name: Mapping[str, _Reading], gone_before: str) -> list[Break]:
    """What this chain has seen of others and they no longer hold."""
    breaks = []
    for line, name, head in one.seen:
        teller = f"{line.file.name}, line {line.at},"
        found = _compared(name, head, by_name.get(name), gone_before, teller)
        breaks += [] if found is None else [found]
    return breaks


def _seen_in(record: Record) -> list[tuple[str, Head]]:
    seen = record.members.get("seen")
    found = []
    for each in seen if isinstance(seen, list) and record.sound else []:
        if not isinstance(each, dict):
            continue
        name, number, digest = each.get("chain"), each.get("n"), each.get("hash")
        if isinstance(name, str) and type(number) is int and isinstance(digest, str):
            found.append((name, Head(number, digest)))
    return found


def _compared(
    name: str, head: Head, now: _Reading | None, gone_before: str, teller: str
) -> Break | None:
    """What is wrong with a chain of which somebody knows an earlier head."""
    if now is None or not now.chain.files:
        if name < gone_before:
            return None
        sentence = f"The chain is missing, which {teller} knows."
        return Break(Damage.REMOVED, f"{name}.head", 0, sentence)
    file = now.chain.files[-1].name
    if head.lines > now.head.lines:
        missing = head.lines - now.head.lines
        sentence = (
            f"{_many(missing)} that {teller} knows {'is' if missing == 1 else 'are'} missing."
        )
        return Break(Damage.TRUNCATED, file, 0, sentence)
    if now.hashes.get(head.lines, head.hash) != head.hash:
        sentence = f"Line number {head.lines} is not the one that {teller} knows."
        return Break(Damage.CHANGED, file, 0, sentence)
    return None


def _many(lines: int) -> str:
    return "One line" if lines == 1 else f"{lines} lines"
