"""The families of fill-in-the-middle formats: their control tokens, and in what order they stand.

Sources: the READMEs and cards of Qwen2.5-Coder, StarCoder, StarCoder2, DeepSeek-Coder, Code Llama,
CodeGemma, Granite, GLM, Seed-Coder and Mellum, `encode_fim` of mistral-common (Codestral), and the
vocabularies that llama.cpp knows (Falcon-H1).
"""

from dataclasses import dataclass

_DEEPSEEK = ("<｜fim▁begin｜>", "<｜fim▁hole｜>", "<｜fim▁end｜>")


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
    """

    name: str
    before_prefix: str
    before_suffix: str
    before_middle: str
    special: tuple[str, ...]
    suffix_first: bool = False
    stop_token_ids: tuple[int, ...] = ()

    @property
    def markers(self) -> tuple[str, ...]:
        """The control tokens of a prompt, as they stand in the vocabulary, in their order."""
        halves = (self.before_prefix, self.before_suffix)
        ordered = halves[::-1] if self.suffix_first else halves
        return tuple(token.strip() for token in (*ordered, self.before_middle) if token)


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
