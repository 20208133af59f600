"""The desk of the owner, without Kafka: what one command stages, and what it leaves behind when it cannot be carried out."""

from __future__ import annotations

import sqlite3

import pytest
from prometheus_client import CollectorRegistry

from services.common.clock import ManualClock
from services.common.eventlog.memory import MemoryEventLog, MemorySnapshotStore
from services.common.kafka.commits import facts_of, request_of
from services.common.kafka.topics import partition_of
from services.gen.signalbox.log.v1 import log_pb2 as pb
from services.rules.cluster.deciding import CommandDesk
from services.rules.cluster.metrics import OwnerMetrics
from services.rules.cluster.records import (
    GameIsParked,
    Hold,
    Outcome,
    ReplyAddress,
    command_sent,
    read_outcome,
    release_sent,
    standing_message,
)
from services.rules.domain.commands import Command, CreateGame, Pass, RepayDebt
from services.rules.handlers import CREATION_REQUEST, CarriedOut, Request, TurnedDown
from services.rules.reading import standing_of
from tests.rules.cluster.brittle import BREAKS, BRITTLE
from tests.rules.tiny import TINY

TITLES = {"tiny": TINY, "brittle": BRITTLE}
REPLY = ReplyAddress(1, "gateway.1")
PARTITIONS = 3


class DeskOfOne:
    """A desk over a copy in memory. `commit` lets the copy meet what is staged."""

    def __init__(self, games_in_memory: int = 100) -> None:
        self.copy = MemoryEventLog(ManualClock())
        self.snapshots = MemorySnapshotStore()
        self.registry = CollectorRegistry()
        self.desk = CommandDesk(
            self.copy,
            self.snapshots,
            TITLES,
            PARTITIONS,
            self.registry,
            OwnerMetrics(self.registry),
            ManualClock(),
            games_in_memory,
        )
        self._offset = 0

    def send(self, game_id: str, player: str, request_id: str, expected: int, command: Command) -> Outcome:
        """One command; what its sender is told once it is committed."""
        sent = command_sent(Request(game_id, player, request_id, expected, command), REPLY, 0)
        self._offset += 1
        partition = partition_of(game_id, PARTITIONS)
        self.desk.carry_out(("rules.commands", partition, self._offset), sent.SerializeToString())
        return read_outcome(self.desk.output.outcomes[-1][1])

    def create(self, game_id: str = "g", title: str = "tiny") -> None:
        """Ann and Bob begin."""
        assert self.send(game_id, "", CREATION_REQUEST, 0, CreateGame(title, ("ann", "bob"))) == CarriedOut(
            1, 5
        )

    def commit(self) -> None:
        """Everything staged is written, and the copy has met it."""
        staged = list(self.desk.staged.staged)
        self.desk.committed()
        for commit in staged:
            result = self.copy.append(
                commit.stream, commit.first_sequence - 1, facts_of(commit), request_of(commit)
            )
            self.desk.applied(commit, result)

    def release(self, game_id: str) -> None:
        """An operator's word."""
        place = ("rules.commands", partition_of(game_id, PARTITIONS), 0)
        self.desk.carry_out(place, release_sent(game_id, 0).SerializeToString())

    def parked(self) -> list[pb.Parked]:
        """What would be put aside."""
        return [each for _, each in self.desk.output.parked if each is not None]

    def value(self, outcome: str) -> float:
        """How often the metrics counted this outcome."""
        name = "signalbox_owner_commands_total"
        return self.registry.get_sample_value(name, {"outcome": outcome}) or 0.0


@pytest.fixture
def house() -> DeskOfOne:
    """With one game set up and committed."""
    house = DeskOfOne()
    house.create()
    house.commit()
    return house


def test_commands_of_one_transaction_build_on_each_other(house: DeskOfOne) -> None:
    """The copy knows nothing yet; all is staged in order, with a standing for each."""
    assert house.send("g", "ann", "r1", 5, RepayDebt(2)) == CarriedOut(6, 6)
    assert house.send("g", "ann", "r2", 6, Pass()) == CarriedOut(7, 7)
    assert house.send("g", "ann", "r1", 5, RepayDebt(2)) == CarriedOut(6, 6, repeated=True)
    assert len(house.copy.read("game/g")) == 5
    assert [commit.request.request_id for commit in house.desk.staged.staged] == ["r1", "r2"]
    assert [standing.sequence for standing in house.desk.output.standings] == [6, 7]
    hot = house.desk.sessions.look("g")
    assert house.desk.output.standings[-1] == standing_message(
        "g", standing_of(TINY, hot.data, hot.game, ManualClock().now_ms())
    )
    house.commit()
    assert len(house.copy.read("game/g")) == 7
    assert (house.value("carried_out"), house.value("repeated")) == (3, 1)


