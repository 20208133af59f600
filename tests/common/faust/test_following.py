"""Followers on a real Kafka: what reaches a handler, in which order, and what becomes of what fails."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

import pytest
from aiokafka import AIOKafkaConsumer, TopicPartition
from prometheus_client import CollectorRegistry

from services.common.clock import SystemClock
from services.common.faust.dead_letters import DeadLetters
from services.common.faust.driver import CommittedThread, begin_at_committed
from services.common.faust.records import FollowedRecord, NewerVersion, NotYet, UnprocessableRecord
from services.common.faust.runner import FollowerApp
from services.common.kafka import clients
from services.common.kafka.administration import TopicsDiffer
from services.common.kafka.clients import KafkaUnreachable
from services.common.kafka.offsets import OffsetReader
from services.common.kafka.settings import KafkaSettings
from services.common.kafka.topics import BOOKS_DEAD_LETTERS, EVENTS, GAME_STATUSES
from services.common.partitions import partition_of

from .followers import Notes, Writer, eventually, follower

pytestmark = pytest.mark.integration


def test_every_record_comes_in_the_order_of_its_game(kafka: KafkaSettings, tmp_path: Path) -> None:
    """Records written before and after the start are all handled, those of a game in order."""
    writer, notes = Writer(kafka), Notes()
    games = [f"game-{each}" for each in range(7)]
    first = [(game, b"%d" % each) for each in range(20) for game in games]
    writer.write(first)
    with follower(kafka, tmp_path, notes) as app:
        assert app.wait_ready(60)
        eventually(lambda: len(notes.seen) == len(first), "the records from before the start")
        writer.write([(game, b"%d" % each) for each in range(20, 30) for game in games])
        eventually(lambda: len(notes.seen) == 210, "the records from after the start")
    for game in games:
        assert notes.values(game) == [b"%d" % each for each in range(30)]


def test_records_of_aborted_transactions_never_come(kafka: KafkaSettings, tmp_path: Path) -> None:
    """Only what a transaction committed reaches the handler."""
    writer, notes = Writer(kafka), Notes()
    with follower(kafka, tmp_path, notes):
        writer.write_together([("g", b"taken back")], "one", is_kept=False)
        writer.write_together([("g", b"kept")], "two", is_kept=True)
        writer.write_together([("g", b"taken back")], "three", is_kept=False)
        writer.write([("g", b"last")])
        eventually(lambda: b"last" in notes.values(), "the last record")
    assert notes.values() == [b"kept", b"last"]


def refusing(value: bytes, error: type[Exception]) -> Notes:
    """A handler that raises `error` over records of this value."""

    def refuse(record: FollowedRecord) -> None:
        if record.value == value:
            raise error("this one is bad")

    return Notes(refuse)


def test_a_handler_that_fails_is_asked_again(kafka: KafkaSettings, tmp_path: Path) -> None:
    """A record whose handling failed twice is handled at the third time, before those behind it; nothing is blocked."""
    writer, registry = Writer(kafka), CollectorRegistry()
    failures = [RuntimeError("once"), RuntimeError("twice")]

    def refuse(record: FollowedRecord) -> None:
        if record.value == b"2" and failures:
            raise failures.pop()

    notes = Notes(refuse)
    writer.write([("g", b"%d" % each) for each in range(5)])
    with follower(kafka, tmp_path, notes, registry=registry) as app:
        eventually(lambda: len(notes.seen) == 5, "all five")
        assert notes.values() == [b"0", b"1", b"2", b"3", b"4"]
        assert app.dead_letters.games() == {}
    labels = {"follower": "test.follower", "topic": "rules.events"}
    assert registry.get_sample_value("signalbox_follower_retries_total", labels) == 2
    assert registry.get_sample_value("signalbox_follower_records_total", labels) == 5


def test_a_record_that_waits_is_not_blocked(kafka: KafkaSettings, tmp_path: Path) -> None:
    """What a handler cannot do yet is asked for until it can, more often than a failure would be."""
    writer, may = Writer(kafka), threading.Event()

    def refuse(_record: FollowedRecord) -> None:
        if not may.is_set():
            raise NotYet("the other service is away")

    notes = Notes(refuse)
    writer.write([("g", b"1"), ("g", b"2")])
    with follower(kafka, tmp_path, notes) as app:
        eventually(lambda: notes.tried > 6, "more tries than a failure has")
        assert (notes.values(), app.dead_letters.games()) == ([], {})
        may.set()
        eventually(lambda: notes.values() == [b"1", b"2"], "both")


def test_a_bad_record_blocks_its_game_alone(kafka: KafkaSettings, tmp_path: Path) -> None:
    """A game whose record cannot be handled is dead-lettered on both topics; others of its partition go on."""
    writer, registry = Writer(kafka), CollectorRegistry()
    notes, standings = refusing(b"poison", ValueError), Notes()
    games = [f"game-{each}" for each in range(12)]
    with follower(kafka, tmp_path, notes, standings, registry=registry) as app:
        writer.write([(game, b"1") for game in games])
        writer.write([("game-3", b"poison")])
        writer.write([(game, b"2") for game in games])
        eventually(lambda: notes.values().count(b"2") == 11, "all other games")
        eventually(lambda: app.dead_letters.is_blocked("game-3"), "the blocked game")
        writer.write([(game, b"3") for game in games], GAME_STATUSES)
        eventually(lambda: len(standings.seen) == 11, "all other standings")
        eventually(lambda: len(app.dead_letters.records_of("game-3")) == 3, "the records dead-lettered")
        assert app.dead_letters.games() == {"game-3": "ValueError: this one is bad"}
        gauge = {"follower": "test.follower"}
        eventually(lambda: registry.get_sample_value("signalbox_follower_blocked_games", gauge) == 1, "gauge")
    assert (notes.values("game-3"), standings.values("game-3")) == ([b"1"], [])


def test_a_blocked_game_stays_blocked_until_released(kafka: KafkaSettings, tmp_path: Path) -> None:
    """After a restart a blocked game is still blocked; once released its records are handled in order, then new ones."""
    writer = Writer(kafka)
    with follower(kafka, tmp_path, refusing(b"2", UnprocessableRecord)) as app:
        writer.write([("g", b"1"), ("g", b"2"), ("g", b"3")])
        eventually(lambda: len(app.dead_letters.records_of("g")) == 2, "the records dead-lettered")
    notes = Notes()
    with follower(kafka, tmp_path / "elsewhere", notes) as app:
        writer.write([("g", b"4"), ("other", b"1")])
        eventually(lambda: len(app.dead_letters.records_of("g")) == 3, "the record after the restart")
        eventually(lambda: notes.values() == [b"1"], "the other game")
        operator = DeadLetters(kafka, BOOKS_DEAD_LETTERS)
        operator.start()
        operator.wait_current()
        assert operator.games() == {"g": "UnprocessableRecord: this one is bad"}
        operator.ask_release("g")
        eventually(lambda: notes.values("g") == [b"2", b"3", b"4"], "the records dead-lettered")
        eventually(lambda: operator.games() == {}, "nothing is blocked")
        operator.close()
        writer.write([("g", b"5")])
        eventually(lambda: notes.values("g")[-1] == b"5", "the record after the release")
        assert app.dead_letters.games() == {}


def test_a_record_that_comes_while_its_game_is_let_go_is_handled(
    kafka: KafkaSettings, tmp_path: Path
) -> None:
    """It is looked at while the game is still blocked, and its turn comes when the game goes on: it is handled then."""
    writer, is_mended = Writer(kafka), threading.Event()

    def refuse(record: FollowedRecord) -> None:
        if record.value == b"1" and not is_mended.is_set():
            raise UnprocessableRecord("not yet")
        if record.value == b"1":
            writer.write([("g", b"2")])
            eventually(lambda: app._executor._work_queue.qsize() > 0, "the next record is looked at")

    notes = Notes(refuse)
    with follower(kafka, tmp_path, notes) as app:
        writer.write([("g", b"1")])
        eventually(lambda: app.dead_letters.is_blocked("g"), "the blocked game")
        is_mended.set()
        app.dead_letters.ask_release("g")
        eventually(lambda: notes.values() == [b"1", b"2"], "both records")
        eventually(lambda: not app.dead_letters.games(), "nothing is blocked")


def test_nothing_is_read_before_what_must_be_known(kafka: KafkaSettings, tmp_path: Path) -> None:
    """A follower that is not ready for new partitions is asked again, and gets no record before. It gets to know which it has,
    and when it has none any more."""
    writer, asked, released = Writer(kafka), [], []
    notes = Notes()
    writer.write([("g", b"1")])

    def prepare(partitions: Collection[int]) -> None:
        assert set(partitions) == set(range(EVENTS.partitions(kafka)))
        asked.append(notes.tried)
        if len(asked) < 3:
            raise NotYet("something is not known yet")

    def release() -> None:
        released.append(len(asked))

    app = FollowerApp(kafka, "test.prepared", tmp_path, before_reading=prepare, when_revoked=release)
    app.follow(EVENTS, BOOKS_DEAD_LETTERS, notes)
    app.start()
    try:
        eventually(lambda: notes.values() == [b"1"], "the record")
    finally:
        app.stop()
    assert asked == [0, 0, 0]
    assert {1, 2, 3} <= set(released)


def test_partitions_without_a_commit_are_read_from_their_beginning_again(kafka: KafkaSettings) -> None:
    """What was fetched of them and dropped when partitions were shared out anew comes again, as that of others does."""
    writer, place = Writer(kafka), TopicPartition(EVENTS.name_in(kafka), partition_of("g", 3))
    writer.write([("g", b"1"), ("g", b"2"), ("g", b"3")])

    async def read_again(committed: int) -> tuple[Mapping[TopicPartition, int | None], bytes]:
        consumer = AIOKafkaConsumer(
            bootstrap_servers=list(kafka.servers),
            group_id=kafka.topic_prefix + "again",
            enable_auto_commit=False,
            auto_offset_reset="earliest",
        )
        await consumer.start()
        try:
            consumer.assign([place])
            if committed:
                await consumer.commit({place: committed})
            for _ in range(2):
                await consumer.getone(place)
            return await begin_at_committed(consumer), (await consumer.getone(place)).value
        finally:
            await consumer.stop()

    assert asyncio.run(read_again(0)) == ({place: None}, b"1")
    assert asyncio.run(read_again(1)) == ({place: 1}, b"2")


def test_a_game_of_a_newer_version_is_released_by_a_newer_process(
    kafka: KafkaSettings, tmp_path: Path
) -> None:
    """An old process blocks it and tries no more; a new one processes the dead letters without being asked."""
    writer, old, new = Writer(kafka), refusing(b"2", NewerVersion), Notes()
    with follower(kafka, tmp_path, old) as app:
        writer.write([("g", b"1"), ("g", b"2"), ("g", b"3")])
        eventually(lambda: len(app.dead_letters.records_of("g")) == 2, "the records dead-lettered")
    with follower(kafka, tmp_path, old) as app:
        eventually(lambda: old.tried == 3, "one try after the restart")
        writer.write([("g", b"4")])
        eventually(lambda: len(app.dead_letters.records_of("g")) == 3, "the record after the restart")
        assert old.tried == 3
    with follower(kafka, tmp_path, new) as app:
        eventually(lambda: new.values() == [b"2", b"3", b"4"], "the records dead-lettered")
        eventually(lambda: not app.dead_letters.games(), "nothing is blocked")


def test_a_game_that_fails_again_stays_blocked(kafka: KafkaSettings, tmp_path: Path) -> None:
    """A release whose first record fails again leaves the game blocked with all its dead letters."""
    writer, notes = Writer(kafka), refusing(b"1", UnprocessableRecord)
    with follower(kafka, tmp_path, notes) as app:
        writer.write([("g", b"1"), ("g", b"2")])
        eventually(lambda: len(app.dead_letters.records_of("g")) == 2, "the records dead-lettered")
        tried = notes.tried
        app.dead_letters.ask_release("g")
        eventually(lambda: notes.tried > tried, "another try")
        eventually(lambda: not app.dead_letters.to_release(), "the end of the release")
        assert (len(app.dead_letters.records_of("g")), notes.values()) == (2, [])


def test_a_stop_commits_what_was_done(kafka: KafkaSettings, tmp_path: Path) -> None:
    """A handler at work ends before the stop does; a second run begins behind everything handled."""
    writer, at_work, may = Writer(kafka), threading.Event(), threading.Event()

    def refuse(record: FollowedRecord) -> None:
        if record.value == b"3":
            at_work.set()
            assert may.wait(60)

    first, second = Notes(refuse), Notes()
    with follower(kafka, tmp_path, first) as app:
        writer.write([("g", b"%d" % each) for each in range(1, 6)])
        assert at_work.wait(60)
        stopping = threading.Thread(target=app.stop)
        stopping.start()
        eventually(lambda: not app.is_ready, "the stop begins")
        may.set()
        stopping.join()
    done = first.values()
    assert done[:3] == [b"1", b"2", b"3"]
    with follower(kafka, tmp_path, second):
        writer.write([("g", b"6")])
        eventually(lambda: b"6" in second.values(), "the new record")
    assert done + second.values() == [b"1", b"2", b"3", b"4", b"5", b"6"]


def test_a_commit_that_failed_is_made_again(
    kafka: KafkaSettings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where no later record comes: otherwise the follower would look as if it stood still."""
    commit = CommittedThread.commit
    failed: list[Mapping[Any, int]] = []

    async def fails_once(self: CommittedThread, offsets: Mapping[Any, int]) -> bool:
        if not failed:
            failed.append(offsets)
            return False
        return bool(await commit(self, offsets))

    monkeypatch.setattr(CommittedThread, "commit", fails_once)
    with follower(kafka, tmp_path, Notes()):
        Writer(kafka).write([("g", b"1")])
        asked = OffsetReader(kafka)
        eventually(lambda: 1 in asked.group_offsets("test.follower", EVENTS).values(), "the commit")
        asked.close()
    assert failed


