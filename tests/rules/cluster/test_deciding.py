"""The processor of the owner, without Kafka: what one command stages, and what it leaves behind when it cannot be carried out."""

from __future__ import annotations

import sqlite3

import pytest
from prometheus_client import CollectorRegistry

from services.common.clock import ManualClock
from services.common.eventlog.memory import MemoryEventLog, MemorySnapshotStore
from services.common.eventlog.port import NewRecord
from services.common.kafka.commits import facts_of, request_of
from services.common.partitions import partition_of
from services.common.settings.accounts import QuotaSettings
from services.gen.signalbox.log.v1 import log_pb2 as pb
from services.rules.cluster.deciding import CommandProcessor
from services.rules.cluster.metrics import OwnerMetrics
from services.rules.cluster.records import (
    Blocked,
    DeadLettered,
    Expired,
    Hold,
    Outcome,
    command_sent,
    read_outcome,
    release_sent,
)
from services.rules.kernel.commands import Command, CreateGame, Pass
from services.rules.requests import CREATION_REQUEST, CommandAccepted, CommandRejected, ImportGame, Request
from services.rules.status import status_of, whole
from services.rules.titles.g1824.commands import RepayDebt
from tests.rules.cluster.brittle import BREAKS, BRITTLE
from tests.rules.tiny import TINY

TITLES = {"tiny": TINY, "brittle": BRITTLE}
REPLY = "gateway.1"
PARTITIONS = 3


class SingleOwner:
    """A processor over a copy in memory. `commit` lets the copy meet what is staged."""

    def __init__(
        self, games_in_memory: int = 100, game_events: int = 1_000, copy: MemoryEventLog | None = None
    ) -> None:
        self.copy = copy or MemoryEventLog(ManualClock())
        self.brought_back: list[str] = []
        self.answered: list[tuple[str, Outcome]] = []
        self.snapshots = MemorySnapshotStore()
        self.registry = CollectorRegistry()
        self.processor = CommandProcessor(
            self.copy,
            self.snapshots,
            TITLES,
            PARTITIONS,
            self.registry,
            OwnerMetrics(self.registry),
            ManualClock(),
            games_in_memory,
            QuotaSettings(game_events=game_events),
            bring_back=self.brought_back.append,
            answered=lambda message: self.answered.append((message.reply_id, read_outcome(message))),
        )
        self._offset = 0

    def send(self, game_id: str, player: str, request_id: str, expected: int, command: Command) -> Outcome:
        """One command; the outcome that its sender gets once it is committed."""
        sent = command_sent(Request(game_id, player, request_id, expected, command), REPLY)
        self._offset += 1
        partition = partition_of(game_id, PARTITIONS)
        self.processor.execute(("rules.commands", partition, self._offset), sent.SerializeToString())
        return read_outcome(self.processor.output.outcomes[-1][1])

    def create(self, game_id: str = "g", title: str = "tiny") -> None:
        """Ann and Bob begin."""
        assert self.send(
            game_id, "", CREATION_REQUEST, 0, CreateGame(title, ("ann", "bob"))
        ) == CommandAccepted(1, 5)

    def commit(self) -> None:
        """Everything staged is written, and the copy has met it."""
        staged = list(self.processor.staged.staged)
        self.processor.committed()
        for commit in staged:
            result = self.copy.append(
                commit.stream, commit.first_sequence - 1, facts_of(commit), request_of(commit)
            )
            self.processor.applied(commit, result)

    def release(self, game_id: str) -> None:
        """An operator's word."""
        place = ("rules.commands", partition_of(game_id, PARTITIONS), 0)
        self.processor.execute(place, release_sent(game_id, 0).SerializeToString())

    def dead_letters(self) -> list[pb.DeadLetter]:
        """The dead letters written."""
        return [each for _, each in self.processor.output.dead_letters if each is not None]

    def value(self, outcome: str) -> float:
        """How often the metrics counted this outcome."""
        name = "signalbox_owner_commands_total"
        return self.registry.get_sample_value(name, {"outcome": outcome}) or 0.0


