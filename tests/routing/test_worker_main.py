"""What a worker process does beside solving."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Iterator
from multiprocessing import Pipe

import pytest

from services.routing.adapters import worker_main
from services.routing.adapters.worker_wire import Ask, FromWorker, SolverFailed, encode
from services.routing.domain.problem import RouteProblem


class Ring:
    """An object that only the collector frees."""

    def __init__(self) -> None:
        self.itself = self


@pytest.fixture
def collector() -> Iterator[None]:
    """The collector of garbage as it was, afterwards."""
    thresholds = gc.get_threshold()
    yield
    gc.set_threshold(*thresholds)
    gc.enable()


@pytest.mark.usefixtures("collector")
def test_garbage_is_collected_between_questions(monkeypatch: pytest.MonkeyPatch) -> None:
    """Within a search the collector would hold up looks at the clock."""
    monkeypatch.setattr(worker_main, "warm_up", lambda: None)
    monkeypatch.setattr(worker_main, "OBJECTS_MOST", 100)
    rings: list[weakref.ref[Ring]] = []

    def reply(_pipe: object, _asked: Ask) -> FromWorker:
        assert not gc.isenabled()
        if rings:
            raise EOFError
        for _ in range(1_000):
            rings.append(weakref.ref(Ring()))
        assert all(ring() is not None for ring in rings)
        return SolverFailed("")

    monkeypatch.setattr(worker_main, "_reply", reply)
    ours, theirs = Pipe()
    with ours, theirs:
        for _ in range(2):
            ours.send_bytes(encode(Ask(RouteProblem("X", (), (), (), ()), None)))
        worker_main.serve(theirs)
    assert all(ring() is None for ring in rings)
