"""Fair queue, equal questions, deadlines and dead workers, with fake workers."""

from __future__ import annotations

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from zlib import crc32

import grpc
import msgspec
import pytest

from services.gen.signalbox.routing.v1 import routing_pb2 as pb
from services.routing.convert import solution_from_message
from services.routing.domain.pace import LEAST_WAITING
from services.routing.domain.problem import REVENUE_MAX, Options, RouteProblem, Segment, Stop, Train
from services.routing.domain.solver import solve
from services.routing.domain.verify import RunFault, verify_solution
from services.routing.handlers import InvalidAnswerError
from services.routing.ports import SolverFailedError
from services.rules.adapters.routing import GrpcRouteSolver
from services.rules.ports import RoutingUnavailableError
from tests.routing.service.fake_workers import TIMEOUT, FakeWorkers, cut_short
from tests.routing.service.serving import (
    Serving,
    answered_in_time,
    cut_short_by_its_limit,
    failure,
    request,
    serving,
    trailing,
)
from tests.waiting import until


def named(company: str) -> RouteProblem:
    """A small problem of its own: not the name alone is another, for that makes no other question."""
    own = crc32(company.encode()) % REVENUE_MAX
    stops = (Stop("a", "city", "a", 10), Stop("b", "city", "b", 20), Stop("c", "city", "c", own))
    return RouteProblem(company, stops, (Segment("ab", "a", "b"),), (Train("2", "normal", 2),), ("a",))


@pytest.fixture
def fake_workers() -> FakeWorkers:
    """The workers."""
    return FakeWorkers()


@pytest.fixture
def one(fake_workers: FakeWorkers) -> Iterator[Serving]:
    """A service with one worker, four places and three for each caller."""
    with serving(fake_workers.make, workers=1, routing_queue=4, routing_caller_queue=3) as server:
        yield server


def asks(
    server: Serving, company: str, caller: str = "", seconds: float = TIMEOUT
) -> grpc.Future[pb.SolveResponse]:
    """A started call."""
    metadata = (("signalbox-caller", caller),) if caller else ()
    future: grpc.Future[pb.SolveResponse] = server.stub.Solve.future(
        request(named(company)), timeout=seconds, metadata=metadata
    )
    return future


def asks_for(server: Serving, company: str, milliseconds: int) -> grpc.Future[pb.SolveResponse]:
    """A started call without a tight deadline, whose problem has its own limit."""
    problem = msgspec.structs.replace(named(company), options=Options(deadline_ms=milliseconds))
    future: grpc.Future[pb.SolveResponse] = server.stub.Solve.future(request(problem), timeout=TIMEOUT)
    return future


class Clock:
    """The clock by which a service ends searches; what is asked after this was made comes nearer to its end as `ahead` grows."""

    def __init__(self, server: Serving) -> None:
        self.ahead = 0.0
        server.service.dispatcher._clock = server.service.service._clock = self

    def __call__(self) -> float:
        return time.monotonic() + self.ahead


def wait_for(server: Serving, waiting: int) -> None:
    """Until so many questions wait."""
    until(lambda: server.metric("queue_length") == waiting)


def joined(server: Serving, count: int) -> None:
    """Until so many questions have joined an equal one."""
    until(lambda: server.metric("cache_total", result="joined") == count)


def test_equal_questions_are_solved_once(one: Serving, fake_workers: FakeWorkers) -> None:
    """Three ask the same at the same time: one search, three answers; a fourth later has it from the cache."""
    first = asks(one, "X")
    worker = fake_workers.next()
    others = [asks(one, "X", seconds=TIMEOUT + 5) for _ in range(2)]
    joined(one, 2)
    worker.answers()
    answers = [call.result() for call in (first, *others)]
    assert all(answer.solution == answers[0].solution and not answer.cached for answer in answers)
    assert asks(one, "X").result().cached
    assert fake_workers.asked_of == ["X"]
    assert one.metric("cache_total", result="hit") == 1
    assert one.metric("solved_total", proven="yes") == 1


