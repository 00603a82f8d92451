"""A chat, put into the model's own template."""

from synconfroute.clients.chat import ChatFrame
from synconfroute.clients.connection import Connection
from synconfroute.clients.documents import text_of
from synconfroute.clients.faults import Peer
from synconfroute.errors import BadAnswer

_TEMPLATE_SECONDS = 10.0
_USER_TEXT = "synconfroute-user-text"


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
