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
from services.common.kafka.topics import EVENTS, LEDGER_EVENTS, STANDINGS
from services.common.settings.service import Settings
from services.gen.signalbox.log.v1 import log_pb2 as pb
from services.ledger.adapters.sqlite import SqliteBookStore
from services.ledger.cluster import keeping
from services.ledger.cluster.replica import GROUP, LedgerReplica, books_path, open_books
from services.ledger.ports import StoredBook
from services.rules.cluster.records import standing_message
from tests.common.faust.desk import FOLLOWED, eventually
from tests.ledger.test_stores import damage

from .house import House

pytestmark = pytest.mark.integration
GAMES = tuple(f"game-{each}" for each in range(6))


@contextmanager
def replica(
    kafka: KafkaSettings, house: House, folder: Path, registry: CollectorRegistry | None = None
) -> Iterator[LedgerReplica]:
    """A running replica."""
    settings = Settings(database=folder / "signalbox.db")
    running = LedgerReplica(settings, kafka, house, registry or CollectorRegistry())
    running.start()
    try:
        yield running
    finally:
        running.stop()


@pytest.fixture
def house(kafka: KafkaSettings) -> House:
    """Rules with its games begun."""
    house = House(kafka)
    house.create(*GAMES)
    return house


@pytest.fixture
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """However busy the machine is, nobody fetches a commit that is merely late."""
    monkeypatch.setattr(keeping, "TOGETHER_SECONDS", 60.0)


def all_agree(house: House, *running: LedgerReplica) -> bool:
    """Whether for each game some replica has the books of rules."""
    return all(any(house.agrees(each.ledger, game) for each in running) for game in GAMES)


def all_compared(house: House, running: LedgerReplica) -> bool:
    """Whether each game was compared with rules at its last sequence, and nothing was found."""
    for game in GAMES:
        compared = running.ledger.compared(game)
        if compared is None or compared.sequence != house.told.standings[game][-1].sequence:
            return False
        assert compared.passed
    return True


def hold_records(kafka: KafkaSettings) -> list[pb.HoldChanged]:
    """All that stands in ledger.events."""
    consumer = new_consumer(kafka, "test.reader", **{"enable.partition.eof": True})
    name, partitions = LEDGER_EVENTS.name_in(kafka), range(LEDGER_EVENTS.partitions(kafka))
    consumer.assign([TopicPartition(name, each, OFFSET_BEGINNING) for each in partitions])
    found, ended = [], 0
    while ended < len(partitions):
        message = consumer.poll(10)
        assert message is not None
        if message.error() is None:
            found.append(pb.HoldChanged.FromString(message.value() or b""))
        else:
            ended += 1
    consumer.close()
    return found


@pytest.mark.usefixtures("patient")
def test_books_equal_rules_whatever_comes_twice(kafka: KafkaSettings, house: House, tmp_path: Path) -> None:
    """Everything twice, later everything from the beginning, and a restart between: the books are those of rules."""
    with replica(kafka, house, tmp_path) as running:
        house.play(*GAMES, *GAMES)
        house.tell(times=2)
        eventually(lambda: all_agree(house, running), "the first books")
        eventually(lambda: all_compared(house, running), "the comparisons")
    house.play(*GAMES)
    house.tell()
    with replica(kafka, house, tmp_path) as running:
        eventually(lambda: all_agree(house, running), "the books after the restart")
        house._written.clear()
        house.play(*GAMES)
        house.tell()
        eventually(lambda: all_agree(house, running), "the books after everything again")
        eventually(lambda: all_compared(house, running), "the comparisons after everything again")
        assert running.ledger.holds() == ()
        assert running.follower.parked.games() == {}
        assert house.asked == 0
    assert hold_records(kafka) == []


def test_a_lost_file_is_made_again(kafka: KafkaSettings, house: House, tmp_path: Path) -> None:
    """Without its file a replica has the books again from the log of rules, and a read has them at once."""
    house.play(*GAMES)
    house.tell()
    settings = Settings(database=tmp_path / "signalbox.db")
    with replica(kafka, house, tmp_path) as running:
        eventually(lambda: all_agree(house, running), "the first books")
    for file in books_path(settings, kafka).parent.glob("ledger-*"):
        file.unlink()
    with replica(kafka, house, tmp_path) as running:
        assert running.ledger.sequence_of(GAMES[0]) == 0
        assert running.catch_up(GAMES[0], 5.0)
        assert house.agrees(running.ledger, GAMES[0])
        house.play(*GAMES)
        house.tell()
        eventually(lambda: all_agree(house, running), "the books made again")
        assert (running.ledger.holds(), running.follower.parked.games()) == ((), {})