@pytest.mark.parametrize("share", [0.8, 1.0])
def test_another_deadline_never_cuts_a_question_short(fake_workers: FakeWorkers, share: float) -> None:
    """A caller with more time joins the search but asks again when it ends unproven, also where it ends a little before its
    deadline; one with less gets its own search."""
    with serving(fake_workers.make, workers=2) as server:
        clock = Clock(server)
        short = asks_for(server, "X", int(TIMEOUT * 500))
        worker = fake_workers.next()
        long = asks(server, "X")
        joined(server, 1)
        clock.ahead = share * TIMEOUT / 2
        worker.answers(cut_short(solve(named("X"))))
        assert not short.result().solution.proven
        again = fake_workers.next()
        shorter = asks_for(server, "X", int(TIMEOUT * 250))
        fake_workers.next().answers(cut_short(solve(named("X"))))
        assert not shorter.result().solution.proven
        again.answers()
        assert long.result().solution.proven
        assert len(fake_workers.asked_of) == 3


def test_a_search_goes_on_while_anybody_waits_for_it(one: Serving, fake_workers: FakeWorkers) -> None:
    """The first caller cancels and the second gets the answer; when all cancel, the worker is stopped and free."""
    first = asks(one, "X")
    worker = fake_workers.next()
    second = asks(one, "X", seconds=TIMEOUT + 5)
    joined(one, 1)
    first.cancel()
    worker.answers()
    assert second.result().solution.proven
    third = asks(one, "Y")
    worker = fake_workers.next()
    third.cancel()
    assert worker.was_stopped()
    fourth = asks(one, "Z")
    fake_workers.next().answers()
    assert fourth.result().solution.proven


def test_the_first_worker_starts_alone(fake_workers: FakeWorkers) -> None:
    """The others start when it is ready, so that kernels are compiled once; the service is ready when all are."""
    fake_workers.may_be_ready.clear()
    with serving(fake_workers.make, workers=3) as server:
        until(lambda: fake_workers.made_count == 1)
        assert not server.service.wait_ready(0.2)
        assert fake_workers.made_count == 1
        fake_workers.may_be_ready.set()
        assert server.service.wait_ready(TIMEOUT)
        assert fake_workers.made_count == 3


def test_a_dead_workers_question_is_asked_again(one: Serving, fake_workers: FakeWorkers) -> None:
    """The next worker gets the question of one that died; the caller notices nothing."""
    call = asks(one, "X")
    fake_workers.next().dies()
    fake_workers.next().answers()
    assert call.result().solution.proven
    assert fake_workers.made_count == 2
    assert one.metric("worker_restarts_total") == 1
    assert one.metric("workers_alive") == 1


def test_a_question_that_kills_workers_is_given_up(one: Serving, fake_workers: FakeWorkers) -> None:
    """After three deaths its caller gets an error with the question's key, and others are served."""
    call = asks(one, "X")
    for _ in range(3):
        fake_workers.next().dies()
    error = failure(call.result)
    assert error.code() is grpc.StatusCode.INTERNAL
    assert "ended 3 workers" in str(error.details())
    assert trailing(error)["signalbox-reason"] == "deadly_question"
    other = asks(one, "Y")
    fake_workers.next().answers()
    assert other.result().solution.proven


def test_too_many_questions_are_refused_with_a_hint(one: Serving, fake_workers: FakeWorkers) -> None:
    """A caller's share, then the whole queue: RESOURCE_EXHAUSTED says which and when to retry."""
    calls = [asks(one, "running", "flood")]
    fake_workers.next()
    calls += [asks(one, f"flood {number}", "flood") for number in range(3)]
    wait_for(one, 3)
    error = failure(lambda: asks(one, "flood 3", "flood").result())
    assert error.code() is grpc.StatusCode.RESOURCE_EXHAUSTED
    assert trailing(error)["signalbox-reason"] == "caller_share_full"
    assert int(trailing(error)["signalbox-retry-after-ms"]) > 0
    assert trailing(error)["grpc-retry-pushback-ms"] == trailing(error)["signalbox-retry-after-ms"]
    calls += [asks(one, "ann 1", "ann")]
    wait_for(one, 4)
    error = failure(lambda: asks(one, "flood 4", "flood").result())
    assert trailing(error)["signalbox-reason"] == "caller_share_full"
    assert one.metric("refused_total", reason="caller_share_full") == 2


