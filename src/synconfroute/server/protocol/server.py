"""The language server: one session with one editor."""

import asyncio
import functools
import time
from collections.abc import Callable, Coroutine
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from lsprotocol import types
from pygls.lsp.server import LanguageServer
from pygls.protocol import default_converter

from synconfroute import __version__
from synconfroute.server.completion.answer import Provenance
from synconfroute.server.completion.breaker import State
from synconfroute.server.completion.counts import Counts
from synconfroute.server.completion.feedback import Feedback
from synconfroute.server.protocol import status as statuses
from synconfroute.server.protocol.building import Building
from synconfroute.server.protocol.client import Client
from synconfroute.server.protocol.commands import Commands, RunBeside
from synconfroute.server.protocol.completer import BuildCompleter, LoadSettings
from synconfroute.server.protocol.configuration import SECTION, Configuration
from synconfroute.server.protocol.decisions import Decisions
from synconfroute.server.protocol.documents import Documents
from synconfroute.server.protocol.faults import describe
from synconfroute.server.protocol.features import register, register_list
from synconfroute.server.protocol.fit import misfit
from synconfroute.server.protocol.guarded import Guarded
from synconfroute.server.protocol.inline import Asked, InlineCompletion
from synconfroute.server.protocol.leniency import Json
from synconfroute.server.protocol.lines import unix_line_ends
from synconfroute.server.protocol.listed import ListedCompletion
from synconfroute.server.protocol.logs import logger
from synconfroute.server.protocol.notebooks import Notebooks
from synconfroute.server.protocol.notices import Notices
from synconfroute.server.protocol.observing import Observing
from synconfroute.server.protocol.opening import Opening, opening_of
from synconfroute.server.protocol.parent import until_gone
from synconfroute.server.protocol.progress import Progress
from synconfroute.server.protocol.rpc import Rpc
from synconfroute.server.protocol.switch import Switch
from synconfroute.server.protocol.tasks import Tasks
from synconfroute.server.protocol.turns import Turns
from synconfroute.server.protocol.uris import key_of

if TYPE_CHECKING:
    from pygls.server import ServerErrors

PROVENANCE = "synconfroute/provenance"
"""Notification to editors that ask for it: `{"provenance": true}` in initializationOptions."""

_CLOSING_SECONDS = 1.0
_IDLE_S = 4.0
"""After a pause as long as this no connection is open any more that waits for requests."""
_COUNTING_SECONDS = 30.0
"""So often accepted texts are looked for, and the numbers saved."""
_MOST_CHARACTERS = 2_000_000
"""In longer documents nothing is looked for."""


_converter = functools.cache(default_converter)
"""One for all sessions: what it learns of each type takes longer than to use it."""


