"""Worker processes: warmed up first, stopped in time, replaced when killed, ended with their server."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import grpc
import msgspec
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc

from services.common.process.stopping import StopFlag
from services.common.settings.service import Settings
from services.gen.signalbox.routing.v1 import routing_pb2 as pb
from services.gen.signalbox.routing.v1.routing_pb2_grpc import RoutingStub
from services.host.cluster.process import ServiceProcess
from services.host.cluster.routing import RoutingRunner
from services.routing.adapters.process_worker import ProcessWorker
from services.routing.convert import problem_to_message, solution_from_message
from services.routing.domain.problem import Options
from services.routing.domain.solution import RouteSolution
from services.routing.domain.solver import ignore_solution, solve
from services.routing.domain.verify import verify_solution
from services.routing.ports import WorkerDiedError
from tests.routing.service.serving import (
    SECONDS,
    Serving,
    answered_in_time,
    children_of,
    cut_short_by_its_limit,
    easy_problem,
    endless_problem,
    failure,
    in_time,
    is_alive,
    request,
    serving,
)
from tests.routing.test_grpc import bad_requests
from tests.waiting import until

pytestmark = pytest.mark.integration


@pytest.fixture(scope="module")
def two() -> Iterator[Serving]:
    """A service with two worker processes and no cache."""
    with serving(workers=2, routing_cache_entries=0) as server:
        yield server


def command_line(pid: int) -> bytes:
    """What a process was started with; nothing when it is gone."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except (FileNotFoundError, ProcessLookupError):
        return b""


def worker_pids() -> list[int]:
    """Worker processes of this process."""
    return [pid for pid in children_of(os.getpid()) if b"worker_main" in command_line(pid)]


def test_processes_answer_as_the_solver_does(two: Serving) -> None:
    """Different questions at the same time each have their own answer."""
    problems = [easy_problem(seed) for seed in range(12)]
    calls = [two.stub.Solve.future(request(problem), timeout=SECONDS) for problem in problems]
    for problem, call in zip(problems, calls, strict=True):
        assert solution_from_message(call.result().solution) == solve(problem)
    assert two.metric("workers_alive") == 2


@pytest.mark.parametrize("named", bad_requests())
def test_bad_problems_leave_the_workers_alive(two: Serving, named: str) -> None:
    """Whatever is wrong has a name, and the same workers go on."""
    before = worker_pids()
    message = request(easy_problem())
    message.problem.CopyFrom(bad_requests()[named])
    assert (
        failure(lambda: two.stub.Solve(message, timeout=SECONDS)).code() is grpc.StatusCode.INVALID_ARGUMENT
    )
    assert two.stub.Solve(request(easy_problem()), timeout=SECONDS).solution.proven
    assert worker_pids() == before


def test_deadlines_are_kept(two: Serving) -> None:
    """The best so far comes before the caller's deadline, and soon after the problem's own."""
    for seconds in (1.0, 2.0):
        solution = solution_from_message(answered_in_time(two, endless_problem(), seconds).solution)
        assert not solution.proven
        assert verify_solution(endless_problem(), solution) is None
    answer = cut_short_by_its_limit(two, endless_problem(), 200)
    assert 150_000 < answer.elapsed_us < 1_000_000 * SECONDS / 2


def test_threads_keep_deadlines_too() -> None:
    """Two endless searches in threads stop in time, on a deadline and on cancellation."""
    with serving(workers=0, routing_cache_entries=0) as server:
        late_ms = []
        for seed in range(20):
            other = server.stub.Solve.future(request(endless_problem(100 + seed)), timeout=SECONDS)
            answer = cut_short_by_its_limit(server, endless_problem(seed), 150)
            late_ms.append(answer.elapsed_us / 1000 - 150)
            other.cancel()
            if late_ms[-1] < 50:
                break
        assert min(late_ms) < 50
        began = time.monotonic()
        assert server.stub.Solve(request(easy_problem()), timeout=SECONDS).solution.proven
        assert time.monotonic() - began < SECONDS / 2


def test_a_batch_shares_out_its_time(two: Serving) -> None:
    """Six hopeless problems in three seconds: each is answered, unproven, legal and with a bound."""
    problems = [endless_problem(seed) for seed in range(6)]
    message = pb.SolveBatchRequest(problems=[problem_to_message(problem) for problem in problems])
    answers = in_time(lambda: two.stub.SolveBatch.future(message, timeout=3)).answers
    for problem, answer in zip(problems, answers, strict=True):
        solution = solution_from_message(answer.solved.solution)
        assert not solution.proven
        assert verify_solution(problem, solution) is None


def test_cancelling_frees_the_workers(two: Serving) -> None:
    """Both workers search endlessly; their callers cancel, and others are answered."""
    calls = [two.stub.Solve.future(request(endless_problem(seed)), timeout=SECONDS) for seed in (1, 2)]
    time.sleep(0.3)
    for call in calls:
        call.cancel()
    began = time.monotonic()
    assert two.stub.Solve(request(easy_problem()), timeout=SECONDS).solution.proven
    assert time.monotonic() - began < SECONDS / 2


