"""A platform's records moved into topics with more partitions, on a real Kafka: nothing is lost, and nobody writes into the old
ones."""

from __future__ import annotations

import dataclasses
import os
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from types import SimpleNamespace

import pytest
from confluent_kafka import KafkaError, Producer
from msgspec.structs import replace
from prometheus_client import CollectorRegistry

from devtools.brokers.kafka import KafkaServers
from services.audit.kafka_check import check_kafka
from services.backup import repartition
from services.backup.contents import DERIVED
from services.backup.format import BackedUpRecord
from services.backup.prepared import PREPARED, PreparedTargets
from services.backup.repartition import NotMoved, Repartition
from services.backup.restore import restore
from services.backup.target import NotEmpty, RecordWriter, scan
from services.common.kafka import closing as kafka_closing
from services.common.kafka.administration import TopicsDiffer, apply_topics, check_topics
from services.common.kafka.clients import new_admin, new_consumer, new_producer
from services.common.kafka.closing import close_topics, open_topics
from services.common.kafka.offsets import closed_topics, identity_of
from services.common.kafka.progress import KafkaProgress, OwnReader, ProgressTiming
from services.common.kafka.settings import KafkaSettings
from services.common.kafka.topics import COMMANDS, EVENTS, FACTS, LOBBY_EVENTS, TOPICS, Topic
from services.common.kafka.unpacking import readable
from services.common.objectstore.folder import FolderStore
from services.common.partitions import partition_of
from services.migration.errors import InUse
from tests.audit.generated import write_log
from tests.backup.conftest import with_platform
from tests.backup.killing import Killed, killing
from tests.backup.records import Content, command, in_kafka
from tests.brokers import own_topics

pytestmark = pytest.mark.integration

PARTITIONS = 5
GAMES = 12
MOVES = 4
SECONDS = 60.0
Records = list[BackedUpRecord]


@pytest.fixture(scope="module")
def log(platform_file: Path, kafka_module: KafkaSettings) -> Records:
    """The records of a platform, more of them of games that nothing is known of but their moves."""
    with_platform(platform_file, kafka_module)
    write_log(kafka_module, GAMES, MOVES, seed=3)
    return [record for _, record in scan(kafka_module, (*FACTS, *DERIVED))]


@pytest.fixture
def new(kafka: KafkaSettings) -> Iterator[KafkaSettings]:
    """Settings of topics with more partitions, which are not there yet."""
    settings = replace(kafka, topic_prefix=f"{kafka.topic_prefix}new.", partitions=PARTITIONS)
    yield settings
    admin = new_admin(settings)
    admin.delete_topics([topic.name_in(settings) for topic in TOPICS], raise_errors=False)
    admin.close()


@pytest.fixture
def move(kafka: KafkaSettings, new: KafkaSettings, store: FolderStore) -> Repartition:
    """The way from `kafka` to `new`."""
    return Repartition(kafka, new, store)


def write(kafka: KafkaSettings, records: Records) -> None:
    """These records, each into the partition in which it was."""
    writer = RecordWriter(kafka)
    for record in records:
        writer.write((record.topic, record.partition), record)
    writer.finish()


def by_key(kafka: KafkaSettings, topics: tuple[Topic, ...]) -> dict[tuple[str, bytes | None], list[Content]]:
    """The records of each key, in their order."""
    found: dict[tuple[str, bytes | None], list[Content]] = {}
    for (topic, _), records in in_kafka(kafka, topics).items():
        for record in records:
            found.setdefault((topic, record[1]), []).append(record)
    return found


def newest(kafka: KafkaSettings) -> dict[tuple[str, bytes | None], bytes | None]:
    """The newest status and summary of each game; one that had to be computed has another time, and may be packed."""
    return {name: readable(records[-1][2], name[1]) for name, records in by_key(kafka, DERIVED).items()}


def check_moved(old: KafkaSettings, new: KafkaSettings) -> None:
    """The new topics have what the old ones have, each game where it belongs, and can be used."""
    assert by_key(new, FACTS) == by_key(old, FACTS)
    assert newest(new) == newest(old)
    for (topic, partition), records in in_kafka(new, (EVENTS, *DERIVED)).items():
        assert {partition_of((record[1] or b"").decode(), new.partitions) for record in records} == {
            partition
        }, topic
    check_topics(new)
    assert [(each.kind, each.stream) for each in check_kafka(new).findings] == [
        (each.kind, each.stream) for each in check_kafka(old).findings
    ]