def test_a_sender_that_follows_the_events_has_its_answer_from_the_commit(house: DeskOfOne) -> None:
    """What is carried out needs no other record; a repeat and a refusal have one."""
    place = ("rules.commands", partition_of("g", PARTITIONS), 1)
    for reply_id, player, request_id in (
        ("first", "ann", "r1"),
        ("again", "ann", "r1"),
        ("other", "eve", "r2"),
    ):
        request = Request("g", player, request_id, 5, Pass())
        sent = command_sent(request, ReplyAddress(1, reply_id), 0, follows_events=True)
        house.desk.carry_out(place, sent.SerializeToString())
    assert [commit.append_id for commit in house.desk.staged.staged] == ["first"]
    assert [outcome.reply_id for _, outcome in house.desk.output.outcomes] == ["again", "other"]
    house.send("g", "bob", "r3", 6, Pass())
    assert house.desk.staged.staged[-1].append_id not in ("", "first", "gateway.1")


def test_dropped_commands_never_happened(house: DeskOfOne) -> None:
    """Games chosen by id stand where the copy has them; the same commands are carried out again."""
    house.send("g", "ann", "r1", 5, RepayDebt(2))
    house.desk.drop(lambda game_id: game_id == "g")
    assert house.desk.staged.staged == []
    assert house.desk.output.outcomes == []
    assert house.send("g", "ann", "r1", 5, RepayDebt(2)) == CarriedOut(6, 6)


def test_a_broken_command_leaves_nothing_but_its_outcome() -> None:
    """What came before it in the transaction stays."""
    house = DeskOfOne()
    house.create("b", "brittle")
    house.create("g")
    house.send("b", "ann", "r1", 5, RepayDebt(1))
    house.send("b", "ann", "r2", 6, RepayDebt(BREAKS))
    assert isinstance(house.send("g", "ann", "r1", 5, Pass()), CarriedOut)
    assert [commit.stream for commit in house.desk.staged.staged] == ["game/b", "game/g", "game/b", "game/g"]
    assert [game_id for game_id, _ in house.desk.output.parked] == ["b"]
    house.commit()
    assert house.value("parked") == 1
    assert house.registry.get_sample_value("signalbox_owner_games_parked") == 1
    house.desk.drop(lambda game_id: game_id == "b")
    assert house.send("b", "ann", "r3", 6, RepayDebt(1)) == CarriedOut(7, 7)


def test_a_repeat_in_a_parked_game_gets_its_first_outcome() -> None:
    """What was carried out before the game broke is not said to have changed nothing."""
    house = DeskOfOne()
    house.create("b", "brittle")
    house.send("b", "ann", "r1", 5, RepayDebt(1))
    house.commit()
    house.send("b", "ann", "r2", 6, RepayDebt(BREAKS))
    assert house.send("b", "ann", "r1", 5, RepayDebt(1)) == CarriedOut(6, 6, repeated=True)
    created = house.send("b", "", CREATION_REQUEST, 0, CreateGame("brittle", ("ann", "bob")))
    assert created == CarriedOut(1, 5, repeated=True)
    reused = house.send("b", "ann", "r1", 5, RepayDebt(2))
    assert isinstance(reused, TurnedDown) and reused.rejection.code == "request_id_reused"
    assert isinstance(house.send("b", "ann", "r2", 6, RepayDebt(BREAKS)), GameIsParked)
    assert len(house.parked()) == 1


