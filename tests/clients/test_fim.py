"""Fill-in-the-middle formats."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from synconfroute.clients.fim import family_of, render
from synconfroute.clients.fim_families import FAMILIES
from synconfroute.server.completion.context.snippet import Snippet
from synconfroute.server.settings.tree import Local, Org

NAMES = st.sampled_from(sorted(FAMILIES))
SPECIAL = sorted({token for family in FAMILIES.values() for token in family.special})
CODE = st.lists(st.sampled_from([*SPECIAL, "x = ", "<", "|", "[", "\n", ">"]), max_size=8).map(
    "".join
)


@pytest.mark.parametrize(
    ("family", "prompt"),
    [
        ("qwen", "<|fim_prefix|>P<|fim_suffix|>S<|fim_middle|>"),
        ("starcoder", "<fim_prefix>P<fim_suffix>S<fim_middle>"),
        ("starcoder2", "<fim_prefix>P<fim_suffix>S<fim_middle>"),
        ("deepseek", "<｜fim▁begin｜>P<｜fim▁hole｜>S<｜fim▁end｜>"),
        ("codestral", "[SUFFIX]S[PREFIX]P"),
        ("codellama", "<PRE> P <SUF>S <MID>"),
        ("codegemma", "<|fim_prefix|>P<|fim_suffix|>S<|fim_middle|>"),
        ("granite", "<|fim_prefix|>P<|fim_suffix|>S<|fim_middle|>"),
        ("glm", "<|code_prefix|>P<|code_suffix|>S<|code_middle|>"),
        (
            "codegeex",
            "<|user|>\n###LANGUAGE:Python\n###MODE:BLOCK\n"
            "<|code_suffix|>S<|code_prefix|>P<|code_middle|><|assistant|>\n",
        ),
        ("seed-coder", "<[fim-suffix]>S<[fim-prefix]>P<[fim-middle]>"),
        ("mellum", "<fim_suffix>S<fim_prefix>P<fim_middle>"),
        ("falcon-h1", "<|prefix|>P<|suffix|>S<|middle|>"),
    ],
)
def test_formats(family: str, prompt: str) -> None:
    """Each family's prompt is as its makers document it, the suffix first where they train so."""
    assert render(family, "P", "S", language="python") == prompt


def test_every_format_has_its_own_test() -> None:
    """The prompts above are those of all families there are."""
    (mark,) = (mark for mark in test_formats.pytestmark if mark.name == "parametrize")  # type: ignore[attr-defined]
    assert {family for family, _ in mark.args[1]} == set(FAMILIES)


def test_ids_of_stop_tokens_are_of_the_family_alone() -> None:
    """Families that spell their tokens alike number them otherwise: one's id is another's word."""
    ids = [set(family.stop_token_ids) for family in FAMILIES.values()]
    assert sum(map(len, ids)) == len(set().union(*ids))
    assert FAMILIES["codellama"].stop_token_ids == (32010,)
    assert FAMILIES["granite"].stop_token_ids == FAMILIES["codegemma"].stop_token_ids == ()


def test_families_are_those_of_the_setting() -> None:
    """The setting `fim` names exactly the families there are."""
    for tier in (Local, Org):
        choices = tier.__dataclass_fields__["fim"].metadata["choices"]
        assert set(choices) == {"auto", "none", *FAMILIES}


@given(NAMES, CODE, CODE)
def test_users_text_makes_no_control_token(family: str, prefix: str, suffix: str) -> None:
    """The only control tokens of a prompt are those of its format."""
    form = FAMILIES[family]
    pattern = "|".join(re.escape(token) for token in sorted(form.special, key=len, reverse=True))
    found = re.findall(pattern, render(family, prefix, suffix))
    assert tuple(found) == form.markers


@given(NAMES, CODE, CODE)
def test_text_of_other_files_makes_no_control_token(family: str, path: str, text: str) -> None:
    """A prompt with a piece of another file holds its format's control tokens and no others."""
    form = FAMILIES[family]

    def found(path: str, text: str) -> list[str]:
        return form.control.findall(render(family, "", "", path=path, pieces=[Snippet(path, text)]))

    assert found(f"a{path}", text) == found("a.py", "x = 1\n")


def test_languages_are_named_as_the_format_names_them() -> None:
    """CodeGeeX4 is told the language by its usual name."""
    assert "###LANGUAGE:C++\n" in render("codegeex", "", "", language="cpp")
    assert "###LANGUAGE:Java\n" in render("codegeex", "", "", language="java")


@given(NAMES, st.text(), st.text())
def test_other_text_is_sent_as_it_is(family: str, prefix: str, suffix: str) -> None:
    """Text without control tokens stands in the prompt unchanged."""
    form = FAMILIES[family]
    if not any(token in prefix + suffix for token in form.special):
        prompt = render(family, prefix, suffix)
        assert form.before_prefix + prefix in prompt
        assert form.before_suffix + suffix in prompt


def test_control_token_in_a_buffer_stays_visible() -> None:
    """A control token in the user's text gets a visible space, nothing hidden."""
    prompt = render("qwen", 'stop = "<|fim_pad|>"', "")
    assert prompt == '<|fim_prefix|>stop = "< |fim_pad|>"<|fim_suffix|><|fim_middle|>'


def test_unknown_family_is_a_key_error() -> None:
    """A family that is not there is the caller's mistake."""
    with pytest.raises(KeyError):
        render("nope", "", "")


