"""Fill-in-the-middle: the prompt of each family, and which family a model is of."""

import re
from collections.abc import Iterable, Sequence
from typing import Protocol

from synconfroute.clients.fim_families import FAMILIES, Family

# Tokens in a model's own template show its format better than any name. Where several families
# spell them alike the name tells which it is, else it is the first.
_IN_TEMPLATE: tuple[tuple[tuple[str, ...], tuple[str, ...]], ...] = (
    (("<|fim_prefix|>", "<|fim_suffix|>"), ("qwen", "codegemma", "granite")),
    (FAMILIES["deepseek"].markers, ("deepseek",)),
    (("<fim_prefix>", "<fim_suffix>"), ("starcoder", "starcoder2", "mellum")),
    (("[SUFFIX]", "[PREFIX]"), ("codestral",)),
    (("<PRE>", "<SUF>"), ("codellama",)),
    (("<|code_prefix|>", "<|code_suffix|>"), ("glm", "codegeex")),
    (("<[fim-prefix]>", "<[fim-suffix]>"), ("seed-coder",)),
    (("<|prefix|>", "<|suffix|>"), ("falcon-h1",)),
)
# What an architecture says of a model whose template has these tokens; others have none.
_OF_ARCHITECTURE = {"gemma": "codegemma", "granite": "granite", "granitehybrid": "granite"}
_IN_NAME: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"qwen(?:2\.?5|3)[^/]*coder"), "qwen"),
    (re.compile(r"starcoder-?2"), "starcoder2"),
    (re.compile(r"starcoder|stable-code|refact-1|granite(?:-\d+b)?-code"), "starcoder"),
    (re.compile(r"deepseek-?coder"), "deepseek"),
    (re.compile(r"(?<!mamba-)codestral(?!-mamba)"), "codestral"),
    # Of the others of these lines the larger ones and those for chats have not learnt it.
    (re.compile(r"code-?llama(?!.*(?:34b|70b|python))"), "codellama"),
    (re.compile(r"code-?gemma(?:-1\.1)?(?:[-:]2b|[-:]7b-code|:code|-7b\Z)"), "codegemma"),
    (re.compile(r"granite-?(?:3\.3|4(?:\.0)?)(?![\d.b]|-vision|-speech)"), "granite"),
    (re.compile(r"codegeex-?4"), "codegeex"),
    (re.compile(r"glm-?4\.[5-9](?!v)"), "glm"),
    (re.compile(r"seed-?coder-8b-base"), "seed-coder"),
    (re.compile(r"mellum-4b"), "mellum"),
    (re.compile(r"falcon-h1-tiny-coder"), "falcon-h1"),
)


_LANGUAGES = {
    "cpp": "C++", "csharp": "C#", "javascript": "JavaScript", "typescript": "TypeScript",
    "php": "PHP",
}  # fmt: skip
"""Names of languages that are not their LSP id with a capital letter."""


class Piece(Protocol):
    """A piece of another file."""

    @property
    def path(self) -> str:
        """Of the file, relative."""
        ...

    @property
    def text(self) -> str:
        """Whole lines."""
        ...


def render(
    family: str,
    prefix: str,
    suffix: str,
    *,
    path: str = "",
    language: str = "",
    pieces: Sequence[Piece] = (),
) -> str:
    """The raw prompt for the code between `prefix` and `suffix`.

    Control tokens that stand in the user's own text, as in this file, would be read as control
    tokens. They get a space after their first character: `< |fim_prefix|>`. The buffer is not
    changed. Dropping them would hide code from the model; an invisible character might come back
    in the answer unseen.

    Args:
        family: name of its format.
        prefix: text before the cursor.
        suffix: text after it.
        path: the file's, relative; "": the prompt does not say. Not said where the family has no
            format for it.
        language: LSP id, for families whose prompts name it.
        pieces: of other files, in the order in which they are to stand. Left out where the family
            has no format for them: see `Family.files`.

    Raises:
        KeyError: there is no such family.
    """
    form = FAMILIES[family]
    above, begin = _files(form, path, pieces)
    head, inside = ("", above) if form.files and form.files.in_prefix else (above, "")
    about = form.about.format(language=_LANGUAGES.get(language, language.capitalize()))
    before = form.before_prefix + inside + begin + _without_control(form, prefix)
    after = form.before_suffix + _without_control(form, suffix)
    halves = (after, before) if form.suffix_first else (before, after)
    return "".join((form.opening, head, about, *halves, form.before_middle))


def piece_text(family: str, piece: Piece) -> str:
    """A piece of another file as it stands in that family's prompts; "" if it has no format."""
    form = FAMILIES[family]
    return "" if form.files is None else _piece(form, form.files.piece, piece)


def family_of(
    *, architecture: str = "", names: Iterable[str] = (), template: str = ""
) -> str | None:
    """The family of a model, by what is known about it, or None if it has no format known here.

    Args:
        architecture: the model's own, such as "qwen2" or "starcoder2" (GGUF metadata).
        names: names of the model, the most trustworthy first: its own base name, then what a
            server calls it.
        template: the model's prompt template.
    """
    named = [architecture] if architecture in {"starcoder", "starcoder2"} else []
    named += [family for name in names if (family := _by_name(name)) is not None]
    for tokens, families in _IN_TEMPLATE:
        if all(token in template for token in tokens):
            likely = [*named, _OF_ARCHITECTURE.get(architecture, "")]
            return next((family for family in likely if family in families), families[0])
    return named[0] if named else None


def _by_name(name: str) -> str | None:
    plain = re.sub(r"[ _]+", "-", name.lower())
    return next((family for pattern, family in _IN_NAME if pattern.search(plain)), None)


def _files(form: Family, path: str, pieces: Sequence[Piece]) -> tuple[str, str]:
    """What is said of files: above prefix and suffix, and at the beginning of the prefix."""
    files = form.files
    if files is None or not (path or pieces):
        return "", ""
    said = _without_control(form, path)
    above = [files.first if pieces else ""]
    above += [_piece(form, files.piece, piece) for piece in pieces]
    own = files.own.format(path=said) if said else ""
    return "".join((*above, own)), files.begin.format(path=said) if said else ""


def _piece(form: Family, template: str, piece: Piece) -> str:
    text = piece.text if piece.text.endswith("\n") else f"{piece.text}\n"
    return template.format(
        path=_without_control(form, piece.path), text=_without_control(form, text)
    )


def _without_control(form: Family, text: str) -> str:
    return form.control.sub(lambda match: f"{match[0][0]} {match[0][1:]}", text)
