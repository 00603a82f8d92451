"""`synconfroute`: one command, one exit code, one sentence for whatever goes wrong."""

import logging
import traceback
from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path
from typing import cast

from synconfroute.errors import SynConfRouteError, UsageError
from synconfroute.server.command import console
from synconfroute.server.command.arguments import Further, parse

DONE, FAILED, WRONG_USAGE = 0, 1, 2


def run(arguments: Sequence[str] | None = None, further: Sequence[Further] = ()) -> int:
    """Run one command.

    Args:
        arguments: what follows the program's name; None: the process's own.
        further: commands from outside the server.

    Returns:
        0 done, 1 the thing asked for failed, 2 wrong usage.
    """
    console.survive_any_terminal()
    # Without a handler Python would write warnings, with tracebacks, to the terminal.
    logging.getLogger().addHandler(logging.NullHandler())
    try:
        code = _dispatch(parse(arguments, further))
        console.flush()
    except UsageError as error:
        return _fail(str(error), WRONG_USAGE)
    except SynConfRouteError as error:
        return _fail(str(error))
    except KeyboardInterrupt:
        return _fail("Interrupted.")
    except BrokenPipeError:  # whoever read our output has seen enough
        console.give_up_output()
        return FAILED
    except OSError as error:
        console.give_up_output()
        return _fail(f"The system refused ({error.strerror or type(error).__name__}).")
    except Exception as error:  # the last line of defence: a sentence, never a traceback
        return _fail(_own_fault(error))
    return code


def _dispatch(options: Namespace) -> int:
    match options.command:
        case "serve":
            from synconfroute.server.command.serve import serve

            return serve(options)
        case "complete":
            from synconfroute.server.command.complete import complete

            return complete(options)
        case "validate":
            from synconfroute.server.command.validate import validate

            return validate(options)
        case "doctor":
            from synconfroute.server.command.doctor.run import doctor

            return doctor(options)
        case "settings":
            from synconfroute.server.command.settings import show_settings

            return show_settings(options)
        case "stats":
            from synconfroute.server.command.stats import stats

            return stats(options)
        case "ledger":
            from synconfroute.server.command.ledger import ledger

            return ledger(options)
        case "engine":
            from synconfroute.server.command.engine import engine

            return engine(options)
        case None:
            console.say(options.help)
            return DONE
        case _:
            return cast(int, options.run(options))


def _fail(sentence: str, code: int = FAILED) -> int:
    console.complain(sentence)
    return code


def _own_fault(error: Exception) -> str:
    """Name the error and its place: enough to report, and no text of any document."""
    frames = traceback.extract_tb(error.__traceback__)
    place = f" in {Path(frames[-1].filename).name}, line {frames[-1].lineno}" if frames else ""
    return f"synconfroute has a fault of its own ({type(error).__name__}{place}): please report it."
