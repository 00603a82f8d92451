"""The prompt of a task: the server's own, the paper's, and what was left out of it."""

from dataclasses import replace
from typing import Literal

import pytest

from synconfroute.clients.model import ChatPrompt, TextPrompt
from synconfroute.clients.token_counts import estimated_tokens
from synconfroute.errors import EvaluationError
from synconfroute.evaluation.datasets.task import Task
from synconfroute.evaluation.generation.conditions import Conditions
from synconfroute.evaluation.generation.examples import Examples
from synconfroute.evaluation.generation.opening import hole_of, within_word
from synconfroute.evaluation.generation.prompting import Cut, Prompting
from synconfroute.evaluation.generation.retrieval import order_of
from synconfroute.server.completion.prompt import Ask, build_request
from tests.evaluation.generation.functions import task, tasks

FIM = Ask("qwen", chat=True, grammar=False, context_tokens=2048)
CHAT = Ask(None, chat=True, grammar=False, context_tokens=2048)
SLOW = replace(FIM, prompt_tokens=120)
PAPER = Conditions(profile="paper", prompt="chat", cut="context", validator="paper")
LONG = replace(task(0), prefix="# above\n" * 100 + task(0).prefix, suffix="\n# below" * 100)


def text_of(conditions: Conditions, ask: Ask = FIM, of: Task = LONG, shots: int = 0) -> str:
    """The prompt's text: of a chat both turns."""
    prompting = Prompting(of, conditions, Examples(order_of("static", tasks(4)), shots).of(of))
    prompt = prompting(hole_of(of), ask, max_tokens=50, request_id="").prompt
    return prompt.text if isinstance(prompt, TextPrompt) else prompt.user + prompt.prefill


@pytest.mark.parametrize("ask", [FIM, SLOW, CHAT])
def test_the_live_prompt_is_the_servers(ask: Ask) -> None:
    """Without any option the request is the one that the server sends, cut where it cuts."""
    conditions = Conditions(prompt="chat") if ask is CHAT else Conditions()
    prompting = Prompting(LONG, conditions, ())
    request = prompting(hole_of(LONG), ask, max_tokens=50, request_id="r", shrink=2)
    assert request == build_request(hole_of(LONG), ask, max_tokens=50, request_id="r", shrink=2)


def test_what_was_cut_is_counted() -> None:
    """The characters left out before and after the hole add up with those in the prompt."""
    prompting = Prompting(LONG, Conditions(indentation="none"), ())
    prompt = prompting(hole_of(LONG), SLOW, max_tokens=50, request_id="").prompt
    assert isinstance(prompt, TextPrompt)
    kept = len(prompt.text.replace("<|fim_prefix|>", "").replace("<|fim_suffix|>", ""))
    kept -= len("<|fim_middle|>")
    assert prompting.cut.prefix > 0
    assert prompting.cut.suffix > 0
    assert kept + prompting.cut.prefix + prompting.cut.suffix == len(LONG.prefix + LONG.below)


def test_only_the_context_cuts_where_that_is_asked_for() -> None:
    """`--cut context` takes back what a slow machine and the server's short suffix leave out."""
    assert LONG.prefix in text_of(Conditions(cut="context"), SLOW)
    assert LONG.below in text_of(Conditions(cut="context"), SLOW)
    prompting = Prompting(LONG, Conditions(cut="context"), ())
    prompting(hole_of(LONG), SLOW, max_tokens=50, request_id="")
    assert prompting.cut == Cut(0, 0)


def test_the_raw_suffix_has_no_line_break_of_the_hole() -> None:
    """`--suffix raw` is the benchmark's suffix, `open` the buffer's with its line break."""
    suffixed = "<|fim_suffix|>" + task(0).suffix
    assert suffixed in text_of(Conditions(suffix="raw"), of=task(0))
    assert "<|fim_suffix|>\n" + task(0).suffix in text_of(Conditions(), of=task(0))


def test_the_indentation_is_given_as_the_server_gives_it_or_not_at_all() -> None:
    """By default the prompt for a line's start ends with what is due; `none` ends at the cursor."""
    below = replace(task(0), prefix="def f(a):\n", suffix="\nf(1)\n")
    assert "<|fim_prefix|>def f(a):\n    <|fim_suffix|>" in text_of(Conditions(), of=below)
    plain = text_of(Conditions(indentation="none"), of=below)
    assert "<|fim_prefix|>def f(a):\n<|fim_suffix|>" in plain
    prompting = Prompting(below, Conditions(), ())
    prompting(hole_of(below), FIM, max_tokens=50, request_id="")
    assert prompting.cut == Cut(0, 0)