def test_two_followers_share_the_games(kafka: KafkaSettings, tmp_path: Path) -> None:
    """A second follower takes partitions over, both topics' alike; every record is handled, each game in order."""
    writer, one, two = Writer(kafka), Notes(), Notes()
    standings_one, standings_two = Notes(), Notes()
    games = [f"game-{each}" for each in range(12)]
    with follower(kafka, tmp_path / "1", one, standings_one):
        writer.write([(game, b"0") for game in games])
        eventually(lambda: len(one.seen) == 12, "the first round")
        with follower(kafka, tmp_path / "2", two, standings_two) as second:
            assert second.wait_ready(60)
            for round_number in range(1, 6):
                writer.write([(game, b"%d" % round_number) for game in games])
                writer.write([(game, b"%d" % round_number) for game in games], GAME_STATUSES)
            eventually(lambda: len(one.seen) + len(two.seen) >= 72, "all rounds")
            eventually(lambda: len(standings_one.seen) + len(standings_two.seen) >= 60, "all standings")
            assert two.seen
            later = {"1": one.seen[12:], "2": two.seen}
            places = {(each.partition, name) for name, seen in later.items() for each in seen}
            for name, notes in (("1", standings_one), ("2", standings_two)):
                assert {(each.partition, name) for each in notes.seen} <= places
        writer.write([(game, b"6") for game in games])
        eventually(lambda: one.values().count(b"6") == 12, "everything back with the first")
    for game in games:
        handled = dict.fromkeys([*one.values(game)[:1], *two.values(game), *one.values(game)])
        assert sorted(handled) == [b"%d" % each for each in range(7)]