@pytest.fixture
def cluster() -> SingleOwner:
    """With one game set up and committed."""
    cluster = SingleOwner()
    cluster.create()
    cluster.commit()
    return cluster


def test_commands_of_one_transaction_build_on_each_other(cluster: SingleOwner) -> None:
    """The copy knows nothing yet; all is staged in order, with a status for each."""
    assert cluster.send("g", "ann", "r1", 5, RepayDebt(2)) == CommandAccepted(6, 6)
    assert cluster.send("g", "ann", "r2", 6, Pass()) == CommandAccepted(7, 7)
    assert cluster.send("g", "ann", "r1", 5, RepayDebt(2)) == CommandAccepted(6, 6, repeated=True)
    assert len(cluster.copy.read("game/g")) == 5
    assert [commit.request.request_id for commit in cluster.processor.staged.staged] == ["r1", "r2"]
    assert [status.sequence for status in cluster.processor.output.statuses] == [6, 7]
    loaded = cluster.processor.sessions.get("g")
    expected = status_of("g", TINY, loaded.data, loaded.game, ManualClock().now_ms())
    written = cluster.processor.output.statuses[-1]
    assert whole(written, expected.title, expected.players) == expected
    assert not (written.title or written.players or written.acting_players)
    cluster.commit()
    assert len(cluster.copy.read("game/g")) == 7
    assert (cluster.value("carried_out"), cluster.value("repeated")) == (3, 1)


def facts_of_game(cluster: SingleOwner, game_id: str) -> tuple[NewRecord, ...]:
    """The events of a game as they are stored."""
    records = cluster.copy.read(f"game/{game_id}")
    return tuple(NewRecord(each.type, each.schema_version, each.payload) for each in records)


def test_an_imported_game_is_one_commit_and_goes_on(cluster: SingleOwner) -> None:
    """Its events are written as they are, with a status; a repeat writes nothing, other events for the same id are refused."""
    cluster.send("g", "ann", "r1", 5, RepayDebt(2))
    cluster.commit()
    facts = facts_of_game(cluster, "g")
    assert cluster.send("h", "", CREATION_REQUEST, 0, ImportGame(facts)) == CommandAccepted(1, 6)
    assert len(cluster.processor.staged.staged) == 1
    assert cluster.processor.output.statuses[-1].sequence == 6
    cluster.commit()
    assert facts_of_game(cluster, "h") == facts
    again = cluster.send("h", "", CREATION_REQUEST, 0, ImportGame(facts))
    assert again == CommandAccepted(1, 6, repeated=True)
    other = cluster.send("h", "", CREATION_REQUEST, 0, ImportGame(facts[:5]))
    assert isinstance(other, CommandRejected) and other.rejection.code == "request_id_reused"
    assert cluster.send("h", "ann", "r2", 6, Pass()) == CommandAccepted(7, 7)


@pytest.mark.parametrize("change", ["unknown_event", "newer_version", "unknown_title"])
def test_a_game_that_another_version_may_know_is_left_to_it(cluster: SingleOwner, change: str) -> None:
    """The rejection may be retried, the game is not blocked, and nothing is written."""
    facts = list(facts_of_game(cluster, "g"))
    changed = {
        "unknown_event": NewRecord("cash_stolen", 1, b""),
        "newer_version": NewRecord(facts[1].type, 99, facts[1].payload),
        "unknown_title": facts[1],
    }
    facts[1] = changed[change]
    if change == "unknown_title":
        facts[0] = NewRecord("game_created", 1, facts[0].payload.replace(b"tiny", b"tiki"))
    rejected = cluster.send("h", "", CREATION_REQUEST, 0, ImportGame(tuple(facts)))
    assert isinstance(rejected, CommandRejected) and rejected.rejection.retryable
    assert rejected.rejection.code == "unknown_title" and not cluster.dead_letters()
    assert cluster.send("h", "", CREATION_REQUEST, 0, CreateGame("tiny", ("ann", "bob"))) == CommandAccepted(
        1, 5
    )


