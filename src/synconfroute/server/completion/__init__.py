"""The request's way: hole, prompt, generation, cleaning, verdict, router, escalation, answer."""

from synconfroute.server.completion.candidate import Candidate
from synconfroute.server.completion.router import Escalate, Keep, decide

__all__ = ["Candidate", "Escalate", "Keep", "decide"]
