"""Control tokens that a model leaked into its text."""

import re

from synconfroute.clients.fim import FAMILIES
from synconfroute.server.completion.hole import Hole

# Ordinary text in markup, settings files and usage lines; servers keep them out of answers.
_ALSO_CODE = {"<s>", "</s>", "<filename>", "[INST]", "[/INST]", "[PREFIX]", "[SUFFIX]", "[MIDDLE]"}
_OTHERS = {"<EOT>", "<COMPLETION>", "</COMPLETION>", "<|cursor|>", "<|file_separator|>"}
_TOKENS = {token for family in FAMILIES.values() for token in family.special} - _ALSO_CODE | _OTHERS
_BEGINNING = re.compile(r"(?:<COMPLETION>|<\|fim_middle\|>|<fim_middle>)+")
_SPECIAL = re.compile("|".join(re.escape(token) for token in sorted(_TOKENS, key=len)[::-1]))


def special_token_at(text: str) -> int:
    """Where the first control token behind the beginning stands, or -1."""
    match = _SPECIAL.search(text, _begin(text))
    return match.start() if match else -1


def without_special_tokens(hole: Hole, text: str) -> str:
    """Cut the text at the first control token: the answer ended there.

    One that announces the answer at its very beginning is dropped. A token that stands in the
    buffer too is the user's own text (someone who writes a tokenizer) and is left alone.
    """
    begin = _begin(text)
    if text[:begin] and text[:begin] in hole.prefix + hole.suffix:
        begin = 0
    for match in _SPECIAL.finditer(text, begin):
        if match.group() not in hole.prefix and match.group() not in hole.suffix:
            return text[begin : match.start()]
    return text[begin:]


def _begin(text: str) -> int:
    match = _BEGINNING.match(text)
    return match.end() if match else 0