def test_nobody_writes_more_than_the_quota() -> None:
    """What is staged counts, and what was committed; a repeat gets its first result."""
    owner = SingleOwner(game_events=8)
    owner.create()
    for number in range(8):
        expected = 5 + number
        if number == 4:
            owner.commit()
        assert owner.send("g", "ann", f"r{number}", expected, RepayDebt(1)) == CommandAccepted(
            expected + 1, expected + 1
        )
    refused = owner.send("g", "ann", "one more", 13, RepayDebt(1))
    assert isinstance(refused, CommandRejected) and refused.rejection.code == "too_many_events"
    assert owner.send("g", "ann", "r0", 5, RepayDebt(1)) == CommandAccepted(6, 6, repeated=True)


def test_a_sender_that_follows_the_events_has_its_answer_from_the_commit(cluster: SingleOwner) -> None:
    """What is carried out needs no other record; a repeat and a refusal have one."""
    place = ("rules.commands", partition_of("g", PARTITIONS), 1)
    for reply_id, player, request_id in (
        ("first", "ann", "r1"),
        ("again", "ann", "r1"),
        ("other", "eve", "r2"),
    ):
        request = Request("g", player, request_id, 5, Pass())
        sent = command_sent(request, reply_id, follows_events=True)
        cluster.processor.execute(place, sent.SerializeToString())
    assert [commit.append_id for commit in cluster.processor.staged.staged] == ["first"]
    assert [outcome.reply_id for _, outcome in cluster.processor.output.outcomes] == ["again", "other"]
    cluster.send("g", "bob", "r3", 6, Pass())
    assert cluster.processor.staged.staged[-1].append_id not in ("", "first", "gateway.1")


def test_dropped_commands_never_happened(cluster: SingleOwner) -> None:
    """Games chosen by id stand where the copy has them; the same commands are carried out again."""
    cluster.send("g", "ann", "r1", 5, RepayDebt(2))
    cluster.processor.drop(lambda game_id: game_id == "g")
    assert cluster.processor.staged.staged == []
    assert cluster.processor.output.outcomes == []
    assert cluster.send("g", "ann", "r1", 5, RepayDebt(2)) == CommandAccepted(6, 6)


def test_a_broken_command_leaves_nothing_but_its_outcome() -> None:
    """What came before it in the transaction stays."""
    cluster = SingleOwner()
    cluster.create("b", "brittle")
    cluster.create("g")
    cluster.send("b", "ann", "r1", 5, RepayDebt(1))
    cluster.send("b", "ann", "r2", 6, RepayDebt(BREAKS))
    assert isinstance(cluster.send("g", "ann", "r1", 5, Pass()), CommandAccepted)
    assert [commit.stream for commit in cluster.processor.staged.staged] == [
        "game/b",
        "game/g",
        "game/b",
        "game/g",
    ]
    assert [game_id for game_id, _ in cluster.processor.output.dead_letters] == ["b"]
    cluster.commit()
    assert cluster.value("blocked") == 1
    assert cluster.registry.get_sample_value("signalbox_owner_blocked_games") == 1
    cluster.processor.drop(lambda game_id: game_id == "b")
    assert cluster.send("b", "ann", "r3", 6, RepayDebt(1)) == CommandAccepted(7, 7)


def test_a_game_over_which_owners_failed_stays_blocked() -> None:
    """Its dead letter says so to later owners, which do not try; other blocks end with their owner."""
    cluster = SingleOwner()
    cluster.create("b", "brittle")
    cluster.create("c", "brittle")
    cluster.send("b", "ann", "r1", 5, RepayDebt(BREAKS))
    sent = command_sent(Request("c", "ann", "r1", 5, RepayDebt(1)), "").SerializeToString()
    cluster.processor.dead_letter(("rules.commands", 0, 1), sent, "owners died")
    assert [(each.game_id, each.outlives_owner) for each in cluster.dead_letters()] == [
        ("b", False),
        ("c", True),
    ]
    cluster.commit()
    cluster.processor.drop(lambda _: True)
    cluster.processor.keep_blocked({"c": "owners died"})
    assert cluster.send("c", "ann", "r2", 5, RepayDebt(1)) == Blocked("owners died")
    assert cluster.registry.get_sample_value("signalbox_owner_blocked_games") == 1
    cluster.release("c")
    assert cluster.send("c", "ann", "r3", 5, RepayDebt(1)) == CommandAccepted(6, 6)