class Server(LanguageServer):
    """What one editor talks to.

    Attributes:
        documents: what the editor shows.
        notebooks: which of them are cells, and of what.
        turns: whose request may be answered.
        inline: answers inline completion requests.
        listed: answers requests for a list of completions.
        feedback: told what becomes of them.
        commands: what can be asked beside.
        configuration: the editor's settings.
        client: what the editor is and can.
        initialized: the `initialize` request has been answered.
        on_ready: called once all that a first completion needs is there.
    """

    protocol: Rpc

    def __init__(self, load: LoadSettings, build: BuildCompleter, beside: RunBeside) -> None:
        """Must be made inside the event loop that it runs in."""
        self._load = load
        super().__init__(
            "synconfroute", __version__, protocol_cls=Rpc, converter_factory=_converter
        )
        self.client = Client()
        self.initialized = False
        self.on_ready: Callable[[], object] = lambda: None
        self._notices = Notices(self._show, logger.warning)
        self._decisions = Decisions()
        self._switch = Switch()
        self._status = statuses.Status(lambda now: self.protocol.notify(statuses.METHOD, now))
        self._progress = Progress(self._create_progress, self._send_progress)
        self.documents = Documents()
        self.turns = Turns()
        self._observing = Observing(Counts(), self._breaker, self._notices.say)
        self.feedback = Feedback(self._observing.count, self._text, on_org_shown=self._org_shown)
        self._building = Building(
            load,
            lambda settings, **told: Guarded(
                build(self._observing.compared(settings), **told), self._switch
            ),
            self._notices,
            on_built=lambda completer: self.documents.follow(completer.follower),
            on_made=self._made,
            on_waiting=self._status.escalating,
            on_retired=lambda completer: self._start(completer.aclose()),
        )
        self.inline = InlineCompletion(
            self.documents, self.turns, self._building.completer, self._report, self.feedback
        )
        self.notebooks = Notebooks(self.documents, self.edited, self.forget)
        self.listed = ListedCompletion(self.documents, self.inline)
        self.configuration = Configuration(self._ask_settings, self._want_settings, self._apply)
        self.commands = Commands(
            self.documents,
            self._switch,
            self._decisions.last,
            beside=lambda command: beside(command, self._building.editor, self._building.roots),
            progress=self._progress,
            on_switched=self._switched,
        )
        self._edited_at = float("-inf")
        self._own = Tasks()
        self._configuring: asyncio.Task[None] | None = None
        self._tasks: set[asyncio.Task[None]] = set()  # the loop itself holds them weakly
        self._ended: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        register(self)

    def initialize(self, data: Json) -> Json:
        """Take what the editor says of itself in an `initialize` request; the result for it."""
        opening = opening_of(data, self._load)
        self.open(opening)
        return opening.result()

    def open(self, opening: Opening) -> None:
        """Begin a session with an editor that was answered."""
        client = self.client = opening.client
        self._building.begin(client.options or None, opening.roots, opening.read)
        self.documents.move(opening.roots)
        self.documents.encoding = opening.encoding
        self.initialized = True
        if opening.process_id is not None:
            gone = until_gone(opening.process_id, started_us=opening.started_us)
            self._start(self._watch(gone))
        logger.info("Session with %s %s.", client.name, client.version)
        self.listed.markdown = client.reads_markdown
        if opening.lists:
            register_list(self)

    def prepare(self) -> None:
        """Build the completer and warm it, beside everything else. The first call counts."""
        if self._configuring is not None:
            return
        client = self.client
        if client.wants_status:
            self._status.start()
        if client.plugin_version:
            logger.info("Its extension is %s %s.", client.plugin, client.plugin_version)
        if wrong := misfit(client.plugin, client.plugin_version, __version__):
            self._notices.say(wrong)
        self._progress.wanted = client.shows_progress
        self._configuring = self._start(self.configuration.start(client))
        self._start(self._begin(self._configuring))
        self._start(self._count())

    def edited(self, params: types.DidChangeTextDocumentParams) -> None:
        """A document, or a cell of a notebook, was edited."""
        if not self.documents.change(params):
            logger.warning("An edit of a document that is not open was ignored.")
        elif params.content_changes:
            self.inline.edited(params)
            now = time.monotonic()
            if now - self._edited_at > _IDLE_S:
                # The editor's request is on its way; what it needs is made ready meanwhile.
                uri = params.text_document.uri
                made_ready = functools.partial(self.turned_to, uri, at_rest=False)
                asyncio.get_running_loop().call_soon(made_ready)
            self._edited_at = now

    def forget(self, uri: str) -> None:
        """Drop a document and what runs for it."""
        self.documents.close(uri)
        self.turns.drop(key_of(uri))
        self.feedback.forget(key_of(uri))
        self._decisions.forget(key_of(uri))

    async def answer(self, asked: Asked | None) -> types.InlineCompletionList | None:
        """What `inline` answers, while the editor shows that it is awaited."""
        if self._configuring is not None:
            # Nothing is sent anywhere by settings that the editor is about to correct.
            await asyncio.wait({self._configuring})
        with self._status.working(), self._progress.asked():
            return await self.inline.answer(asked)

    def focused(self, uri: str) -> None:
        """The user has turned to a document: make ready what may have gone meanwhile."""
        if self.documents.get(uri) is not None:
            self._start(self._warm())
            self.turned_to(uri)

    def turned_to(self, uri: str, *, at_rest: bool = True) -> None:
        """The user has turned to a document.

        Args:
            uri: of the document.
            at_rest: nothing is typed there now.
        """
        document, completer = self.documents.get(uri), self._building.built
        if document is None or completer is None:
            return
        place = document.asked_at
        hole = document.hole(place or types.Position(0, 0))
        completer.turned_to(hole, goes_on=at_rest and place is not None)

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
                await self._own.end()
                await self._building.aclose()
                await asyncio.to_thread(self._observing.close)
        except TimeoutError:
            logger.warning("Closing took too long and was given up.")

    def report_server_error(self, error: Exception, source: "ServerErrors") -> None:
        """Log what pygls would show in a pop-up."""
        logger.error("%s: %s", source.__name__, describe(error))

    def _switched(self) -> None:
        """Completions were switched on, off, or to be quiet for a while."""
        off = self._switch.why_not()
        self._status.switched(off)
        for document in self.documents:
            if not self._switch.allows(document.key, explicit=True):
                self.turns.drop(document.key)
        if left := self._switch.seconds_left():
            asyncio.get_running_loop().call_later(left + 0.01, self._switched)

    async def _begin(self, configuring: "asyncio.Task[None]") -> None:
        await asyncio.wait({configuring})
        await self._warm()
        self.on_ready()
        await self._observe()

    def _apply(self, settings: dict[str, Any]) -> None:
        """The editor's settings have changed."""
        if self._building.reconfigure(settings):
            self._progress.loaded = False
            self._start(self._warm())
            self._start(self._observe())

    async def _ask_settings(self) -> Any:
        item = types.ConfigurationItem(section=SECTION)
        return await self.workspace_configuration_async(types.ConfigurationParams([item]))

    async def _want_settings(self) -> None:
        method = types.WORKSPACE_DID_CHANGE_CONFIGURATION
        wanted = types.Registration(SECTION, method, {"section": SECTION})
        await self.client_register_capability_async(types.RegistrationParams([wanted]))

    async def _create_progress(self, token: str) -> None:
        params = types.WorkDoneProgressCreateParams(token)
        await self.window_work_done_progress_create_async(params)

    def _send_progress(self, token: str, value: Any) -> None:
        self.progress(types.ProgressParams(token, value))

    async def _warm(self) -> None:
        self._status.ready(await self._building.warm())

    async def _observe(self) -> None:
        """Show of this session what its settings say."""
        settings = self._building.settings()
        if settings is not None and self._observing.wants(settings):
            await asyncio.to_thread(self._observing.follow, settings)

    def _made(self, language: str, made: Provenance) -> None:
        self.feedback.made(language, made)
        self._observing.made(language, made)

    def _breaker(self) -> State | None:
        completer = self._building.completer()
        return None if completer is None else completer.breaker

    def _start(self, work: Coroutine[Any, Any, None]) -> "asyncio.Task[None]":
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def _count(self) -> None:
        while True:
            await asyncio.sleep(_COUNTING_SECONDS)
            self.feedback.look_back()
            if not await asyncio.to_thread(self._observing.save):
                logger.debug("The counts cannot be saved now.")

    def _text(self, key: str) -> str | None:
        document = self.documents.get(key)
        if document is None or document.size > _MOST_CHARACTERS:
            return None
        return unix_line_ends(document.text)

    async def _watch(self, gone: Coroutine[Any, Any, None]) -> None:
        await gone
        logger.warning("The editor's process is gone.")
        self.stop(1)

    def _show(self, sentence: str) -> None:
        logger.warning("%s", sentence)
        self.window_show_message(
            types.ShowMessageParams(type=types.MessageType.Warning, message=sentence)
        )

    def _org_shown(self, request_id: str) -> None:
        completer = self._building.completer()
        if completer is not None:
            completer.shown(request_id)

    def _report(self, document: str, provenance: Provenance) -> None:
        self._decisions.note(document, provenance)
        completer = self._building.built
        self._status.decided(provenance, "" if completer is None else completer.paused)
        self._progress.loaded = self._progress.loaded or provenance.tokens_generated > 0
        if self.client.wants_provenance:
            self.protocol.notify(PROVENANCE, asdict(provenance))
