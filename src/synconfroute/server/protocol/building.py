"""The completer, built when it is first needed and not before the editor has its answer."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from synconfroute.errors import SynConfRouteError
from synconfroute.server.completion.answer import Provenance
from synconfroute.server.protocol.completer import BuildCompleter, Completer, LoadSettings
from synconfroute.server.protocol.faults import describe
from synconfroute.server.protocol.logs import logger, start_logging
from synconfroute.server.protocol.notices import Notices
from synconfroute.server.settings.tree import Settings

_FAULT = "SynConfRoute cannot complete code because of a fault of its own; its log says where."


class Building:
    """Reads the settings and builds the completer; what is wrong is said to the user."""

    def __init__(
        self,
        load: LoadSettings,
        build: BuildCompleter,
        notices: Notices,
        on_built: Callable[[Completer], None],
        on_made: Callable[[str, Provenance], None],
        on_waiting: Callable[[int], None],
        on_retired: Callable[[Completer], object],
    ) -> None:
        """Take over how it is done.

        Args:
            load: reads the settings.
            build: builds the completer.
            notices: tells the user what is wrong.
            on_built: gets each completer.
            on_made: for `build`.
            on_waiting: for `build`.
            on_retired: gets a completer in whose place another has come, to be closed.
        """
        self._load = load
        self._build = build
        self._notices = notices
        self._on_built = on_built
        self._on_made = on_made
        self._on_waiting = on_waiting
        self._on_retired = on_retired
        self._read = False
        self._settings: Settings | None = None
        self._tried = False
        self._fault = ""
        self._completer: Completer | None = None
        self.editor: dict[str, Any] | None = None
        self.roots: tuple[Path, ...] = ()

    def begin(
        self,
        editor: dict[str, Any] | None,
        roots: tuple[Path, ...],
        read: tuple[Settings, list[str]] | None,
    ) -> None:
        """Take what the editor sent at the start, and the settings that were read with it.

        Args:
            editor: the editor's settings.
            roots: the folders that it has open.
            read: the settings and what is wrong in them; None: they are read when needed.
        """
        self.editor, self.roots = editor, roots
        if read is not None:
            self._take(*read)

    def settings(self) -> Settings | None:
        """The settings, read once; None if they could not be."""
        if not self._read:
            self._read = True
            try:
                self._take(*self._load(self.editor, self.roots))
            except Exception as error:
                self._failed(error)
        return self._settings

    def reconfigure(self, editor: dict[str, Any]) -> bool:
        """Take other settings of the editor; they hold from the next request on.

        Returns:
            Whether there is another completer now.
        """
        if editor == (self.editor or {}):
            return False
        self.editor, before = editor, self._settings
        self._read = False
        settings = self.settings()
        if settings is None or settings == before or not self._tried:
            self._settings = settings or before
            return False
        old, fresh = self._completer, self._built()
        if fresh is None:
            return False
        self._completer = fresh
        if old is not None:
            self._on_retired(old)
        return True

    def completer(self) -> Completer | None:
        """The completer; None if it could not be built."""
        if not self._tried:
            self._tried = True
            self._completer = self._built()
        return self._completer

    @property
    def built(self) -> Completer | None:
        """The completer, if it was built already."""
        return self._completer

    async def warm(self) -> str:
        """Build the completer and let it make ready. Raises nothing.

        Returns:
            One sentence: why no completion can be made yet; "" where it can.
        """
        try:
            completer = self.completer()
            return self._fault if completer is None else await completer.warm()
        except Exception as error:
            return self._failed(error)

    async def aclose(self) -> None:
        """Close the completer, if it was built. Raises nothing."""
        self._tried = True
        if self._completer is None:
            return
        try:
            await self._completer.aclose()
        except Exception as error:
            logger.error("Closing failed: %s", describe(error))

    def _take(self, settings: Settings, problems: list[str]) -> None:
        self._read, self._settings = True, settings
        _follow(settings, problems)
        for problem in problems:
            self._notices.say(problem)

    def _built(self) -> Completer | None:
        settings = self.settings()
        if settings is None:
            return None
        try:
            completer = self._build(
                settings,
                on_notice=self._notices.trouble,
                on_made=self._on_made,
                on_waiting=self._on_waiting,
            )
            self._on_built(completer)
        except Exception as error:
            self._failed(error)
            return None
        return completer

    def _failed(self, error: Exception) -> str:
        logger.error("Not ready: %s", describe(error))
        self._fault = str(error) if isinstance(error, SynConfRouteError) else _FAULT
        self._notices.say(self._fault)
        return self._fault


def _follow(settings: Settings, problems: list[str]) -> None:
    problem = start_logging(settings.log.file, settings.log.level)
    if problem is not None:
        problems.append(problem)
