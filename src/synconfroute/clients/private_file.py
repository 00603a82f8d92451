"""Files that hold secrets: may others read them?"""

import os
import stat
import sys

_OTHERS = 0o077


def exposure(path: str) -> str:
    """What is wrong with a file that is to hold a secret, as the end of a sentence; "" if nothing.

    On POSIX it is a file of the user's own, or an administrator's, that nobody else may read or
    write. Windows keeps others out of a user's profile folder, so it has to lie in there.
    """
    try:
        found = os.stat(path)
    except (OSError, ValueError):
        return f"{path} cannot be read: correct the path."
    if not stat.S_ISREG(found.st_mode):
        return f"{path} is not a file: correct the path."
    if sys.platform == "win32":
        profile = os.path.normcase(os.path.realpath(os.path.expanduser("~"))) + os.sep
        if not os.path.normcase(os.path.realpath(path)).startswith(profile):
            return f"{path} lies outside of your profile folder, where others can read it: move it."
        return ""
    if found.st_uid not in (os.geteuid(), 0):
        return f"{path} belongs to another user: make a file of your own."
    if found.st_mode & _OTHERS:
        return f"{path} can be read or changed by others: run chmod 600 {path}."
    return ""