def test_a_repeat_in_a_blocked_game_gets_its_first_outcome() -> None:
    """What was carried out before the game broke is not said to have changed nothing."""
    cluster = SingleOwner()
    cluster.create("b", "brittle")
    cluster.send("b", "ann", "r1", 5, RepayDebt(1))
    cluster.commit()
    cluster.send("b", "ann", "r2", 6, RepayDebt(BREAKS))
    assert cluster.send("b", "ann", "r1", 5, RepayDebt(1)) == CommandAccepted(6, 6, repeated=True)
    created = cluster.send("b", "", CREATION_REQUEST, 0, CreateGame("brittle", ("ann", "bob")))
    assert created == CommandAccepted(1, 5, repeated=True)
    reused = cluster.send("b", "ann", "r1", 5, RepayDebt(2))
    assert isinstance(reused, CommandRejected) and reused.rejection.code == "request_id_reused"
    assert isinstance(cluster.send("b", "ann", "r2", 6, RepayDebt(BREAKS)), Blocked)
    assert len(cluster.dead_letters()) == 1


def test_a_released_game_goes_on_until_it_breaks_again() -> None:
    """The owner hears the operator between two commands; what it writes about the game keeps that order."""
    cluster = SingleOwner()
    cluster.create("b", "brittle")
    cluster.send("b", "ann", "r1", 5, RepayDebt(BREAKS))
    cluster.release("b")
    assert cluster.registry.get_sample_value("signalbox_owner_blocked_games") == 0
    assert cluster.send("b", "ann", "r2", 5, RepayDebt(1)) == CommandAccepted(6, 6)
    cluster.send("b", "ann", "r3", 6, RepayDebt(BREAKS))
    assert [each is None for _, each in cluster.processor.output.dead_letters] == [False, True, False]
    cluster.commit()
    assert (cluster.value("blocked"), cluster.value("released")) == (2, 1)
    assert isinstance(cluster.send("b", "ann", "r4", 6, Pass()), Blocked)


def test_a_release_in_a_wrong_partition_is_dead_lettered(cluster: SingleOwner) -> None:
    """Only the owner of a game releases it."""
    wrong = (partition_of("g", PARTITIONS) + 1) % PARTITIONS
    cluster.processor.execute(("rules.commands", wrong, 1), release_sent("g", 0).SerializeToString())
    assert "belongs to partition" in cluster.dead_letters()[0].reason
    assert cluster.value("released") == 0


def test_trouble_of_the_machine_blocks_no_game(cluster: SingleOwner, monkeypatch: pytest.MonkeyPatch) -> None:
    """A copy that cannot be read ends the transaction; the command is tried again."""

    def broken(*_: object) -> None:
        raise sqlite3.OperationalError("disk I/O error")

    monkeypatch.setattr(cluster.copy, "outcome", broken)
    with pytest.raises(sqlite3.OperationalError):
        cluster.send("g", "ann", "r1", 5, Pass())
    monkeypatch.undo()
    assert cluster.processor.output.dead_letters == []
    assert cluster.send("g", "ann", "r1", 5, Pass()) == CommandAccepted(6, 6)


def test_finished_games_leave_the_memory(cluster: SingleOwner) -> None:
    """When their end is committed; they are still answered for."""
    cluster.send("g", "ann", "r1", 5, RepayDebt(100))
    cluster.send("g", "ann", "r2", 6, Pass())
    cluster.send("g", "bob", "r3", 7, RepayDebt(100))
    assert cluster.processor.sessions.cached("g") is not None
    cluster.commit()
    assert cluster.processor.sessions.cached("g") is None
    refused = cluster.send("g", "ann", "r4", 9, Pass())
    assert isinstance(refused, CommandRejected)
    assert refused.rejection.code == "game_finished"


