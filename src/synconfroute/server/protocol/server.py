"""The language server: one session with one editor."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from lsprotocol import types
from pygls.lsp.server import LanguageServer
from pygls.protocol import default_converter

from synconfroute import __version__
from synconfroute.server.completion.answer import Provenance
from synconfroute.server.completion.counts import Counts
from synconfroute.server.completion.feedback import Feedback
from synconfroute.server.protocol import status as statuses
from synconfroute.server.protocol.building import Building
from synconfroute.server.protocol.client import Client
from synconfroute.server.protocol.commands import Commands, Examine, Run
from synconfroute.server.protocol.completer import BuildCompleter, LoadSettings
from synconfroute.server.protocol.decisions import Decisions
from synconfroute.server.protocol.documents import Documents
from synconfroute.server.protocol.faults import describe
from synconfroute.server.protocol.fit import misfit
from synconfroute.server.protocol.inline import Asked, InlineCompletion
from synconfroute.server.protocol.items import ACCEPT, no_items
from synconfroute.server.protocol.lines import unix_line_ends
from synconfroute.server.protocol.listed import ListedCompletion, offer
from synconfroute.server.protocol.logs import logger
from synconfroute.server.protocol.notices import Notices
from synconfroute.server.protocol.parent import until_gone
from synconfroute.server.protocol.positions import negotiate
from synconfroute.server.protocol.rpc import Rpc
from synconfroute.server.protocol.switch import Switch
from synconfroute.server.protocol.turns import Turns
from synconfroute.server.protocol.uris import key_of, roots_of

if TYPE_CHECKING:
    from pygls.server import ServerErrors

PROVENANCE = "synconfroute/provenance"
"""Notification to editors that ask for it: `{"provenance": true}` in initializationOptions."""

_CLOSING_SECONDS = 1.0
_COUNTING_SECONDS = 30.0
"""So often accepted texts are looked for, and the numbers saved."""
_MOST_CHARACTERS = 2_000_000
"""In longer documents nothing is looked for."""


class Server(LanguageServer):
    """What one editor talks to.

    Attributes:
        documents: what the editor shows.
        turns: whose request may be answered.
        inline: answers inline completion requests.
        listed: answers requests for a list of completions.
        client: what the editor is and can.
        initialized: the `initialize` request has been answered.
    """

    protocol: Rpc

    def __init__(self, load: LoadSettings, build: BuildCompleter, examine: Examine) -> None:
        """Must be made inside the event loop that it runs in."""
        super().__init__(
            "synconfroute", __version__, protocol_cls=Rpc, converter_factory=default_converter
        )
        self._notices = Notices(self._show, logger.warning)
        self.documents = Documents()
        self._counts = Counts()
        self._feedback = Feedback(self._counts.add, self._text)
        self._building = Building(
            load,
            build,
            self._notices,
            on_built=lambda completer: self.documents.follow(completer.follower),
            on_made=self._feedback.made,
        )
        self.turns = Turns()
        self.inline = InlineCompletion(
            self.documents, self.turns, self._building.completer, self._report, self._feedback
        )
        self.listed = ListedCompletion(self.documents, self.inline)
        self.client = Client()
        self.initialized = False
        self._decisions = Decisions()
        self._switch = Switch()
        self._status = statuses.Status(lambda now: self.protocol.notify(statuses.METHOD, now))
        self._commands = Commands(
            self.documents,
            self._switch,
            self._decisions.last,
            examine=lambda: examine(self._building.editor, self._building.roots),
            on_switched=self._switched,
        )
        self._tasks: set[asyncio.Task[None]] = set()  # the loop itself holds them weakly
        self._ended: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        self._register()

    def initialize(self, params: types.InitializeParams) -> types.ServerCapabilities:
        """Take what the editor is and wants; say what we can do."""
        self._building.editor = self.client.options or None
        self._building.roots = roots_of(params)
        self.documents.move(self._building.roots)
        self.documents.encoding = negotiate(params.capabilities)
        self.initialized = True
        if params.process_id is not None:
            self._start(self._watch(params.process_id))
        client = self.client
        logger.info("Session with %s %s.", client.name, client.version)
        self.listed.markdown = client.reads_markdown
        settings = self._building.settings()
        lists = settings is not None and client.wants_list(settings.typing.completion_list)
        if lists:
            self._register_listed()
        return types.ServerCapabilities(
            position_encoding=self.documents.encoding.value,
            text_document_sync=types.TextDocumentSyncOptions(
                open_close=True, change=types.TextDocumentSyncKind.Incremental
            ),
            # Always and statically: some clients that show inline completions do not say so.
            inline_completion_provider=types.InlineCompletionOptions(),
            completion_provider=offer() if lists else None,
            execute_command_provider=types.ExecuteCommandOptions(
                commands=[ACCEPT, *self._commands.table]
            ),
        )

    def prepare(self) -> None:
        """Build the completer and warm it, beside everything else."""
        client = self.client
        if client.wants_status:
            self._status.start()
        if client.plugin_version:
            logger.info("Its extension is %s %s.", client.plugin, client.plugin_version)
        if wrong := misfit(client.plugin, client.plugin_version, __version__):
            self._notices.say(wrong)
        self._start(self._warm())
        self._start(self._count())

    def forget(self, uri: str) -> None:
        """Drop a document and what runs for it."""
        self.documents.close(uri)
        self.turns.drop(key_of(uri))
        self._feedback.forget(key_of(uri))
        self._decisions.forget(key_of(uri))

    def stop(self, code: int) -> None:
        """End the session with an exit code. The first call counts."""
        if not self._ended.done():
            self._ended.set_result(code)

    async def until_stopped(self) -> int:
        """Wait for the end of the session. Returns the exit code."""
        return await self._ended

    async def aclose(self) -> None:
        """End all requests and close everything; what takes too long is given up."""
        try:
            async with asyncio.timeout(_CLOSING_SECONDS):
                await _cancelled(asyncio.all_tasks() - {asyncio.current_task()})
                await self._building.aclose()
                await asyncio.to_thread(self._counts.save)
        except TimeoutError:
            logger.warning("Closing took too long and was given up.")

    def report_server_error(self, error: Exception, source: "ServerErrors") -> None:
        """Log what pygls would show in a pop-up."""
        logger.error("%s: %s", source.__name__, describe(error))

    def _register(self) -> None:
        @self.feature(types.TEXT_DOCUMENT_INLINE_COMPLETION, types.InlineCompletionOptions())
        async def inline_completion(asked: Asked | None) -> types.InlineCompletionList | None:
            return await self._answer(asked)

        for name, run in self._commands.table.items():
            self.command(name)(_handler(run))

        @self.command(ACCEPT)
        def accept(*arguments: Any) -> None:
            request_id = arguments[0] if arguments else None
            if isinstance(request_id, str):
                logger.info("accepted %s", request_id)
                self.inline.accepted(request_id)

    def _register_listed(self) -> None:
        @self.feature(types.TEXT_DOCUMENT_COMPLETION, offer())
        async def completion(asked: Asked | None) -> types.CompletionList | None:
            return self.listed.listed(asked, await self._answer(asked))

    async def _answer(self, asked: Asked | None) -> types.InlineCompletionList | None:
        """What `inline` answers, where completions are switched on."""
        if asked is not None and not self._wanted(asked):
            self.inline.cancelled(asked)
            return no_items()
        with self._status.working():
            return await self.inline.answer(asked)

    def _wanted(self, asked: Asked) -> bool:
        kind = asked.params.context.trigger_kind
        explicit = kind is types.InlineCompletionTriggerKind.Invoked
        return self._switch.allows(asked.document.key, explicit=explicit)

    def _switched(self) -> None:
        """Completions were switched on, off, or to be quiet for a while."""
        off = self._switch.why_not()
        self._status.switched(off)
        for document in self.documents:
            if not self._switch.allows(document.key, explicit=True):
                self.turns.drop(document.key)
        if left := self._switch.seconds_left():
            asyncio.get_running_loop().call_later(left + 0.01, self._switched)

    async def _warm(self) -> None:
        self._status.ready(await self._building.warm())

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _count(self) -> None:
        while True:
            await asyncio.sleep(_COUNTING_SECONDS)
            self._feedback.look_back()
            if not await asyncio.to_thread(self._counts.save):
                logger.debug("The counts cannot be saved now.")

    def _text(self, key: str) -> str | None:
        document = self.documents.get(key)
        if document is None or document.size > _MOST_CHARACTERS:
            return None
        return unix_line_ends(document.text)

    async def _watch(self, process_id: int) -> None:
        await until_gone(process_id)
        logger.warning("The editor's process is gone.")
        self.stop(1)

    def _show(self, sentence: str) -> None:
        logger.warning("%s", sentence)
        self.window_show_message(
            types.ShowMessageParams(type=types.MessageType.Warning, message=sentence)
        )

    def _report(self, document: str, provenance: Provenance) -> None:
        self._decisions.note(document, provenance)
        self._status.decided(provenance)
        if self.client.wants_provenance:
            self.protocol.notify(PROVENANCE, asdict(provenance))


def _handler(run: Run) -> Callable[..., Awaitable[Any]]:
    """A command as pygls can register it."""

    async def handler(*arguments: Any) -> Any:
        return await run(arguments)

    return handler


async def _cancelled(tasks: set[asyncio.Task[Any]]) -> None:
    for task in tasks:
        task.cancel()
    if tasks:
        await asyncio.wait(tasks)
