"""Which language a file holds, by its name: LSP language ids."""

from pathlib import PurePath

from synconfroute.errors import UsageError

_BY_ENDING = {
    "bash": "shellscript", "bat": "bat", "c": "c", "cc": "cpp", "clj": "clojure",
    "cpp": "cpp", "cs": "csharp", "css": "css", "cu": "cuda-cpp", "cxx": "cpp", "dart": "dart",
    "diff": "diff", "erl": "erlang", "ex": "elixir", "exs": "elixir", "f90": "fortran",
    "fs": "fsharp", "go": "go", "groovy": "groovy", "h": "cpp", "h++": "cpp", "hh": "cpp",
    "hpp": "cpp", "hs": "haskell", "htm": "html", "html": "html", "hxx": "cpp", "ini": "ini",
    "inl": "cpp", "ipp": "cpp", "java": "java", "jl": "julia", "js": "javascript",
    "json": "json", "jsx": "javascriptreact", "kt": "kotlin", "kts": "kotlin", "less": "less",
    "lua": "lua", "m": "objective-c", "md": "markdown", "mjs": "javascript", "ml": "ocaml",
    "mm": "objective-cpp", "php": "php", "pl": "perl", "pm": "perl", "ps1": "powershell",
    "py": "python", "pyi": "python", "pyw": "python", "r": "r", "rb": "ruby", "rs": "rust",
    "scala": "scala", "scss": "scss", "sh": "shellscript", "sql": "sql", "swift": "swift",
    "tex": "latex", "toml": "toml", "ts": "typescript", "tsx": "typescriptreact",
    "txt": "plaintext", "vb": "vb", "vue": "vue", "xml": "xml", "yaml": "yaml", "yml": "yaml",
    "zig": "zig", "zsh": "shellscript",
}  # fmt: skip
_BY_NAME = {"dockerfile": "dockerfile", "makefile": "makefile", "cmakelists.txt": "cmake"}
_KNOWN = {*_BY_ENDING.values(), *_BY_NAME.values()}


def language_of(name: str, said: str | None = None) -> str:
    """The language id of a file.

    Args:
        name: the file's name or path.
        said: what the user said it is.

    Raises:
        UsageError: the name does not tell, or what the user said is no language we know.
    """
    if said is not None:
        if said not in _KNOWN:
            raise UsageError(
                f"{said} is not a known language: give an LSP language id such as python, java"
                " or cpp."
            )
        return said
    path = PurePath(name)
    ending = path.suffix[1:]
    found = (
        "cpp"
        if ending == "C"
        else _BY_ENDING.get(ending.lower()) or _BY_NAME.get(path.name.lower())
    )
    if found is None:
        raise UsageError(
            f"The language of {path.name or name} is not known from its name: give it with"
            " --language, such as --language python."
        )
    return found
