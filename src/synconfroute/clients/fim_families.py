"""The families of fill-in-the-middle formats: their control tokens, and in what order they stand.

Sources: the READMEs and cards of Qwen2.5-Coder, StarCoder, StarCoder2, DeepSeek-Coder, Code Llama,
CodeGemma, Granite, GLM, Seed-Coder and Mellum, `encode_fim` of mistral-common (Codestral), the
guide of CodeGeeX4, and the vocabularies that llama.cpp knows (Falcon-H1).
"""

import re
from dataclasses import dataclass
from functools import cache

_REPOSITORY = "workspace"
"""Stands for the repository's name: formats that begin with one, begin with one."""
_DEEPSEEK = ("<｜fim▁begin｜>", "<｜fim▁hole｜>", "<｜fim▁end｜>")


@dataclass(frozen=True, slots=True)
class Files:
    """How a family writes pieces of other files, and which file the hole is in.

    Attributes:
        piece: one piece, with places for its `{path}` and its `{text}`, which ends in a line feed.
        first: what stands before the first piece.
        own: what follows the last piece, with a place for the hole's own `{path}`.
        begin: what the prefix begins with then, likewise.
        in_prefix: the pieces stand at the start of the prefix, not of the prompt.
    """

    piece: str
    first: str = ""
    own: str = ""
    begin: str = ""
    in_prefix: bool = False


@dataclass(frozen=True, slots=True)
class Family:
    """One family's format.

    Attributes:
        name: as the setting `fim` names it.
        before_prefix: control token right before the prefix, with the blank that belongs to it.
        before_suffix: control token right before the suffix, likewise.
        before_middle: control token that the answer follows, likewise; "" where there is none.
        special: every control token that this family's tokenizers know as one token.
        suffix_first: the suffix stands before the prefix, which the answer then continues.
        stop_token_ids: ids of tokens that end an answer, for servers that are told them (vLLM).
        files: how it writes other files; None where it has learnt no format for them.
        opening: what every prompt begins with.
        about: what stands right before prefix and suffix, with a place for the `{language}`.
        names_file: every prompt says which file it is for.
    """

    name: str
    before_prefix: str
    before_suffix: str
    before_middle: str
    special: tuple[str, ...]
    suffix_first: bool = False
    stop_token_ids: tuple[int, ...] = ()
    files: Files | None = None
    opening: str = ""
    about: str = ""
    names_file: bool = False

    @property
    def control(self) -> re.Pattern[str]:
        """Matches each control token."""
        return _any_of(self.special)

    @property
    def markers(self) -> tuple[str, ...]:
        """The control tokens of a plain prompt, as the vocabulary has them, in their order."""
        halves = (self.before_prefix, self.before_suffix)
        ordered = halves[::-1] if self.suffix_first else halves
        return tuple(self.control.findall("".join((self.opening, *ordered, self.before_middle))))


@cache
def _any_of(tokens: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile("|".join(map(re.escape, tokens)))


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
            files=Files(
                "<|file_sep|>{path}\n{text}",
                first=f"<|repo_name|>{_REPOSITORY}\n",
                own="<|file_sep|>{path}\n",
            ),
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
            files=Files(
                "<filename>{path}\n{text}",
                first=f"<reponame>{_REPOSITORY}",
                begin="<filename>{path}\n",
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
            files=Files(
                "<file_sep>{path}\n{text}",
                first=f"<repo_name>{_REPOSITORY}",
                own="<file_sep>",
                begin="{path}\n",
            ),
        ),
        Family(
            "deepseek",
            _DEEPSEEK[0],
            _DEEPSEEK[1],
            _DEEPSEEK[2],
            (*_DEEPSEEK, "<｜begin▁of▁sentence｜>", "<｜end▁of▁sentence｜>", "<|EOT|>"),
            files=Files("#{path}\n{text}", own="#{path}\n"),
        ),
        Family(
            "codestral",
            "[PREFIX]",
            "[SUFFIX]",
            "",
            ("[PREFIX]", "[SUFFIX]", "[MIDDLE]", "[INST]", "[/INST]", "<s>", "</s>"),
            suffix_first=True,
            files=Files("+++++ {path}\n{text}\n", begin="+++++ {path}\n", in_prefix=True),
        ),
        Family(
            "codellama",
            "<PRE> ",
            " <SUF>",
            " <MID>",
            ("<PRE>", "<SUF>", "<MID>", "<EOT>", "<s>", "</s>"),
            stop_token_ids=(32010,),  # <EOT>
        ),
        Family(
            "codegemma",
            "<|fim_prefix|>",
            "<|fim_suffix|>",
            "<|fim_middle|>",
            (
                "<|fim_prefix|>",
                "<|fim_middle|>",
                "<|fim_suffix|>",
                "<|file_separator|>",
                "<start_of_turn>",
                "<end_of_turn>",
                "<bos>",
                "<eos>",
            ),
            files=Files("{path}\n{text}<|file_separator|>", own="{path}\n"),
        ),
        Family(
            "granite",
            "<|fim_prefix|>",
            "<|fim_suffix|>",
            "<|fim_middle|>",
            (
                "<|end_of_text|>",
                "<|fim_prefix|>",
                "<|fim_middle|>",
                "<|fim_suffix|>",
                "<|fim_pad|>",
                "<|start_of_role|>",
                "<|end_of_role|>",
            ),
        ),
        Family(
            "glm",
            "<|code_prefix|>",
            "<|code_suffix|>",
            "<|code_middle|>",
            (
                "<|endoftext|>",
                "<|code_prefix|>",
                "<|code_middle|>",
                "<|code_suffix|>",
                "<|user|>",
                "<|assistant|>",
            ),
        ),
        Family(
            "codegeex",
            "<|code_prefix|>",
            "<|code_suffix|>",
            "<|code_middle|><|assistant|>\n",
            (
                "<|endoftext|>",
                "<|code_prefix|>",
                "<|code_middle|>",
                "<|code_suffix|>",
                "<|user|>",
                "<|assistant|>",
                "<|system|>",
                "<|observation|>",
            ),
            suffix_first=True,
            files=Files("###REFERENCE:\n###PATH:{path}\n{text}", own="###PATH:{path}\n"),
            opening="<|user|>\n",
            about="###LANGUAGE:{language}\n###MODE:BLOCK\n",
            names_file=True,
        ),
        Family(
            "seed-coder",
            "<[fim-prefix]>",
            "<[fim-suffix]>",
            "<[fim-middle]>",
            (
                "<[fim-prefix]>",
                "<[fim-middle]>",
                "<[fim-suffix]>",
                "<[SEP▁TOKEN]>",
                "<[end▁of▁sentence]>",
            ),
            suffix_first=True,
        ),
        Family(
            "mellum",
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
                "<reponame>",
            ),
            suffix_first=True,
            files=Files("<filename>{path}\n{text}", own="<filename>{path}\n"),
        ),
        Family(
            "falcon-h1",
            "<|prefix|>",
            "<|suffix|>",
            "<|middle|>",
            ("<|prefix|>", "<|suffix|>", "<|middle|>", "<|endoftext|>", "<|end_of_text|>"),
        ),
    )
}