@pytest.mark.parametrize(
    ("name", "family"),
    [
        ("qwen2.5-coder:3b", "qwen"),
        ("qwen2.5-coder:1.5b-base-q8_0", "qwen"),
        ("Qwen/Qwen2.5-Coder-7B-Instruct", "qwen"),
        ("hf.co/Qwen/Qwen2.5-Coder-0.5B-Instruct-GGUF:Q4_K_M", "qwen"),
        ("Qwen3-Coder-30B-A3B-Instruct", "qwen"),
        ("qwen3-coder:30b", "qwen"),
        ("starcoder2:3b", "starcoder2"),
        ("bigcode/starcoder2-7b", "starcoder2"),
        ("bigcode/starcoderbase-1b", "starcoder"),
        ("stable-code:3b", "starcoder"),
        ("granite-code:8b", "starcoder"),
        ("deepseek-coder-v2:16b-lite-base-q4_0", "deepseek"),
        ("deepseek-ai/DeepSeek-Coder-V2-Lite-Base", "deepseek"),
        ("codestral:22b", "codestral"),
        ("mistralai/Codestral-22B-v0.1", "codestral"),
        ("mistralai/Mamba-Codestral-7B-v0.1", None),
        ("qwen2.5:7b", None),
        ("qwen3:8b", None),
        ("smollm2:135m", None),
        ("llama3.2", None),
        ("deepseek-r1:8b", None),
        ("yi-coder:9b", None),
        ("codellama:7b", "codellama"),
        ("codellama/CodeLlama-13b-Instruct-hf", "codellama"),
        ("codellama/CodeLlama-34b-hf", None),
        ("codellama:70b", None),
        ("codellama:7b-python", None),
        ("codegemma:2b", "codegemma"),
        ("codegemma:7b-code", "codegemma"),
        ("google/codegemma-7b", "codegemma"),
        ("google/codegemma-7b-it", None),
        ("codegemma:7b", None),
        ("granite3.3:8b", "granite"),
        ("ibm-granite/granite-4.0-h-small", "granite"),
        ("granite4:micro", "granite"),
        ("granite3.2:8b", None),
        ("granite3.3-vision:2b", None),
        ("ibm-granite/granite-20b-code-base", "starcoder"),
        ("THUDM/codegeex4-all-9b", "codegeex"),
        ("codegeex4:9b", "codegeex"),
        ("zai-org/GLM-4.5-Air", "glm"),
        ("zai-org/GLM-4.5V", None),
        ("glm-4-9b", None),
        ("ByteDance-Seed/Seed-Coder-8B-Base", "seed-coder"),
        ("ByteDance-Seed/Seed-Coder-8B-Instruct", None),
        ("JetBrains/Mellum-4b-sft-python", "mellum"),
        ("tiiuae/Falcon-H1-Tiny-Coder-90M", "falcon-h1"),
        ("tiiuae/Falcon-H1-7B-Instruct", None),
        ("", None),
    ],
)
def test_family_by_name(name: str, family: str | None) -> None:
    """A model's name tells its family, or that it has none known here."""
    assert family_of(names=[name]) == family


def test_template_speaks_louder_than_a_name() -> None:
    """Tokens in the model's template decide before its name does."""
    template = "{{ if .Suffix }}<fim_prefix>{{ .Prompt }}<fim_suffix>{{ .Suffix }}<fim_middle>"
    assert family_of(names=["qwen2.5-coder"], template=template) == "starcoder"
    assert family_of(architecture="starcoder2", template=template) == "starcoder2"
    assert family_of(names=["my-own"], template="[SUFFIX]{{ .Suffix }}[PREFIX] {{ .Prompt }}") == (
        "codestral"
    )


@pytest.mark.parametrize(
    ("architecture", "name", "template", "family"),
    [
        ("gemma", "mine", "<|fim_prefix|>P<|fim_suffix|>S<|fim_middle|>", "codegemma"),
        ("granite", "mine", "<|fim_prefix|>P<|fim_suffix|>S<|fim_middle|>", "granite"),
        ("qwen2", "mine", "<|fim_prefix|>P<|fim_suffix|>S<|fim_middle|>", "qwen"),
        ("llama", "JetBrains/Mellum-4b-base", "<fim_suffix>S<fim_prefix>P<fim_middle>", "mellum"),
        ("llama", "mine", "<PRE> {{ .Prompt }} <SUF>{{ .Suffix }} <MID>", "codellama"),
        ("glm4moe", "mine", "<|code_prefix|>P<|code_suffix|>S<|code_middle|>", "glm"),
        ("chatglm", "codegeex4", "<|code_prefix|>P<|code_suffix|>S<|code_middle|>", "codegeex"),
        ("llama", "mine", "<[fim-suffix]>S<[fim-prefix]>P<[fim-middle]>", "seed-coder"),
        ("falcon-h1", "mine", "<|prefix|>P<|suffix|>S<|middle|>", "falcon-h1"),
    ],
)
def test_where_tokens_are_spelt_alike_name_or_architecture_tell(
    architecture: str, name: str, template: str, family: str
) -> None:
    """The template says how a prompt is written, the rest of the metadata whose it is."""
    assert family_of(architecture=architecture, names=[name], template=template) == family


def test_architecture_tells_where_names_do_not() -> None:
    """A StarCoder is one under any name; most architectures say nothing about FIM."""
    assert family_of(architecture="starcoder2", names=["mine"]) == "starcoder2"
    assert family_of(architecture="qwen2", names=["mine"]) is None
    assert family_of(architecture="granite", names=["mine"]) is None
