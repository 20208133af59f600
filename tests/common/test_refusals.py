"""A flood of refused calls is a few lines in the log."""

from __future__ import annotations

import io
import json
import time
from collections.abc import Iterator

import grpc
import pytest
import structlog
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from services.common.eventlog.memory import MemoryEventLog
from services.common.grpc.server import Guard, create_server
from services.common.settings.service import Settings
from services.common.telemetry.logs import Telemetry, configure_logging
from services.common.telemetry.refusals import LINES_MAX, RefusalLog
from services.gen.signalbox.lobby.v1 import lobby_service_pb2 as wire
from services.gen.signalbox.lobby.v1.lobby_service_pb2_grpc import LobbyServiceStub
from services.lobby.bootstrap import bootstrap_lobby
from services.lobby.bootstrap_ports import GamePorts, LobbyPorts
from tests.lobby.fakes import FixedCatalogue, FixedSeeds, PlainPasswords, RecordingStarter
from tests.redis_connections import wait_until

CALLS = 300


@pytest.fixture
def lines() -> Iterator[io.StringIO]:
    """What is logged."""
    before = structlog.get_config()
    lines = io.StringIO()
    configure_logging("info", lines)
    yield lines
    structlog.configure(**before)


def logged(lines: io.StringIO, event: str) -> list[dict[str, object]]:
    """The lines of one event."""
    found = [json.loads(line) for line in lines.getvalue().splitlines()]
    return [line for line in found if line["event"] == event]


def test_refused_anonymous_calls_do_not_fill_the_log(lines: io.StringIO) -> None:
    """Those of each second are five lines and one that counts them all; metrics count each."""
    telemetry = Telemetry()
    telemetry.refusals = RefusalLog(every_seconds=1.0)
    lobby = bootstrap_lobby(
        LobbyPorts(
            log=MemoryEventLog(),
            games=GamePorts(FixedCatalogue(), RecordingStarter()),
            signing_key=Ed25519PrivateKey.generate(),
            settings=Settings(),
            seeds=FixedSeeds(),
            passwords=PlainPasswords(),
        )
    )
    server, port = create_server([lobby.hosted], Settings(), telemetry, guard=Guard(lobby.verifier))
    server.start()
    began = time.monotonic()
    with grpc.insecure_channel(f"127.0.0.1:{port}") as channel:
        stub = LobbyServiceStub(channel)
        for _ in range(CALLS):
            with pytest.raises(grpc.RpcError):
                stub.CreateTable(wire.CreateTableRequest())
    seconds = time.monotonic() - began
    server.stop(0)
    wait_until(lambda: counted_in(lines) == CALLS)
    assert len(lines.getvalue().splitlines()) <= (LINES_MAX + 1) * (seconds + 2)


def counted_in(lines: io.StringIO) -> int:
    """Calls of which the log knows, by lines of their own or in a summary."""
    held_back = sum(
        refused["without_line"]
        for line in logged(lines, "calls_refused")
        for refused in line["refused"]  # type: ignore[attr-defined]
    )
    return len(logged(lines, "call_ended")) + held_back


def test_each_method_and_status_has_its_lines(lines: io.StringIO) -> None:
    """A rare error is not hidden by a flood of another; calls without an error are not counted."""
    refusals = RefusalLog(every_seconds=2.0)
    flood = [refusals.holds_back("lobby", "LogIn", "RESOURCE_EXHAUSTED") for _ in range(20)]
    assert flood == [False] * LINES_MAX + [True] * 15
    assert not refusals.holds_back("lobby", "LogIn", "INTERNAL")
    assert not any(refusals.holds_back("lobby", "LogIn", "OK") for _ in range(20))
    wait_until(lambda: bool(logged(lines, "calls_refused")))
    (summary,) = logged(lines, "calls_refused")
    expected = {"rpc": "lobby", "method": "LogIn", "code": "RESOURCE_EXHAUSTED", "calls": 20}
    assert summary["refused"] == [expected | {"without_line": 15}]
    assert not refusals.holds_back("lobby", "LogIn", "RESOURCE_EXHAUSTED")