def test_a_question_that_would_wait_too_long_is_refused(fake_workers: FakeWorkers) -> None:
    """Where questions take longer than expected, fewer may wait than the queue's capacity."""
    with serving(fake_workers.make, workers=1, routing_wait_seconds=0.001) as server:
        first = asks(server, "running")
        fake_workers.next().answers()
        assert first.result().solution.proven
        calls = [asks(server, "running again", "ann")]
        fake_workers.next()
        for number in range(LEAST_WAITING):
            calls.append(asks(server, f"waiting {number}", f"caller {number}"))
            wait_for(server, number + 1)
        error = failure(lambda: asks(server, "one more", "bob").result())
        assert trailing(error)["signalbox-reason"] == "queue_full"
        assert int(trailing(error)["signalbox-retry-after-ms"]) > 0


def test_a_flood_gives_way_to_others(one: Serving, fake_workers: FakeWorkers) -> None:
    """Callers are served round robin, and one without questions displaces the flood's newest one in a full queue."""
    running = asks(one, "running", "flood")
    worker = fake_workers.next()
    flood = []
    for number in range(3):
        flood.append(asks(one, f"flood {number}", "flood"))
        wait_for(one, number + 1)
    others = [asks(one, "ann", "ann")]
    wait_for(one, 4)
    others.append(asks(one, "bob", "bob"))
    error = failure(flood[-1].result)
    assert error.code() is grpc.StatusCode.RESOURCE_EXHAUSTED
    assert trailing(error)["signalbox-reason"] == "displaced"
    worker.answers()
    for _ in range(4):
        fake_workers.next().answers()
    for call in (running, *flood[:2], *others):
        assert call.result().solution.proven
    assert fake_workers.asked_of == ["running", "flood 0", "ann", "bob", "flood 1"]


def test_waiting_for_another_takes_a_place_too(one: Serving, fake_workers: FakeWorkers) -> None:
    """A caller that repeats one question fills no more than its share."""
    calls = [asks(one, "X", "flood")]
    worker = fake_workers.next()
    calls += [asks(one, "X", "flood", TIMEOUT + 5) for _ in range(3)]
    joined(one, 3)
    error = failure(lambda: asks(one, "X", "flood", TIMEOUT + 5).result())
    assert trailing(error)["signalbox-reason"] == "caller_share_full"
    worker.answers()
    assert all(call.result().solution.proven for call in calls)
    free = asks(one, "Y", "flood")
    fake_workers.next().answers()
    assert free.result().solution.proven


def test_a_question_whose_time_is_over_is_not_solved(one: Serving, fake_workers: FakeWorkers) -> None:
    """A deadline that passes in the queue is reported, and no worker solves it; nor a cancelled one."""
    running = asks(one, "running")
    worker = fake_workers.next()
    gone = asks(one, "gone")
    wait_for(one, 1)
    gone.cancel()
    wait_for(one, 0)
    late = asks(one, "late", seconds=1.0)
    assert failure(late.result).code() is grpc.StatusCode.DEADLINE_EXCEEDED
    problem = msgspec.structs.replace(named("own limit"), options=Options(deadline_ms=100))
    error = failure(lambda: one.stub.Solve(request(problem), timeout=TIMEOUT))
    assert error.code() is grpc.StatusCode.DEADLINE_EXCEEDED
    assert "before a worker was free" in str(error.details())
    worker.answers()
    running.result()
    assert fake_workers.none_is_asked()
    assert fake_workers.asked_of == ["running"]


