"""What may be typed after `synconfroute`."""

import argparse
import re
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import NoReturn

from synconfroute import __version__
from synconfroute.errors import UsageError
from synconfroute.server.command.position import Position

_SETTING = re.compile(r"[^=\s]+\s*=.*", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Further:
    """A command that lives outside the server.

    Attributes:
        name: what is typed.
        does: one line of help.
        add: adds its options; `parser.set_defaults(run=…)` says which function runs it, with the
            options, and returns the exit code.
    """

    name: str
    does: str
    add: Callable[[ArgumentParser], None]


class _Parser(ArgumentParser):
    """Answers wrong usage with one sentence, where argparse would print its usage and exit."""

    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{self.prog}: {message} (`{self.prog} --help` says more).")


def parse(arguments: Sequence[str] | None, further: Sequence[Further] = ()) -> Namespace:
    """Read the command line.

    Args:
        arguments: what follows the program's name; None: the process's own.
        further: commands from outside the server.

    Returns:
        Options of the command; `command` is None where only help is wanted, which `help` holds;
        `set` holds the `section.key=value` of every --set, in order.

    Raises:
        UsageError: it is not one of ours.
    """
    typed = sys.argv[1:] if arguments is None else arguments
    parser = _parser(further, typed)
    options = parser.parse_args(typed)
    options.help = parser.format_help().rstrip()
    given = (getattr(options, name, []) for name in ("set_before", "set_after", "set_last"))
    options.set = [setting for each in given for setting in each]
    return options


def add_set(parser: ArgumentParser, name: str) -> None:
    """Add --set to a command, or as "set_last" to what may follow one of the further commands."""
    parser.add_argument(
        "--set",
        metavar="KEY=VALUE",
        dest=name,
        type=_setting,
        action="append",
        default=[],
        help="a setting for this run, such as router.threshold=0.8",
    )


def _parser(further: Sequence[Further], typed: Sequence[str]) -> ArgumentParser:
    parser: ArgumentParser = _Parser(
        "synconfroute",
        description="Private, local-first code completion.",
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"synconfroute {__version__}")
    add_set(parser, "set_before")
    commands = parser.add_subparsers(dest="command", title="commands", metavar="COMMAND")
    _add_serve(_command(commands, "serve", "run the language server"))
    _add_complete(_command(commands, "complete", "make one completion"))
    _add_validate(_command(commands, "validate", "say what inserting a text does to a file"))
    _add_json(_command(commands, "doctor", "say what works, what does not, and what mends it"))
    _add_settings(_command(commands, "settings", "show the settings and where they come from"))
    _add_stats(_command(commands, "stats", "say what became of completions on this machine"))
    _add_ledger(_command(commands, "ledger", "say what has left this machine"))
    _add_engine(_command(commands, "engine", "run or provision the embedded llama.cpp"))
    for each in further:
        command = _command(commands, each.name, each.does)
        if each.name in typed:  # it may have much to import
            each.add(command)
    return parser


def _command(
    commands: "argparse._SubParsersAction[ArgumentParser]", name: str, does: str
) -> ArgumentParser:
    parser = commands.add_parser(
        name, help=does, description=does[0].upper() + does[1:] + ".", allow_abbrev=False
    )
    add_set(parser, "set_after")
    return parser


def _add_serve(parser: ArgumentParser) -> None:
    way = parser.add_mutually_exclusive_group()
    way.add_argument("--stdio", action="store_true", help="speak on stdin and stdout (default)")
    way.add_argument(
        "--tcp",
        metavar="HOST:PORT",
        type=_address,
        help="listen there instead, for several editors at once; port 0: any that is free",
    )
    parser.add_argument(
        "--allow-remote",
        action="store_true",
        help="let --tcp listen for other machines, too: whoever reaches the port may use it",
    )
    parser.add_argument("--log-file", metavar="FILE", help="append the log to FILE")
    parser.add_argument(
        "--log-level", choices=("debug", "info", "warning", "error"), help="how much is logged"
    )


def _add_complete(parser: ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE")
    _add_position(parser, required=True)
    _add_language(parser)
    parser.add_argument(
        "--stdin", action="store_true", help="read the text from stdin; FILE only names it"
    )
    _add_json(parser)


def _add_validate(parser: ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", nargs="?")
    _add_position(parser, required=False)
    parser.add_argument("--text", metavar="T", help="the text to insert")
    _add_language(parser)
    parser.add_argument(
        "--jsonl",
        metavar="FILE",
        help='a batch, one {"id", "language", "prefix", "suffix", "text"} a line; - is stdin',
    )
    _add_json(parser)


def _add_settings(parser: ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", metavar="show", required=True)
    show = actions.add_parser("show", help="each value and its source", allow_abbrev=False)
    _add_json(show)


def _add_stats(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--since", metavar="DATE", type=_day, help="leave out earlier days, such as 2026-11-30"
    )
    way = parser.add_mutually_exclusive_group()
    _add_json(way)
    way.add_argument(
        "--html", metavar="FILE", help="write one page that needs no network; - is stdout"
    )
    way.add_argument(
        "--serve",
        metavar="HOST:PORT",
        nargs="?",
        const="127.0.0.1:9464",
        help="show OpenMetrics and the page on this machine until ended (default %(const)s)",
    )
    way.add_argument(
        "--export", metavar="FILE", help="write all counts, to be put together with others'"
    )
    parser.add_argument(
        "--pool", metavar="FILE", nargs="+", help="say what several exports come to, not this one's"
    )
    parser.add_argument(
        "--difference",
        metavar="POINTS",
        type=_points,
        default=5.0,
        help="of a comparison of two rules: the difference of acceptance that one wants to see",
    )


def _add_ledger(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--since",
        metavar="TIME",
        type=_moment,
        help="leave out what was earlier, such as 2026-11-30T14:00, 2026-11-30, 90m, 2h or 7d",
    )
    _add_json(parser)
    actions = parser.add_subparsers(dest="action", metavar="verify | explain ID")
    verify = actions.add_parser(
        "verify", help="say whether it is as it was written; exit code 1 where it is not"
    )
    verify.add_argument(
        "--against",
        metavar="FILE",
        help="hold it against what `ledger verify --json` said earlier, kept where nobody who may"
        " write the ledger can",
    )
    explain = actions.add_parser("explain", help="all that is known of one request")
    explain.add_argument("id", metavar="ID", help="its id, or how the id begins")
    for action in (verify, explain):
        action.add_argument(
            "--json", action="store_true", default=argparse.SUPPRESS, help="print JSON"
        )


def _add_engine(parser: ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", metavar="pull | stop | remove")
    pull = actions.add_parser(
        "pull", help="get a model: the starter, a known name, a .gguf file or an https URL"
    )
    pull.add_argument("source", metavar="SOURCE", nargs="?", default="")
    pull.add_argument("--sha256", metavar="H", default="", help="what the file must hash to")
    actions.add_parser("stop", help="end the engine, if it runs")
    remove = actions.add_parser("remove", help="free the disk of one model, or of all")
    remove.add_argument("name", metavar="NAME", nargs="?", default="")


def _add_position(parser: ArgumentParser, *, required: bool) -> None:
    parser.add_argument(
        "--at",
        metavar="LINE:COL",
        type=_position,
        required=required,
        help="1-based line and column in characters",
    )


def _add_language(parser: ArgumentParser) -> None:
    parser.add_argument("--language", metavar="L", help="LSP language id; else by FILE's name")


def _add_json(parser: "ArgumentParser | argparse._MutuallyExclusiveGroup") -> None:
    parser.add_argument("--json", action="store_true", help="print JSON")


def _address(text: str) -> tuple[str, int]:
    match = re.fullmatch(r"(\[[0-9A-Fa-f:.%]+\]|[^\s:/\[\]]+):([0-9]{1,5})", text)
    if match is None or int(match[2]) > 65535:
        raise argparse.ArgumentTypeError("give HOST:PORT, such as 127.0.0.1:4711 or [::1]:4711")
    return match[1].strip("[]"), int(match[2])


def _points(text: str) -> float:
    try:
        points = float(text)
    except ValueError:
        points = 0.0
    if not 0 < points <= 100:
        raise argparse.ArgumentTypeError("give percentage points above 0, such as 5")
    return points


def _day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise argparse.ArgumentTypeError("give a day, such as 2026-11-30") from None


def _moment(text: str) -> datetime:
    """A time; one without a zone is this machine's, and 2h is two hours ago."""
    ago = re.fullmatch(r"([0-9]{1,5})([mhd])", text)
    if ago is not None:
        unit = {"m": "minutes", "h": "hours", "d": "days"}[ago[2]]
        return datetime.now(UTC) - timedelta(**{unit: int(ago[1])})
    try:
        return datetime.fromisoformat(text).astimezone(UTC)
    except (ValueError, OverflowError, OSError):
        raise argparse.ArgumentTypeError(
            "give a time, such as 2026-11-30T14:00, 2026-11-30, 90m, 2h or 7d"
        ) from None


def _position(text: str) -> Position:
    match = re.fullmatch(r"([0-9]{1,9}):([0-9]{1,9})", text)
    if match is None or int(match[1]) < 1 or int(match[2]) < 1:
        raise argparse.ArgumentTypeError("give LINE:COL, both counted from 1, such as 12:5")
    return Position(int(match[1]), int(match[2]))


def _setting(text: str) -> str:
    if _SETTING.fullmatch(text) is None:
        raise argparse.ArgumentTypeError("give section.key=value, such as router.threshold=0.8")
    return text
