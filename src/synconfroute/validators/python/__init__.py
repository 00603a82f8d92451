"""Python, by the `ast` module of the interpreter that runs this."""

from synconfroute.validators.python.session import PythonSession


def session() -> PythonSession:
    """A new buffer."""
    return PythonSession()


__all__ = ["PythonSession", "session"]
