"""Brings a Kafka to a point of a backup: facts as they were, what is derived from them as it must be.

What it writes follows from the segments alone, whose order never changes. So a run that was cut off goes on, and a later point
only adds to an earlier one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from services.audit.cases import StoredFact
from services.backup.catalogue import Catalogue, digest_of_all
from services.backup.contents import GAMES, Source
from services.backup.derived import DERIVED_NAMES, DerivedRecords
from services.backup.format import BackedUpRecord, Content, Point, UnusableBackup
from services.backup.placing import TargetPartitions
from services.backup.prepared import Filled, Prepared
from services.backup.target import Filling, RecordWriter, filled_now, scan
from services.common.errors import SignalboxError
from services.common.kafka.commits import UnreadableCommit, aggregate_of, read_commit
from services.common.kafka.offsets import committed_ends
from services.common.kafka.packing import value_of
from services.common.kafka.settings import KafkaSettings
from services.common.kafka.topics import FACTS, GAME_STATUSES
from services.common.partitions import partition_of
from services.common.process import crashpoints
from services.gen.signalbox.log.v1 import log_pb2 as pb
from services.migration.statuses import status_after

OnProgress = Callable[[int, int], None]
"""Called with the number of segments written and of all."""


class RestoreFailed(SignalboxError):
    """What was written is not what Kafka has."""


@dataclass(frozen=True, slots=True)
class Brought:
    """Records of facts that are there; games and how many of their statuses had to be computed anew.

    `unread`: games whose events this program cannot read, so that they have no status. `prepared`: where a later run begins."""

    facts: int
    games: int
    statuses_computed: int
    unread: list[str]
    prepared: Prepared


class Bringing:
    """One run, in which `point` follows on what was `prepared`; for one call of `run`."""

    def __init__(
        self, kafka: KafkaSettings, catalogue: Catalogue, point: Point, prepared: Prepared, folder: Path
    ) -> None:
        """Temporary files are made in `folder`. Raises `KafkaUnreachable`, `UnusableBackup`."""
        self._kafka = kafka
        self._catalogue = catalogue
        self._point = point
        self._prepared = _usable(kafka, catalogue, point, prepared)
        self._partitions = TargetPartitions(kafka, point)
        self._derived = DerivedRecords(kafka, folder)
        # After a former run the statuses are those after the last events.
        self._sequences = self._derived.sequences_there() if self._prepared.segments else {}
        self._last_sequences: dict[str, int] = {}
        self._unread: list[str] = []

    def run(self, on_progress: OnProgress) -> Brought:
        """Write facts, compare them, then write what is derived from them. Raises `NotEmpty`, `UnusableBackup`, `StoreError`,
        `KafkaUnreachable`, `RestoreFailed`."""
        try:
            present = filled_now(self._kafka, FACTS, self._prepared.filled)
            if present.content != self._prepared.filled.content:
                # Compared as a whole before anything is written.
                self._fill(present, None, lambda *_: None)
            sources, wanted = self._fill(present, RecordWriter(self._kafka), on_progress)
            crashpoints.reach("restore.after-facts")
            filled = self._compared(wanted)
            computed = self._statuses_behind()
            if not self._prepared.segments:
                self._derived.check_known(computed)
            self._derived.write_missing(computed)
            if differing := self._derived.differing(computed):
                raise RestoreFailed(f"Kafka has other records than were written: {differing}")
            crashpoints.reach("restore.after-derived")
        finally:
            self._derived.close()
        return Brought(
            facts=sum(each.records for each in wanted.values()),
            games=len(self._last_sequences),
            statuses_computed=len(computed),
            unread=self._unread,
            prepared=Prepared(
                segments=self._point.segments,
                segments_digest=self._point.segments_digest,
                sources=sources,
                filled=filled,
            ),
        )

    def _fill(
        self, present: Filled, writer: RecordWriter | None, on_progress: OnProgress
    ) -> tuple[dict[Source, Content], dict[Source, Content]]:
        """What the partitions of the backup have, and those of Kafka when all is written."""
        filling = Filling(present.content, self._prepared.filled.content, writer)
        sources = dict(self._prepared.sources)
        self._last_sequences = dict(self._sequences)
        first = self._prepared.segments
        for done, records in enumerate(self._catalogue.records(self._point, first), start=first + 1):
            self._derived.added.add(
                (self._partitions.of(each), each) for each in records if each.topic in DERIVED_NAMES
            )
            for record in records:
                if record.topic not in DERIVED_NAMES:
                    source = record.topic, record.partition
                    sources[source] = sources.get(source, Content()).with_record(record)
                    filling.add(self._partitions.of(record), record)
                if record.topic == GAMES.name:
                    self._note(record)
            on_progress(done, self._point.segments)
        filling.finish()
        if sources != self._states():
            raise UnusableBackup(f"point {self._point.number}: its segments have other records than it says")
        return sources, filling.content

    def _states(self) -> dict[Source, Content]:
        return {
            (each.topic, each.partition): Content(each.records, each.digest)
            for each in self._point.partitions
            if each.topic not in DERIVED_NAMES and each.records
        }

    def _note(self, record: BackedUpRecord) -> None:
        """Keep the last sequence of a game, by the rule of its readers: a commit that does not continue it counts nowhere."""
        commit = _commit_in(record)
        if commit is not None:
            game_id = aggregate_of(commit.stream)
            if commit.first_sequence == self._last_sequences.get(game_id, 0) + 1:
                self._last_sequences[game_id] = _last_of(commit)

    def _compared(self, wanted: Mapping[Source, Content]) -> Filled:
        """What Kafka has now. Raises `RestoreFailed` where that is not what was written."""
        found = filled_now(self._kafka, FACTS, self._prepared.filled)
        differing = [
            f"{topic} {each}"
            for topic, each in sorted(found.content.keys() | wanted.keys())
            if found.content.get((topic, each)) != wanted.get((topic, each))
        ]
        if differing:
            raise RestoreFailed(f"Kafka has other records than were written: {', '.join(differing)}")
        return found

    def _statuses_behind(self) -> dict[bytes, BackedUpRecord | None]:
        """The status of each game whose newest one is not that after its last event; None where it cannot be computed."""
        known = self._sequences | self._derived.sequences_added()
        behind = {game_id for game_id, last in self._last_sequences.items() if known.get(game_id) != last}
        return {
            game_id.encode(): self._status(game_id, commits)
            for game_id, commits in self._commits_of(behind).items()
        }

    def _commits_of(self, games: set[str]) -> dict[str, list[pb.Commit]]:
        commits: dict[str, list[pb.Commit]] = {game_id: [] for game_id in games}
        count = GAMES.partitions(self._kafka)
        wanted = {(GAMES.name_in(self._kafka), partition_of(game_id, count)) for game_id in games}
        ends = committed_ends(self._kafka, [GAMES]) if games else {}
        for _, record in scan(self._kafka, [GAMES], ends={name: ends[name] for name in wanted}):
            commit = _commit_in(record)
            kept = commits.get((record.key or b"").decode("utf-8", "replace"))
            if (
                kept is not None
                and commit is not None
                and commit.first_sequence == (_last_of(kept[-1]) if kept else 0) + 1
            ):
                kept.append(commit)
        return commits

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
            GAME_STATUSES.name,
            partition,
            -1,
            time_ms,
            game_id.encode(),
            value_of(self._kafka, game_id, status),
        )


def _usable(kafka: KafkaSettings, catalogue: Catalogue, point: Point, prepared: Prepared) -> Prepared:
    """What was prepared, if it is of this backup, not of a later point, and Kafka has it all."""
    if not 0 < prepared.segments <= point.segments:
        return Prepared()
    if digest_of_all(catalogue.segment_names(point)[: prepared.segments]) != prepared.segments_digest:
        return Prepared()
    ends = committed_ends(kafka, FACTS)
    has_all = all(ends.get(name, 0) >= end for name, end in prepared.filled.ends.items())
    return prepared if has_all else Prepared()


def _commit_in(record: BackedUpRecord) -> pb.Commit | None:
    """None for a record that no reader can read: it is restored, and counts as little as before."""
    try:
        return read_commit(record.value, record.key)
    except UnreadableCommit:
        return None


def _last_of(commit: pb.Commit) -> int:
    return commit.first_sequence + len(commit.facts) - 1