def test_games_leave_and_come_back_within_a_transaction() -> None:
    """With room for one game two are played in turns before anything is written."""
    cluster = SingleOwner(games_in_memory=1)
    cluster.create("g")
    cluster.create("h")
    for move in range(4):
        player = ("ann", "bob")[move % 2]
        for game_id in ("g", "h"):
            assert cluster.send(game_id, player, f"r{move}", 5 + move, Pass()) == CommandAccepted(
                6 + move, 6 + move
            )
    cluster.commit()
    assert len(cluster.copy.read("game/g")) == len(cluster.copy.read("game/h")) == 9


def test_a_command_in_the_wrong_partition_is_dead_lettered(cluster: SingleOwner) -> None:
    """Its owner is another one: nobody else may write in its game."""
    sent = command_sent(Request("g", "ann", "r1", 5, Pass()), REPLY)
    wrong = (partition_of("g", PARTITIONS) + 1) % PARTITIONS
    cluster.processor.execute(("rules.commands", wrong, 1), sent.SerializeToString())
    assert "belongs to partition" in cluster.dead_letters()[0].reason
    assert cluster.processor.staged.staged == []


def test_a_hold_refuses_and_a_release_lets_on(cluster: SingleOwner) -> None:
    """As the ledger says."""
    cluster.processor.held(Hold("g", True, "a coin is missing"))
    refused = cluster.send("g", "ann", "r1", 5, Pass())
    assert isinstance(refused, CommandRejected)
    assert refused.rejection.message.endswith("a coin is missing")
    cluster.processor.held(Hold("g", False, ""))
    assert cluster.send("g", "ann", "r1", 5, Pass()) == CommandAccepted(6, 6)


def test_a_command_may_be_dead_lettered_unseen(cluster: SingleOwner) -> None:
    """When Kafka has rejected its records: its game waits for an operator."""
    sent = command_sent(Request("g", "ann", "r1", 5, Pass()), REPLY)
    cluster.processor.dead_letter(("rules.commands", 0, 9), sent.SerializeToString(), "refused")
    assert cluster.processor.staged.staged == []
    assert [letter.offset for letter in cluster.dead_letters()] == [9]
    cluster.processor.dead_letter(("rules.commands", 0, 10), b"\xff", "refused")
    assert cluster.dead_letters()[-1].value == b"\xff"


@pytest.mark.parametrize(("deadline_ms", "is_late"), [(-1, True), (0, False), (1, False)])
def test_a_command_is_not_carried_out_after_its_deadline(
    cluster: SingleOwner, deadline_ms: int, is_late: bool
) -> None:
    """Its sender knows no outcome; the owner's time goes with the answer. A repeat still gets its first outcome."""
    now_ms = ManualClock().now_ms()
    place = ("rules.commands", partition_of("g", PARTITIONS), 1)
    request = Request("g", "ann", "r1", 5, Pass())
    sent = command_sent(request, REPLY, deadline_ms=now_ms + deadline_ms).SerializeToString()
    cluster.processor.execute(place, sent)
    outcome = read_outcome(cluster.processor.output.outcomes[-1][1])
    assert outcome == (Expired(now_ms) if is_late else CommandAccepted(6, 6))
    assert len(cluster.processor.staged.staged) == (not is_late)
    cluster.commit()
    assert cluster.value("expired") == is_late
    if is_late:
        assert cluster.send("g", "ann", "r1", 5, Pass()) == CommandAccepted(6, 6)
    cluster.processor.execute(place, sent)
    assert read_outcome(cluster.processor.output.outcomes[-1][1]) == CommandAccepted(6, 6, repeated=True)


def test_a_skipped_command_changes_nothing(cluster: SingleOwner) -> None:
    """Its sender gets the reason, and its game goes on."""
    sent = command_sent(Request("g", "ann", "r1", 5, Pass()), REPLY).SerializeToString()
    place = ("rules.commands", partition_of("g", PARTITIONS), 1)
    cluster.processor.skip(place, sent, "skipped by olga: it hangs")
    outcome = read_outcome(cluster.processor.output.outcomes[-1][1])
    assert outcome == DeadLettered("skipped by olga: it hangs")
    assert not cluster.processor.staged.staged and not cluster.dead_letters()
    assert cluster.send("g", "ann", "r2", 5, Pass()) == CommandAccepted(6, 6)
