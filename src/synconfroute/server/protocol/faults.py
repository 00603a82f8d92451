"""What may be written about an error: where and of which kind, never its values."""

import traceback

from synconfroute.errors import SynConfRouteError


def describe(error: BaseException) -> str:
    """Kind and place of an error, for the log.

    An error's own words may quote what it was about, and that may be source code. Only the errors
    of this project promise not to, so only their sentence is given.
    """
    kind = type(error).__name__
    said = f": {error}" if isinstance(error, SynConfRouteError) else ""
    frames = traceback.extract_tb(error.__traceback__)[-4:]
    places = " < ".join(f"{frame.name} ({_short(frame)})" for frame in reversed(frames))
    return f"{kind}{said}" + (f" in {places}" if places else "")


def _short(frame: traceback.FrameSummary) -> str:
    path = frame.filename.replace("\\", "/")
    return f"{'/'.join(path.split('/')[-2:])}:{frame.lineno}"
