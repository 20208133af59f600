"""Routing servers under test: in this process, or in their own."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import grpc
import msgspec
import pytest
from msgspec.structs import replace
from prometheus_client import CollectorRegistry

from services.common.grpc.server import Guard, create_server
from services.common.settings.service import Settings
from services.common.telemetry.logs import Telemetry
from services.gen.signalbox.routing.v1 import routing_pb2 as pb
from services.gen.signalbox.routing.v1.routing_pb2_grpc import RoutingStub
from services.host.children import free_ports
from services.routing.bootstrap import METHODS, RoutingRuntime
from services.routing.convert import problem_to_message
from services.routing.domain.problem import Options, RouteProblem, Train
from services.routing.ports import Worker
from tests.routing.boards import late_game_board

REPOSITORY = Path(__file__).resolve().parents[3]
SECONDS = 60
# The solver's kernels are compiled once on a machine, and then by every test process at the same time.
COMPILING_SECONDS = 180
SMALL_TRAINS = (Train("2", "normal", 2), Train("3", "normal", 3))
DIESELS = tuple(Train(name, "normal", 0) for name in "ABCD")


def easy_problem(seed: int = 1) -> RouteProblem:
    """Solved within milliseconds; each seed is another problem."""
    return late_game_board(seed, SMALL_TRAINS)


def endless_problem(seed: int = 1) -> RouteProblem:
    """Not proven in any time a test waits: four trains without limit on a late board."""
    return msgspec.structs.replace(
        late_game_board(seed, DIESELS), options=Options(node_budget=1_000_000_000_000)
    )


def request(problem: RouteProblem) -> pb.SolveRequest:
    """The request that asks for `problem`."""
    return pb.SolveRequest(problem=problem_to_message(problem))


def in_time(begin: Callable[[], Any]) -> Any:
    """The answer of a call within its own deadline; a busy machine may need several calls."""
    end = time.monotonic() + SECONDS
    while (call := begin()).code() is not grpc.StatusCode.OK:
        assert call.code() is grpc.StatusCode.DEADLINE_EXCEEDED
        assert time.monotonic() < end, "no call is answered within its deadline"
    return call.result()


def answered_in_time(server: Serving, problem: RouteProblem, seconds: float) -> pb.SolveResponse:
    """The answer within so many seconds."""
    answer: pb.SolveResponse = in_time(lambda: server.stub.Solve.future(request(problem), timeout=seconds))
    return answer


def cut_short_by_its_limit(server: Serving, problem: RouteProblem, milliseconds: int) -> pb.SolveResponse:
    """The answer when the problem's own limit ends the search. Where a busy machine has no worker for it before that, the
    limit is doubled; the call's own deadline never comes."""
    while True:
        options = msgspec.structs.replace(problem.options, deadline_ms=milliseconds)
        limited = msgspec.structs.replace(problem, options=options)
        assert milliseconds < 1000 * SECONDS / 2
        call = server.stub.Solve.future(request(limited), timeout=SECONDS)
        if call.code() is grpc.StatusCode.OK:
            answer: pb.SolveResponse = call.result()
            return answer
        assert call.code() is grpc.StatusCode.DEADLINE_EXCEEDED
        assert "before a worker was free" in str(call.details())
        milliseconds *= 2


class Serving:
    """A routing server of this process and a client of it."""

    def __init__(self, service: RoutingRuntime, registry: CollectorRegistry, address: str) -> None:
        self.service = service
        self.address = address
        self._registry = registry
        self._channel = grpc.insecure_channel(address)
        self.stub = RoutingStub(self._channel)

    def metric(self, name: str, **labels: str) -> float:
        """The current value, 0 where nothing was counted."""
        return self._registry.get_sample_value(f"signalbox_routing_{name}", labels) or 0.0

    def close(self) -> None:
        """Close client and server."""
        self._channel.close()


