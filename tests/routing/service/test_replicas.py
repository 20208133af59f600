"""Separate routing servers, and clients that balance over them."""

from __future__ import annotations

import itertools
import os
import re
import signal
import threading
import time
from collections import Counter
from pathlib import Path
from urllib.request import urlopen

import grpc
import msgspec
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc
from typer.testing import CliRunner

from services.cli.main import app
from services.client.routes import Routes
from services.common.grpc.channel import balanced_channel
from services.gen.signalbox.routing.v1.routing_pb2_grpc import RoutingStub
from services.host.embedded import EmbeddedHost
from services.routing.bootstrap import SERVICE_NAME
from services.routing.domain.solution import RouteSolution
from services.routing.domain.solver import solve
from services.rules.adapters.routing import GrpcRouteSolver
from services.rules.ports import RoutingUnavailableError
from tests.hosting import settings_in
from tests.routing.service.fake_workers import FakeWorkers
from tests.routing.service.serving import (
    SECONDS,
    Replica,
    easy_problem,
    endless_problem,
    is_alive,
    replicas,
    request,
    serving,
)
from tests.waiting import until

pytestmark = pytest.mark.integration


def solved_by(replica: Replica) -> int:
    """Questions that a replica solved, from its metrics."""
    with urlopen(replica.metrics_url, timeout=SECONDS) as response:
        text = response.read().decode()
    return sum(
        int(float(each)) for each in re.findall(r"^signalbox_routing_solved_total\{.*\} (\S+)$", text, re.M)
    )


def test_a_replica_serves_and_stops() -> None:
    """Health, reflection and metrics answer; SIGTERM ends server and worker cleanly."""
    with replicas(1) as (replica,):
        with grpc.insecure_channel(replica.address) as channel:
            asked = health_pb2.HealthCheckRequest(service=SERVICE_NAME)
            health = health_pb2_grpc.HealthStub(channel).Check(asked, timeout=SECONDS)
            assert health.status == health_pb2.HealthCheckResponse.SERVING
            listing = reflection_pb2.ServerReflectionRequest(list_services="")
            reflected = reflection_pb2_grpc.ServerReflectionStub(channel).ServerReflectionInfo(
                iter([listing]), timeout=SECONDS
            )
            names = {service.name for service in next(reflected).list_services_response.service}
            assert SERVICE_NAME in names
            assert RoutingStub(channel).Solve(request(easy_problem()), timeout=SECONDS).solution.proven
        assert solved_by(replica) == 1
        workers = replica.worker_pids()
        assert len(workers) == 1
        code, errors = replica.end()
        assert (code, errors) == (0, "")
        assert not any(is_alive(pid) for pid in workers)


def test_workers_do_not_outlive_a_killed_server() -> None:
    """After kill -9 of the server its workers end by themselves, also one in the middle of a search."""
    with replicas(1, workers=2) as (replica,):
        client = RoutingStub(grpc.insecure_channel(replica.address))
        call = client.Solve.future(request(endless_problem()), timeout=SECONDS)
        time.sleep(0.3)
        workers = replica.worker_pids()
        assert len(workers) == 2
        replica.end(signal.SIGKILL)
        assert call.exception().code() is grpc.StatusCode.UNAVAILABLE
        until(lambda: not any(is_alive(pid) for pid in workers))


def test_server_and_worker_show_their_stacks_and_go_on() -> None:
    """SIGUSR1 to either writes the stacks of its threads to the standard error they share; questions are still answered."""
    with replicas(1) as (replica,):
        for pid in (replica.process.pid, *replica.worker_pids()):
            os.kill(pid, signal.SIGUSR1)
        with grpc.insecure_channel(replica.address) as channel:
            assert RoutingStub(channel).Solve(request(easy_problem()), timeout=SECONDS).solution.proven
        code, errors = replica.end()
        assert code == 0
        assert "in serve_until_stopped" in errors
        assert "worker_main.py" in errors


def test_calls_spread_over_replicas() -> None:
    """Round robin: each of two replicas solves its share."""
    with replicas(2) as both:
        routes = Routes(",".join(each.address for each in both))
        seeds = itertools.count()

        def is_connected_to_both() -> bool:
            routes.solve(easy_problem(next(seeds)))
            return min(solved_by(each) for each in both) > 0

        until(is_connected_to_both)
        before = [solved_by(each) for each in both]
        for _ in range(40):
            routes.solve(easy_problem(next(seeds)))
        routes.close()
        counts = [solved_by(each) - earlier for each, earlier in zip(both, before, strict=True)]
        assert sum(counts) == 40
        assert min(counts) >= 10


