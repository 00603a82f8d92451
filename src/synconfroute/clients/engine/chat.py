"""A chat, put into the model's own template."""

import re
from dataclasses import dataclass

from synconfroute.clients.connection import Connection
from synconfroute.clients.documents import text_of
from synconfroute.clients.faults import Peer
from synconfroute.errors import BadAnswer

_TEMPLATE_SECONDS = 10.0
_USER_TEXT = "synconfroute-user-text"
_CONTROL = re.compile(r"<[|｜]?\w+[|｜]?>|\[/?[A-Z_]+\]")


@dataclass(frozen=True, slots=True)
class ChatFrame:
    """A chat template, rendered around a place for the user's text."""

    before: str
    after: str

    def around(self, user: str, prefill: str) -> str:
        """The prompt for a user's text and the beginning of an answer.

        Control tokens of the template that stand in these, as they may in source code, get a
        space after their first character, so that they end no turn.
        """
        control = set(_CONTROL.findall(self.before + self.after))
        for token in sorted(control):
            user = user.replace(token, f"{token[0]} {token[1:]}")
            prefill = prefill.replace(token, f"{token[0]} {token[1:]}")
        return f"{self.before}{user}{self.after}{prefill}"


async def chat_frame(connection: Connection, peer: Peer, system: str) -> ChatFrame:
    """What the model's own template puts around a user's turn.

    Raises:
        ModelServerError: the engine cannot render the template.
    """
    messages = [{"role": "system", "content": system}] if system else []
    messages.append({"role": "user", "content": _USER_TEXT})
    question = {"messages": messages, "chat_template_kwargs": {"enable_thinking": False}}
    rendered = await connection.ask_json(
        peer, "/apply-template", question, seconds=_TEMPLATE_SECONDS
    )
    before, mark, after = text_of(rendered, "prompt", peer).partition(_USER_TEXT)
    if not mark:
        raise BadAnswer(f"The chat template of {peer.model} leaves the question out.")
    return ChatFrame(before, after)
