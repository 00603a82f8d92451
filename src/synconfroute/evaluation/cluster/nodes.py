"""The nodes of a cluster as a run sees them: which work, are gone, or are left out."""

from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Node:
    """A machine of the cluster.

    Attributes:
        id: Ray's.
        address: where it is.
        alive: it answers.
        processors: that Ray may give out there.
    """

    id: str
    address: str
    alive: bool
    processors: float

    @property
    def name(self) -> str:
        """For people; several nodes may be at one address."""
        return f"{self.address} ({self.id[:8]})"

    @property
    def works(self) -> bool:
        """It is there and takes work; a head often takes none."""
        return self.alive and self.processors >= 1


_STRIKES = 2
"""Tasks in a row that fail on a node before it is left out: it may only have been busy, or the task
is at fault."""


class Nodes:
    """What is known of them so far."""

    def __init__(self, tell: Callable[[str], None]) -> None:
        """Know none.

        Args:
            tell: told, in a sentence, of each node that is lost to the run.
        """
        self._tell = tell
        self._now: dict[str, Node] = {}
        self._gone: set[str] = set()
        self._strikes: defaultdict[str, set[str]] = defaultdict(set)
        self._refused: dict[str, str] = {}

    @property
    def working(self) -> list[Node]:
        """Those that take work and are not left out."""
        return [node for node in self._living() if node.id not in self._refused]

    @property
    def left_out(self) -> tuple[str, ...]:
        """The ids of those that get no more work from this run."""
        return tuple(self._refused)

    @property
    def refusal(self) -> str:
        """Why there is no node left that could do anything; "" where one may come or is there."""
        living = self._living()
        refused = [node for node in living if node.id in self._refused]
        return self._refused[refused[-1].id] if refused and len(refused) == len(living) else ""

    def see(self, nodes: Iterable[Node]) -> None:
        """Take note of how they are now."""
        before, self._now = self._now, {node.id: node for node in nodes}
        for name, node in before.items():
            now = self._now.get(name)
            if node.works and name not in self._gone and not (now and now.alive):
                self._gone.add(name)
                self._tell(f"Node {node.name} is gone: what it had begun is done again elsewhere.")

    def worked(self, name: str) -> None:
        """A batch was done on a node."""
        self._strikes.pop(name, None)

    def failed(self, name: str, at: str, why: str) -> str:
        """A batch could not be done on a node, which gets no more work if that goes on.

        Args:
            name: its id.
            at: the task that could not be answered.
            why: what failed there, in a sentence.

        Returns:
            The sentence, with the node's name.
        """
        known = self._now.get(name)
        said = f"On node {known.name if known else name[:8]}: {why}"
        self._strikes[name].add(at)
        if len(self._strikes[name]) >= _STRIKES and name not in self._refused:
            self._refused[name] = said
            self._tell(f"{said} It gets no more work.")
        return said

    def _living(self) -> list[Node]:
        return [node for node in self._now.values() if node.works]
