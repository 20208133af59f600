"""What is derived from games (statuses, summaries), brought to the newest of each game."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from services.backup.contents import DERIVED, Source
from services.backup.format import BackedUpRecord
from services.backup.latest import LatestRecords
from services.backup.target import NotEmpty, RecordWriter, scan
from services.common.kafka.settings import KafkaSettings
from services.common.kafka.topics import GAME_STATUSES
from services.common.kafka.unpacking import message_in
from services.gen.signalbox.log.v1 import log_pb2 as pb

DERIVED_NAMES = frozenset(topic.name for topic in DERIVED)
# Game's id and the status that was computed from its events.
Computed = Mapping[bytes, BackedUpRecord | None]


class DerivedRecords:
    """The newest record of each game in some segments of a backup (`added`), and in the Kafka that is filled (`there`)."""

    def __init__(self, kafka: KafkaSettings, folder: Path) -> None:
        """Reads what is there; keeps files in `folder` until `close`. Raises `KafkaUnreachable`."""
        self._kafka = kafka
        self._sources = [
            (topic.name, partition) for topic in DERIVED for partition in range(topic.partitions(kafka))
        ]
        self.added = LatestRecords(folder / "added.db")
        self._there = LatestRecords(folder / "there.db")
        self._there.add(scan(kafka, DERIVED))

    def close(self) -> None:
        """Close the files."""
        self.added.close()
        self._there.close()

    def sequences_there(self) -> dict[str, int]:
        """The sequence of each game in the statuses that are there."""
        return _sequences(self._there, self._sources)

    def sequences_added(self) -> dict[str, int]:
        """The sequence of each game in the statuses of the backup."""
        return _sequences(self.added, self._sources)

    def check_known(self, computed: Computed) -> None:
        """Raises `NotEmpty` where a game is there that is not in the backup."""
        for source in self._sources:
            for record in self._there.of(source):
                known = self.added.get(source, record.key) is not None
                if not known and not (source[0] == GAME_STATUSES.name and record.key in computed):
                    raise NotEmpty(
                        f"Kafka is not empty: {source[0]}, partition {source[1]}, has games that the backup has not"
                    )

    def write_missing(self, computed: Computed) -> None:
        """Write what is not there yet. Raises `KafkaUnreachable`."""
        writer = RecordWriter(self._kafka)
        for source, record in self._missing(computed):
            writer.write(source, record)
        writer.finish()

    def differing(self, computed: Computed) -> list[Source]:
        """The partitions in which something is missing still, by what is there now. Raises `KafkaUnreachable`."""
        self._there.add(scan(self._kafka, DERIVED))
        return sorted({source for source, _ in self._missing(computed)})

    def _missing(self, computed: Computed) -> Iterator[tuple[Source, BackedUpRecord]]:
        for source, record in self._wanted(computed):
            there = self._there.get(source, record.key)
            # A key that is gone need not be there.
            if record.value is not None if there is None else not _same(there, record):
                yield source, record

    def _wanted(self, computed: Computed) -> Iterator[tuple[Source, BackedUpRecord]]:
        for source in self._sources:
            for record in self.added.of(source):
                if source[0] != GAME_STATUSES.name or record.key not in computed:
                    yield source, record
        for _, status in sorted(computed.items()):
            if status is not None:
                yield (status.topic, status.partition), status


def _sequences(records: LatestRecords, sources: list[Source]) -> dict[str, int]:
    return {
        status.game_id: status.sequence
        for source in sources
        if source[0] == GAME_STATUSES.name
        for record in records.of(source)
        if record.value is not None
        for status in (message_in(pb.GameStatus, record.value, record.key),)
    }


def _same(one: BackedUpRecord, other: BackedUpRecord) -> bool:
    """But for their offsets."""
    return (one.timestamp_ms, one.key, one.value, one.headers) == (
        other.timestamp_ms,
        other.key,
        other.value,
        other.headers,
    )