def test_killing_workers_under_load_loses_nothing(two: Serving) -> None:
    """Workers are killed again and again while questions come: each has its answer, and workers are replaced."""
    problems = [easy_problem(seed) for seed in range(40)]
    restarts = two.metric("worker_restarts_total")
    answers: dict[int, RouteSolution] = {}

    def ask(start: int) -> None:
        for number in range(start, 40, 4):
            answer = two.stub.Solve(request(problems[number]), timeout=SECONDS)
            answers[number] = solution_from_message(answer.solution)
            time.sleep(0.03)

    askers = [threading.Thread(target=ask, args=(start,)) for start in range(4)]
    for asker in askers:
        asker.start()
    for _ in range(3):
        time.sleep(0.1)
        until(lambda: bool(worker_pids()))
        os.kill(worker_pids()[0], signal.SIGKILL)
    for asker in askers:
        asker.join()
    assert len(answers) == 40
    assert all(answers[number].proven for number in answers)
    until(lambda: two.metric("worker_restarts_total") >= restarts + 3)
    until(lambda: two.metric("workers_alive") == 2)


def test_a_worker_killed_in_the_middle_of_a_search_is_replaced(two: Serving) -> None:
    """Both workers are killed while one of them searches: the search is begun again and answered in time."""
    for seconds in (5, 20, 60):
        options = Options(deadline_ms=1000 * seconds, node_budget=10**12)
        problem = msgspec.structs.replace(endless_problem(3), options=options)
        call = two.stub.Solve.future(request(problem), timeout=2 * SECONDS)
        time.sleep(0.3)
        before = worker_pids()
        for pid in before:
            os.kill(pid, signal.SIGKILL)
        # On a busy machine a worker may come up too late to find anything: the next ones have longer.
        assert call.code() in (grpc.StatusCode.OK, grpc.StatusCode.DEADLINE_EXCEEDED)
        if call.code() is grpc.StatusCode.OK and solution_from_message(call.result().solution).revenue > 0:
            break
    else:
        pytest.fail("nothing was found after the workers were killed")
    assert not set(before) & set(worker_pids())


def test_a_worker_ends_with_its_server() -> None:
    """When the server closes the pipe, the worker exits, even in the middle of a search."""
    worker = ProcessWorker()
    worker.wait_ready()
    worker.ask(endless_problem(), None)
    worker.stop_search()
    assert not worker.answer(ignore_solution).proven
    worker.ask(endless_problem(), None)
    time.sleep(0.1)
    worker.close()
    assert not is_alive(worker.pid)
    with pytest.raises(WorkerDiedError):
        worker.ask(easy_problem(), None)


def test_a_closed_service_leaves_no_process_behind() -> None:
    """Neither idle workers nor one at work outlive the service."""
    before = set(worker_pids())
    with serving(workers=2) as server:
        pids = set(worker_pids()) - before
        assert len(pids) == 2
        call = server.stub.Solve.future(request(endless_problem()), timeout=SECONDS)
        time.sleep(0.2)
    assert call.exception() is not None
    until(lambda: not any(is_alive(pid) for pid in pids))


def test_not_serving_until_the_workers_are_warm(monkeypatch: pytest.MonkeyPatch) -> None:
    """Health is NOT_SERVING while a worker warms up; a question asked early is answered afterwards."""
    warm = threading.Event()
    wait_ready = ProcessWorker.wait_ready

    def slowly(worker: ProcessWorker) -> None:
        wait_ready(worker)
        assert warm.wait(SECONDS)

    monkeypatch.setattr(ProcessWorker, "wait_ready", slowly)
    settings = Settings(routing_port=0, metrics_port=0, routing_workers=1, stop_grace_seconds=0.2)
    server = ServiceProcess("routing", settings, 0, RoutingRunner)
    stop_event, ready = StopFlag(), threading.Event()
    running = threading.Thread(target=server.run, args=(stop_event, lambda _: ready.set()))
    running.start()
    with grpc.insecure_channel(server.served_at.service) as channel:
        health = health_pb2_grpc.HealthStub(channel)
        status = health_pb2.HealthCheckResponse
        for name in ("", "signalbox.routing.v1.Routing"):
            asked = health_pb2.HealthCheckRequest(service=name)
            assert health.Check(asked, timeout=SECONDS).status == status.NOT_SERVING
        early = RoutingStub(channel).Solve.future(request(easy_problem()), timeout=SECONDS)
        warm.set()
        assert ready.wait(SECONDS)
        assert health.Check(health_pb2.HealthCheckRequest(), timeout=SECONDS).status == status.SERVING
        assert early.result().solution.proven
    stop_event.set()
    running.join(SECONDS)
    assert not running.is_alive()


def test_a_huge_problem_passes_the_pipe(two: Serving) -> None:
    """As many stops and segments as are allowed reach the worker and come back as an answer."""
    problem = easy_problem(1)
    message = problem_to_message(problem)
    for number in range(400 - len(problem.stops)):
        message.stops.add(id=f"x{number}", kind=2, place=f"x{number}", revenue=10)
    for number in range(4000 - len(problem.segments)):
        message.segments.add(id=f"x{number}", a=f"x{number % 300}", b=f"x{number % 299}", hexes=["h"] * 20)
    asked = request(problem)
    asked.problem.CopyFrom(message)
    assert two.stub.Solve(asked, timeout=SECONDS).solution.revenue == solve(problem).revenue
