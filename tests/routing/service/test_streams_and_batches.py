"""Streams of improving answers, and batches."""

from __future__ import annotations

from collections.abc import Iterator

import grpc
import msgspec
import pytest

from services.gen.signalbox.routing.v1 import routing_pb2 as pb
from services.routing.convert import problem_to_message, solution_from_message
from services.routing.domain.problem import RouteProblem, Train
from services.routing.domain.solver import solve
from services.routing.domain.verify import verify_solution
from tests.routing.service.fake_workers import TIMEOUT, FakeWorkers, cut_short
from tests.routing.service.serving import (
    Serving,
    easy_problem,
    failure,
    request,
    serving,
    trailing,
)
from tests.routing.service.test_dispatch import asks, named
from tests.waiting import until


@pytest.fixture
def fake_workers() -> FakeWorkers:
    """The workers."""
    return FakeWorkers()


@pytest.fixture
def one(fake_workers: FakeWorkers) -> Iterator[Serving]:
    """A service with one worker."""
    with serving(fake_workers.make, workers=1) as server:
        yield server


@pytest.fixture(scope="module")
def real() -> Iterator[Serving]:
    """A service that solves."""
    with serving() as server:
        yield server


def batch(problems: list[RouteProblem]) -> pb.SolveBatchRequest:
    """The request that asks for all of them."""
    return pb.SolveBatchRequest(problems=[problem_to_message(problem) for problem in problems])


def test_a_stream_improves_until_it_is_final(one: Serving, fake_workers: FakeWorkers) -> None:
    """Each answer has a higher value or a lower bound, the last one is final; a worse one is skipped."""
    problem = easy_problem()
    best = solve(problem)
    stream = iter(one.stub.SolveStream(request(problem), timeout=TIMEOUT))
    worker = fake_workers.next()
    steps = [
        cut_short(best, missing=2, above=90),
        cut_short(best, missing=1, above=60),
        cut_short(best, above=30),
    ]
    for step in steps:
        worker.better(step)
        reported = next(stream)
        assert solution_from_message(reported.solution) == step
        assert not reported.final
    worker.better(steps[0])
    worker.answers()
    last = next(stream)
    assert last.final
    assert solution_from_message(last.solution) == best
    assert not list(stream)


def test_what_a_dead_worker_found_is_kept(one: Serving, fake_workers: FakeWorkers) -> None:
    """After a worker's death the stream never gets worse, not even when time runs out before the next worker catches up."""
    problem = easy_problem()
    good = cut_short(solve(problem), above=30)
    stream = iter(one.stub.SolveStream(request(problem), timeout=TIMEOUT))
    worker = fake_workers.next()
    worker.better(good)
    assert solution_from_message(next(stream).solution) == good
    worker.dies()
    worker = fake_workers.next()
    worker.better(cut_short(good, missing=1, above=60))
    worker.answers(cut_short(good, missing=1, above=60))
    answers = list(stream)
    assert [answer.final for answer in answers] == [True]
    assert solution_from_message(answers[0].solution) == good


def test_a_slow_reader_gets_the_latest(one: Serving, fake_workers: FakeWorkers) -> None:
    """Thousands of unread improvements are not buffered: only the newest is read."""
    problem = easy_problem()
    best = solve(problem)
    stream = one.stub.SolveStream(request(problem), timeout=TIMEOUT)
    worker = fake_workers.next()
    for above in range(5_000, 0, -1):
        worker.better(cut_short(best, above=above))
    worker.answers()
    answers = [solution_from_message(answer.solution) for answer in stream]
    assert answers[-1] == best
    bounds = [answer.upper_bound for answer in answers]
    assert bounds == sorted(bounds, reverse=True)


def test_streams_from_real_workers_are_legal_throughout(real: Serving) -> None:
    """Every answer passes verification, and a cached answer is final at once."""
    problem = easy_problem(2)
    for _ in range(2):
        answers = list(real.stub.SolveStream(request(problem), timeout=TIMEOUT))
        assert [answer.final for answer in answers] == [False] * (len(answers) - 1) + [True]
        for answer in answers:
            assert verify_solution(problem, solution_from_message(answer.solution)) is None
    assert len(answers) == 1
    assert answers[0].cached


