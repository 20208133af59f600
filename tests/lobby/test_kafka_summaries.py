"""Summaries of games in Kafka, with a copy at every replica."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from pathlib import Path

import pytest
from msgspec.structs import replace

from devtools.brokers.kafka import KafkaServers
from services.common.kafka.clients import new_producer
from services.common.kafka.offsets import ends
from services.common.kafka.reading import records_of_key
from services.common.kafka.settings import KafkaSettings
from services.common.kafka.tail import TailRecord
from services.common.kafka.topics import LOBBY_SUMMARIES
from services.common.kafka.unpacking import is_packed
from services.common.partitions import partition_of
from services.lobby.cluster.kafka_summaries import KafkaSummaries
from services.lobby.cluster.summaries_file import SummariesFile
from services.lobby.domain.games import summary_after
from services.lobby.ports import GameSummaries
from services.lobby.summary_codec import encode_summary
from tests.contracts.game_summaries_contract import GameSummariesContract, ids, status, summary
from tests.lobby.kafka_topics import own_topics

pytestmark = pytest.mark.integration

SECONDS = 60.0
OpenSummaries = Callable[[str], KafkaSummaries]


@pytest.fixture
def kafka(kafka_servers: KafkaServers) -> Iterator[KafkaSettings]:
    """The topic of the summaries."""
    with own_topics(kafka_servers, LOBBY_SUMMARIES) as kafka:
        yield kafka


@pytest.fixture
def open_summaries(kafka: KafkaSettings, tmp_path: Path) -> Iterator[OpenSummaries]:
    """Opens the store of a replica, up to date."""
    opened: list[KafkaSummaries] = []

    def another(name: str) -> KafkaSummaries:
        summaries = KafkaSummaries(replace(kafka, instance=name), tmp_path / f"{name}.db", SECONDS)
        summaries.start()
        opened.append(summaries)
        assert summaries.wait_current(SECONDS)
        return summaries

    yield another
    for summaries in opened:
        summaries.close()


class TestKafkaSummaries(GameSummariesContract):
    """With the copy of one replica."""

    @pytest.fixture
    def summaries(self, open_summaries: OpenSummaries) -> GameSummaries:
        """None."""
        return open_summaries("a")


def test_a_replica_that_lost_its_file_has_every_clock(open_summaries: OpenSummaries) -> None:
    """The newest summary of each game comes from Kafka, with the time everybody has used."""
    first = open_summaries("a")
    timed = summary_after(None, status("g1"), "t1", 60)
    for step in range(2, 8):
        asked = ("bob",) if step % 2 else ("ann",)
        first.put(timed)
        timed = summary_after(timed, status("g1", step, step * 1_000, acting_players=asked), "t1", 60)
    assert first.put(timed)
    second = open_summaries("b")
    kept = second.get("g1")
    assert kept == timed
    assert kept is not None
    assert [clock.used_ms for clock in kept.clocks] == [4_000, 2_000]
    assert second.timed() == [timed]


def test_commands_of_one_turn_make_one_record(kafka: KafkaSettings, open_summaries: OpenSummaries) -> None:
    """Where only sequence and time differ, Kafka gets nothing; the replica itself shows them, and clocks come out the same."""
    first = open_summaries("a")
    known = summary_after(None, status("g1"), "t1", 60)
    for sequence in range(2, 6):
        assert first.put(known)
        known = summary_after(known, status("g1", sequence, sequence * 1_000), "t1", 60)
    assert first.put(known) and first.get("g1") == known
    assert sum(end for end in ends(kafka, [LOBBY_SUMMARIES]).values()) == 1
    second = open_summaries("b")
    earlier = second.get("g1")
    assert earlier is not None and earlier.sequence == 1
    next_turn = status("g1", 6, 9_000, acting_players=("bob",))
    assert summary_after(earlier, next_turn, "t1", 60) == summary_after(known, next_turn, "t1", 60)


def test_a_restart_reads_only_what_is_new(
    open_summaries: OpenSummaries, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The file is kept with the offsets it was made from; one that Kafka's records do not fit is made anew."""
    taken: list[str] = []
    take = SummariesFile.take

    def noted(file: SummariesFile, records: Sequence[TailRecord]) -> None:
        taken.extend(record.key for record in records)
        take(file, records)

    first, other = open_summaries("a"), open_summaries("b")
    first.put(summary("g1"))
    assert first.wait_current(SECONDS)
    first.close()
    other.put(summary("g2"))
    other.close()
    monkeypatch.setattr(SummariesFile, "take", noted)
    second = open_summaries("a")
    assert (taken, ids(second.recent(10))) == (["g2"], ["g2", "g1"])
    second.close()
    with closing(sqlite3.connect(tmp_path / "a.db")) as connection, connection:
        connection.execute("UPDATE summaries_read SET digest = digest + 1")
    taken.clear()
    third = open_summaries("a")
    assert (sorted(taken), ids(third.recent(10))) == (["g1", "g2"], ["g2", "g1"])


def test_a_late_writer_changes_nothing(open_summaries: OpenSummaries) -> None:
    """A replica that lost its games and still writes: the later sequence counts at everybody."""
    first, second = open_summaries("a"), open_summaries("b")
    second.put(summary("g1", 9))
    first.put(summary("g1", 5))
    assert first.wait_current(SECONDS)
    assert second.wait_current(SECONDS)
    assert [each.get("g1") for each in (first, second, open_summaries("c"))] == [summary("g1", 9)] * 3


def test_unreadable_summaries_are_skipped(kafka: KafkaSettings, open_summaries: OpenSummaries) -> None:
    """It is logged as an error; the summaries after it are read."""
    producer = new_producer(kafka)
    for value in (b"\x0a\xff", b"\x0f", b"\x17 of a version to come", b"", None):
        producer.produce(LOBBY_SUMMARIES.name_in(kafka), value, b"g", 0)
    producer.flush()
    summaries = open_summaries("a")
    summaries.put(summary("g1"))
    assert ids(open_summaries("b").recent(10)) == ["g1"]


def test_summaries_of_versions_that_do_not_pack_are_read(
    kafka: KafkaSettings, open_summaries: OpenSummaries
) -> None:
    """A replica puts what it read into its file as it was before it was packed, or as it was written."""
    producer = new_producer(kafka)
    partition = partition_of("g1", LOBBY_SUMMARIES.partitions(kafka))
    value = encode_summary(summary("g1", 5))
    producer.produce(LOBBY_SUMMARIES.name_in(kafka), value, b"g1", partition)
    assert producer.flush(SECONDS) == 0
    first = open_summaries("a")
    assert first.wait_current(SECONDS)
    assert first.get("g1") == summary("g1", 5)
    first.put(summary("g1", 9))
    (written,) = [each.value() for each in list(records_of_key(kafka, LOBBY_SUMMARIES, "g1"))[1:]]
    assert written is not None and is_packed(written)
    assert open_summaries("b").get("g1") == summary("g1", 9)


def test_closing_ends_the_threads(open_summaries: OpenSummaries) -> None:
    """Nothing of the store is left running, and closing it again is harmless."""
    before = set(threading.enumerate())
    summaries = open_summaries("a")
    own = set(threading.enumerate()) - before
    assert len(own) >= 2
    summaries.close()
    summaries.close()
    assert not any(thread.is_alive() for thread in own)