def test_a_deadline_gives_the_best_so_far(one: Serving, fake_workers: FakeWorkers) -> None:
    """Both the call's deadline and the problem's own bring the unproven answer in time; it is not remembered."""
    assert not answered_in_time(one, named("X"), 0.4).solution.proven
    cut_short_before = one.metric("deadline_overrun_seconds_count")
    assert cut_short_before >= 1
    answer = cut_short_by_its_limit(one, named("X"), 100)
    assert not answer.solution.proven
    assert not answer.cached
    assert one.metric("deadline_overrun_seconds_count") == cut_short_before + 1


def test_a_late_worker_delays_nobody(one: Serving, fake_workers: FakeWorkers) -> None:
    """A worker that misses the deadline is not awaited: its last intermediate answer is returned."""
    clock = Clock(one)
    call = asks_for(one, "X", int(TIMEOUT * 500))
    worker = fake_workers.next()
    worker.is_deaf = True
    clock.ahead = TIMEOUT / 2
    worker.better(cut_short(solve(named("X"))))
    answer = call.result()
    assert answer.final
    assert solution_from_message(answer.solution) == cut_short(solve(named("X")))
    assert worker.was_stopped()
    worker.is_deaf = False
    other = asks(one, "Y")
    fake_workers.next().answers()
    assert other.result().solution.proven


@pytest.mark.parametrize(
    ("problem", "reported"),
    [
        (InvalidAnswerError(RunFault("value_wrong", "2", "secret")), "withheld"),
        (SolverFailedError("secret"), "the solver failed"),
        (RuntimeError("secret"), "the solver failed"),
    ],
)
def test_faults_of_ours_are_internal_and_the_service_lives(
    one: Serving, fake_workers: FakeWorkers, problem: Exception, reported: str
) -> None:
    """A failed verification, a solver failure and unexpected errors reach the caller as INTERNAL without details."""
    call = asks(one, "X")
    fake_workers.next().fails(problem)
    error = failure(call.result)
    assert error.code() is grpc.StatusCode.INTERNAL
    assert reported in str(error.details())
    assert "secret" not in str(error.details())
    is_withheld = isinstance(problem, InvalidAnswerError)
    assert one.metric("failed_checks_total") == is_withheld
    assert trailing(error).get("signalbox-reason") == ("answer_withheld" if is_withheld else None)
    other = asks(one, "Y")
    fake_workers.next().answers()
    assert solution_from_message(other.result().solution) == solve(named("Y"))


def test_rules_goes_on_without_an_answer_that_is_withheld(one: Serving, fake_workers: FakeWorkers) -> None:
    """An answer withheld after failed verification is no best run to compare with; other faults may be temporary."""
    asked = {
        InvalidAnswerError(RunFault("value_wrong", "2", "")): True,
        SolverFailedError("out of memory"): False,
    }
    with grpc.insecure_channel(one.address) as channel, ThreadPoolExecutor(1) as pool:
        solver = GrpcRouteSolver(channel, TIMEOUT)
        for problem, is_answered in asked.items():
            call = pool.submit(solver.solve, named("X"))
            fake_workers.next().fails(problem)
            if is_answered:
                found = call.result()
                assert (found.runs, found.revenue, found.proven) == ((), 0, False)
                assert verify_solution(named("X"), found) is None
            else:
                with pytest.raises(RoutingUnavailableError):
                    call.result()


def test_a_closing_service_ends_all_calls(fake_workers: FakeWorkers) -> None:
    """Running questions are cut short and answered; waiting and new ones are UNAVAILABLE."""
    with serving(fake_workers.make, workers=1) as server:
        running = asks(server, "running")
        fake_workers.next()
        waiting = asks(server, "waiting")
        wait_for(server, 1)
        server.service.close()
        assert not running.result().solution.proven
        assert failure(waiting.result).code() is grpc.StatusCode.UNAVAILABLE
        assert failure(lambda: asks(server, "late").result()).code() is grpc.StatusCode.UNAVAILABLE
