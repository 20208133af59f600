"""Questions of players never hold up the platform's own, and one player never has all workers."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor

import grpc
import pytest

from services.gen.signalbox.routing.v1 import routing_pb2 as pb
from services.routing.domain.problem import RouteProblem
from services.routing.questions import PLATFORM
from services.routing.service import Answer
from tests.routing.service.fake_workers import TIMEOUT, FakeWorkers
from tests.routing.service.serving import Serving, endless_problem, request, serving
from tests.routing.service.test_dispatch import named
from tests.waiting import until

SEARCH_SECONDS = 0.3


def asks(server: Serving, problem: RouteProblem, caller: str) -> grpc.Future[pb.SolveResponse]:
    """A question of a player, started."""
    future: grpc.Future[pb.SolveResponse] = server.stub.Solve.future(
        request(problem), timeout=TIMEOUT, metadata=(("signalbox-caller", caller),)
    )
    return future


@pytest.fixture
def pool() -> Iterator[ThreadPoolExecutor]:
    """Threads in which the platform asks."""
    with ThreadPoolExecutor(4) as threads:
        yield threads


def platform_asks(server: Serving, pool: ThreadPoolExecutor, problem: RouteProblem) -> Future[Answer]:
    """A question of the platform, started."""

    def solve() -> Answer:
        return server.service.service.solve(problem, PLATFORM, time.monotonic() + TIMEOUT, lambda _: True)

    return pool.submit(solve)


def test_a_search_of_a_player_gives_way(pool: ThreadPoolExecutor) -> None:
    """All workers search for players and the queue is full: one search ends with what it has, the platform is next, and
    the other searches and questions stay."""
    fake_workers = FakeWorkers()
    with serving(fake_workers.make, workers=2, serves_players=True, routing_queue=8) as server:
        until(lambda: server.metric("workers_alive") == 2)
        searching = [asks(server, named(each), each) for each in ("A", "B")]
        workers = [fake_workers.next(), fake_workers.next()]
        waiting = [asks(server, named(f"W{number}"), f"caller {number}") for number in range(8)]
        until(lambda: server.metric("queue_length") == 8)
        own = platform_asks(server, pool, named("OWN"))
        freed = fake_workers.next()
        assert freed in workers and freed.problem.company == "OWN"
        freed.answers()
        assert own.result(TIMEOUT).solution.proven
        until(lambda: sum(each.done() for each in searching) == 1)
        (cut,) = (each for each in searching if each.done())
        assert not cut.result().solution.proven
        assert sum(each.done() for each in waiting) <= 1, "one may have been displaced"
        for each in (*searching, *waiting):
            each.cancel()


def test_the_platform_never_waits_in_the_line_of_a_player(pool: ThreadPoolExecutor) -> None:
    """A player asks the very question of the platform, behind others: the platform's search comes first all the same."""
    fake_workers = FakeWorkers()
    with serving(fake_workers.make, workers=1, serves_players=True) as server:
        until(lambda: server.metric("workers_alive") == 1)
        calls = [asks(server, named("A"), "rude")]
        fake_workers.next()
        calls += [asks(server, named(each), "rude") for each in ("B", "OWN")]
        until(lambda: server.metric("queue_length") == 2)
        own = platform_asks(server, pool, named("OWN"))
        worker = fake_workers.next()
        assert worker.problem.company == "OWN"
        worker.answers()
        assert own.result(TIMEOUT).solution.proven
        for each in calls:
            each.cancel()


def test_one_player_never_has_all_workers() -> None:
    """The questions of one wait although a worker is idle; another player's is searched at once."""
    fake_workers = FakeWorkers()
    with serving(fake_workers.make, workers=2, serves_players=True) as server:
        until(lambda: server.metric("workers_alive") == 2)
        greedy = [asks(server, named(each), "greedy") for each in ("A", "B", "C")]
        first = fake_workers.next()
        assert fake_workers.none_is_asked()
        other = asks(server, named("O"), "other")
        worker = fake_workers.next()
        assert worker.problem.company == "O"
        worker.answers()
        assert other.result().solution.proven
        first.answers()
        assert fake_workers.next().problem.company in "ABC"
        for each in greedy:
            each.cancel()


def test_a_players_search_ends(pool: ThreadPoolExecutor) -> None:
    """After the setting's seconds, with the best so far; where callers are no players nothing ends it but its deadline."""
    with serving(serves_players=True, routing_search_seconds=SEARCH_SECONDS) as server:
        began = time.monotonic()
        solution = asks(server, endless_problem(), "player").result().solution
        assert not solution.proven and solution.upper_bound > 0
        # It ends before a step that would take it beyond.
        assert SEARCH_SECONDS / 2 <= time.monotonic() - began < TIMEOUT / 2
        assert server.service.service._question(named("A"), PLATFORM, math.inf).seconds_most == math.inf
