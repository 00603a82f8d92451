"""What may follow a text where a line's end may end a statement."""

from collections.abc import Collection, Iterator, Mapping, Sequence

from synconfroute.validators.treesitter.continuations import behind_block, inwards
from synconfroute.validators.treesitter.edit import Edit
from synconfroute.validators.treesitter.generics import generics
from synconfroute.validators.treesitter.quotes import quotes
from synconfroute.validators.treesitter.skeleton import Opener
from synconfroute.validators.treesitter.tokens import DIRECTIVE, TAG, Mode

_OTHERWISE = " : x"
"""What a choice between two operands may still lack."""

_CLAUSES = ("x of x", ";;")
"""What the head of a loop may still lack."""


def unended(edit: Edit, outside: int) -> Collection[str]:
    """The likeliest first; each closes all that is open but what a region leaves out.

    Args:
        edit: the text in its buffer.
        outside: brackets open around the region.
    """
    cells = list(inwards(edit.opened_right, outside))
    ends = quotes(edit.lines[-1].mode, edit.language)
    inside = bool(cells) and (cells[0].text in "([" or 1 in ends)
    leads = _leads(edit, inside=inside)
    if cells and cells[0].clauses:
        leads = (*_CLAUSES, *leads)
    found = dict.fromkeys(
        f"{gap}{lead}{_closed(edit, cells, ends, finish, inner, between)}"
        for gap, between in _gaps(edit)
        for lead, finish, inner in _ways(edit, leads)
    )
    lists = generics(edit, cells, ends, edit.language.behind_types)
    return (*found, *(f" {end}" for end in lists))


def _ways(edit: Edit, leads: Sequence[str]) -> Iterator[tuple[str, str, str | None]]:
    """What stands first, what ends the statement, what follows the innermost block."""
    language = edit.language
    usual = language.finish[0]
    for lead in leads:
        yield lead, usual, None
    for lead in leads[:2] if _choices(edit) else ():
        yield lead, _OTHERWISE, None
    for inner in language.behind:
        for lead in leads[:2]:
            yield lead, usual, inner
    for lead in leads:
        for finish in language.finish[1:]:
            yield lead, finish, None


def _gaps(edit: Edit) -> Sequence[tuple[str, str]]:
    """What stands before it, and between brackets that close what was opened on other lines."""
    line = edit.lines[-1]
    end = line.tokens[-1].end if line.tokens else 0
    noted = edit.texts[-1][end:].strip() or edit.texts[-1].endswith("\\")
    if not edit.language.strict_lines:
        return (("\n" if noted else " ", ""),)
    return (("\n", "\n"), ("\n", "")) if noted else ((" ", "\n"), ("\n", "\n"), (" ", ""))


def _leads(edit: Edit, *, inside: bool) -> Sequence[str]:
    if _quoted(edit.lines[-1].mode):
        return _unquoted(edit, inside=inside)
    return _in_code(edit, inside=inside)


def _in_code(edit: Edit, *, inside: bool) -> Sequence[str]:
    language, mode = edit.language, edit.lines[-1].mode
    last = edit.placed[-1].token if edit.placed else edit.above
    if last is not None and last.text == "{" and mode and mode[-1].held == 1:
        return language.fillers
    if last is None or last.text in {"{", ";"}:
        return ("",)
    chosen = _choices(edit)
    if last.text == "}":
        return ("", *chosen) if inside else ("", *language.after_block, *chosen)
    if last.text in {">", ">>"}:
        return (*language.finish, *language.follow, *language.fillers)
    if last.kind == "open" or (last.kind == "sign" and last.text not in language.postfix):
        bare = last.kind == "open" or last.text == "," or not inside
        return (*language.fillers, *chosen) if bare else (*language.fillers[1:], *chosen, "")
    if inside:
        return ("", *language.extends)
    return (*chosen, *language.finish, *language.follow)


def _choices(edit: Edit) -> Sequence[str]:
    """What a choice between two operands may still lack, where the last line begins one."""
    tokens = edit.lines[-1].tokens
    if "?" in edit.language.postfix or all(token.text != "?" for token in tokens):
        return ()
    return (f"x{_OTHERWISE * 2}",) if tokens[-1].text == "?" else (_OTHERWISE,)


def _quoted(mode: Mode) -> bool:
    return bool(mode) and not mode[-1].hole and mode[-1].quoted != DIRECTIVE


def _unquoted(edit: Edit, *, inside: bool) -> Sequence[str]:
    mode = edit.lines[-1].mode
    end = quotes(mode, edit.language)[0]
    if mode[-1].quoted == TAG:
        return tuple(f"{each}{end}" for each in ("", "x", "{x}"))
    if edit.in_comment:
        return tuple(f"{end}{each}" for each in _in_code(edit, inside=inside))
    finish = ("",) if inside else edit.language.finish
    return (*(f"{end}{each}" for each in finish), f"x{end}")


def _closed(
    edit: Edit,
    cells: Sequence[Opener],
    ends: Mapping[int, str],
    finish: str,
    inner: str | None,
    between: str,
) -> str:
    """The closing brackets, from the inside out, with what stands between them.

    Args:
        edit: the text in its buffer.
        cells: the open brackets.
        ends: what closes quotes and markup, by how many brackets must be closed before.
        finish: what ends the statement behind the first parenthesis.
        inner: what follows the innermost block; None for what must.
        between: what stands between brackets that were opened on different lines.
    """
    language = edit.language
    last = edit.row + len(edit.texts) - 1
    found = [between] if cells and cells[0].line != last else []
    for number, cell in enumerate(cells, start=1):
        outer = cells[number] if number < len(cells) else None
        enclosed = outer is not None and (outer.text in "([" or number + 1 in ends)
        closer = language.brackets[cell.text]
        found.append(f"\n{closer}" if cell.text in language.worded else closer)
        if number in ends:
            found.append(ends[number])
        elif _chosen(edit, cell):
            found.append(_OTHERWISE)
        elif cell.text in "([":
            found.append(inner or "" if enclosed else finish)
            inner, finish = (None, finish) if enclosed else (inner, language.finish[0])
        elif not enclosed:
            found.append(behind_block(edit, cell) if inner is None else inner)
            inner = None
        if outer is not None and outer.line != cell.line:
            found.append(between)
    return "".join(found)


def _chosen(edit: Edit, cell: Opener) -> bool:
    """Is a bracket the first of two operands to choose from?"""
    row = cell.line - edit.row
    tokens = edit.lines[row].tokens if row >= 0 else edit.frame.lines[cell.line].tokens
    before = [token.text for token in tokens if token.end <= cell.column]
    return before[-1:] == ["?"] and "?" not in edit.language.postfix