def test_a_model_without_fim_is_not_asked_by_it() -> None:
    """A prompt that the model does not know would measure nothing: a sentence says so."""
    with pytest.raises(EvaluationError, match="--prompt chat"):
        text_of(Conditions(), CHAT)


def test_temperature_goes_along() -> None:
    """The request has the run's temperature."""
    request = Prompting(LONG, Conditions(temperature=0.6), ())(
        hole_of(LONG), FIM, max_tokens=50, request_id=""
    )
    assert request.temperature == 0.6


@pytest.mark.parametrize("conditions", [Conditions(), Conditions(prompt="chat"), PAPER])
def test_examples_are_of_other_functions(conditions: Conditions) -> None:
    """Solved examples stand before the hole, in every kind of prompt, and none is the task's."""
    text = text_of(conditions, of=task(1), shots=2)
    for number in (0, 2):
        assert task(number).prefix in text
    assert text.count("def add_1(") == 1
    assert text.index("add_2") < text.index("add_1(")
    assert "return a + b" in text


def test_examples_are_the_same_for_all_others() -> None:
    """Static: which examples stand there depends on the task only where it is one of theirs."""
    examples = Examples(order_of("static", tasks(8)), 2)
    chosen = {tuple(each.id for each in examples.of(task)) for task in tasks(8)[3:]}
    assert chosen == {tuple(each.id for each in tasks(2))}
    assert len(examples.of(tasks(1)[0])) == 2
    assert Examples(order_of("static", tasks(8)), 0).of(tasks(1)[0]) == ()


def test_the_papers_prompt_is_one_chat_for_all() -> None:
    """Prefix and suffix go in, only the missing code is asked for, and nothing is begun."""
    prompting = Prompting(task(0), PAPER, ())
    for ask in (FIM, CHAT, replace(CHAT, chat=False)):
        request = prompting(hole_of(task(0)), ask, max_tokens=50, request_id="")
        assert isinstance(request.prompt, ChatPrompt)
        assert request.prompt.prefill == ""
        assert f"Prefix:\n```python\n{task(0).prefix}\n```" in request.prompt.user
        assert task(0).suffix in request.prompt.user
        assert "missing code only" in request.prompt.user
        assert request.max_tokens == 50
        assert request.grammar is None


def test_the_papers_profile_by_fim_is_the_published_prompt() -> None:
    """Prefix and suffix as the benchmark has them between the model's own tokens, no more."""
    conditions = replace(PAPER, prompt="fim", suffix="raw", indentation="none", healing="off")
    request = Prompting(task(0), conditions, ())(
        hole_of(task(0)), FIM, max_tokens=50, request_id=""
    )
    assert isinstance(request.prompt, TextPrompt)
    between = f"{task(0).prefix}<|fim_suffix|>{task(0).suffix}"
    assert request.prompt.text == f"<|fim_prefix|>{between}<|fim_middle|>"
    assert request.given == ""


def test_the_papers_words_and_examples_leave_room() -> None:
    """A long file is cut so that the whole chat, its examples included, fits into the context."""
    far = replace(LONG, prefix="# far above\n" * 2000 + LONG.prefix)
    prompting = Prompting(far, PAPER, Examples(order_of("static", tasks(8)), 5).of(far))
    prompt = prompting(hole_of(far), FIM, max_tokens=50, request_id="").prompt
    assert isinstance(prompt, ChatPrompt)
    assert estimated_tokens(prompt.user) + 50 <= FIM.context_tokens
    assert prompting.cut.prefix > 0


def test_a_prompt_names_a_file_only_on_request() -> None:
    """Never the file that the benchmark is in."""
    hinted = text_of(Conditions(hint="path"), of=task(0))
    assert hinted.startswith("<|file_sep|>solution.py\n<|fim_prefix|>")
    assert hinted.removeprefix("<|file_sep|>solution.py\n") == text_of(Conditions(), of=task(0))


@pytest.mark.parametrize(
    ("healing", "server", "healed"),
    [("on", False, True), ("off", True, False), ("live", True, True), ("live", False, False)],
)
def test_words_are_written_anew_as_the_conditions_say(
    healing: Literal["live", "on", "off"], server: bool, healed: bool
) -> None:
    """Else as the server has it for the model."""
    typing = within_word(replace(task(0), truth="    return a"))
    prompting = Prompting(typing, Conditions(healing=healing), ())
    ask = replace(FIM, heal=server)
    request = prompting(hole_of(typing), ask, max_tokens=50, request_id="")
    assert request.heal == (" ret" if healed else "")