def test_a_broken_file_is_dropped_and_made_again(tmp_path: Path) -> None:
    """A file that is no database any more hinders no start; one that cannot be opened does."""
    path = tmp_path / "ledger-x.db"
    path.write_bytes(b"no database " * 500)
    open_books(path, "a").close()
    with pytest.raises(sqlite3.OperationalError):
        open_books(tmp_path, "a")


def test_a_file_damaged_at_work_is_dropped_and_made_again(
    kafka: KafkaSettings, house: House, tmp_path: Path
) -> None:
    """A page gone bad stops nobody: all books are made again, and nobody is held or parked."""
    house.play(*GAMES)
    house.tell()
    with replica(kafka, house, tmp_path) as running:
        eventually(lambda: all_agree(house, running), "the first books")
        eventually(lambda: all_compared(house, running), "the comparisons")
    damage(books_path(Settings(database=tmp_path / "signalbox.db"), kafka), "ledger_books", "ledger_agreed")
    house.play(*GAMES)
    house.tell()
    with replica(kafka, house, tmp_path) as running:
        # Whoever comes first, this read or a record, meets the damage and waits for once.
        running.catch_up(GAMES[0], 20.0)
        eventually(lambda: all_agree(house, running), "the books made again")
        eventually(lambda: all_compared(house, running), "the comparisons after that")
        assert (running.ledger.holds(), running.follower.parked.games()) == ((), {})


@pytest.mark.parametrize("source", ["", "another log"])
def test_books_of_another_log_are_dropped(source: str, tmp_path: Path) -> None:
    """Also where it is not known of which log they are; those of this log stay."""
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


def test_books_do_not_outlive_their_log(kafka: KafkaSettings, house: House, tmp_path: Path) -> None:
    """Topics made anew that end earlier, as after a restore, have shorter books, whatever stands in the replica's file."""
    house.play(*GAMES)
    house.tell()
    with replica(kafka, house, tmp_path) as running:
        eventually(lambda: all_agree(house, running), "the first books")
        longer = running.ledger.sequence_of(GAMES[0])
    topics_made_anew(kafka)
    restored = House(kafka)
    restored.create(*GAMES)
    restored.tell()
    assert restored.told.standings[GAMES[0]][-1].sequence < longer
    with replica(kafka, restored, tmp_path) as running:
        for game in GAMES:
            assert running.catch_up(game, 20.0)
        assert all_agree(restored, running)
        eventually(lambda: all_compared(restored, running), "the comparisons with the shorter log")
        assert running.ledger.holds() == ()


