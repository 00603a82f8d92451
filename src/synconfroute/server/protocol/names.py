"""What editors call by name beside completions."""

INITIALIZE = "initialize"

ACCEPT = "synconfroute.accept"
"""The command that an editor runs when the user takes an item; its argument is a request id."""

COMMANDS = (
    "synconfroute.toggle",
    "synconfroute.snooze",
    "synconfroute.why",
    "synconfroute.doctor",
    "synconfroute.pull",
    "synconfroute.digest",
    "synconfroute.ledger",
)
"""The commands of `commands.py`."""