def test_a_stream_nobody_reads_any_more_stops_the_search(one: Serving, fake_workers: FakeWorkers) -> None:
    """Cancelling frees the worker."""
    stream = one.stub.SolveStream(request(named("X")), timeout=TIMEOUT)
    worker = fake_workers.next()
    stream.cancel()
    assert worker.was_stopped()
    other = asks(one, "Y")
    fake_workers.next().answers()
    assert other.result().solution.proven


def test_a_batch_answers_in_order(real: Serving) -> None:
    """Each problem has its own answer or fault at its index; equal ones have equal answers."""
    problems = [easy_problem(seed) for seed in (11, 12, 13, 11)]
    bad = msgspec.structs.replace(easy_problem(1), token_stops=("moon",))
    illegal_kind = problem_to_message(easy_problem(14))
    illegal_kind.trains[0].kind = pb.TRAIN_KIND_UNSPECIFIED
    message = batch([*problems[:2], bad, *problems[2:]])
    message.problems.append(illegal_kind)
    answers = real.stub.SolveBatch(message, timeout=TIMEOUT).answers
    assert [answer.WhichOneof("outcome") for answer in answers] == ["solved"] * 2 + ["fault"] + [
        "solved"
    ] * 2 + ["fault"]
    solved = [solution_from_message(answers[place].solved.solution) for place in (0, 1, 3, 4)]
    assert solved == [solve(problem) for problem in problems]
    assert (answers[2].fault.field, answers[2].fault.reason) == ("token_stops[0]", "unknown_stop")
    assert (answers[5].fault.field, answers[5].fault.reason) == ("trains[0].kind", "unknown_kind")
    assert not real.stub.SolveBatch(pb.SolveBatchRequest(), timeout=TIMEOUT).answers


def test_a_batch_has_a_limit(real: Serving) -> None:
    """More problems than allowed are refused by name."""
    message = pb.SolveBatchRequest(problems=[problem_to_message(named("X"))] * 257)
    error = failure(lambda: real.stub.SolveBatch(message, timeout=TIMEOUT))
    assert error.code() is grpc.StatusCode.INVALID_ARGUMENT
    assert trailing(error)["signalbox-field"] == "problems"
    assert trailing(error)["signalbox-reason"] == "too_many"


def test_a_large_batch_needs_little_capacity() -> None:
    """Sixty questions pass through a queue with a capacity of three, two for each caller."""
    with serving(routing_queue=3, routing_caller_queue=2) as server:
        problems = [named(f"company {number}") for number in range(60)]
        answers = server.stub.SolveBatch(batch(problems), timeout=TIMEOUT).answers
        assert all(answer.solved.solution.proven for answer in answers)
        assert len(answers) == 60


def test_a_batch_is_rejected_by_a_full_queue(fake_workers: FakeWorkers) -> None:
    """When not even its first question enters the queue, the call fails like a single one."""
    with serving(fake_workers.make, workers=1, routing_queue=1, routing_caller_queue=1) as server:
        calls = [asks(server, "running")]
        fake_workers.next()
        calls.append(asks(server, "waiting"))
        until(lambda: server.metric("queue_length") == 1)
        error = failure(lambda: server.stub.SolveBatch(batch([named("A"), named("B")]), timeout=TIMEOUT))
        assert error.code() is grpc.StatusCode.RESOURCE_EXHAUSTED
        assert int(trailing(error)["signalbox-retry-after-ms"]) > 0


def test_locked_runs_reach_the_workers(real: Serving) -> None:
    """An illegal locked run is found by the worker and named; in a batch it is a fault."""
    problem = msgspec.structs.replace(named("X"), trains=(Train("2", "normal", 2), Train("3", "normal", 3)))
    message = problem_to_message(problem)
    message.options.locked_runs.add(train="2", stops=["a", "a"], segments=["ab"])
    error = failure(lambda: real.stub.Solve(pb.SolveRequest(problem=message), timeout=TIMEOUT))
    assert error.code() is grpc.StatusCode.INVALID_ARGUMENT
    assert trailing(error)["signalbox-field"] == "problem.options.locked_runs"
    answers = real.stub.SolveBatch(pb.SolveBatchRequest(problems=[message]), timeout=TIMEOUT).answers
    assert answers[0].fault.field == "options.locked_runs"
