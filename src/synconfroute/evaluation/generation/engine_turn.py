"""One embedded model after the other: there is one engine, and it does not change its model."""

from collections.abc import Iterator
from contextlib import contextmanager

from synconfroute.evaluation.generation.model_name import ModelName


@contextmanager
def engine_turn(model: ModelName) -> Iterator[None]:
    """A model's turn: an engine that was started for it ends behind it, one that ran before not.

    Raises:
        EngineFailed: it does not end.
    """
    if model.provider != "embedded":
        yield
        return
    from synconfroute.clients import engine

    ran_before = engine.status().running
    try:
        yield
    finally:
        if not ran_before:
            engine.stop()
