"""A workspace for tests: files by their paths, and questions about one of them."""

from pathlib import Path

from synconfroute.server.completion.context.candidates import Candidates
from synconfroute.server.completion.context.piece import Piece
from synconfroute.server.completion.context.question import Question, Shown

CURSOR = "⟦⟧"

ENDINGS = {
    ".py": "python", ".java": "java", ".cpp": "cpp", ".c": "c", ".h": "cpp", ".ts": "typescript",
    ".tsx": "typescriptreact", ".js": "javascript", ".go": "go", ".rs": "rust",
}  # fmt: skip


class Tree:
    """Files below one folder."""

    def __init__(self, root: Path, **files: str) -> None:
        self.root = root
        root.mkdir(parents=True, exist_ok=True)
        for path, text in files.items():
            self.write(path, text)

    def write(self, path: str, text: str) -> Path:
        """Write a file, and what folders it needs."""
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
        return file

    def question(self, path: str, *, shown: tuple[Shown, ...] = ()) -> Question:
        """What is asked with the cursor at its mark in a file, else at the file's end."""
        file = self.root / path
        prefix, _, suffix = file.read_text(encoding="utf-8").partition(CURSOR)
        language = ENDINGS[file.suffix]
        return Question(language, str(file), prefix, suffix, (str(self.root),), shown)

    def pieces(self, path: str, *, shown: tuple[Shown, ...] = ()) -> list[Piece]:
        """What may help there."""
        return Candidates().pieces(self.question(path, shown=shown))

    def found(self, path: str) -> dict[str, str]:
        """The same, as texts by the names of the files that they stand in, in their order."""
        return {f"{piece.path}:{piece.first}": piece.text for piece in self.pieces(path)}