def test_games_move_while_more_is_written(
    kafka: KafkaSettings, new: KafkaSettings, move: Repartition, log: Records, store: FolderStore
) -> None:
    """The second copy reads and writes only what is new; until the switch nobody can play in the new topics."""
    some, rest = log[: len(log) // 2], log[len(log) // 2 :]
    write(kafka, some)
    first = move.prepare()
    assert first.backed_up.records == len(some)
    with pytest.raises(TopicsDiffer, match=r"rules\.commands: is closed"):
        check_topics(new)
    begun = PreparedTargets(store, identity_of(new, FACTS)).newest()
    assert begun.segments == first.backed_up.point.segments > 0
    write(kafka, rest)
    moved = move.switch()
    assert moved.backed_up.records == len(rest)
    assert moved.brought.facts == sum(record.topic in {each.name for each in FACTS} for record in log)
    check_moved(kafka, new)
    again = move.switch().brought
    assert dataclasses.replace(again, statuses_computed=moved.brought.statuses_computed) == moved.brought
    assert len(list(store.names(PREPARED))) == 1


def test_what_was_prepared_may_be_lost(
    kafka: KafkaSettings, new: KafkaSettings, move: Repartition, log: Records, store: FolderStore
) -> None:
    """Then the switch compares everything from the beginning, with the same result."""
    write(kafka, log[:-20])
    move.prepare()
    for name in list(store.names(PREPARED)):
        store.delete(name)
    write(kafka, log[-20:])
    move.switch()
    check_moved(kafka, new)


def test_a_move_that_is_killed_goes_on(
    kafka: KafkaSettings,
    new: KafkaSettings,
    move: Repartition,
    log: Records,
    store: FolderStore,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """At every step of both commands, once for real."""
    write(kafka, log[:-30])
    options = ("--store", str(store), "--prefix", new.topic_prefix, "--partitions", str(PARTITIONS))
    command(kafka, "repartition", "prepare", *options, crash_at="restore.before-write:25")
    for point in ("repartition.after-backup", "restore.after-facts", "restore.after-derived"):
        killed(monkeypatch, point, move.prepare)
    move.prepare()
    write(kafka, log[-30:])
    for point, count in (
        ("repartition.after-close", 1),
        ("backup.before-point", 1),
        ("repartition.after-backup", 1),
        ("restore.before-write", 7),
        ("restore.after-facts", 1),
        ("restore.after-derived", 1),
        ("repartition.before-open", 1),
    ):
        killed(monkeypatch, point, move.switch, count)
        with pytest.raises(TopicsDiffer, match=r"rules\.commands: is closed"):
            check_topics(new)
    ended = command(kafka, "repartition", "switch", *options)
    assert (ended.returncode, f"SIGNALBOX_KAFKA_PARTITIONS={PARTITIONS}\n" in ended.stdout) == (0, True), (
        ended
    )
    check_moved(kafka, new)


def killed(monkeypatch: pytest.MonkeyPatch, point: str, step: Callable[[], object], count: int = 1) -> None:
    """A step that comes no further than this point."""
    with monkeypatch.context() as patched:
        killing(patched, point, count)
        with pytest.raises(Killed):
            step()


def test_nobody_writes_into_the_old_topics(kafka: KafkaSettings, move: Repartition, log: Records) -> None:
    """Not a process that ran all the time, nor a transaction that began before; none starts; who is forgotten finds out."""
    write(kafka, log)
    place = EVENTS.name_in(kafka), 0
    open_before = new_producer(kafka, **{"transactional.id": f"{kafka.topic_prefix}before"})
    open_before.init_transactions(SECONDS)
    forgotten = new_producer(kafka)
    assert written(forgotten, place, log[0]) is None
    move.switch()
    there = in_kafka(kafka, [EVENTS])
    assert written(forgotten, place, log[0]) == KafkaError.MSG_SIZE_TOO_LARGE
    open_before.begin_transaction()
    assert written(open_before, place, log[0]) == KafkaError.MSG_SIZE_TOO_LARGE
    open_before.abort_transaction(SECONDS)
    assert in_kafka(kafka, [EVENTS]) == there
    with pytest.raises(TopicsDiffer, match=r"rules\.events: is closed: the platform has moved"):
        check_topics(kafka, [EVENTS])
    with pytest.raises(TopicsDiffer, match=r"lobby\.events: is closed"):
        apply_topics(kafka)
    with pytest.raises(TopicsDiffer, match=r"staff\.acts: is closed"):
        check_topics(kafka)
    assert "rules.events: closed" in stalled(kafka)
    with pytest.raises(NotMoved, match="the old topics are closed"):
        move.prepare()


def written(producer: Producer, place: tuple[str, int], record: BackedUpRecord) -> int | None:
    """Try to write a record; None, or the code of the error."""
    errors: list[KafkaError | None] = []
    producer.produce(
        place[0], record.value, record.key, place[1], on_delivery=lambda error, _: errors.append(error)
    )
    producer.flush(SECONDS)
    return errors[0].code() if errors[0] is not None else None


def stalled(kafka: KafkaSettings) -> str:
    """What a process finds that has read all events."""
    reader = OwnReader("copy", EVENTS, lambda: dict.fromkeys(range(kafka.partitions), 1_000_000))
    progress = KafkaProgress(kafka, [reader], CollectorRegistry(), timing=ProgressTiming(look_seconds=0.1))
    progress.start()
    deadline = time.monotonic() + SECONDS
    while not progress.stalled() and time.monotonic() < deadline:
        time.sleep(0.05)
    progress.close()
    return progress.stalled()


def test_a_topic_that_refuses_before_all_were_asked_is_closed(
    kafka: KafkaSettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The client takes no more records after the first refusal, however early that comes."""

    def slowly_random(length: int) -> bytes:
        time.sleep(0.1)
        return os.urandom(length)

    monkeypatch.setattr(kafka_closing, "os", SimpleNamespace(urandom=slowly_random))
    close_topics(kafka, [COMMANDS])
    assert closed_topics(kafka, [COMMANDS])


def test_a_switch_waits_for_services_and_open_transactions(
    kafka: KafkaSettings, new: KafkaSettings, move: Repartition, log: Records
) -> None:
    """A group with members: refused, nothing is closed. What a transaction wrote before the switch, and commits after the
    topics were closed, is moved."""
    write(kafka, log)
    member = new_consumer(kafka, "rules.owner")
    member.subscribe([COMMANDS.name_in(kafka)])
    deadline = time.monotonic() + SECONDS
    while not member.assignment():
        member.poll(0.1)
        assert time.monotonic() < deadline
    with pytest.raises(InUse, match=r"rules\.owner"):
        move.switch()
    check_topics(kafka)
    member.close()
    producer = new_producer(kafka, **{"transactional.id": f"{kafka.topic_prefix}open"})
    producer.init_transactions(SECONDS)
    producer.begin_transaction()
    last = next(record for record in reversed(log) if record.topic == EVENTS.name)
    assert written(producer, (EVENTS.name_in(kafka), last.partition), last) is None
    close_topics(kafka)
    producer.commit_transaction(SECONDS)
    move.switch()
    check_moved(kafka, new)
    moved = by_key(new, (EVENTS,))[EVENTS.name, last.key]
    assert [record[2] for record in moved[-2:]] == [last.value] * 2


def test_a_switch_can_be_taken_back(
    kafka: KafkaSettings, new: KafkaSettings, move: Repartition, log: Records
) -> None:
    """As long as nobody has used the new topics; later it is made after all."""
    write(kafka, log[:-5])
    move.switch()
    move.go_back()
    check_topics(kafka)
    with pytest.raises(TopicsDiffer, match=r"rules\.events: is closed"):
        check_topics(new, [EVENTS])
    write(kafka, log[-5:])
    move.switch()
    check_moved(kafka, new)
    use(new)
    with pytest.raises(NotEmpty, match=r"rules\.commands has records"):
        move.go_back()
    with pytest.raises(NotEmpty, match=r"rules\.commands has records"):
        move.switch()
    check_topics(new)


def test_a_switch_is_not_taken_back_over_facts_of_services(
    kafka: KafkaSettings,
    new: KafkaSettings,
    move: Repartition,
    log: Records,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Such as a sign-up that the lobby wrote before it was in its group. A refusal leaves the new topics open; one that came
    at the last moment is found also when the command is repeated after a kill."""
    write(kafka, log)
    move.switch()
    signed_up = next(record for record in log if record.topic == LOBBY_EVENTS.name)
    place = LOBBY_EVENTS.name_in(new), 0

    def close_late(kafka: KafkaSettings, topics: Sequence[Topic], *, is_proven: bool = True) -> None:
        assert written(new_producer(new), place, signed_up) is None
        close_topics(kafka, topics, is_proven=is_proven)
        raise Killed

    with monkeypatch.context() as patched:
        patched.setattr(repartition, "close_topics", close_late)
        with pytest.raises(Killed):
            move.go_back()
    for _ in range(2):
        with pytest.raises(
            NotEmpty, match=r"^lobby\.events: the new topics have records that were not copied"
        ):
            move.go_back()
        with pytest.raises(TopicsDiffer, match="is closed"):
            check_topics(kafka)
        open_topics(new)
        check_topics(new)


def test_a_switch_that_was_cut_off_can_be_taken_back(
    kafka: KafkaSettings,
    move: Repartition,
    log: Records,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The new topics have more than a finished run noted, and nobody could use them."""
    write(kafka, log)
    move.prepare()
    write(kafka, log[-20:])
    killed(monkeypatch, "restore.after-facts", move.switch)
    move.go_back()
    check_topics(kafka)


def use(kafka: KafkaSettings) -> None:
    """Somebody sends a command."""
    producer = new_producer(kafka)
    producer.produce(COMMANDS.name_in(kafka), b"a command", b"g1", 0)
    assert producer.flush(SECONDS) == 0


def test_new_topics_are_others(kafka: KafkaSettings, store: FolderStore) -> None:
    """The prefix says which."""
    with pytest.raises(NotMoved, match="another prefix"):
        Repartition(kafka, replace(kafka, partitions=9), store)


def test_a_backup_is_restored_into_more_partitions(
    platform: KafkaSettings, kafka_servers: KafkaServers, store: FolderStore, move: Repartition
) -> None:
    """On request: a platform that is lost need not come back with the partitions it had."""
    move.prepare()
    with own_topics(kafka_servers, PARTITIONS) as target:
        ended = command(target, "restore", "--store", str(store))
        assert (ended.returncode, "the settings say 5" in ended.stderr) == (1, True), ended
        restore(target, store, may_repartition=True)
        check_moved(platform, target)
