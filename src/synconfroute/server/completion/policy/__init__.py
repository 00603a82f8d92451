"""May this file's text leave the machine? `judging.py` is the rule, the rest what it needs."""

from synconfroute.server.completion.policy.decision import Allowed, Refused
from synconfroute.server.completion.policy.judging import judge, may_leave
from synconfroute.server.completion.policy.secret_names import secret_mark

__all__ = ["Allowed", "Refused", "judge", "may_leave", "secret_mark"]
