"""Control tokens that a model leaked into its text."""

import re

from synconfroute.clients.fim_families import FAMILIES
from synconfroute.server.completion.hole import Hole

# Ordinary text in markup, settings files and usage lines; servers keep them out of answers.
_ALSO_CODE = {"<s>", "</s>", "<bos>", "<eos>", "<filename>", "<PRE>"}
_ALSO_CODE |= {"[INST]", "[/INST]", "[PREFIX]", "[SUFFIX]", "[MIDDLE]"}
_OTHERS = {"<COMPLETION>", "</COMPLETION>", "<|cursor|>"}
_TOKENS = {token for family in FAMILIES.values() for token in family.special} - _ALSO_CODE | _OTHERS
_BEGINNING = re.compile(r"(?:<COMPLETION>|<\|fim_middle\|>|<fim_middle>)+")
_SPECIAL = re.compile("|".join(re.escape(token) for token in sorted(_TOKENS, key=len)[::-1]))


def special_token_at(text: str) -> int:
    """Where the first control token behind the beginning stands, or -1."""
    _, begin = _announced(text)
    match = _SPECIAL.search(text, begin)
    return match.start() if match else -1


def without_special_tokens(hole: Hole, text: str) -> str:
    """Cut the text at the first control token: the answer ended there.

    One that announces the answer at its beginning is dropped; indentation before it stays. A token
    that stands in the buffer too is the user's own text (someone who writes a tokenizer) and is
    left alone.
    """
    indented, begin = _announced(text)
    if begin > indented and text[indented:begin] in hole.prefix + hole.suffix:
        begin = indented
    for match in _SPECIAL.finditer(text, begin):
        if match.group() not in hole.prefix and match.group() not in hole.suffix:
            return text[:indented] + text[begin : match.start()]
    return text[:indented] + text[begin:]


def _announced(text: str) -> tuple[int, int]:
    """Where the tokens that announce the answer begin and end; the same place if there is none."""
    begin = len(text) - len(text.lstrip(" \t"))
    match = _BEGINNING.match(text, begin)
    return begin, match.end() if match else begin
