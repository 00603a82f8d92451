"""Shell scripts, by tree-sitter-bash."""

from typing import TYPE_CHECKING

from synconfroute.validators.treesitter.language import Language, Quoted
from synconfroute.validators.treesitter.session import TreeSitterSession
from synconfroute.validators.treesitter.words import BlockWords

if TYPE_CHECKING:
    import tree_sitter


def _grammar() -> "tree_sitter.Language":
    import tree_sitter
    import tree_sitter_bash

    return tree_sitter.Language(tree_sitter_bash.language())


WORDS = BlockWords(
    openers={"if": "if", "case": "case", "do": "do", "{": "{"},
    closers=frozenset({"fi", "esac", "done", "}"}),
    begins=r"[;&|!]+|;;&|then|do|else|elif|if|while|until|time|.*\)",
    anywhere=frozenset({"{"}),
    heads={"if": "then", "case": "in", "do": ""},
    patterned="case",
)

_OPERATORS = (
    "<<<", ";;&", ";;", ";&", "&&", r"\|\|", r"\|&", "&>>?", r"[<>]&\d?-?", ">>", r"\\$",
)  # fmt: skip

BASH = Language(
    name="Bash",
    grammar=_grammar,
    quoted=(
        Quoted(r"\$'", "'", lines=True),
        Quoted("'", "'", lines=True, escapes=False),
        Quoted('"', '"', lines=True, hole=r"\$\("),
        Quoted(r"\$\{", "}", lines=True, nests=True),
        Quoted("`", "`", lines=True),
        Quoted(
            r"<<-?[ \t]*\\?['\"]?([A-Za-z_]\w*)['\"]?",
            "{}",
            alone=True,
            lines=True,
            escapes=False,
            late=True,
        ),
    ),
    line_comment=r"(?<![^\s;&|()])#",
    brackets={"(": ")", "{": "}", "if": "fi", "case": "esac", "do": "done"},
    words=WORDS,
    operators=(
        "<<<",
        ";;&",
        ";;",
        ";&",
        "&&",
        r"\|\|",
        r"\|&",
        "&>>?",
        r"[<>]&\d?-?",
        ">>",
        r"\\$",
    ),
    word=(r"(?:[^\s;&|<>()$`\"'\\#]|\\.)(?:[^\s;&|<>()$`\"'\\]|\\.)*|\$(?:\w+|[?!#@*$-])|\$(?=\()"),
    illegal="(?!)",
    newline_ends=True,
    foreign=r"#!.*\b(?:zsh|fish|t?csh)\b|#(?:compdef|autoload)\b",
    whole=True,
    seconds=0.03,
    wrapper="f() { \n}",
    enders=frozenset({";", ";;", "&", ";&", ";;&"}),
    controls=frozenset(),
    starters=frozenset({"!", "<", ">", ">>", "&>", "#", "=", "-"}),
    joiners=frozenset({"do", "then"}),
    loops=frozenset(),
    followers=frozenset(),
    chains=frozenset({"|", "&&", "||"}),
    postfix=frozenset({"$", "#", "="}),
    labels=frozenset(),
    crammed=True,
    gaps=(
        (r"(?<=[*?])(?:'[^'\n]*'|\"[^\"$\n]*\")(?=[*?])", "x"),
        (r"(?<=\[)\d+#(?=\$)", ""),
    ),
    placeholders=("", "x", " x", ")", "; then", "; do", " in", "()", "() {", " ]", " ]; then"),
    lines=("", "x", ":", "x)", "then"),
    fillers=("x", "", "x; then\n:", "x in", "x; do\n:\ndone", "x )", "[ x ]"),
    follow=(" ]", " ]]", " in", " ]; then\n:", " ]]; then\n:", " {\n:\n}"),
    finish=("", "; then\n:", "; do\n:\ndone", ") ;;", "() {\n:\n}", " )", " x"),
    after_block=("",),
    extends=(" ]", " ]]", "; then\n:\nfi", "; do\n:\ndone"),
    behind=("; then\n:", "; do\n:\ndone", " in", " ]; then\n:", ") ;;", " {\n:\n}"),
)


def session() -> TreeSitterSession:
    """A new session."""
    return TreeSitterSession(BASH)
