"""Calls that know a sequence which is not there yet wait for it without a thread."""

from __future__ import annotations

from collections import Counter
from typing import Any

import grpc
import pytest

from services.common.eventlog.memory import MemoryEventLog, MemorySnapshotStore
from services.common.settings.service import Settings
from services.gen.signalbox.rules.v1 import command_pb2 as c, rules_pb2 as pb
from services.rules.kernel.commands import Pass
from tests.redis_connections import wait_until
from tests.rules.service.desk import GAME, SEATS, Desk
from tests.rules.service.served import served, stub_of, threads_in_handlers, token

# As on a replica, only longer, so that no slow machine ends a wait.
WAIT_SECONDS = 120.0
SECONDS = 60.0
THREADS = 4
CALLERS = (*SEATS, "dan", "eve")
CALLS_EACH = 15
SETTINGS = Settings(worker_threads=THREADS)
PASS = c.Command(pass_turn=c.Pass())


@pytest.fixture
def desk() -> Desk:
    """A game on a host that may get events late."""
    desk = Desk(MemoryEventLog(), MemorySnapshotStore())
    desk.create()
    desk.rules.reader.timeout_seconds = WAIT_SECONDS
    return desk


class Checks:
    """Counts how often it was asked whether a sequence is there: twice for each call that waits."""

    def __init__(self, desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
        self.count = 0
        self._has_reached = desk.rules.reader.has_reached
        monkeypatch.setattr(desk.rules.reader, "has_reached", self._counted)

    def _counted(self, game_id: str, sequence: int) -> bool:
        self.count += 1
        return self._has_reached(game_id, sequence)

    def wait_for(self, calls: int) -> None:
        """Until so many calls wait, and no thread with them."""
        wait_until(lambda: self.count >= 2 * calls)
        wait_until(lambda: threads_in_handlers() == 0)


def execute(stub: Any, player: str, expected: int, request_id: str, command: c.Command = PASS) -> Any:
    """A command on its way."""
    request = pb.ExecuteRequest(
        game_id=GAME, request_id=request_id, expected_sequence=expected, command=command
    )
    return stub.Execute.future(request, metadata=token(player), timeout=SECONDS)


def test_reads_that_wait_hold_no_thread(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """Seventy-five reads by five callers know the next event; a move is carried out meanwhile, and all of them see it."""
    checks, after = Checks(desk, monkeypatch), desk.sequence()
    with served(desk, SETTINGS) as port, stub_of(port) as stub:
        request = pb.GetGameRequest(game_id=GAME, at_least_sequence=after + 1)
        reads = [
            stub.GetGame.future(request, metadata=token(player), timeout=SECONDS)
            for player in CALLERS
            for _ in range(CALLS_EACH)
        ]
        checks.wait_for(len(reads))
        accepted = execute(stub, desk.asked(), after, "move").result().accepted
        assert [read.result().game.sequence for read in reads] == [accepted.last_sequence] * len(reads)


def test_commands_that_wait_hold_no_thread(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of 64 commands of the next player that expect the end of this turn one is carried out once it has ended."""
    before = desk.asked()
    passed = desk.move(before, Pass())
    checks, after, first = Checks(desk, monkeypatch), passed.last, desk.asked()
    (following,) = set(SEATS) - {before, first}
    expected = after + passed.last - passed.first + 1
    with served(desk, SETTINGS) as port, stub_of(port) as stub:
        commands = [execute(stub, following, expected, f"early {number}") for number in range(64)]
        checks.wait_for(len(commands))
        assert execute(stub, first, after, "move").result().accepted.last_sequence == expected
        endings = Counter(command.code() for command in commands)
        accepted = [each.result() for each in commands if each.code() is grpc.StatusCode.OK]
    assert endings == {grpc.StatusCode.OK: 1, grpc.StatusCode.ABORTED: 63}
    assert accepted[0].HasField("accepted")


def test_a_wait_ends_in_time(desk: Desk) -> None:
    """A sequence that does not come: UNAVAILABLE for a read; a command goes to the owner, who knows what is the latest."""
    desk.rules.reader.timeout_seconds = 0.1
    after = desk.sequence()
    with served(desk, SETTINGS) as port, stub_of(port) as stub:
        request = pb.GetGameRequest(game_id=GAME, at_least_sequence=after + 1)
        with pytest.raises(grpc.RpcError) as late:
            stub.GetGame(request, metadata=token("ann"), timeout=SECONDS)
        assert late.value.code() is grpc.StatusCode.UNAVAILABLE
        assert execute(stub, desk.asked(), after + 1, "early").code() is grpc.StatusCode.ABORTED


def test_nobody_without_a_seat_waits(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """The command of a spectator is refused before it is read; only one from a later position waits, for a seat just taken."""
    checks = Checks(desk, monkeypatch)
    with served(desk, SETTINGS) as port, stub_of(port) as stub:
        answer = execute(stub, "eve", desk.sequence(), "early").result()
    assert answer.rejected.code == "not_a_player"
    assert checks.count == 0


def test_seat_and_sequence_are_checked_before_the_command_is_read(desk: Desk) -> None:
    """What is wrong with a command is known only to who may give it now."""
    malformed = c.Command(run_trains=c.RunTrains(runs=[c.TrainRun(hops=[c.Hop()] * 500)]))
    malformed.title_command.type_url = "type.googleapis.com/no.such.Command"
    after = desk.sequence()
    with served(desk, SETTINGS) as port, stub_of(port) as stub:
        assert execute(stub, "eve", after, "a", malformed).result().rejected.code == "not_a_player"
        for other in (after - 1, after + 1_000_000):
            assert execute(stub, desk.asked(), other, "b", malformed).code() is grpc.StatusCode.ABORTED
        refused = execute(stub, desk.asked(), after, "c", malformed)
        assert refused.code() is grpc.StatusCode.INVALID_ARGUMENT
        assert "command.title_command.type_url" in refused.details()
