"""Brings what is new in the topics of one partition into its file.

Statuses, snapshots and the like are read before the events, so they cannot be ahead of them. That the log still has what an
earlier run verified shows its last verified event.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from google.protobuf.message import DecodeError

from services.audit.cases import StoredSnapshot
from services.audit.commits import GAMES, CommitCounter, StoredRecord, partition_for
from services.audit.findings import Finding, Kind
from services.audit.kafka_log import LogReader
from services.audit.partition_file import PartitionFile, Reached, digest_of
from services.common.kafka.settings import KafkaSettings
from services.common.kafka.topics import (
    EVENTS,
    GAME_STATUSES,
    LEDGER_EVENTS,
    LOBBY_SUMMARIES,
    SNAPSHOTS,
    Topic,
)
from services.common.kafka.unpacking import readable
from services.gen.signalbox.log.v1 import log_pb2 as pb

TOPICS = (EVENTS, GAME_STATUSES, LEDGER_EVENTS, LOBBY_SUMMARIES, SNAPSHOTS)


class PartitionReading:
    """One run's reading of a partition. `identities`: of the topics, by their names without prefix."""

    def __init__(
        self,
        kafka: KafkaSettings,
        partition: int,
        identities: Mapping[str, str],
        reader: LogReader,
        file: PartitionFile,
    ) -> None:
        self._kafka = kafka
        self._partition = partition
        self._identities = identities
        self._reader = reader
        self._file = file
        self._partitions = EVENTS.partitions(kafka)
        self._verified = 0

    def begin(self) -> None:
        """Prove that what was verified is still there. Where it is not, that is a finding, and the file is emptied; for another
        log of the same name it is emptied without a finding."""
        reached = self._reached(EVENTS)
        if not reached.next:
            self._file.forget_all()
        elif not self._is_there(reached):
            self._file.forget_all()
            where = f"{EVENTS.name_in(self._kafka)} partition {self._partition} offset {reached.last}"
            self._find("changed", "", f"no longer there is the record that was verified at {where}")
        self._verified = self._reached(EVENTS).next

    def read(self) -> set[str]:
        """Read all topics to their ends. Returns the games that got events meanwhile, whose other records may be behind."""
        meanwhile = self._reader.end(EVENTS, self._partition)
        self._read_newest(GAME_STATUSES, "status")
        self._read_newest(LEDGER_EVENTS, "hold", _is_of_a_hold)
        self._read_newest(LOBBY_SUMMARIES, "projection")
        self._read_snapshots()
        advanced: set[str] = set()
        counter = CommitCounter(self._partitions, has_one_writer=True)
        for record in self._new_records(EVENTS):
            if record.position.offset >= meanwhile:
                advanced.add(record.key.decode("utf-8", "replace"))
            commit = counter.read(record)
            if commit is not None:
                self._file.add_record(commit.stream, record)
        self._file.add_findings(counter.counted.findings)
        return advanced

    def read_again(self, streams: set[str]) -> None:
        """Read the verified records of these streams, which go on though their records were not kept."""
        counter = CommitCounter(self._partitions, has_one_writer=True)
        for record in self._reader.records(EVENTS, self._partition) if streams else ():
            if record.position.offset >= self._verified:
                return
            commit = counter.read(record)
            if commit is not None and commit.stream in streams:
                self._file.add_record(commit.stream, record)

    def _reached(self, topic: Topic) -> Reached:
        return self._file.reached(topic.name, self._identities[topic.name])

    def _is_there(self, reached: Reached) -> bool:
        for record in self._reader.records(EVENTS, self._partition, reached.last):
            return record.position.offset == reached.last and digest_of(record.value) == reached.digest
        return False

    def _begin_of(self, topic: Topic) -> Reached:
        """How far earlier runs have read; nothing of a topic that is another one, or has lost its end."""
        reached = self._reached(topic)
        is_whole = reached.next <= self._reader.end(topic, self._partition)
        return reached if is_whole else Reached(reached.identity)

    def _new_records(self, topic: Topic) -> Iterator[StoredRecord]:
        """The records that no earlier run has read."""
        reached = self._begin_of(topic)
        last: StoredRecord | None = None
        for record in self._reader.records(topic, self._partition, reached.next):
            last = record
            yield record
        if last is not None:
            offset = last.position.offset
            reached = Reached(reached.identity, offset + 1, offset, digest_of(last.value))
        self._file.note_reached(topic.name, reached)

    def _read_newest(self, topic: Topic, kind: Kind, counts: Callable[[bytes], bool] = bool) -> None:
        """Keep the newest value of each game among those that count; an empty value removes it."""
        if not self._begin_of(topic).next:
            self._file.forget_newest(kind)
        for record in self._new_records(topic):
            stream = GAMES + self._game_of(record)
            if not record.value or counts(record.value):
                self._file.put_newest(kind, stream, readable(record.value, record.key) or None)
                self._file.touch(stream)

    def _read_snapshots(self) -> None:
        for record in self._new_records(SNAPSHOTS):
            game_id = self._game_of(record)
            if not record.value:
                self._file.forget_snapshots(GAMES + game_id)
                continue
            try:
                snapshot = pb.Snapshot.FromString(record.value)
            except DecodeError as error:
                self._find("unreadable", game_id, f"no snapshot at {record.position}: {error}")
                continue
            if snapshot.stream != GAMES + game_id:
                text = f"the snapshot at {record.position} is of {snapshot.stream!r}"
                self._find("misplaced", game_id, text, snapshot.sequence)
                continue
            stored = StoredSnapshot(snapshot.sequence, snapshot.schema, snapshot.payload)
            self._file.put_snapshot(snapshot.stream, stored)
            self._file.touch(snapshot.stream)

    def _game_of(self, record: StoredRecord) -> str:
        """The game in a record's key; a record in the wrong partition is a finding."""
        game_id = record.key.decode("utf-8", "replace")
        wanted = partition_for(record.key, self._partitions)
        if record.position.partition != wanted:
            self._find("misplaced", game_id, f"the record at {record.position} belongs to partition {wanted}")
        return game_id

    def _find(self, kind: Kind, game_id: str, text: str, sequence: int = 0) -> None:
        self._file.add_findings([Finding(kind, game_id, sequence, text)])


def _is_of_a_hold(value: bytes) -> bool:
    try:
        return not pb.HoldChanged.FromString(value).rebuild_asked
    except DecodeError:
        return True
