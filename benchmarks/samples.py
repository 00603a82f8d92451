"""Source code to measure with, of any length."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Sample:
    """Code of a language: a head, then pieces that differ in a number, then a foot.

    Attributes:
        piece: lines of a function; its number stands for {}.
        inside: which of them a statement may stand before.
        head: lines before all.
        foot: lines behind all.
        indent: what a statement there begins with.
    """

    piece: tuple[str, ...]
    inside: int
    head: tuple[str, ...] = ()
    foot: tuple[str, ...] = ()
    indent: str = "    "

    def text(self, lines: int) -> str:
        """Valid code of that many lines; those that no piece fits into are empty."""
        room = lines - len(self.head) - len(self.foot)
        found = list(self.head)
        for number in range(room // len(self.piece)):
            found += [line.replace("{}", str(number)) for line in self.piece]
        found += [""] * (lines - len(found) - len(self.foot))
        return "\n".join([*found, *self.foot]) + "\n"

    def statement(self, lines: int) -> int:
        """The line, from 0, in the middle of such a text, before which a statement may stand."""
        pieces = (lines - len(self.head) - len(self.foot)) // len(self.piece)
        return len(self.head) + pieces // 2 * len(self.piece) + self.inside


SAMPLES = {
    "python": Sample(
        (
            "def compute_{}(alpha, beta):",
            "    result = compute_value(alpha={}, beta=beta, gamma='x')",
            "    return result + alpha * {}  # the outcome of step {}",
            "",
        ),
        inside=1,
    ),
    "java": Sample(
        (
            "    int compute{}(int alpha, int beta) {",
            "        int result = computeValue({}, beta, \"x\");",
            "        for (int index = 0; index < alpha; index++) {",
            "            result += values[index] * {};",
            "        }",
            "        return result + alpha * {};  // the outcome of step {}",
            "    }",
            "",
        ),
        inside=1,
        head=("class Computed {", "    int[] values = new int[100];", ""),
        foot=(
            "    int computeValue(int alpha, int beta, String gamma) {",
            "        return alpha + beta + gamma.length();",
            "    }",
            "}",
        ),
        indent="        ",
    ),
    "cpp": Sample(
        (
            "int compute_{}(int alpha, int beta) {",
            "    std::vector<int> values(alpha, {});",
            "    int result = compute_value({}, beta, \"x\");",
            "    for (int value : values) {",
            "        result += value * beta;",
            "    }",
            "    return result + alpha * {};  // the outcome of step {}",
            "}",
            "",
        ),
        inside=1,
        head=(
            "#include <string>", "#include <vector>", "",
            "int compute_value(int alpha, int beta, const std::string& gamma) {",
            "    return alpha + beta + static_cast<int>(gamma.size());",
            "}", "",
        ),
    ),
}  # fmt: skip
"""By the languages of LSP."""


def python_source(lines: int) -> str:
    """Valid Python of that many lines, 64 characters or so each."""
    return SAMPLES["python"].text(lines)