def test_killing_a_replica_under_load_loses_no_answer() -> None:
    """Of two replicas one is killed and started again while questions come: every question has its right answer."""
    problems = [easy_problem(seed) for seed in range(6)]
    right = [solve(problem) for problem in problems]
    asked: Counter[int] = Counter()
    answered: Counter[int] = Counter()
    wrong: list[RouteSolution] = []
    over = threading.Event()

    def ask(solver: GrpcRouteSolver, number: int) -> None:
        turn = 0
        while not over.is_set():
            index = turn % len(problems)
            asked[number] += 1
            answer = solver.solve(problems[index])
            answered[number] += 1
            if msgspec.structs.replace(answer, nodes_explored=0) != msgspec.structs.replace(
                right[index], nodes_explored=0
            ):
                wrong.append(answer)
            turn += 1
            time.sleep(0.005)

    def until_more(number: int) -> None:
        before = answered.total()
        until(lambda: answered.total() >= before + number)

    with replicas(2) as (first, second):
        channel = balanced_channel([first.address, second.address], SERVICE_NAME)
        solver = GrpcRouteSolver(channel, SECONDS)
        askers = [threading.Thread(target=ask, args=(solver, number)) for number in range(4)]
        for asker in askers:
            asker.start()
        until_more(40)
        first.end(signal.SIGKILL)
        until_more(40)
        again = Replica(port=int(first.address.rpartition(":")[2]))
        until(lambda: solved_by(again) > 0)
        over.set()
        for asker in askers:
            asker.join()
        channel.close()
        again.end()
    assert not wrong
    assert asked == answered


def test_a_busy_replica_is_asked_again_after_its_hint() -> None:
    """RESOURCE_EXHAUSTED with a hint makes the channel wait and ask again, within the caller's deadline."""
    fake_workers = FakeWorkers()
    with serving(fake_workers.make, workers=1, routing_queue=1) as server:
        channel = balanced_channel([server.address], SERVICE_NAME)
        stub = RoutingStub(channel)
        # A hint so long that the attempts of the channel outlast what this test does meanwhile.
        server.service.dispatcher._pace.seconds = 2.0
        calls = [stub.Solve.future(request(easy_problem(seed)), timeout=SECONDS) for seed in range(3)]
        until(lambda: server.metric("refused_total", reason="queue_full") >= 1)
        for _ in range(3):
            fake_workers.next().answers()
        assert all(call.result().solution.proven for call in calls)
        channel.close()


def test_missing_replicas_are_reported_soon() -> None:
    """Without any replica the port says unavailable long before the deadline."""
    with replicas(1) as (gone,):
        gone.end(signal.SIGKILL)
        channel = balanced_channel([gone.address], SERVICE_NAME)
        began = time.monotonic()
        with pytest.raises(RoutingUnavailableError):
            GrpcRouteSolver(channel, SECONDS).solve(easy_problem())
        assert time.monotonic() - began < SECONDS / 2
        channel.close()


def test_a_host_uses_the_configured_replicas(tmp_path: Path) -> None:
    """With routing addresses in its settings a host starts no routing service of its own."""
    with replicas(1) as (replica,):
        host = EmbeddedHost(
            msgspec.structs.replace(settings_in(tmp_path), routing_addresses=(replica.address,))
        )
        host.start()
        assert host.addresses.routing == replica.address
        Routes(host.addresses.routing).solve(easy_problem())
        host.stop()
        assert solved_by(replica) == 1


def test_the_command_explains_itself_and_its_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    """Help names the settings; an address in use ends it with the reason."""
    runner = CliRunner()
    helped = runner.invoke(app, ["serve", "routing", "--help"])
    assert helped.exit_code == 0
    assert "SIGNALBOX_ROUTING_WORKERS" in helped.output
    assert "SIGNALBOX_ROUTING_WORKERS" in runner.invoke(app, ["routes", "serve", "--help"]).output
    with serving() as server:
        monkeypatch.setenv("SIGNALBOX_ROUTING_PORT", server.address.rpartition(":")[2])
        monkeypatch.setenv("SIGNALBOX_METRICS_PORT", "0")
        failed = runner.invoke(app, ["routes", "serve"])
    assert failed.exit_code == 1
    assert "signalbox routes serve: cannot listen on" in failed.output
    assert os.environ["SIGNALBOX_METRICS_PORT"] == "0"
