"""Doctor's look at what is on this machine: settings, parsers, ledger."""

from synconfroute.errors import LedgerError
from synconfroute.server.command.doctor.finding import Finding, Health
from synconfroute.server.completion.ledger import Ledger
from synconfroute.server.places import user_settings_file
from synconfroute.server.settings.reader import Reading
from synconfroute.validators import validate
from synconfroute.validators.verdict import Outcome

# For each language: what stands before the hole, a right text, a wrong one, what stands after.
_SAMPLES = {
    "python": ("def f():\n    return ", "1", ")", "\n"),
    "java": ("class A { int f() { return ", "1", ")", "; } }\n"),
    "cpp": ("int f() { return ", "1", ")", "; }\n"),
}


def settings_findings(reading: Reading) -> list[Finding]:
    """One finding for each thing that is wrong with the settings, else that they are read."""
    if reading.messages:
        return [Finding("settings", Health.BAD, message) for message in reading.messages]
    file = user_settings_file()
    yours = f"Yours are in {file}" if file.exists() else f"You have none in {file}"
    return [Finding("settings", Health.OK, f"{yours}; nothing is wrong with them.")]


def parser_findings() -> list[Finding]:
    """Whether the parser process tells right from wrong in every language that has a parser."""
    return [_parser(language) for language in _SAMPLES]


def ledger_finding() -> Finding:
    """Whether an escalation could be noted down."""
    ledger = Ledger()
    try:
        ledger.require_writable()
    except LedgerError as error:
        return Finding("ledger", Health.BAD, str(error))
    return Finding("ledger", Health.OK, f"The ledger can be written in {ledger.file.parent}.")


def _parser(language: str) -> Finding:
    prefix, right, wrong, suffix = _SAMPLES[language]
    about = f"parser {language}"
    verdicts = [validate(language, prefix, text, suffix) for text in (right, wrong)]
    if [verdict.outcome for verdict in verdicts] == [Outcome.VALID, Outcome.INVALID]:
        return Finding(about, Health.OK, "Right and wrong code are told apart.")
    return Finding(
        about,
        Health.BAD,
        f"The verdicts are {verdicts[0].outcome} and {verdicts[1].outcome} where they should be"
        " valid and invalid.",
        "install synconfroute anew, with its dependencies",
    )
