"""Restores a platform into an empty Kafka: the facts as they were, what is derived from them as it must be.

Offsets are others afterwards. Nothing that is restored names one; what does (consumer groups, commands passed over, dead letters,
copies beside the services) is not restored, or recognises new topics by their identity.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from services.audit.cases import StoredFact
from services.backup.catalogue import Catalogue
from services.backup.contents import DERIVED, FACTS, GAMES, TOPICS, Source
from services.backup.format import BackedUpRecord, Point, UnusableBackup
from services.backup.latest import LatestRecords
from services.backup.target import Content, Filling, check_unused, content_of, scan
from services.common.errors import SignalboxError
from services.common.kafka.administration import apply_topics
from services.common.kafka.commits import UnreadableCommit, aggregate_of, read_commit
from services.common.kafka.settings import KafkaSettings
from services.common.kafka.topics import GAME_STATUSES, partition_of
from services.common.objectstore.port import ObjectStore
from services.common.process import crashpoints
from services.gen.signalbox.log.v1 import log_pb2 as pb
from services.migration.kafka_endpoint import check_stopped
from services.migration.statuses import status_after

DERIVED_NAMES = frozenset(topic.name for topic in DERIVED)
OnProgress = Callable[[int, int], None]
"""Called with the number of segments written and of all."""


class OtherPartitions(SignalboxError):
    """The settings name another number of partitions than the platform had that was backed up."""


class RestoreFailed(SignalboxError):
    """What was written is not what Kafka has."""


@dataclass(frozen=True, slots=True)
class Restored:
    """The point that was restored; records of facts; games and how many of their statuses had to be computed anew.

    `unread`: games whose events this program cannot read, so that they have no status."""

    point: Point
    facts: int
    games: int
    statuses_computed: int
    unread: list[str]


def restore(
    kafka: KafkaSettings,
    store: ObjectStore,
    number: int | None = None,
    *,
    on_progress: OnProgress = lambda *_: None,
) -> Restored:
    """Restore the newest point, or that of this number. May be repeated after it was cut off, and goes on.

    Raises `NoPoint`, `UnusableBackup`, `StoreError`, `InUse`, `NotEmpty`, `OtherPartitions`, `TopicsDiffer`,
    `KafkaUnreachable`, `RestoreFailed`."""
    catalogue = Catalogue(store)
    point = catalogue.newest_consistent() if number is None else catalogue.point(number)
    if not point.consistent:
        raise UnusableBackup(f"{store}: point {point.number} is not a consistent one")
    _check_partitions(kafka, point)
    check_stopped(kafka)
    check_unused(kafka)
    apply_topics(kafka)
    with ExitStack() as stack:
        folder = stack.enter_context(TemporaryDirectory(prefix="restore-"))
        latest = LatestRecords(Path(folder) / "latest.db")
        stack.callback(latest.close)
        return _Restore(kafka, catalogue, point, latest).run(on_progress)


def _check_partitions(kafka: KafkaSettings, point: Point) -> None:
    for topic in TOPICS:
        had = sum(each.topic == topic.name for each in point.partitions)
        if had != topic.partitions(kafka):
            raise OtherPartitions(
                f"{topic.name} had {had} partitions, the settings say {topic.partitions(kafka)} (SIGNALBOX_KAFKA_PARTITIONS)"
            )


class _Restore:
    """One restore; for one call of `run`."""

    def __init__(
        self, kafka: KafkaSettings, catalogue: Catalogue, point: Point, latest: LatestRecords
    ) -> None:
        self._kafka = kafka
        self._catalogue = catalogue
        self._point = point
        self._latest = latest
        self._last_sequences: dict[str, int] = {}
        self._unread: list[str] = []

    def run(self, on_progress: OnProgress) -> Restored:
        """Write facts, compare them, then write what is derived from them."""
        present = content_of(scan(self._kafka, FACTS))
        if present:
            # Compared as a whole before anything is written.
            self._fill_facts(present, lambda *_: None, writes=False)
        self._fill_facts(present, on_progress, writes=True)
        crashpoints.reach("restore.after-facts")
        behind = self._behind()
        commits: dict[str, list[pb.Commit]] = {game_id: [] for game_id in behind}
        wanted = self._states()
        self._compare(content_of(self._collecting(commits)), wanted)
        self._fill_derived({game_id: self._status(game_id, commits[game_id]) for game_id in behind})
        crashpoints.reach("restore.after-derived")
        facts = sum(each.records for each in wanted.values())
        return Restored(self._point, facts, len(self._last_sequences), len(behind), self._unread)

    def _states(self) -> dict[Source, Content]:
        return {
            (each.topic, each.partition): Content(each.records, each.digest)
            for each in self._point.partitions
            if each.topic not in DERIVED_NAMES and each.records
        }

    def _fill_facts(self, present: dict[Source, Content], on_progress: OnProgress, *, writes: bool) -> None:
        filling = Filling(self._kafka, present, writes=writes)
        self._last_sequences.clear()
        for done, records in enumerate(self._catalogue.records(self._point), start=1):
            self._latest.add(each for each in records if each.topic in DERIVED_NAMES)
            for record in records:
                if record.topic not in DERIVED_NAMES:
                    filling.add((record.topic, record.partition), record)
                if record.topic == GAMES.name:
                    self._note(record)
            on_progress(done, self._point.segments)
        filling.finish()
        if filling.content != self._states():
            raise UnusableBackup(f"point {self._point.number}: its segments have other records than it says")

    def _note(self, record: BackedUpRecord) -> None:
        """Keep the last sequence of a game, by the rule of its readers: a commit that does not continue it counts nowhere."""
        commit = _commit_in(record)
        if commit is not None:
            game_id = aggregate_of(commit.stream)
            if commit.first_sequence == self._last_sequences.get(game_id, 0) + 1:
                self._last_sequences[game_id] = _last_of(commit)

    def _behind(self) -> set[str]:
        """Games whose newest status is not that after their last event."""
        sequences = {
            status.game_id: status.sequence
            for partition in range(GAME_STATUSES.partitions(self._kafka))
            for record in self._latest.of((GAME_STATUSES.name, partition))
            for status in (pb.GameStatus.FromString(record.value or b""),)
        }
        return {game_id for game_id, last in self._last_sequences.items() if sequences.get(game_id) != last}

    def _collecting(self, commits: dict[str, list[pb.Commit]]) -> Iterator[tuple[Source, BackedUpRecord]]:
        """All facts in Kafka; the commits of some games are kept on the way."""
        for source, record in scan(self._kafka, FACTS):
            if source[0] == GAMES.name and (record.key or b"").decode() in commits:
                commit = _commit_in(record)
                kept = commits[(record.key or b"").decode()]
                if commit is not None and commit.first_sequence == (_last_of(kept[-1]) if kept else 0) + 1:
                    kept.append(commit)
            yield source, record

    def _status(self, game_id: str, commits: list[pb.Commit]) -> BackedUpRecord | None:
        facts = [
            StoredFact(fact.type, fact.schema_version, fact.payload, commit.recorded_time_ms)
            for commit in commits
            for fact in commit.facts
        ]
        status = status_after(game_id, facts)
        if status is None:
            self._unread.append(game_id)
            return None
        partition = partition_of(game_id, GAME_STATUSES.partitions(self._kafka))
        time_ms = commits[-1].recorded_time_ms
        return BackedUpRecord(
            GAME_STATUSES.name, partition, -1, time_ms, game_id.encode(), status.SerializeToString()
        )

    def _fill_derived(self, computed: dict[str, BackedUpRecord | None]) -> None:
        filling = Filling(self._kafka, content_of(scan(self._kafka, DERIVED)), writes=True)
        for topic in DERIVED:
            for partition in range(topic.partitions(self._kafka)):
                for record in self._latest.of((topic.name, partition)):
                    if topic is not GAME_STATUSES or (record.key or b"").decode() not in computed:
                        filling.add((topic.name, partition), record)
        for _, status in sorted(computed.items()):
            if status is not None:
                filling.add((status.topic, status.partition), status)
        filling.finish()
        self._compare(content_of(scan(self._kafka, DERIVED)), filling.content)

    def _compare(self, found: dict[Source, Content], wanted: dict[Source, Content]) -> None:
        differing = [
            f"{topic} {partition}"
            for topic, partition in sorted(found.keys() | wanted.keys())
            if found.get((topic, partition)) != wanted.get((topic, partition))
        ]
        if differing:
            raise RestoreFailed(f"Kafka has other records than were written: {', '.join(differing)}")


def _commit_in(record: BackedUpRecord) -> pb.Commit | None:
    """None for a record that no reader can read: it is restored, and counts as little as before."""
    try:
        return read_commit(record.value)
    except UnreadableCommit:
        return None


def _last_of(commit: pb.Commit) -> int:
    return commit.first_sequence + len(commit.facts) - 1
