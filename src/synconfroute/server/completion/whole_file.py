"""Files that are replaced as a whole: whoever reads one reads the old text or the new one."""

import os
import tempfile
from pathlib import Path


def replace_file(file: Path, text: str) -> None:
    """Put a text in the place of a file, in one step; its folder must be there.

    Raises:
        OSError: it cannot be written; the old file is as it was.
    """
    handle, name = tempfile.mkstemp(dir=file.parent, prefix=file.name)
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as fresh:
            fresh.write(text)
        os.replace(name, file)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
