"""The open buffers that the parser process holds."""

from dataclasses import dataclass
from typing import Any

from synconfroute.validators.buffer import Buffer
from synconfroute.validators.insertion import with_line_feeds
from synconfroute.validators.line_text import LineText, Splice
from synconfroute.validators.verdict import Verdict, unknown


@dataclass(slots=True)
class _Held:
    lines: LineText
    buffer: Buffer


class HeldBuffers:
    """What `Mirror` told this process, by the numbers that it gave."""

    def __init__(self) -> None:
        self._held: dict[int, _Held] = {}

    def hold(self, message: dict[str, Any]) -> None:
        """Take a buffer, or edits of one, drop others, and parse: judging shall find it done."""
        for number in message["drop"]:
            self._held.pop(number, None)
        number = message["buffer"]
        if message["text"] is not None:
            held = _Held(LineText(message["text"]), Buffer(message["language"]))
            self._held[number] = held
            held.buffer.update(held.lines.text)
        held = self._held[number]
        if message["edits"]:
            held.lines.splice([Splice(*edit) for edit in message["edits"]])
            held.buffer.update(held.lines.text)

    def judge(self, message: dict[str, Any]) -> Verdict:
        """Say what inserting a text at a place does to a held buffer."""
        held = self._held.get(message["buffer"])
        if held is None:
            return unknown("the parser does not hold this buffer")
        offset = held.lines.offset(message["line"], message["character"])
        return held.buffer.judge(offset, with_line_feeds(message["text"]))