def test_a_wish_that_cannot_be_met_waits(
    kafka: KafkaSettings, house: House, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With a full disk the book stays that should go: reads are refused and records wait, until it could be dropped."""
    house.tell()
    registry = CollectorRegistry()
    with replica(kafka, house, tmp_path, registry) as running:
        eventually(lambda: all_agree(house, running), "the first books")

        def full(_game_id: str) -> None:
            raise sqlite3.OperationalError("database or disk is full")

        monkeypatch.setattr(running._books, "forget", full)
        running._holds.ask_rebuild(GAMES[0])
        running._holds._tail.wait_current()
        for game in GAMES[:2]:
            with pytest.raises(Unavailable, match="disk is full"):
                running.catch_up(game, 20.0)
        house.play(*GAMES)
        house.tell()
        waits = {"follower": GROUP, "topic": EVENTS.name}
        eventually(
            lambda: registry.get_sample_value("signalbox_follower_waiting", waits) == 1, "a record that waits"
        )
        assert running.follower.parked.games() == {}
        monkeypatch.undo()
        eventually(lambda: all_agree(house, running), "the books after the disk was mended")
        assert running.catch_up(GAMES[0], 20.0)
        assert not running._wishes
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


@pytest.mark.usefixtures("patient")
def test_a_missing_commit_is_fetched(kafka: KafkaSettings, house: House, tmp_path: Path) -> None:
    """What never came over Kafka is read from rules."""
    house.tell()
    with replica(kafka, house, tmp_path) as running:
        eventually(lambda: all_agree(house, running), "the first books")
        house.play(GAMES[0])
        house.skip()
        house.play(*GAMES)
        house.tell()
        eventually(lambda: all_agree(house, running), "the books with what was missing")
        assert house.asked == 1
        assert running.ledger.holds() == ()


def test_a_poisoned_record_parks_its_game_alone(kafka: KafkaSettings, house: House, tmp_path: Path) -> None:
    """The other games of the partition are booked on; nobody is held."""
    registry = CollectorRegistry()
    house.tell()
    with replica(kafka, house, tmp_path, registry) as running:
        eventually(lambda: all_agree(house, running), "the first books")
        house.write(GAMES[2], b"\xffpoison", EVENTS)
        house.flush()
        eventually(lambda: running.follower.parked.games().keys() == {GAMES[2]}, "the parked game")
        house.play(*GAMES)
        house.tell()
        others = [game for game in GAMES if game != GAMES[2]]
        eventually(lambda: all(house.agrees(running.ledger, game) for game in others), "the other books")
        assert running.follower.parked.games().keys() == {GAMES[2]}
        assert not house.agrees(running.ledger, GAMES[2])
        assert running.catch_up(GAMES[2], 5.0)
        assert house.agrees(running.ledger, GAMES[2])
    assert hold_records(kafka) == []


def test_a_wrong_standing_holds_its_game_once(kafka: KafkaSettings, house: House, tmp_path: Path) -> None:
    """One record in ledger.events for one finding, over repeats, a restart and another replica's reading of it."""
    house.tell()
    other = replace(kafka, instance="other")
    with replica(kafka, house, tmp_path / "1") as running, replica(other, house, tmp_path / "2") as second:
        eventually(lambda: all_agree(house, running, second), "the first books")
        wrong = standing_message(GAMES[1], house.standing(GAMES[1], ann_more=7))
        for _ in range(3):
            house.write(GAMES[1], wrong, STANDINGS)
        house.flush()
        for each in (running, second):
            eventually(lambda each=each: each.ledger.hold_of(GAMES[1]), "the hold")  # type: ignore[misc]
            assert [hold.game_id for hold in each.ledger.holds()] == [GAMES[1]]
    with replica(other, house, tmp_path / "2") as second:
        house.write(GAMES[1], wrong, STANDINGS)
        house.play(GAMES[0])
        house.tell()
        eventually(lambda: house.agrees(second.ledger, GAMES[0]), "the books of another game")
        assert [hold.game_id for hold in second.ledger.holds()] == [GAMES[1]]
    (record,) = hold_records(kafka)
    assert (record.game_id, record.held, record.reason) == (GAMES[1], True, "difference")
    assert record.detail.startswith("ann has ")


def test_a_release_reaches_every_replica(kafka: KafkaSettings, house: House, tmp_path: Path) -> None:
    """An operator asks any replica; the other one, even after a restart, holds the game no more."""
    house.tell()
    other = replace(kafka, instance="other")
    with replica(kafka, house, tmp_path / "1") as running, replica(other, house, tmp_path / "2") as second:
        eventually(lambda: all_agree(house, running, second), "the first books")
        # Until then a partition may change hands, and what was handled just before comes once more.
        eventually(lambda: running.is_ready and second.is_ready, "both have their share")
        house.write(GAMES[1], standing_message(GAMES[1], house.standing(GAMES[1], ann_more=7)), STANDINGS)
        house.flush()
        eventually(lambda: running.ledger.holds() and second.ledger.holds(), "the hold")
        second.release(GAMES[1])
        eventually(lambda: not running.ledger.holds(), "the release")
    with replica(kafka, house, tmp_path / "1") as running:
        assert running.ledger.holds() == ()
        house.play(GAMES[1])
        house.tell()
        eventually(lambda: house.agrees(running.ledger, GAMES[1]), "the game goes on")
    assert [(each.held, each.rebuild_asked) for each in hold_records(kafka)] == [
        (True, False),
        (False, False),
    ]


def test_a_rebuild_reaches_every_replica_once(kafka: KafkaSettings, house: House, tmp_path: Path) -> None:
    """A replica that was away when it was asked for drops its book at its next start, and not again later."""
    registry = CollectorRegistry()
    rebuilds = "signalbox_ledger_rebuilds_total"
    house.play(*GAMES)
    house.tell()
    with replica(kafka, house, tmp_path / "1") as running:
        eventually(lambda: all_agree(house, running), "the first books")
    other = replace(kafka, instance="other")
    with replica(other, house, tmp_path / "2") as second:
        assert second.rebuild(GAMES[0]) == house.told.standings[GAMES[0]][-1].sequence
    with replica(kafka, house, tmp_path / "1", registry) as running:
        assert running.catch_up(GAMES[0], 5.0)
        assert registry.get_sample_value(rebuilds) == 1
        assert all_agree(house, running)
    again = CollectorRegistry()
    with replica(kafka, house, tmp_path / "1", again) as running:
        assert running.catch_up(GAMES[0], 5.0)
        assert again.get_sample_value(rebuilds) == 0
