"""A Ray cluster, reached through Ray Client: the only module of the driver that knows Ray.

Ray is imported when the first order is about to leave, with all that it would report elsewhere
turned off: usage statistics, and the copy of the current folder that it makes under `uv run`.
"""

import contextlib
import os
import socket
import warnings
from collections.abc import Hashable, Iterator, Sequence
from typing import Any

from synconfroute.errors import EvaluationError
from synconfroute.evaluation.cluster.address import Address
from synconfroute.evaluation.cluster.nodes import Node
from synconfroute.evaluation.cluster.work import Done, on_node, reported

_QUIET = {
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_ENABLE_UV_RUN_RUNTIME_ENV": "0",
}
_CONNECT_SECONDS = 5.0
_TRIES = 3
_RETRIES = 3
"""How often Ray does an order again whose node or worker process died."""
_NODE_ID = "ray.io/node-id"
_NOT_IMPORTED = ("failed to import on the worker", "ModuleNotFoundError", "No module named")


class RayCluster:
    """A cluster; it is connected to when it is first asked something."""

    def __init__(self, address: Address) -> None:
        """Name the cluster; nothing is sent."""
        self._address = address
        self._ray: Any = None
        self._work: Any = None

    @property
    def address(self) -> Address:
        """Where it is."""
        return self._address

    def nodes(self) -> list[Node]:
        """How the nodes are now.

        Raises:
            EvaluationError: the cluster cannot be used; the sentence says what mends it.
        """
        ray = self._connected()
        with self._spoken():
            return [
                Node(
                    row["NodeID"],
                    row["NodeManagerAddress"],
                    row["Alive"],
                    row["Resources"].get("CPU", 0.0),
                )
                for row in ray.nodes()
            ]

    def begin(self, order: str, not_on: Sequence[str]) -> Hashable:
        """Have an order done on any node but these, on one processor."""
        self._connected()
        work = self._work
        if not_on:
            work = work.options(label_selector={_NODE_ID: f"!in({', '.join(not_on)})"})
        with self._spoken():
            begun: Hashable = work.remote(order)
        return begun

    def ended(self, begun: Sequence[Hashable], seconds: float) -> list[Hashable]:
        """Those that have ended, as soon as one has, or after so many seconds."""
        ray = self._connected()
        with self._spoken():
            ended, _ = ray.wait(list(begun), num_returns=1, timeout=seconds)
        return list(ended)

    def done(self, begun: Hashable) -> Done:
        """What became of one that has ended."""
        ray = self._connected()
        with self._spoken():
            return reported(ray.get(begun))

    def close(self) -> None:
        """Leave the cluster, which ends what is still running there for us."""
        if self._ray is not None:
            with contextlib.suppress(Exception):
                self._ray.shutdown()
            self._ray = None

    def _connected(self) -> Any:
        if self._ray is None:
            os.environ.update(_QUIET)
            try:
                import ray

                self._knock()
                self._connect(ray)
            except ImportError:
                raise EvaluationError(
                    "Ray is not installed: pip install 'synconfroute[eval,cluster]'."
                ) from None
            self._ray = ray
        return self._ray

    def _knock(self) -> None:
        """Ray itself would try for half a minute."""
        try:
            where = (self._address.host, self._address.port)
            socket.create_connection(where, _CONNECT_SECONDS).close()
        except OSError:
            raise EvaluationError(
                f"Nothing answers at {self._address}: start the cluster's head with"
                f" `ray start --head --ray-client-server-port {self._address.port}`, or mend the"
                " address."
            ) from None

    def _connect(self, ray: Any) -> None:
        """Begin a session; Ray waits for half a minute, which is short for a busy head."""
        for left in reversed(range(_TRIES)):
            try:
                with warnings.catch_warnings(action="ignore"):
                    ray.init(str(self._address), log_to_driver=False, logging_level="CRITICAL")
                break
            except RuntimeError as error:
                raise EvaluationError(_mismatch(str(error), self._address)) from None
            except (ray.exceptions.RayError, ConnectionError) as error:
                if not left:
                    raise EvaluationError(_no_work(self._address, type(error).__name__)) from None
        self._work = ray.remote(num_cpus=1, max_retries=_RETRIES)(on_node)

    @contextlib.contextmanager
    def _spoken(self) -> Iterator[None]:
        """Ray's exceptions as our errors; none of their text, which may quote code."""
        try:
            yield
        except ConnectionError:
            raise EvaluationError(f"The connection to {self._address} broke.") from None
        except self._ray.exceptions.RayTaskError as error:
            raise EvaluationError(_of_node(error)) from None
        except self._ray.exceptions.RayError as error:
            raise EvaluationError(
                f"Batches are lost on the cluster ({type(error).__name__}), although it tried"
                f" {_RETRIES} times more."
            ) from None


def _mismatch(said: str, address: Address) -> str:
    """Ray's lines on versions as a sentence."""
    found = [line.split(":", 1)[1].strip() for line in said.splitlines() if line.startswith("    ")]
    if "Version mismatch" in said and len(found) == 4:
        return (
            f"The cluster at {address} runs Ray {found[0]} on Python {found[1]}, and this machine"
            f" Ray {found[2]} on Python {found[3]}: both must be the same, but for Python's last"
            " number."
        )
    return _no_work(address, "RuntimeError")


def _no_work(address: Address, kind: str) -> str:
    return (
        f"The cluster at {address} takes no work ({kind}): its head says why in its"
        " ray_client_server logs."
    )


def _of_node(error: Exception) -> str:
    if any(sign in str(error) for sign in _NOT_IMPORTED):
        return (
            "A node of the cluster does not have this version of SynConfRoute: pip install"
            " 'synconfroute[eval,cluster]' there."
        )
    cause = getattr(error, "cause", None) or error
    return f"A node of the cluster failed at a batch ({type(cause).__name__})."
