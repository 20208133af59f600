"""Records of a backup among another number of partitions: properties, without a Kafka."""

from __future__ import annotations

from dataclasses import dataclass, field

from hypothesis import given, settings, strategies as st

from services.backup.contents import TOPICS, Source
from services.backup.format import BackedUpRecord, Content, PartitionState, Point
from services.backup.placing import TargetPartitions
from services.backup.target import Filling, RecordWriter
from services.common.kafka.settings import KafkaSettings
from services.common.kafka.topics import EVENTS, STAFF_ACTS
from services.common.partitions import partition_of
from tests.backup.killing import Killed

SERVERS = ("nowhere:9092",)
GAMES = [f"game{number}" for number in range(7)]


@dataclass
class Partitions(RecordWriter):
    """Partitions in memory. Dies at the `dies_at`-th record, when of each partition the last of its records may be lost."""

    dies_at: int
    lost: int
    written: dict[Source, list[BackedUpRecord]] = field(default_factory=dict)
    kept: dict[Source, int] = field(default_factory=dict)

    def write(self, source: Source, record: BackedUpRecord) -> None:
        """See `RecordWriter`."""
        self.dies_at -= 1
        if self.dies_at == 0:
            for each, records in self.written.items():
                del records[max(self.kept.get(each, 0), len(records) - self.lost) :]
            raise Killed
        self.written.setdefault(source, []).append(record)

    def finish(self) -> None:
        """See `RecordWriter`: nothing is on its way."""
        self.kept = {source: len(records) for source, records in self.written.items()}


def log_of(games: list[str], partitions: int) -> list[BackedUpRecord]:
    """One record for each entry, and a few without a game: with no key, and of the topic with one partition."""
    ends: dict[Source, int] = {}
    records = []
    for number, game in enumerate(games):
        partition = partition_of(game, partitions)
        topic, partition, key = (
            (STAFF_ACTS.name, 0, b"player")
            if number % 11 == 5
            else (EVENTS.name, partition, None if number % 13 == 7 else game.encode())
        )
        offset = ends.get((topic, partition), 0)
        ends[topic, partition] = offset + 1
        records.append(BackedUpRecord(topic, partition, offset, number, key, str(number).encode()))
    return records


def point_of(partitions: int) -> Point:
    """A point of topics with so many partitions."""
    kafka = KafkaSettings(servers=SERVERS, partitions=partitions)
    states = [
        PartitionState(topic=topic.name, partition=each)
        for topic in TOPICS
        for each in range(topic.partitions(kafka))
    ]
    return Point(number=1, time_ms=0, consistent=True, writer=0, identity="", partitions=states)


def contents(written: dict[Source, list[BackedUpRecord]]) -> dict[Source, Content]:
    """What partitions in memory have."""
    found = {}
    for source, records in written.items():
        content = Content()
        for record in records:
            content = content.with_record(record)
        if records:
            found[source] = content
    return found


def fill(
    into: Partitions, targets: TargetPartitions, log: list[BackedUpRecord], after: dict[Source, Content]
) -> None:
    """What a run does with the records from a segment on: `after` is what there was before it."""
    filling = Filling(contents(into.written), after, into)
    for record in log:
        filling.add(targets.of(record), record)
    filling.finish()
    assert contents(into.written) == filling.content


@settings(max_examples=200, deadline=None)
@given(
    games=st.lists(st.sampled_from(GAMES), max_size=80),
    had=st.integers(1, 9),
    has=st.integers(1, 12),
    cut=st.integers(0, 80),
    kills=st.lists(st.tuples(st.integers(1, 80), st.integers(0, 5)), max_size=4),
)
def test_every_game_keeps_its_records_in_order(
    games: list[str], had: int, has: int, cut: int, kills: list[tuple[int, int]]
) -> None:
    """None is lost or doubled, whatever the numbers of partitions; also when a run dies again and again, and when the rest of
    the records comes in a later run, which begins where the first one ended."""
    log = log_of(games, had)
    kafka = KafkaSettings(servers=SERVERS, partitions=has)
    targets = TargetPartitions(kafka, point_of(had))
    target = Partitions(dies_at=0, lost=0)
    after: dict[Source, Content] = {}
    for part in (log[:cut], log[cut:]):
        for target.dies_at, target.lost in [*kills, (0, 0)]:
            try:
                fill(target, targets, part, after)
            except Killed:
                continue
        after = contents(target.written)
    assert sorted(record.timestamp_ms for records in target.written.values() for record in records) == list(
        range(len(log))
    )
    for (topic, partition), records in target.written.items():
        for key in {record.key for record in records if record.key is not None}:
            if topic == EVENTS.name:
                assert partition == partition_of(key.decode(), has)
            of_key = [record.timestamp_ms for record in records if record.key == key]
            assert of_key == [
                record.timestamp_ms for record in log if (record.topic, record.key) == (topic, key)
            ]


def test_as_many_partitions_as_before_keep_every_record() -> None:
    """Also one that is in another partition than its key says, which restores have always left where it was."""
    kafka = KafkaSettings(servers=SERVERS, partitions=4)
    wrong = (partition_of("game1", 4) + 1) % 4
    record = BackedUpRecord(EVENTS.name, wrong, 0, 0, b"game1", b"")
    assert TargetPartitions(kafka, point_of(4)).of(record) == (EVENTS.name, wrong)
    assert TargetPartitions(kafka, point_of(3)).of(record) == (EVENTS.name, partition_of("game1", 4))
