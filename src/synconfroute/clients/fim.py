"""Fill-in-the-middle: how each family of models wants prefix and suffix, and who is of which.

Sources: the Qwen2.5-Coder README, the StarCoder and StarCoder2 cards, the DeepSeek-Coder README,
and `encode_fim` of mistral-common (Codestral).
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass

_DEEPSEEK = ("<｜fim▁begin｜>", "<｜fim▁hole｜>", "<｜fim▁end｜>")


@dataclass(frozen=True, slots=True)
class Family:
    """One family's format.

    Attributes:
        name: as the setting `fim` names it.
        before_prefix: control token right before the prefix.
        before_suffix: control token right before the suffix.
        before_middle: control token that the answer follows; "" where there is none.
        special: every control token that this family's tokenizers know as one token.
        suffix_first: the suffix stands before the prefix, which the answer then continues.
        stop_token_ids: ids of tokens that end an answer, for servers that are told them (vLLM).
    """

    name: str
    before_prefix: str
    before_suffix: str
    before_middle: str
    special: tuple[str, ...]
    suffix_first: bool = False
    stop_token_ids: tuple[int, ...] = ()


FAMILIES: dict[str, Family] = {
    family.name: family
    for family in (
        Family(
            "qwen",
            "<|fim_prefix|>",
            "<|fim_suffix|>",
            "<|fim_middle|>",
            (
                "<|endoftext|>",
                "<|im_start|>",
                "<|im_end|>",
                "<|fim_prefix|>",
                "<|fim_middle|>",
                "<|fim_suffix|>",
                "<|fim_pad|>",
                "<|repo_name|>",
                "<|file_sep|>",
            ),
            # In the order of `special`, without <|im_start|>.
            stop_token_ids=(151643, 151645, 151659, 151660, 151661, 151662, 151663, 151664),
        ),
        Family(
            "starcoder",
            "<fim_prefix>",
            "<fim_suffix>",
            "<fim_middle>",
            (
                "<|endoftext|>",
                "<fim_prefix>",
                "<fim_middle>",
                "<fim_suffix>",
                "<fim_pad>",
                "<filename>",
                "<gh_stars>",
                "<reponame>",
            ),
        ),
        Family(
            "starcoder2",
            "<fim_prefix>",
            "<fim_suffix>",
            "<fim_middle>",
            (
                "<|endoftext|>",
                "<fim_prefix>",
                "<fim_middle>",
                "<fim_suffix>",
                "<fim_pad>",
                "<repo_name>",
                "<file_sep>",
            ),
        ),
        Family(
            "deepseek",
            _DEEPSEEK[0],
            _DEEPSEEK[1],
            _DEEPSEEK[2],
            (*_DEEPSEEK, "<｜begin▁of▁sentence｜>", "<｜end▁of▁sentence｜>", "<|EOT|>"),
        ),
        Family(
            "codestral",
            "[PREFIX]",
            "[SUFFIX]",
            "",
            ("[PREFIX]", "[SUFFIX]", "[MIDDLE]", "[INST]", "[/INST]", "<s>", "</s>"),
            suffix_first=True,
        ),
    )
}

# Tokens in a model's own template show its format better than any name. Several vendors use
# the two common spellings, in the same order.
_IN_TEMPLATE: tuple[tuple[tuple[str, ...], str], ...] = (
    (("<|fim_prefix|>", "<|fim_suffix|>"), "qwen"),
    (_DEEPSEEK, "deepseek"),
    (("<fim_prefix>", "<fim_suffix>"), "starcoder"),
    (("[SUFFIX]", "[PREFIX]"), "codestral"),
)
_IN_NAME: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"qwen(?:2\.?5|3)[^/]*coder"), "qwen"),
    (re.compile(r"starcoder-?2"), "starcoder2"),
    (re.compile(r"starcoder|stable-code|refact-1|granite(?:-[38]b)?-code"), "starcoder"),
    (re.compile(r"deepseek-?coder"), "deepseek"),
    (re.compile(r"(?<!mamba-)codestral(?!-mamba)"), "codestral"),
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
    for tokens, family in _IN_TEMPLATE:
        if all(token in template for token in tokens):
            return "starcoder2" if family == "starcoder" and "starcoder2" in named else family
    return named[0] if named else None


def _by_name(name: str) -> str | None:
    plain = re.sub(r"[ _]+", "-", name.lower())
    return next((family for pattern, family in _IN_NAME if pattern.search(plain)), None)


def _without_control(form: Family, text: str) -> str:
    pattern = "|".join(re.escape(token) for token in form.special)
    return re.sub(pattern, lambda match: f"{match[0][0]} {match[0][1:]}", text)