def test_lag_is_exported_and_ends_at_zero(kafka: KafkaSettings, tmp_path: Path) -> None:
    """While a handler is at work the records behind it are counted, with the age of the last; afterwards both are 0."""
    writer, registry, may = Writer(kafka), CollectorRegistry(), threading.Event()

    def refuse(_record: FollowedRecord) -> None:
        assert may.wait(60)

    notes, labels = Notes(refuse), {"follower": "test.follower", "topic": "rules.events"}
    with follower(kafka, tmp_path, notes, registry=registry):
        writer.write_together([("g", b"1"), ("g", b"2"), ("g", b"3")], "lag", is_kept=True)
        lag = "signalbox_follower_lag_records"
        eventually(
            lambda: registry.get_sample_value(lag, labels) == 4, "three records and the mark of their end"
        )
        may.set()
        eventually(lambda: registry.get_sample_value(lag, labels) == 0, "nothing is left")
        behind = registry.get_sample_value("signalbox_follower_seconds_behind", labels)
        assert behind == 0


def test_a_start_without_kafka_or_topics_is_refused(
    kafka: KafkaSettings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody at the address, and topics with other partitions than set, are named at the start."""
    away = FollowerApp(KafkaSettings(servers=("127.0.0.1:1",)), "test.away", tmp_path)
    away.follow(EVENTS, BOOKS_DEAD_LETTERS, Notes())
    with monkeypatch.context() as brief, pytest.raises(KafkaUnreachable, match=r"127\.0\.0\.1:1"):
        brief.setattr(clients, "ANSWER_SECONDS", 1.0)
        away.start()
    away.stop()
    other = KafkaSettings(servers=kafka.servers, topic_prefix=kafka.topic_prefix, partitions=7)
    wrong = FollowerApp(other, "test.wrong", tmp_path)
    wrong.follow(EVENTS, BOOKS_DEAD_LETTERS, Notes())
    with pytest.raises(TopicsDiffer, match=r"rules\.events"):
        wrong.start()
    wrong.stop()


def test_nothing_is_printed(kafka: KafkaSettings, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """A run with a rebalance and a stop writes no line that is not a log line of this platform."""
    writer, notes = Writer(kafka), Notes()
    with follower(kafka, tmp_path / "1", notes), follower(kafka, tmp_path / "2", notes) as second:
        assert second.wait_ready(60)
        writer.write([("g", b"1")])
        eventually(lambda: notes.values(), "the record")
    said = capfd.readouterr()
    assert not [
        line
        for line in (said.out + said.err).splitlines()
        if "follower" not in line and "library" not in line
    ]
    assert SystemClock().now_ms() - notes.seen[0].time_ms < 60_000
