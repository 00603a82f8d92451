"""What the files of each language define, without the bodies."""

from collections.abc import Callable

from synconfroute.server.completion.context.definitions.definition import Definition

LANGUAGES = (
    "c", "cpp", "go", "java", "javascript", "javascriptreact", "python", "rust", "typescript",
    "typescriptreact",
)  # fmt: skip
"""The LSP language ids whose definitions can be read."""


def definitions(language: str, text: str) -> list[Definition]:
    """The definitions of a file, in order; none where the language or the text cannot be read."""
    from synconfroute.validators.admission import Admission

    if language not in LANGUAGES or Admission(text).obstacle is not None:
        return []
    return _reader(language)(text)


def _reader(language: str) -> Callable[[str], list[Definition]]:
    if language == "python":
        from synconfroute.server.completion.context.definitions import python

        return python.definitions
    from synconfroute.server.completion.context.definitions.braces import Braces

    return Braces(language).definitions
