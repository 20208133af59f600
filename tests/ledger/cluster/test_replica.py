"""Ledger replicas on a real Kafka: books equal rules whatever happens to records, files and processes."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from confluent_kafka import OFFSET_BEGINNING, TopicPartition
from confluent_kafka.admin import AdminClient
from msgspec.structs import replace
from prometheus_client import CollectorRegistry

from services.common.errors import Unavailable
from services.common.kafka.administration import apply_topics, topic_states
from services.common.kafka.clients import client_config, new_consumer
from services.common.kafka.settings import KafkaSettings
from services.common.kafka.topics import EVENTS, GAME_STATUSES, LEDGER_EVENTS
from services.common.settings.service import Settings
from services.gen.signalbox.log.v1 import log_pb2 as pb
from services.ledger.adapters.sqlite import SqliteBookStore
from services.ledger.cluster import record_handlers
from services.ledger.cluster.replica import GROUP, LedgerReplica, books_path, open_books
from services.ledger.ports import StoredBook
from tests.common.faust.followers import FOLLOWED, eventually
from tests.ledger.test_stores import damage

from .rules_on_kafka import RulesOnKafka

pytestmark = pytest.mark.integration
GAMES = tuple(f"game-{each}" for each in range(6))


@contextmanager
def replica(
    kafka: KafkaSettings,
    rules_on_kafka: RulesOnKafka,
    folder: Path,
    registry: CollectorRegistry | None = None,
) -> Iterator[LedgerReplica]:
    """A running replica."""
    settings = Settings(database=folder / "signalbox.db")
    running = LedgerReplica(settings, kafka, rules_on_kafka, registry or CollectorRegistry())
    running.start()
    try:
        yield running
    finally:
        running.stop()


@pytest.fixture
def rules_on_kafka(kafka: KafkaSettings) -> RulesOnKafka:
    """Rules with its games begun."""
    rules_on_kafka = RulesOnKafka(kafka)
    rules_on_kafka.create(*GAMES)
    return rules_on_kafka


@pytest.fixture
def long_commit_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    """No commit that is merely late is fetched, however busy the machine is."""
    monkeypatch.setattr(record_handlers, "COMMIT_WAIT_SECONDS", 60.0)


def all_agree(rules_on_kafka: RulesOnKafka, *running: LedgerReplica) -> bool:
    """Whether for each game some replica has the books of rules."""
    return all(any(rules_on_kafka.agrees(each.ledger, game) for each in running) for game in GAMES)


def all_compared(rules_on_kafka: RulesOnKafka, running: LedgerReplica) -> bool:
    """Whether each game was compared with rules at its last sequence, and nothing was found."""
    for game in GAMES:
        compared = running.ledger.compared(game)
        if compared is None or compared.sequence != rules_on_kafka.published.statuses[game][-1].sequence:
            return False
        assert compared.passed
    return True


def hold_records(kafka: KafkaSettings) -> list[pb.HoldChanged]:
    """All records of ledger.events."""
    consumer = new_consumer(kafka, "test.reader", **{"enable.partition.eof": True})
    name, partitions = LEDGER_EVENTS.name_in(kafka), range(LEDGER_EVENTS.partitions(kafka))
    consumer.assign([TopicPartition(name, each, OFFSET_BEGINNING) for each in partitions])
    found, ended = [], 0
    while ended < len(partitions):
        message = consumer.poll(60)
        assert message is not None
        if message.error() is None:
            found.append(pb.HoldChanged.FromString(message.value() or b""))
        else:
            ended += 1
    consumer.close()
    return found


@pytest.mark.usefixtures("long_commit_wait")
def test_books_equal_rules_whatever_comes_twice(
    kafka: KafkaSettings, rules_on_kafka: RulesOnKafka, tmp_path: Path
) -> None:
    """Everything twice, later everything from the beginning, and a restart between: the books are those of rules."""
    with replica(kafka, rules_on_kafka, tmp_path) as running:
        rules_on_kafka.play(*GAMES, *GAMES)
        rules_on_kafka.publish(times=2)
        eventually(lambda: all_agree(rules_on_kafka, running), "the first books")
        eventually(lambda: all_compared(rules_on_kafka, running), "the comparisons")
    rules_on_kafka.play(*GAMES)
    rules_on_kafka.publish()
    with replica(kafka, rules_on_kafka, tmp_path) as running:
        eventually(lambda: all_agree(rules_on_kafka, running), "the books after the restart")
        rules_on_kafka._written.clear()
        rules_on_kafka.play(*GAMES)
        rules_on_kafka.publish()
        eventually(lambda: all_agree(rules_on_kafka, running), "the books after everything again")
        eventually(lambda: all_compared(rules_on_kafka, running), "the comparisons after everything again")
        assert running.ledger.holds() == ()
        assert running.follower.dead_letters.games() == {}
        assert rules_on_kafka.asked == 0
    assert hold_records(kafka) == []


def test_a_lost_file_is_made_again(
    kafka: KafkaSettings, rules_on_kafka: RulesOnKafka, tmp_path: Path
) -> None:
    """Without its file a replica has the books again from the log of rules, and a read has them at once."""
    rules_on_kafka.play(*GAMES)
    rules_on_kafka.publish()
    settings = Settings(database=tmp_path / "signalbox.db")
    with replica(kafka, rules_on_kafka, tmp_path) as running:
        eventually(lambda: all_agree(rules_on_kafka, running), "the first books")
    for file in books_path(settings, kafka).parent.glob("ledger-*"):
        file.unlink()
    with replica(kafka, rules_on_kafka, tmp_path) as running:
        assert running.ledger.sequence_of(GAMES[0]) == 0
        assert running.catch_up(GAMES[0], 60.0)
        assert rules_on_kafka.agrees(running.ledger, GAMES[0])
        rules_on_kafka.play(*GAMES)
        rules_on_kafka.publish()
        eventually(lambda: all_agree(rules_on_kafka, running), "the books made again")
        assert (running.ledger.holds(), running.follower.dead_letters.games()) == ((), {})


def test_a_broken_file_is_dropped_and_made_again(tmp_path: Path) -> None:
    """A damaged file does not prevent a start; one that cannot be opened does."""
    path = tmp_path / "ledger-x.db"
    path.write_bytes(b"no database " * 500)
    open_books(path, "a").close()
    with pytest.raises(sqlite3.OperationalError):
        open_books(tmp_path, "a")


def test_a_file_damaged_at_work_is_dropped_and_made_again(
    kafka: KafkaSettings, rules_on_kafka: RulesOnKafka, tmp_path: Path
) -> None:
    """After a damaged page all books are rebuilt, and no game is held or blocked."""
    rules_on_kafka.play(*GAMES)
    rules_on_kafka.publish()
    with replica(kafka, rules_on_kafka, tmp_path) as running:
        eventually(lambda: all_agree(rules_on_kafka, running), "the first books")
        eventually(lambda: all_compared(rules_on_kafka, running), "the comparisons")
    damage(books_path(Settings(database=tmp_path / "signalbox.db"), kafka), "ledger_books", "ledger_agreed")
    rules_on_kafka.play(*GAMES)
    rules_on_kafka.publish()
    with replica(kafka, rules_on_kafka, tmp_path) as running:
        # The first operation, this read or a record, finds the damage and fails once.
        running.catch_up(GAMES[0], 60.0)
        eventually(lambda: all_agree(rules_on_kafka, running), "the books made again")
        eventually(lambda: all_compared(rules_on_kafka, running), "the comparisons after that")
        assert (running.ledger.holds(), running.follower.dead_letters.games()) == ((), {})


@pytest.mark.parametrize("source", ["", "another log"])
def test_books_of_another_log_are_dropped(source: str, tmp_path: Path) -> None:
    """Also books of an unknown log; those of this log stay."""
    path = tmp_path / "ledger-x.db"
    before = SqliteBookStore(path)
    before.append("g", 0, 3, ())
    if source:
        before.note_source(source)
    before.close()
    books = open_books(path, "this log")
    assert (books.load("g"), books.source()) == (None, "this log")
    books.append("g", 0, 2, ())
    books.close()
    kept = open_books(path, "this log")
    assert kept.load("g") == StoredBook(2, ())
    kept.close()


def test_books_do_not_outlive_their_log(
    kafka: KafkaSettings, rules_on_kafka: RulesOnKafka, tmp_path: Path
) -> None:
    """Recreated topics that end earlier, as after a restore, give shorter books, whatever the replica's file has."""
    rules_on_kafka.play(*GAMES)
    rules_on_kafka.publish()
    with replica(kafka, rules_on_kafka, tmp_path) as running:
        eventually(lambda: all_agree(rules_on_kafka, running), "the first books")
        longer = running.ledger.sequence_of(GAMES[0])
    topics_made_anew(kafka)
    restored = RulesOnKafka(kafka)
    restored.create(*GAMES)
    restored.publish()
    assert restored.published.statuses[GAMES[0]][-1].sequence < longer
    with replica(kafka, restored, tmp_path) as running:
        for game in GAMES:
            assert running.catch_up(game, 60.0)
        assert all_agree(restored, running)
        eventually(lambda: all_compared(restored, running), "the comparisons with the shorter log")
        assert running.ledger.holds() == ()


