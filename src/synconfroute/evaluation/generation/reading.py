"""From what a model sent to what is executed: raw, as the server cleans it, as the paper does."""

from typing import Literal

from synconfroute.evaluation.datasets.task import Task
from synconfroute.evaluation.generation.conditions import is_single_line
from synconfroute.evaluation.generation.indentation import repaired
from synconfroute.evaluation.generation.opening import hole_of
from synconfroute.server.completion.cleaning import clean
from synconfroute.server.completion.cleaning.fences import without_fences
from synconfroute.server.completion.cleaning.first_line import line_end
from synconfroute.server.completion.cleaning.special_tokens import without_special_tokens

Reading = Literal["live", "paper", "unrepaired"]


def raw_text(task: Task, text: str) -> str:
    """The benchmark's own reading: leading line breaks dropped, of a line the first one.

    Without the line break at its end, which the task has before its suffix.
    """
    if is_single_line(task.bench):
        return text.lstrip("\n").partition("\n")[0]
    return text.strip("\n") if task.whole_lines else text


def cleaned_text(task: Task, text: str, reading: Reading) -> str:
    """What the server's cleaning leaves, or the paper's: the code alone, its indentation repaired.

    Args:
        task: whose answer it is.
        text: what the model sent.
        reading: "live"; "paper"; "unrepaired": the paper's without the repair.
    """
    hole, single_line = hole_of(task), is_single_line(task.bench)
    if reading == "live":
        return clean(hole, text, single_line=single_line)
    text = without_fences(hole, without_special_tokens(hole, text.replace("\r\n", "\n")))
    if task.whole_lines:
        text = text.lstrip("\n").rstrip()
    if single_line and (end := line_end(text)) >= 0:
        text = text[:end]
    return repaired(hole, text) if reading == "paper" else text
