"""Ruby, by tree-sitter-ruby."""

from typing import TYPE_CHECKING

from synconfroute.validators.treesitter.language import Language, Quoted
from synconfroute.validators.treesitter.session import TreeSitterSession
from synconfroute.validators.treesitter.words import BlockWords

if TYPE_CHECKING:
    import tree_sitter


def _grammar() -> "tree_sitter.Language":
    import tree_sitter
    import tree_sitter_ruby

    return tree_sitter.Language(tree_sitter_ruby.language())


_ANYWHERE = ("def", "class", "module", "begin", "case", "do", "for")
_LEADING = ("if", "unless", "while", "until")

WORDS = BlockWords(
    openers=dict.fromkeys((*_ANYWHERE, *_LEADING), "begin"),
    closers=frozenset({"end"}),
    begins=(
        r"[-+*/%=<>!&|,;?:^~]+|\|[^|]*\||then|else|elsif|and|or|not|in|ensure|when|do|begin"
        r"|if|unless|while|until"
    ),
    anywhere=frozenset({*_ANYWHERE, "end"}),
    never_behind=r"\.|&\.|::|def|undef|alias",
    never_before=r"[?!](?!=)|:(?!:)|\s*=>",
    nothing={"def": r"\s+[\w.]+[?!]?\s*(?:\([^()]*\))?\s+=\s"},
    loops=frozenset({"for", "while", "until"}),
    heads={"begin": ""},
)

_HOLE = r"#\{"
_PERCENT = (
    r"%[qQwWiIrsx]?(?:\{(?:[^{}\\]|\\.|\{[^{}]*\})*\}|\((?:[^()\\]|\\.|\([^()]*\))*\)"
    r"|\[(?:[^\[\]\\]|\\.|\[[^\[\]]*\])*\]|<[^<>]*>|([|!/^@~-])(?:(?!\1)[^\\]|\\.)*\1)\w*"
)
"""Quoted text behind a percent sign, on one line."""

_EXPRESSION = r"/(?![*])(?:\\.|\[(?:\\.|[^\]\\])*\]|#\{[^}]*\}|[^/\\\[])*/[a-z]*"

_OPERATORS = (
    r"&\.", "::", "=>", "->", r"\*\*=?", r"\.\.\.?", r"&&=?", r"\|\|=?", "<=>", "===?", "=~",
    "!~", "<<=?", ">>", r"\\$", "[-+*/%&|^=!<>]=",
)  # fmt: skip

_PREFIXES = frozenset(
    {"return", "if", "unless", "while", "until", "when", "in", "and", "or", "not", "then", "else",
     "elsif", "do", "puts", "yield", "raise"}
)  # fmt: skip

RUBY = Language(
    name="Ruby",
    grammar=_grammar,
    quoted=(
        Quoted("^=begin\\b", "=end", alone=True, lines=True, escapes=False, comment=True),
        Quoted(r"%[QWIrx]?\{", "}", lines=True, hole=_HOLE),
        Quoted(r"%[wWiIqQr]\[", "]", lines=True, hole=_HOLE),
        Quoted(r"%[wWiIqQr]\(", ")", lines=True, hole=_HOLE),
        Quoted('"', '"', lines=True, hole=_HOLE),
        Quoted("'", "'", lines=True),
        Quoted("`", "`", lines=True, hole=_HOLE),
        Quoted(r"(?<=\w )/(?=[^\s=/][^/]*/)", "/", hole=_HOLE),
        Quoted(r"<<[~-]['\"`]?([A-Za-z_]\w*)['\"`]?", "{}", alone=True, lines=True, late=True),
        Quoted(r"(?<=[\s(,])<<['\"]?([A-Z_]{2}\w*)['\"]?", "{}", alone=True, lines=True, late=True),
    ),
    line_comment="#",
    literal=rf"{_PERCENT}|{_EXPRESSION}|\?(?:\\.|[^\s])(?!\w)|\|(?!\|)[^|\n]*\|",
    prefixes=_PREFIXES,
    brackets={"(": ")", "[": "]", "{": "}", "begin": "end"},
    words=WORDS,
    operators=_OPERATORS,
    word=(
        r"(?<![:\w]):(?:[^\W\d]\w*(?:[?!]|=(?![>~=]))?|[-+*/<>=!~\[\]]+)"
        r"|@{0,2}[^\W\d]\w*(?:[?!](?![=~])|[?!](?===))?|\$(?:\w+|[^\s\w])|\d(?:[eE][+-]|\.(?=\d)|\w)*"
    ),
    illegal="(?!)",
    newline_ends=True,
    whole=True,
    seconds=0.03,
    crammed=True,
    wrapper="def f() \nend",
    enders=frozenset({";"}),
    controls=frozenset(),
    starters=frozenset({"-", "!", "*", "**", "&", "::", "->", "~", ":", "+", "..", "..."}),
    openers=frozenset({"and", "or", "not"}),
    joiners=frozenset({"and", "or", "then"}),
    loops=frozenset(),
    followers=frozenset({"and", "or"}),
    chains=frozenset({".", "&."}),
    postfix=frozenset({".."}),
    labels=frozenset({"when", "in"}),
    modifiers=frozenset(),
    placeholders=("", "x", "()", "x()", " do", "x) do", " {", " x", ": x", " then", ")"),
    lines=("", "x", "when x", "def f\nend"),
    fillers=("", "x", "x: x", "x => x", "A", "x|", "f x"),
    follow=(" = x", " => x", ": x", " x", " then x"),
    finish=("", " do\nend", " {}", " : x"),
    after_block=("",),
    extends=(": x", " => x", " : x"),
    behind=(" : x", " {}", " do\nend", ": x", " => x"),
)


def session() -> TreeSitterSession:
    """A new session."""
    return TreeSitterSession(RUBY)
