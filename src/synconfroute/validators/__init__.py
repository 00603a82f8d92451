"""Is this text, in this buffer, valid code? Parsers run in one child process (DESIGN §1.5)."""

from synconfroute.validators.shared import validate
from synconfroute.validators.validator import Validator
from synconfroute.validators.verdict import Evidence, Outcome, Verdict, unknown

__all__ = ["Evidence", "Outcome", "Validator", "Verdict", "unknown", "validate"]
