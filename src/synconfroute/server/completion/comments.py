"""A text as comment lines of a language."""

_MARKS = {
    "#": (
        "python", "ruby", "shellscript", "perl", "r", "julia", "yaml", "toml", "dockerfile",
        "makefile", "elixir", "powershell", "nim", "coffeescript", "cmake", "starlark",
    ),
    "--": ("lua", "sql", "haskell", "ada", "elm", "vhdl"),
    "%": ("latex", "tex", "matlab", "erlang", "prolog"),
    ";": ("lisp", "clojure", "scheme", "racket", "ini", "asm"),
    '"': ("vim",),
    "'": ("vb",),
    "!": ("fortran",),
}  # fmt: skip
_BY_LANGUAGE = {language: mark for mark, languages in _MARKS.items() for language in languages}


def commented(language: str, text: str) -> str:
    """Each line of a text behind the language's comment mark, `//` where that is not known."""
    mark = _BY_LANGUAGE.get(language, "//")
    return "".join(f"{mark} {line}".rstrip() + "\n" for line in text.splitlines())
