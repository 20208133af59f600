"""What the owners of games put into the archive while they were killed, compared with what Kafka has."""

from __future__ import annotations

import time
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path

from services.audit.commits import StreamCommits, count_commits
from services.audit.kafka_log import reading
from services.common.archive.contents import ArchivedStream
from services.common.archive.errors import DamagedObject
from services.common.archive.names import ObjectName, content_name
from services.common.archive.store import ArchiveStore
from services.common.eventlog.port import Record, RequestRecord
from services.common.kafka.commits import facts_of, request_of
from services.common.kafka.settings import KafkaSettings
from services.common.kafka.topics import EVENTS
from services.common.objectstore.folder import FolderStore
from services.common.objectstore.port import ObjectMissing
from tests.faults.failures import Failure

EVERY_SECONDS = 2.0
# A pass rests three times as long as it works, and a busy machine is slow.
ARCHIVED_SECONDS = 120.0
LOOK_EVERY_SECONDS = 0.5


@dataclass(frozen=True, slots=True)
class Archive:
    """The archive of a run, in a folder; finished games go there at the next look of their owners."""

    folder: Path
    kafka: KafkaSettings

    @property
    def location(self) -> str:
        """As the setting says it."""
        return f"folder:{self.folder}"

    def check(self, finished: Collection[str]) -> Iterator[Failure]:
        """What is wrong when nothing happens any more: each finished game has to come there, and everything that is there has
        to be what Kafka has."""
        store = ArchiveStore(FolderStore(self.folder))
        if missing := self._missing(store, finished):
            yield Failure(
                "standstill", f"not in the archive after {ARCHIVED_SECONDS:.0f} s: {sorted(missing)}"
            )
        with reading(self.kafka) as reader:
            counted = count_commits(reader.records(EVENTS), self.kafka.partitions, has_one_writer=True)
        for listed in store.games():
            problem = compared(store, listed, counted.streams.get(listed.stream, StreamCommits()))
            if problem:
                yield Failure("loss", f"archived game {listed.game_id}: {problem}")

    @staticmethod
    def _missing(store: ArchiveStore, finished: Collection[str]) -> set[str]:
        deadline = time.monotonic() + ARCHIVED_SECONDS
        while True:
            missing = set(finished) - {each.game_id for each in store.games()}
            if not missing or time.monotonic() > deadline:
                return missing
            time.sleep(LOOK_EVERY_SECONDS)


def compared(store: ArchiveStore, listed: ObjectName, stream: StreamCommits) -> str:
    """How an object differs from the commits of its game, in words; empty where it does not."""
    try:
        found = store.get(content_name(listed.game_id, listed.sequence), listed.stream, listed.sequence)
    except (DamagedObject, ObjectMissing) as problem:
        return str(problem)
    if stream.last != listed.sequence:
        return f"has {listed.sequence} events, Kafka {stream.last}"
    if wrong := _wrong_records(found, stream):
        return f"events {wrong[:5]} differ from those in Kafka"
    if {each.request_id: each for each in found.requests} != _requests(stream):
        return "has other requests than Kafka"
    return ""


def _wrong_records(found: ArchivedStream, stream: StreamCommits) -> list[int]:
    return [
        mine.sequence for mine, theirs in zip(found.records, _records(stream), strict=True) if mine != theirs
    ]


def _records(stream: StreamCommits) -> Iterator[Record]:
    for commit in stream.commits:
        for sequence, fact in enumerate(facts_of(commit), commit.first_sequence):
            yield Record(
                commit.stream,
                sequence,
                fact.type,
                fact.schema_version,
                fact.payload,
                commit.recorded_time_ms,
                0,
            )


def _requests(stream: StreamCommits) -> dict[str, RequestRecord]:
    found = map(request_of, stream.commits)
    return {each.request_id: each for each in found if each is not None}
