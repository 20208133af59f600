"""The host as a process: health, reflection, metrics, clean stop, and nothing acknowledged lost when it is killed."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.request import urlopen

import grpc
import msgspec
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc

from services.gen.signalbox.rules.v1 import rules_pb2
from services.host.embedded import EmbeddedHost
from tests.host.conftest import party_at, settings_in
from tests.host.party import Party

pytestmark = pytest.mark.integration

SERVICES = {
    "lobby": "signalbox.lobby.v1.LobbyService",
    "rules": "signalbox.rules.v1.Rules",
    "routing": "signalbox.routing.v1.Routing",
    "ledger": "signalbox.ledger.v1.Ledger",
}


@contextmanager
def running(folder: Path, repository: Path) -> Iterator[tuple[subprocess.Popen[str], dict[str, str]]]:
    """A host process over the files in `folder`, and its addresses."""
    command = [sys.executable, "-m", "tests.host.serving", str(folder)]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, cwd=repository
    ) as process:
        try:
            assert process.stdout is not None
            yield process, json.loads(process.stdout.readline())
        finally:
            process.kill()


def party_of(addresses: dict[str, str], known: bool) -> Party:
    """Players at a host process."""
    return Party(addresses["lobby"], addresses["rules"], addresses["ledger"], known)


@pytest.mark.parametrize("name", sorted(SERVICES))
def test_every_service_reports_health_and_describes_itself(host: EmbeddedHost, name: str) -> None:
    """Each has a port of its own with health by name and reflection, without a token."""
    with grpc.insecure_channel(getattr(host.addresses, name)) as channel:
        health = health_pb2_grpc.HealthStub(channel)
        for service in ("", SERVICES[name]):
            answer = health.Check(health_pb2.HealthCheckRequest(service=service), timeout=5)
            assert answer.status == health_pb2.HealthCheckResponse.SERVING
        reflection = reflection_pb2_grpc.ServerReflectionStub(channel)
        asked = iter([reflection_pb2.ServerReflectionRequest(list_services="")])
        listed = next(reflection.ServerReflectionInfo(asked, timeout=5)).list_services_response.service
        assert SERVICES[name] in [each.name for each in listed]


def test_metrics_tell_of_calls(host: EmbeddedHost, party: Party) -> None:
    """Calls are counted by service, method and status, for Prometheus."""
    party.begin()
    with urlopen(f"http://{host.addresses.metrics}/metrics", timeout=5) as page:
        text = page.read().decode()
    assert 'signalbox_rpc_calls_total{code="OK",method="StartTable"' in text


def test_a_stopped_host_comes_back_as_it_was(tmp_path: Path) -> None:
    """Players, tables, games and books are there after a clean stop, and play goes on."""
    first = EmbeddedHost(settings_in(tmp_path))
    first.start()
    with party_at(first) as party:
        game_id = party.begin()
        for _ in range(5):
            party.move(game_id)
        before, events = party.game(game_id), party.events(game_id)
    first.stop()
    second = EmbeddedHost(settings_in(tmp_path))
    second.start()
    try:
        with party_at(second, known=True) as party:
            assert party.game(game_id) == before
            assert party.events(game_id) == events
            assert party.ledger_sequence(game_id) == before.sequence
            party.move(game_id)
    finally:
        second.stop()


def test_a_watcher_is_told_when_the_host_stops(tmp_path: Path) -> None:
    """An idle watcher neither holds up the stop nor is left hanging: its stream ends with UNAVAILABLE."""
    host = EmbeddedHost(msgspec.structs.replace(settings_in(tmp_path), stop_grace_seconds=10.0))
    host.start()
    with party_at(host) as party:
        request = rules_pb2.WatchGameRequest(game_id=party.begin())
        stream = party.rules.WatchGame(request, metadata=party.tokens["Ada"], timeout=60)
        assert next(stream).event.sequence == 1
        started = time.monotonic()
        host.stop()
        assert time.monotonic() - started < 5
        with pytest.raises(grpc.RpcError) as ended:
            list(stream)
        assert ended.value.code() is grpc.StatusCode.UNAVAILABLE


def test_sigterm_ends_a_host_cleanly(tmp_path: Path, repository: Path) -> None:
    """The process says goodbye with status 0."""
    with running(tmp_path, repository) as (process, addresses):
        with party_of(addresses, known=False) as party:
            party.move(party.begin())
        process.send_signal(signal.SIGTERM)
        assert process.wait(timeout=15) == 0


def test_a_killed_host_has_everything_it_acknowledged(tmp_path: Path, repository: Path) -> None:
    """SIGKILL in the middle of play, three times: every acknowledged event is there, unchanged, booked, and play goes on."""
    game_id, acknowledged = "", 0
    for life in range(3):
        with running(tmp_path, repository) as (process, addresses):
            party = party_of(addresses, known=life > 0)
            game_id = game_id or party.begin()
            assert party.game(game_id).sequence >= acknowledged
            assert party.ledger_sequence(game_id) >= acknowledged
            threading.Timer(0.5, process.kill).start()
            try:
                while True:
                    acknowledged = party.move(game_id).accepted.last_sequence
            except grpc.RpcError as error:
                assert error.code() in (grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.CANCELLED), error
            process.wait(timeout=5)
    host = EmbeddedHost(settings_in(tmp_path))
    host.start()
    try:
        with party_at(host, known=True) as party:
            events = party.events(game_id)
            assert [event.sequence for event in events] == list(range(1, len(events) + 1))
            assert len(events) >= acknowledged > 0
            assert party.ledger_sequence(game_id) == len(events)
            party.move(game_id)
    finally:
        host.stop()
