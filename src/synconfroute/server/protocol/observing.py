"""What is shown of a session to who watches: metrics, spans, and its part in a comparison.

All of it is off unless settings say otherwise, and nothing of it is imported before.
"""

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING

from synconfroute.errors import SynConfRouteError
from synconfroute.server.completion.counts import Counts, Source
from synconfroute.server.protocol.logs import logger
from synconfroute.server.settings.tree import Settings, Tracing

if TYPE_CHECKING:
    from synconfroute.server.completion.answer import Provenance
    from synconfroute.server.completion.breaker import State
    from synconfroute.server.observation.comparison.assignment import Assignment
    from synconfroute.server.observation.endpoint import Endpoint
    from synconfroute.server.observation.spans import Spans

_NO_EXTRA = (
    "tracing.enabled needs OpenTelemetry: install synconfroute with its extra `tracing`, as in"
    " pip install 'synconfroute[tracing]'."
)


class Observing:
    """Follows a session's settings; `follow`, `save` and `close` take a while, on any thread."""

    def __init__(
        self,
        counts: Counts,
        breaker: "Callable[[], State | None]",
        say: Callable[[str], None],
    ) -> None:
        """Show nothing yet.

        Args:
            counts: this process's numbers.
            breaker: the state of the breaker before the organisation's server.
            say: tells the user a sentence, once.
        """
        self._counts = counts
        self._breaker = breaker
        self._say = say
        self._assignment: Assignment | None = None
        self._listen = ""
        self._endpoint: Endpoint | None = None
        self._waits = False
        self._tracing = Tracing()
        self._spans: Spans | None = None
        self._changing = threading.Lock()
        self._closed = False

    def compared(self, settings: Settings) -> Settings:
        """The settings with the rule that this session got, where two are compared."""
        if settings.comparison.rule == "off" and self._assignment is None:
            return settings
        if self._assignment is None:
            from synconfroute.server.observation.comparison.assignment import Assignment

            self._assignment = Assignment()
        applied = self._assignment.applied(settings)
        if self._assignment.arm:
            logger.info("Two rules are compared; this session has %s.", self._assignment.arm)
        return applied

    def count(self, source: Source, name: str, number: int = 1) -> None:
        """Count, and for the comparison, too, where there is one."""
        self._counts.add(source, name, number)
        if self._assignment is not None:
            self._assignment.add(source, name, number)

    def made(self, language: str, made: "Provenance") -> None:
        """A request is over."""
        if self._spans is not None:
            self._spans.made(language, made)

    def wants(self, settings: Settings) -> bool:
        """Whether `follow` has anything to do."""
        return settings.metrics.listen != self._listen or settings.tracing != self._tracing

    def follow(self, settings: Settings) -> None:
        """Listen and send as the settings say from now on. Raises nothing of ours."""
        with self._changing:
            if self._closed:
                return
            if settings.metrics.listen != self._listen:
                self._hang_up()
                self._listen, self._waits = settings.metrics.listen, False
                self._begin_to_listen()
            if settings.tracing != self._tracing:
                self._tracing = settings.tracing
                self._trace()

    def save(self) -> bool:
        """Hand numbers to the files of all processes; take a port that has become free."""
        with self._changing:
            if self._waits and not self._closed:
                self._begin_to_listen()
        compared = self._assignment is None or self._assignment.save()
        return self._counts.save() and compared

    def close(self) -> None:
        """Save, and stop all of it."""
        self._closed = True
        self.save()  # first: whoever closes may not wait for all of this
        with self._changing:
            self._hang_up()
            if self._spans is not None:
                self._spans.close()
                self._spans = None

    def _begin_to_listen(self) -> None:
        """Listen where nobody does; where another window does, it shows the numbers of all."""
        from synconfroute.server.observation.endpoint import Endpoint
        from synconfroute.server.observation.serving import pages
        from synconfroute.server.settings.addresses import listening

        address = listening(self._listen)
        if address is None:
            return
        try:
            self._endpoint = Endpoint(*address, pages(None, self._breaker, self._counts.save))
        except SynConfRouteError as error:
            if not self._waits:
                logger.info("%s It is tried again; another window may show all numbers.", error)
            self._waits = True
        else:
            self._waits = False
            logger.info("Metrics are shown at %s.", self._listen)

    def _hang_up(self) -> None:
        if self._endpoint is not None:
            self._endpoint.close()
            self._endpoint = None

    def _trace(self) -> None:
        if self._spans is not None:
            self._spans.close()
            self._spans = None
        if not self._tracing.enabled:
            return
        try:
            from synconfroute.server.observation.spans import spans_for

            self._spans = spans_for(self._tracing)
            logger.info("Traces are sent to a collector from now on.")
        except ImportError:
            self._say(_NO_EXTRA)
        except SynConfRouteError as error:
            self._say(str(error))
