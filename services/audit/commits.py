"""Which commits count, decided from the records alone.

A commit counts where it continues its stream and its request id is new there; every reader skips any other.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

from google.protobuf.message import DecodeError

from services.audit.findings import Finding, Kind
from services.common.kafka.unpacking import message_in
from services.gen.signalbox.log.v1 import log_pb2 as pb

GAMES = "game/"


class RecordPosition(NamedTuple):
    """The position of a record."""

    topic: str
    partition: int
    offset: int

    def __str__(self) -> str:
        return f"{self.topic} partition {self.partition} offset {self.offset}"


class StoredRecord(NamedTuple):
    """A record of a topic."""

    position: RecordPosition
    key: bytes
    value: bytes | None


@dataclass(slots=True)
class StreamCommits:
    """The commits of one stream that count, in order, if they are kept; their request ids and the last sequence."""

    commits: list[pb.Commit] = field(default_factory=list)
    requests: set[str] = field(default_factory=set)
    last: int = 0


@dataclass(slots=True)
class Counted:
    """The result of folding one topic or partition."""

    streams: dict[str, StreamCommits] = field(default_factory=dict)
    findings: list[Finding] = field(default_factory=list)
    commits: int = 0
    lost_races: int = 0


def named(stream: str) -> str:
    """The name of a stream in findings: a game by its id."""
    return stream.removeprefix(GAMES)


def key_of(stream: str) -> str:
    """The key that the records of a stream must have: the id of its game or aggregate."""
    if stream.startswith(GAMES):
        return stream[len(GAMES) :]
    return stream.split(".", 2)[-1]


def partition_for(key: bytes, partitions: int) -> int:
    """The partition of records with this key."""
    return (zlib.crc32(key) & 0xFFFFFFFF) % partitions


class CommitCounter:
    """Folds the records of a topic, or of some of its partitions, each partition in order.

    With one writer at a time, as games have, a commit that does not count is a finding; else only one that leaves a gap."""

    def __init__(self, partitions: int, has_one_writer: bool) -> None:
        self._partitions = partitions
        self._has_one_writer = has_one_writer
        self.counted = Counted()

    def take(self, record: StoredRecord) -> pb.Commit | None:
        """The commit in the record, if it counts."""
        commit = self.read(record)
        if commit is None:
            return None
        self._check_position(record, commit)
        return commit if self._counts(record, commit) else None

    def _find(self, kind: Kind, stream: str, sequence: int, text: str) -> None:
        self.counted.findings.append(Finding(kind, named(stream), sequence, text))

    def read(self, record: StoredRecord) -> pb.Commit | None:
        """The commit in the record, whether it counts or not; what is none is a finding."""
        try:
            commit = message_in(pb.Commit, record.value, record.key)
            whole = commit.stream and commit.facts and commit.first_sequence > 0
            problem = "" if whole else "it is incomplete"
        except DecodeError as error:
            problem = str(error)
        if problem:
            stream = record.key.decode("utf-8", "replace")
            self._find("unreadable", stream, 0, f"no commit at {record.position}: {problem}")
            return None
        return commit

    def _check_position(self, record: StoredRecord, commit: pb.Commit) -> None:
        wanted_key = key_of(commit.stream).encode()
        wanted = partition_for(wanted_key, self._partitions)
        problem = ""
        if record.key != wanted_key:
            problem = f"has the key {record.key!r} instead of {wanted_key!r}"
        elif record.position.partition != wanted:
            problem = f"belongs to partition {wanted}"
        if problem:
            text = f"the record at {record.position} {problem}"
            self._find("misplaced", commit.stream, commit.first_sequence, text)

    def _counts(self, record: StoredRecord, commit: pb.Commit) -> bool:
        stream = self.counted.streams.setdefault(commit.stream, StreamCommits())
        request_id = commit.request.request_id if commit.HasField("request") else None
        if request_id is not None and request_id in stream.requests:
            problem = f"repeats request {request_id!r}"
        elif commit.first_sequence != stream.last + 1:
            problem = f"begins at {commit.first_sequence} where {stream.last + 1} is next"
        else:
            stream.last += len(commit.facts)
            self.counted.commits += 1
            if request_id is not None:
                stream.requests.add(request_id)
            return True
        if not self._has_one_writer and commit.first_sequence <= stream.last:
            self.counted.lost_races += 1
            return False
        kind: Kind = "sequence" if commit.first_sequence > stream.last + 1 else "lost_commit"
        text = f"the commit at {record.position} {problem}"
        self._find(kind, commit.stream, commit.first_sequence, text)
        return False


def count_commits(records: Iterable[StoredRecord], partitions: int, has_one_writer: bool) -> Counted:
    """Fold records and keep the commits that count."""
    counter = CommitCounter(partitions, has_one_writer)
    for record in records:
        commit = counter.take(record)
        if commit is not None:
            counter.counted.streams[commit.stream].commits.append(commit)
    return counter.counted
