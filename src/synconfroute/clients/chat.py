"""A chat as raw text: a template around a user's turn and the beginning of an answer."""

import re
from dataclasses import dataclass

_CONTROL = re.compile(r"<[|｜]?\w+[|｜]?>|\[/?[A-Z_]+\]")


@dataclass(frozen=True, slots=True)
class ChatFrame:
    """A chat template, rendered around a place for the user's text."""

    before: str
    after: str

    def around(self, user: str, prefill: str) -> str:
        """The prompt for a user's text and the beginning of an answer.

        Control tokens of the template that stand in these, as they may in source code, get a
        space after their first character, so that they end no turn.
        """
        control = set(_CONTROL.findall(self.before + self.after))
        for token in sorted(control):
            user = user.replace(token, f"{token[0]} {token[1:]}")
            prefill = prefill.replace(token, f"{token[0]} {token[1:]}")
        return f"{self.before}{user}{self.after}{prefill}"


def chatml(system: str) -> ChatFrame:
    """The frame of ChatML, which Qwen, SmolLM2, Yi and many others are trained on.

    Args:
        system: the system turn, or "" for none.
    """
    before = f"<|im_start|>system\n{system}<|im_end|>\n" if system else ""
    return ChatFrame(f"{before}<|im_start|>user\n", "<|im_end|>\n<|im_start|>assistant\n")


def is_chatml(template: str) -> bool:
    """True if a model's template, in whatever template language, writes ChatML."""
    return "<|im_start|>" in template and "<|im_end|>" in template