@contextmanager
def serving(
    make_worker: Callable[[], Worker] | None = None,
    workers: int = 0,
    serves_players: bool = False,
    **chosen: float,
) -> Iterator[Serving]:
    """A running server with the settings `chosen`; workers are threads unless their number or make is given."""
    settings = Settings(stop_grace_seconds=0.2, routing_workers=workers, **chosen)  # type: ignore[arg-type]
    telemetry = Telemetry()
    service = RoutingRuntime(settings, telemetry.registry, make_worker, serves_players=serves_players)
    # Callers are known by their names alone here, so that a test needs no tokens.
    hosted = replace(service.hosted, limits=METHODS)
    server, port = create_server([hosted], settings, telemetry, guard=Guard(admission=service.admission))
    server.start(is_ready=False)
    service.start()
    running = Serving(service, telemetry.registry, f"127.0.0.1:{port}")
    try:
        assert make_worker is not None or service.wait_ready(COMPILING_SECONDS)
        server.report_ready()
        yield running
    finally:
        running.close()
        server.stop(0.2)
        service.close()


class Replica:
    """`signalbox routes serve` as a process of its own, ready when made."""

    def __init__(self, port: int = 0, workers: int = 1, cache_entries: int = 10_000) -> None:
        environment = os.environ | {
            "SIGNALBOX_ROUTING_PORT": str(port),
            "SIGNALBOX_METRICS_PORT": "0",
            "SIGNALBOX_ROUTING_WORKERS": str(workers),
            "SIGNALBOX_ROUTING_CACHE_ENTRIES": str(cache_entries),
            "SIGNALBOX_LOG_LEVEL": "warning",
        }
        self.process = subprocess.Popen(
            [sys.executable, "-c", "from services.cli.main import app; app()", "routes", "serve"],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=REPOSITORY,
            env=environment,
            text=True,
        )
        assert self.process.stdout is not None
        self.address = self.process.stdout.readline().split()[1]
        self.metrics_url = self.process.stdout.readline().split()[1]

    def worker_pids(self) -> list[int]:
        """The processes it started."""
        return children_of(self.process.pid)

    def end(self, how: signal.Signals = signal.SIGTERM) -> tuple[int, str]:
        """Send the signal and wait; the exit code and what was logged."""
        self.process.send_signal(how)
        _, errors = self.process.communicate(timeout=SECONDS)
        return self.process.returncode, errors


@contextmanager
def replicas(count: int, workers: int = 1, cache_entries: int = 10_000) -> Iterator[Sequence[Replica]]:
    """A number of replicas, killed at the end if they still run."""
    started: list[Replica] = []
    try:
        for _ in range(count):
            # No port of the range of outgoing connections: a killed replica's successor must find it free.
            (port,) = free_ports(1)
            started.append(Replica(port, workers, cache_entries))
        yield started
    finally:
        for each in started:
            with suppress(subprocess.TimeoutExpired):
                each.end(signal.SIGKILL)


def children_of(pid: int) -> list[int]:
    """Process ids of the children of a process."""
    path = Path(f"/proc/{pid}/task/{pid}/children")
    if not path.exists():
        pytest.skip("needs Linux with /proc/<pid>/task/<tid>/children")
    found = []
    for task in path.parent.parent.iterdir():
        with suppress(FileNotFoundError, ProcessLookupError):
            found += [int(child) for child in (task / "children").read_text().split()]
    return found


def is_alive(pid: int) -> bool:
    """Whether a process exists and is no zombie."""
    try:
        status = Path(f"/proc/{pid}/stat").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return False
    return status.rpartition(")")[2].split()[0] != "Z"


def failure(call: Callable[[], object]) -> grpc.RpcError:
    """The error of a call."""
    with pytest.raises(grpc.RpcError) as caught:
        call()
    return caught.value


def trailing(error: grpc.RpcError) -> dict[str, str]:
    """The metadata after a failed call."""
    return {str(item.key): str(item.value) for item in error.trailing_metadata() or ()}