def test_a_released_game_goes_on_until_it_breaks_again() -> None:
    """The owner hears the operator between two commands; what it writes about the game keeps that order."""
    house = DeskOfOne()
    house.create("b", "brittle")
    house.send("b", "ann", "r1", 5, RepayDebt(BREAKS))
    house.release("b")
    assert house.registry.get_sample_value("signalbox_owner_games_parked") == 0
    assert house.send("b", "ann", "r2", 5, RepayDebt(1)) == CarriedOut(6, 6)
    house.send("b", "ann", "r3", 6, RepayDebt(BREAKS))
    assert [each is None for _, each in house.desk.output.parked] == [False, True, False]
    house.commit()
    assert (house.value("parked"), house.value("released")) == (2, 1)
    assert isinstance(house.send("b", "ann", "r4", 6, Pass()), GameIsParked)


def test_a_release_in_a_wrong_partition_is_put_aside(house: DeskOfOne) -> None:
    """Only the owner of a game lets it go on."""
    wrong = (partition_of("g", PARTITIONS) + 1) % PARTITIONS
    house.desk.carry_out(("rules.commands", wrong, 1), release_sent("g", 0).SerializeToString())
    assert "belongs to partition" in house.parked()[0].reason
    assert house.value("released") == 0


def test_trouble_of_the_machine_parks_no_game(house: DeskOfOne, monkeypatch: pytest.MonkeyPatch) -> None:
    """A copy that cannot be read ends the transaction; the command is tried again."""

    def broken(*_: object) -> None:
        raise sqlite3.OperationalError("disk I/O error")

    monkeypatch.setattr(house.copy, "outcome", broken)
    with pytest.raises(sqlite3.OperationalError):
        house.send("g", "ann", "r1", 5, Pass())
    monkeypatch.undo()
    assert house.desk.output.parked == []
    assert house.send("g", "ann", "r1", 5, Pass()) == CarriedOut(6, 6)


def test_finished_games_leave_the_memory(house: DeskOfOne) -> None:
    """When their end is committed; they are still answered for."""
    house.send("g", "ann", "r1", 5, RepayDebt(100))
    house.send("g", "ann", "r2", 6, Pass())
    house.send("g", "bob", "r3", 7, RepayDebt(100))
    assert house.desk.sessions.known("g") is not None
    house.commit()
    assert house.desk.sessions.known("g") is None
    refused = house.send("g", "ann", "r4", 9, Pass())
    assert isinstance(refused, TurnedDown)
    assert refused.rejection.code == "game_finished"


def test_games_leave_and_come_back_within_a_transaction() -> None:
    """With room for one game two are played in turns before anything is written."""
    house = DeskOfOne(games_in_memory=1)
    house.create("g")
    house.create("h")
    for move in range(4):
        player = ("ann", "bob")[move % 2]
        for game_id in ("g", "h"):
            assert house.send(game_id, player, f"r{move}", 5 + move, Pass()) == CarriedOut(6 + move, 6 + move)
    house.commit()
    assert len(house.copy.read("game/g")) == len(house.copy.read("game/h")) == 9


def test_a_command_in_the_wrong_partition_is_put_aside(house: DeskOfOne) -> None:
    """Its owner is another one: nobody else may write in its game."""
    sent = command_sent(Request("g", "ann", "r1", 5, Pass()), REPLY, 0)
    wrong = (partition_of("g", PARTITIONS) + 1) % PARTITIONS
    house.desk.carry_out(("rules.commands", wrong, 1), sent.SerializeToString())
    assert "belongs to partition" in house.parked()[0].reason
    assert house.desk.staged.staged == []


def test_a_hold_refuses_and_a_release_lets_on(house: DeskOfOne) -> None:
    """As the ledger says."""
    house.desk.held(Hold("g", True, "a coin is missing"))
    refused = house.send("g", "ann", "r1", 5, Pass())
    assert isinstance(refused, TurnedDown)
    assert refused.rejection.message.endswith("a coin is missing")
    house.desk.held(Hold("g", False, ""))
    assert house.send("g", "ann", "r1", 5, Pass()) == CarriedOut(6, 6)


def test_a_command_may_be_parked_unseen(house: DeskOfOne) -> None:
    """When Kafka has refused what it leads to: its game waits for an operator."""
    sent = command_sent(Request("g", "ann", "r1", 5, Pass()), REPLY, 0)
    house.desk.park(("rules.commands", 0, 9), sent.SerializeToString(), "refused")
    assert house.desk.staged.staged == []
    assert [parked.offset for parked in house.parked()] == [9]
    house.desk.park(("rules.commands", 0, 10), b"\xff", "refused")
    assert house.parked()[-1].value == b"\xff"
