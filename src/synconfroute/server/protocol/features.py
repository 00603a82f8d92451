"""What the server answers and takes note of, each by its method's name."""

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any

from lsprotocol import types

from synconfroute.server.protocol import reports
from synconfroute.server.protocol.commands import Run
from synconfroute.server.protocol.inline import Asked
from synconfroute.server.protocol.leniency import text_in
from synconfroute.server.protocol.logs import logger
from synconfroute.server.protocol.names import ACCEPT

if TYPE_CHECKING:
    from synconfroute.server.protocol.server import Server


def register(server: "Server") -> None:
    """Everything that does not depend on what the editor can."""

    @server.feature(types.TEXT_DOCUMENT_INLINE_COMPLETION)
    async def inline_completion(asked: Asked | None) -> types.InlineCompletionList | None:
        return await server.answer(asked)

    @server.feature(types.WORKSPACE_DID_CHANGE_CONFIGURATION)
    def settings_changed(params: types.DidChangeConfigurationParams) -> None:
        server.configuration.changed(params.settings)

    @server.command(ACCEPT)
    def accept(*arguments: Any) -> None:
        request_id = arguments[0] if arguments else None
        if isinstance(request_id, str):
            logger.info("accepted %s", request_id)
            server.inline.accepted(request_id)

    for name, run in server.commands.table.items():
        server.command(name)(_handler(run))
    _register_reports(server)


def register_list(server: "Server") -> None:
    """Completions in a list, for an editor that wants them so."""

    @server.feature(types.TEXT_DOCUMENT_COMPLETION)
    async def completion(asked: Asked | None) -> types.CompletionList | None:
        return server.listed.listed(asked, await server.answer(asked))


def _register_reports(server: "Server") -> None:
    @server.feature(reports.SHOWN)
    def shown(params: Any) -> None:
        server.feedback.shown(reports.request_of(params))

    @server.feature(reports.PARTLY_ACCEPTED)
    def partly_accepted(params: Any) -> None:
        taken = reports.accepted_length(params)
        server.feedback.partly_accepted(reports.request_of(params), taken)

    @server.feature(reports.FOCUS)
    def focus(params: Any) -> None:
        server.focused(text_in(params, "textDocument", "uri"))


def _handler(run: Run) -> Callable[..., Awaitable[Any]]:
    """A command as pygls can register it."""

    async def handler(*arguments: Any) -> Any:
        return await run(arguments)

    return handler
