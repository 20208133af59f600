"""Compares a file and a log on Kafka event by event and request by request."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from services.audit.kafka_log import LogReader
from services.common.kafka.settings import KafkaSettings
from services.migration.kafka_endpoint import CountedLog
from services.migration.sqlite_endpoint import SqliteEndpoint

OnProgress = Callable[[int], None]
"""Called with the number of events just compared."""


@dataclass(frozen=True, slots=True)
class Compared:
    """The last sequence of each stream on both sides, and the differences in what both have.

    `differences`: contradictions, and commits on Kafka that no reader counts."""

    kafka: Mapping[str, int]
    file: Mapping[str, int]
    differences: list[str]
    requests_differ: list[str]

    def beyond(self, one: Mapping[str, int], other: Mapping[str, int]) -> list[str]:
        """Streams that go further in `one` than in `other`."""
        return [
            f"{stream} has {last} events, {other.get(stream, 0)} on the other side"
            for stream, last in sorted(one.items())
            if last > other.get(stream, 0)
        ]

    @property
    def all_differences(self) -> list[str]:
        """All differences between the two sides."""
        return [
            *self.differences,
            *self.beyond(self.kafka, self.file),
            *self.beyond(self.file, self.kafka),
            *self.requests_differ,
        ]


def compare(
    kafka: KafkaSettings, reader: LogReader, file: SqliteEndpoint, on_progress: OnProgress
) -> Compared:
    """Compare every commit on Kafka with the file. Raises `KafkaUnreachable`."""
    log = CountedLog(kafka, reader)
    in_file = file.last_sequences()
    differences: list[str] = []
    for commit in log.commits():
        last = commit.first_sequence + len(commit.facts) - 1
        if commit.first_sequence <= in_file.get(commit.stream, 0):
            difference = (
                file.difference(commit)
                if last <= in_file[commit.stream]
                else f"{commit.stream} #{commit.first_sequence} to {last} is one append on Kafka, {file.path} has a part of it"
            )
            if difference:
                differences.append(difference)
        on_progress(len(commit.facts))
    differences += [str(finding) for finding in log.findings()]
    requests = log.request_counts()
    return Compared(
        log.last_sequences(),
        in_file,
        differences,
        [
            f"{stream} has {requests.get(stream, 0)} requests on Kafka, {number} in the file"
            for stream, number in sorted(file.request_counts().items())
            if requests.get(stream, 0) != number
        ],
    )
