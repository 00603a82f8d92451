"""Under which conditions answers are asked for."""

from dataclasses import dataclass
from typing import Literal

from synconfroute.evaluation.generation.retrieval import Retrieval
from synconfroute.server.completion.block_due import Extent

SINGLE_LINE = ("humaneval-single-line", "safim-control", "safim-api", "repository", "table-1")
"""Benchmarks whose holes are within one line, by how their names begin."""


@dataclass(frozen=True, slots=True)
class Conditions:
    """What is the same for all answers of a run.

    Attributes:
        profile: "live": as the server does; "paper": as the paper does (§2.3, §4.1).
        prompt: a fill-in-the-middle prompt, or a chat.
        shots: how many solved examples stand before the hole, 0 to 5.
        examples: which of the calibration tasks they are; see `retrieval.order_of`.
        examples_by: who wrote what is in them: "" for the truth, else a model and a digest of its
            answers.
        cursor: "line-start": where the benchmark has it; "indented": behind the indentation that
            an editor leaves, which is the true one; "in-word": behind half of the longest word of
            the true line, as somebody types it.
        suffix: "open": the buffer below the cursor, with the line break of the hole's own line;
            "raw": the benchmark's suffix, as the published prompts of HumanEval-Infilling have it.
        indentation: "given": a prompt for a line's start ends with the indentation that is due
            there, as the server's does; "none": it ends where the cursor is.
        hint: "path": the prompt names a file, of no particular name; "none": as the server's where
            no other file stands in it.
        healing: "on": within a word the model writes the word anew; "off": it goes on behind it;
            "live": as the server has it for the model.
        cut: "live": the prompt is cut as the server cuts it on this machine; "context": only to
            what the model's context holds.
        validator: whose verdict is recorded.
        max_tokens: the most tokens of an answer within one line.
        multi_line_tokens: the most tokens of any other answer.
        stop: "structural": an answer of several lines ends as the server ends it, with the
            structure that it began; "none": where the model or the limit of tokens ends it.
        temperature: 0 is greedy.
        seed: with the task's id, of the random numbers above temperature 0; None: the server's.
    """

    profile: Literal["live", "paper"] = "live"
    prompt: Literal["fim", "chat"] = "fim"
    shots: int = 0
    examples: Retrieval = "static"
    examples_by: str = ""
    cursor: Literal["line-start", "indented", "in-word"] = "line-start"
    suffix: Literal["open", "raw"] = "open"
    indentation: Literal["given", "none"] = "given"
    hint: Literal["path", "none"] = "none"
    healing: Literal["live", "on", "off"] = "live"
    cut: Literal["live", "context"] = "live"
    validator: Literal["live", "paper"] = "live"
    max_tokens: int = 50
    multi_line_tokens: int = 256
    stop: Literal["structural", "none"] = "structural"
    temperature: float = 0.0
    seed: int | None = None

    @property
    def papers_chat(self) -> bool:
        """The prompt is the paper's own; asked by FIM, its profile has the plain published one."""
        return self.profile == "paper" and self.prompt == "chat"

    def tokens_for(self, bench: str) -> int:
        """The most tokens of an answer to a task of a benchmark."""
        return self.extent_for(bench).max_tokens

    def extent_for(self, bench: str) -> Extent:
        """How much is asked for in a task of a benchmark."""
        if is_single_line(bench):
            return Extent(single_line=True, max_tokens=self.max_tokens)
        return Extent(single_line=False, max_tokens=self.multi_line_tokens)


def is_single_line(bench: str) -> bool:
    """True if the holes of a benchmark are within one line."""
    return bench.startswith(SINGLE_LINE)
