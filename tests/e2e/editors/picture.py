"""A terminal's screen as a picture, for the pages that show an editor."""

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from tests.e2e.editors.terminal import width

FOLDER = "SYNCONFROUTE_PICTURES"
"""The environment variable that names a folder for pictures; without it none is made."""

_SIZE = 28
"""Pixels of a letter's height: twice what a page shows, for screens of high density."""
_MARGIN = 20
_ESCAPE = re.compile(r"\x1b\[([0-9;:]*)m|\x1b\][^\x1b\x07]*(?:\x1b\\|\x07)|[\x0e\x0f]")

Colour = tuple[int, int, int]
_INK, _PAPER = (217, 224, 238), (30, 32, 44)
_NAMED: tuple[Colour, ...] = (
    (30, 32, 44), (224, 108, 117), (152, 195, 121), (229, 192, 123),
    (97, 175, 239), (198, 120, 221), (86, 182, 194), (200, 204, 212),
    (110, 115, 130), (240, 130, 140), (172, 215, 141), (245, 212, 143),
    (127, 195, 255), (218, 150, 241), (116, 202, 214), (255, 255, 255),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Style:
    """How a cell is drawn."""

    ink: Colour | None = None
    paper: Colour | None = None
    bold: bool = False
    reverse: bool = False
    underlined: bool = False

    @property
    def colours(self) -> tuple[Colour, Colour]:
        """Ink and paper as they are drawn."""
        ink, paper = self.ink or _INK, self.paper or _PAPER
        return (paper, ink) if self.reverse else (ink, paper)


def save_picture(name: str, screen: str, cursor: tuple[int, int] | None = None) -> None:
    """Draw a screen into `name`.png of the folder that the environment names, if it names one.

    Args:
        name: the picture's name.
        screen: lines of text with escape sequences for colours (ECMA-48, SGR).
        cursor: its row and column, from 0.
    """
    folder = os.environ.get(FOLDER)
    if folder:
        _draw(screen.split("\n"), cursor, Path(folder) / f"{name}.png")


def _draw(lines: list[str], cursor: tuple[int, int] | None, file: Path) -> None:
    from matplotlib import get_data_path
    from PIL import Image, ImageDraw, ImageFont

    fonts = Path(get_data_path()) / "fonts" / "ttf"
    plain = ImageFont.truetype(fonts / "DejaVuSansMono.ttf", _SIZE)
    bold = ImageFont.truetype(fonts / "DejaVuSansMono-Bold.ttf", _SIZE)
    step, height = round(plain.getlength("m")), round(_SIZE * 1.3)
    rows = _rows(lines)
    columns = max(column + 1 for row in rows for column, _, _ in row)
    size = (columns * step + 2 * _MARGIN, len(rows) * height + 2 * _MARGIN)
    image = Image.new("RGB", size, _PAPER)
    pen = ImageDraw.Draw(image)
    for number, row in enumerate(rows):
        for column, character, style in row:
            if (number, column) == cursor:
                style = replace(style, reverse=not style.reverse)  # noqa: PLW2901
            ink, paper = style.colours
            x, y = _MARGIN + column * step, _MARGIN + number * height
            pen.rectangle((x, y, x + step * width(character), y + height), fill=paper)
            pen.text((x, y + 2), character, fill=ink, font=bold if style.bold else plain)
            if style.underlined:
                pen.line((x, y + height - 3, x + step, y + height - 3), fill=ink, width=2)
    file.parent.mkdir(parents=True, exist_ok=True)
    image.quantize(colors=64).save(file, optimize=True)


def _rows(lines: list[str]) -> list[list[tuple[int, str, Style]]]:
    """Each line's characters with their columns and styles; a style holds on to the next line."""
    style, rows = Style(), []
    for line in lines:
        cells, column, place = [], 0, 0
        while place < len(line):
            escape = _ESCAPE.match(line, place)
            if escape is not None:
                style = style if escape[1] is None else _styled(style, escape[1])
                place = escape.end()
                continue
            cells.append((column, line[place], style))
            column += width(line[place])
            place += 1
        rows.append(cells)
    return rows


def _styled(style: Style, parameters: str) -> Style:
    """The style after one escape sequence."""
    codes = [part.split(":") for part in parameters.split(";")]
    numbers = iter([int(part[0] or 0) for part in codes])
    for number in numbers:
        if number in (38, 48):
            colour = _colour(numbers)
            style = replace(style, ink=colour) if number == 38 else replace(style, paper=colour)
        elif number == 58:
            _colour(numbers)
        else:
            style = _changed(style, number)
    return style


def _changed(style: Style, number: int) -> Style:
    """The style after one code that stands alone."""
    match number:
        case 0:
            return Style()
        case 1 | 22:
            return replace(style, bold=number == 1)
        case 4 | 24:
            return replace(style, underlined=number == 4)
        case 7 | 27:
            return replace(style, reverse=number == 7)
        case 39:
            return replace(style, ink=None)
        case 49:
            return replace(style, paper=None)
    for first, shift in ((30, 0), (90, 8)):
        if first <= number < first + 8:
            return replace(style, ink=_NAMED[number - first + shift])
        if first + 10 <= number < first + 18:
            return replace(style, paper=_NAMED[number - first - 10 + shift])
    return style


def _colour(numbers: Iterator[int]) -> Colour:
    """The colour that the next codes name: 5 and an index, or 2 and red, green, blue."""
    if next(numbers, 5) == 2:
        return next(numbers, 0), next(numbers, 0), next(numbers, 0)
    index = next(numbers, 0)
    if index < 16:
        return _NAMED[index]
    if index >= 232:
        return (index * 10 - 2312,) * 3
    steps = (0, 95, 135, 175, 215, 255)
    cube = index - 16
    return steps[cube // 36], steps[cube // 6 % 6], steps[cube % 6]
