"""Requests to solve ahead: solved only while no caller needs the workers."""

from __future__ import annotations

import threading

import pytest
from prometheus_client import CollectorRegistry

from services.gen.signalbox.log.v1 import log_pb2
from services.routing.cluster.ahead import RoutesAhead, UnusableRequest
from services.routing.convert import problem_to_message, solution_from_message
from services.routing.dispatcher import WORKERS_PER_QUESTION
from services.routing.domain.problem import RouteProblem
from services.routing.domain.solver import solve
from services.routing.domain.verify import RunFault
from services.routing.handlers import InvalidAnswerError
from services.routing.ports import SolverFailedError
from tests.routing.service.fake_workers import TIMEOUT, FakeWorkers
from tests.routing.service.serving import Serving
from tests.routing.service.test_dispatch import asks, fake_workers, joined, named, one, wait_for
from tests.waiting import until

__all__ = ["fake_workers", "one"]


class Ahead:
    """Sends requests to solve ahead to a service, and counts their results."""

    def __init__(self, server: Serving) -> None:
        self._registry = CollectorRegistry()
        self._ahead = RoutesAhead(server.service.service, self._registry)

    def handle(self, problem: RouteProblem) -> None:
        """Handle a request to its end."""
        wanted = log_pb2.RoutesWanted(
            schema_version=1, game_id="game-1", sequence=7, problem=problem_to_message(problem)
        )
        self._ahead.handle(wanted.SerializeToString(), "g")

    def handle_broken(self, value: bytes) -> None:
        """The same for a value that is no request."""
        self._ahead.handle(value, "g")

    def begin(self, problem: RouteProblem) -> threading.Thread:
        """Handle a request in another thread."""
        thread = threading.Thread(target=self.handle, args=(problem,))
        thread.start()
        return thread

    def count(self, result: str) -> float:
        """Requests that ended so."""
        return self._registry.get_sample_value("signalbox_routing_ahead_total", {"result": result}) or 0.0


@pytest.fixture
def ahead(one: Serving) -> Ahead:
    """Requests to the service with one worker."""
    assert one.service.wait_ready(TIMEOUT)
    until(lambda: one.service.dispatcher._idle == 1)
    return Ahead(one)


def test_an_answer_found_ahead_is_cached(one: Serving, fake_workers: FakeWorkers, ahead: Ahead) -> None:
    """Later callers get the proven answer from the cache; a repeated request is not solved again."""
    solving = ahead.begin(named("X"))
    fake_workers.next().answers()
    solving.join()
    answer = asks(one, "X").result()
    assert answer.cached and solution_from_message(answer.solution) == solve(named("X"))
    ahead.handle(named("X"))
    assert (ahead.count("proven"), ahead.count("known"), fake_workers.asked_of) == (1, 1, ["X"])


def test_a_caller_takes_the_worker_of_a_request_ahead(
    one: Serving, fake_workers: FakeWorkers, ahead: Ahead
) -> None:
    """The search ahead is stopped, and the caller is served at once."""
    solving = ahead.begin(named("X"))
    worker = fake_workers.next()
    call = asks(one, "Y")
    assert worker.was_stopped()
    solving.join()
    fake_workers.next().answers()
    assert call.result().solution.proven
    assert (ahead.count("unproven"), fake_workers.asked_of) == (1, ["X", "Y"])


def test_a_caller_joins_the_same_request_ahead(one: Serving, fake_workers: FakeWorkers, ahead: Ahead) -> None:
    """Then a caller waits for it, and another caller does not stop it."""
    solving = ahead.begin(named("X"))
    worker = fake_workers.next()
    same = asks(one, "X")
    joined(one, 1)
    other = asks(one, "Y")
    wait_for(one, 1)
    worker.answers()
    assert same.result().solution.proven
    fake_workers.next().answers()
    assert other.result().solution.proven
    solving.join()
    assert ahead.count("proven") == 1


def test_a_request_ahead_never_waits_for_a_worker(
    one: Serving, fake_workers: FakeWorkers, ahead: Ahead
) -> None:
    """While the worker is busy for a caller it is dropped at once, even with an empty queue."""
    call = asks(one, "Y")
    worker = fake_workers.next()
    ahead.handle(named("X"))
    ahead.handle(named("Y"))
    worker.answers()
    assert call.result().solution.proven
    assert (ahead.count("busy"), fake_workers.asked_of) == (2, ["Y"])


@pytest.mark.parametrize(
    "problem", [InvalidAnswerError(RunFault("value_wrong", "2", "")), SolverFailedError("")]
)
def test_a_request_ahead_that_fails_is_passed_over(
    one: Serving, fake_workers: FakeWorkers, ahead: Ahead, problem: Exception
) -> None:
    """A failed check and a broken solver are counted, and the next request is answered."""
    solving = ahead.begin(named("X"))
    fake_workers.next().fails(problem)
    solving.join()
    assert ahead.count("failed") == 1
    until(lambda: one.service.dispatcher._idle == 1)
    solving = ahead.begin(named("Y"))
    fake_workers.next().answers()
    solving.join()
    assert ahead.count("proven") == 1


def test_a_request_ahead_that_ends_workers_is_asked_once(fake_workers: FakeWorkers, ahead: Ahead) -> None:
    """It ends as many workers as a caller's question may, is counted, and is not retried."""
    solving = ahead.begin(named("X"))
    for _ in range(WORKERS_PER_QUESTION):
        fake_workers.next().dies()
    solving.join()
    assert ahead.count("failed") == 1
    assert fake_workers.asked_of == ["X"] * WORKERS_PER_QUESTION


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (b"\x0a\xff", "no request"),
        (log_pb2.RoutesWanted(schema_version=2).SerializeToString(), "schema version 2"),
        (log_pb2.RoutesWanted(schema_version=1).SerializeToString(), "problem."),
    ],
)
def test_what_is_no_request_is_named(ahead: Ahead, value: bytes, words: str) -> None:
    """Broken bytes, another schema and a problem without meaning each say what is wrong."""
    with pytest.raises(UnusableRequest, match=words):
        ahead.handle_broken(value)