def test_a_wish_that_cannot_be_met_waits(
    kafka: KafkaSettings, rules_on_kafka: RulesOnKafka, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a full disk a book cannot be dropped: reads are unavailable and records wait until it can."""
    rules_on_kafka.publish()
    registry = CollectorRegistry()
    with replica(kafka, rules_on_kafka, tmp_path, registry) as running:
        eventually(lambda: all_agree(rules_on_kafka, running), "the first books")

        def full(_game_id: str) -> None:
            raise sqlite3.OperationalError("database or disk is full")

        monkeypatch.setattr(running._books, "forget", full)
        running._holds.request_rebuild(GAMES[0])
        running._holds._tail.wait_current(60.0)
        for game in GAMES[:2]:
            with pytest.raises(Unavailable, match="disk is full"):
                running.catch_up(game, 60.0)
        rules_on_kafka.play(*GAMES)
        rules_on_kafka.publish()
        waits = {"follower": GROUP, "topic": EVENTS.name}
        eventually(
            lambda: registry.get_sample_value("signalbox_follower_waiting", waits) == 1, "a record that waits"
        )
        assert running.follower.dead_letters.games() == {}
        monkeypatch.undo()
        eventually(lambda: all_agree(rules_on_kafka, running), "the books after the disk was mended")
        assert running.catch_up(GAMES[0], 60.0)
        assert not running._pending_rebuilds
        assert running.ledger.holds() == ()


def topics_made_anew(kafka: KafkaSettings) -> None:
    """The same names with nothing in them."""
    admin = AdminClient(client_config(kafka))
    for gone in admin.delete_topics(
        [each.name_in(kafka) for each in FOLLOWED], operation_timeout=30
    ).values():
        gone.result()
    eventually(lambda: all(each.is_missing for each in topic_states(kafka, FOLLOWED)), "no topics")
    apply_topics(kafka, FOLLOWED)


@pytest.mark.usefixtures("long_commit_wait")
def test_a_missing_commit_is_fetched(
    kafka: KafkaSettings, rules_on_kafka: RulesOnKafka, tmp_path: Path
) -> None:
    """Events that are missing on Kafka are read from rules."""
    rules_on_kafka.publish()
    with replica(kafka, rules_on_kafka, tmp_path) as running:
        eventually(lambda: all_agree(rules_on_kafka, running), "the first books")
        rules_on_kafka.play(GAMES[0])
        rules_on_kafka.skip()
        rules_on_kafka.play(*GAMES)
        rules_on_kafka.publish()
        eventually(lambda: all_agree(rules_on_kafka, running), "the books with what was missing")
        assert rules_on_kafka.asked == 1
        assert running.ledger.holds() == ()


def test_a_poisoned_record_blocks_its_game_alone(
    kafka: KafkaSettings, rules_on_kafka: RulesOnKafka, tmp_path: Path
) -> None:
    """The other games of the partition are still booked; no game is held."""
    registry = CollectorRegistry()
    rules_on_kafka.publish()
    with replica(kafka, rules_on_kafka, tmp_path, registry) as running:
        eventually(lambda: all_agree(rules_on_kafka, running), "the first books")
        rules_on_kafka.write(GAMES[2], b"\xffpoison", EVENTS)
        rules_on_kafka.flush()
        eventually(lambda: running.follower.dead_letters.games().keys() == {GAMES[2]}, "the blocked game")
        rules_on_kafka.play(*GAMES)
        rules_on_kafka.publish()
        others = [game for game in GAMES if game != GAMES[2]]
        eventually(
            lambda: all(rules_on_kafka.agrees(running.ledger, game) for game in others), "the other books"
        )
        assert running.follower.dead_letters.games().keys() == {GAMES[2]}
        assert not rules_on_kafka.agrees(running.ledger, GAMES[2])
        assert running.catch_up(GAMES[2], 60.0)
        assert rules_on_kafka.agrees(running.ledger, GAMES[2])
    assert hold_records(kafka) == []


def test_a_wrong_status_holds_its_game_once(
    kafka: KafkaSettings, rules_on_kafka: RulesOnKafka, tmp_path: Path
) -> None:
    """One record in ledger.events for one finding, over repeats, a restart and another replica's reading of it."""
    rules_on_kafka.publish()
    other = replace(kafka, instance="other")
    with (
        replica(kafka, rules_on_kafka, tmp_path / "1") as running,
        replica(other, rules_on_kafka, tmp_path / "2") as second,
    ):
        eventually(lambda: all_agree(rules_on_kafka, running, second), "the first books")
        wrong = rules_on_kafka.status(GAMES[1], ann_more=7)
        for _ in range(3):
            rules_on_kafka.write(GAMES[1], wrong, GAME_STATUSES)
        rules_on_kafka.flush()
        for each in (running, second):
            eventually(lambda each=each: each.ledger.hold_of(GAMES[1]), "the hold")  # type: ignore[misc]
            assert [hold.game_id for hold in each.ledger.holds()] == [GAMES[1]]
    with replica(other, rules_on_kafka, tmp_path / "2") as second:
        rules_on_kafka.write(GAMES[1], wrong, GAME_STATUSES)
        rules_on_kafka.play(GAMES[0])
        rules_on_kafka.publish()
        eventually(lambda: rules_on_kafka.agrees(second.ledger, GAMES[0]), "the books of another game")
        assert [hold.game_id for hold in second.ledger.holds()] == [GAMES[1]]
    (record,) = hold_records(kafka)
    assert (record.game_id, record.held, record.reason) == (GAMES[1], True, "difference")
    assert record.detail.startswith("ann has ")


def test_a_release_reaches_every_replica(
    kafka: KafkaSettings, rules_on_kafka: RulesOnKafka, tmp_path: Path
) -> None:
    """An operator asks any replica; the other one, even after a restart, no longer holds the game."""
    rules_on_kafka.publish()
    other = replace(kafka, instance="other")
    with (
        replica(kafka, rules_on_kafka, tmp_path / "1") as running,
        replica(other, rules_on_kafka, tmp_path / "2") as second,
    ):
        eventually(lambda: all_agree(rules_on_kafka, running, second), "the first books")
        # Until then a partition may be reassigned, and its last records are handled once more.
        eventually(lambda: running.is_ready and second.is_ready, "both have their share")
        rules_on_kafka.write(GAMES[1], rules_on_kafka.status(GAMES[1], ann_more=7), GAME_STATUSES)
        rules_on_kafka.flush()
        eventually(lambda: running.ledger.holds() and second.ledger.holds(), "the hold")
        second.release(GAMES[1])
        eventually(lambda: not running.ledger.holds(), "the release")
    with replica(kafka, rules_on_kafka, tmp_path / "1") as running:
        assert running.ledger.holds() == ()
        rules_on_kafka.play(GAMES[1])
        rules_on_kafka.publish()
        eventually(lambda: rules_on_kafka.agrees(running.ledger, GAMES[1]), "the game goes on")
    assert [(each.held, each.rebuild_asked) for each in hold_records(kafka)] == [
        (True, False),
        (False, False),
    ]


def test_a_rebuild_reaches_every_replica_once(
    kafka: KafkaSettings, rules_on_kafka: RulesOnKafka, tmp_path: Path
) -> None:
    """A replica that was down at the request drops its book at its next start, and not again later."""
    registry = CollectorRegistry()
    rebuilds = "signalbox_ledger_rebuilds_total"
    rules_on_kafka.play(*GAMES)
    rules_on_kafka.publish()
    with replica(kafka, rules_on_kafka, tmp_path / "1") as running:
        eventually(lambda: all_agree(rules_on_kafka, running), "the first books")
    other = replace(kafka, instance="other")
    with replica(other, rules_on_kafka, tmp_path / "2") as second:
        assert second.rebuild(GAMES[0]) == rules_on_kafka.published.statuses[GAMES[0]][-1].sequence
    with replica(kafka, rules_on_kafka, tmp_path / "1", registry) as running:
        assert running.catch_up(GAMES[0], 60.0)
        assert registry.get_sample_value(rebuilds) == 1
        assert all_agree(rules_on_kafka, running)
    again = CollectorRegistry()
    with replica(kafka, rules_on_kafka, tmp_path / "1", again) as running:
        assert running.catch_up(GAMES[0], 60.0)
        assert again.get_sample_value(rebuilds) == 0
