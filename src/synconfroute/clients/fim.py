"""Fill-in-the-middle: the prompt of each family, and which family a model is of."""

import re
from collections.abc import Iterable

from synconfroute.clients.fim_families import FAMILIES, Family

# Tokens in a model's own template show its format better than any name. Where several families
# spell them alike the name tells which it is, else it is the first.
_IN_TEMPLATE: tuple[tuple[tuple[str, ...], tuple[str, ...]], ...] = (
    (("<|fim_prefix|>", "<|fim_suffix|>"), ("qwen", "codegemma", "granite")),
    (FAMILIES["deepseek"].markers, ("deepseek",)),
    (("<fim_prefix>", "<fim_suffix>"), ("starcoder", "starcoder2", "mellum")),
    (("[SUFFIX]", "[PREFIX]"), ("codestral",)),
    (("<PRE>", "<SUF>"), ("codellama",)),
    (("<|code_prefix|>", "<|code_suffix|>"), ("glm",)),
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
    (re.compile(r"glm-?4\.[5-9](?!v)"), "glm"),
    (re.compile(r"seed-?coder-8b-base"), "seed-coder"),
    (re.compile(r"mellum-4b"), "mellum"),
    (re.compile(r"falcon-h1-tiny-coder"), "falcon-h1"),
)


def render(family: str, prefix: str, suffix: str) -> str:
    """The raw prompt for the code between `prefix` and `suffix`.

    Control tokens that stand in the user's own text, as in this file, would be read as control
    tokens. They get a space after their first character: `< |fim_prefix|>`. The buffer is not
    changed. Dropping them would hide code from the model; an invisible character might come back
    in the answer unseen.

    Raises:
        KeyError: there is no such family.
    """
    form = FAMILIES[family]
    before = form.before_prefix + _without_control(form, prefix)
    after = form.before_suffix + _without_control(form, suffix)
    halves = (after, before) if form.suffix_first else (before, after)
    return "".join(halves) + form.before_middle


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


def _without_control(form: Family, text: str) -> str:
    pattern = "|".join(re.escape(token) for token in form.special)
    return re.sub(pattern, lambda match: f"{match[0][0]} {match[0][1:]}", text)
