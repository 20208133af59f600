"""A host whose file cannot grow answers reads, refuses writes with the reason, and goes on by itself when there is room."""

from __future__ import annotations

import resource
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import grpc
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc

from services.client import AT_ONCE, Books, Games, Lobby, NotAnsweredError
from services.client.lobby import register, sign_in
from services.ledger.bootstrap import SERVICE_NAME as LEDGER
from services.lobby.bootstrap import SERVICE_NAME as LOBBY
from services.rules.bootstrap import SERVICE_NAME as RULES
from tests.host_process import HostProcess
from tests.hosting import PASSWORD
from tests.integration.tables import Gathering, gather

pytestmark = pytest.mark.integration

SECONDS = 60.0
STATUS = health_pb2.HealthCheckResponse


@pytest.fixture
def host(tmp_path: Path) -> Iterator[HostProcess]:
    """A host of its own."""
    running = HostProcess(tmp_path, {"SIGNALBOX_LOG_LEVEL": "info"})
    yield running
    if running.process.poll() is None:
        running.process.kill()
        running.process.communicate()


def limit_files(host: HostProcess, size: int) -> None:
    """No file of the host may grow beyond this."""
    _, most = resource.prlimit(host.process.pid, resource.RLIMIT_FSIZE)
    resource.prlimit(host.process.pid, resource.RLIMIT_FSIZE, (size, most))


def health(address: str, name: str) -> int:
    """What the service at `address` says of this name."""
    with grpc.insecure_channel(address) as channel:
        answer = health_pb2_grpc.HealthStub(channel).Check(
            health_pb2.HealthCheckRequest(service=name), timeout=SECONDS
        )
        return int(answer.status)


def writes(host: HostProcess) -> set[int]:
    """The health of all writes."""
    at = host.addresses
    services = ((at.lobby, LOBBY), (at.rules, RULES), (at.ledger, LEDGER))
    return {health(address, f"{name}.Writes") for address, name in services}


def wait_for(is_so: Callable[[], bool]) -> None:
    """Until it is so; fails after a while."""
    end = time.monotonic() + SECONDS
    while not is_so():
        assert time.monotonic() < end
        time.sleep(0.05)


def refused(call: Callable[[], object]) -> None:
    """The call is UNAVAILABLE for the reason of the disk, with a hint when to try again."""
    with pytest.raises(NotAnsweredError) as full:
        call()
    assert full.value.status is grpc.StatusCode.UNAVAILABLE
    assert full.value.trailing["signalbox-reason"] == "log_not_writable"
    assert full.value.trailing["grpc-retry-pushback-ms"] == "2000"


def test_reads_go_on_and_writes_come_back(tmp_path: Path, host: HostProcess) -> None:
    """The whole life of a full disk, with a player who waits it out."""
    gathering = gather(host.addresses, ("Ann", "Bob", "Cem"))
    gathering.play(5)
    assert writes(host) == {STATUS.SERVING}
    before = gathering.view()
    limit_files(host, (tmp_path / "signalbox.db-wal").stat().st_size)

    asked = gathering.asked()
    offer = asked.games.choices(gathering.game_id)
    once = Games(host.addresses.rules, asked.token, AT_ONCE)
    command = asked.bot.choose(offer.choices)
    refused(lambda: once.execute(gathering.game_id, offer.sequence, command))
    refused(lambda: Lobby(host.addresses.lobby, asked.token, AT_ONCE).create_table("1824", 3))
    refused(lambda: register(host.addresses.lobby, "Late Comer", PASSWORD, AT_ONCE))
    assert writes(host) == {STATUS.NOT_SERVING}
    assert health(host.addresses.rules, RULES) == STATUS.SERVING
    read_everything(host, gathering, before.sequence)

    with ThreadPoolExecutor(1) as thread:
        waiting = thread.submit(asked.games.execute, gathering.game_id, offer.sequence, command)
        wait_for(
            lambda: "not_writable" in host.log.read_text() or "cannot be written" in host.log.read_text()
        )
        limit_files(host, resource.RLIM_INFINITY)
        accepted = waiting.result(SECONDS)
    assert accepted.first_sequence == before.sequence + 1 and not accepted.repeated_request
    wait_for(lambda: writes(host) == {STATUS.SERVING})
    gathering.hear(accepted.last_sequence)
    gathering.play(5)
    read_everything(host, gathering, gathering.view().sequence)
    assert host.end() == 0
    logged = host.log.read_text()
    assert "file cannot be written" in logged and "file can be written again" in logged
    assert "Traceback" not in logged and "call_failed" not in logged


def read_everything(host: HostProcess, gathering: Gathering, sequence: int) -> None:
    """Game, events, watch, books, table and sign-in answer as ever."""
    somebody = gathering.anybody()
    assert gathering.view().sequence == sequence
    events = [event.sequence for event in somebody.games.events(gathering.game_id)]
    assert events == list(range(1, sequence + 1))
    assert next(iter(somebody.games.watch(gathering.game_id, seconds=SECONDS))).sequence == 1
    books = Books(host.addresses.ledger, somebody.token)
    assert books.trial_balance(gathering.game_id).balanced
    assert books.audit(gathering.game_id).compared_sequence == sequence
    table = Lobby(host.addresses.lobby, somebody.token).table(gathering.table.table_id)
    assert table.game_id == gathering.game_id
    assert sign_in(host.addresses.lobby, somebody.name, PASSWORD).token


def test_a_host_that_stops_while_its_disk_is_full_ends_cleanly(tmp_path: Path, host: HostProcess) -> None:
    """What cannot be stored is not needed: exit code 0, and everything acknowledged is there afterwards."""
    gathering = gather(host.addresses, ("Ann", "Bob", "Cem"))
    gathering.play(5)
    sequence = gathering.view().sequence
    limit_files(host, (tmp_path / "signalbox.db-wal").stat().st_size)
    assert host.end() == 0
    assert "Traceback" not in host.log.read_text()
    again = HostProcess(tmp_path)
    try:
        games = Games(again.addresses.rules, gathering.anybody().token)
        assert games.game(gathering.game_id).sequence == sequence
    finally:
        again.end()
