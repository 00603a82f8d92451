"""The log: what happens, never what is in a document."""

import logging
import sys
import warnings
from pathlib import Path

logger = logging.getLogger("synconfroute")

_NEVER_AWAITED = r"coroutine '\S*try_connect' was never awaited"
_FORMAT = "%(asctime)s %(levelname)s %(process)d %(message)s"


def start_logging(file: str = "", level: str = "info") -> str | None:
    """Send this project's log to a file (appended to), or to stderr where none is given.

    Other libraries' loggers are silenced: pygls logs whole messages, and those hold documents.

    Args:
        file: path of the log file; its folder is made. "" means stderr.
        level: "debug", "info", "warning" or "error".

    Returns:
        One sentence if the file cannot be written (stderr is used then), else None.
    """
    logging.getLogger().handlers[:] = [logging.NullHandler()]
    logging.getLogger("pygls").setLevel(logging.CRITICAL + 1)
    # anyio leaves this behind where it is cancelled while it connects; editors show stderr.
    warnings.filterwarnings("ignore", _NEVER_AWAITED, RuntimeWarning)
    handler, problem = _handler(file)
    handler.setFormatter(logging.Formatter(_FORMAT))
    for old in logger.handlers[:]:
        logger.removeHandler(old)
        old.close()
    logger.addHandler(handler)
    logger.propagate = False
    logger.setLevel(level.upper())
    return problem


def _handler(file: str) -> tuple[logging.Handler, str | None]:
    if not file:
        return logging.StreamHandler(sys.stderr), None
    path = Path(file).expanduser()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        return logging.FileHandler(path, encoding="utf-8", errors="backslashreplace"), None
    except OSError as error:
        problem = (
            f"The log file {path} cannot be written ({error.strerror}); logging to stderr instead."
        )
        return logging.StreamHandler(sys.stderr), problem
