"""Answers to requests, which promise events: those that callers report, and those in the topic of outcomes.

Outcomes are partitioned by who asked, games by their id: a local file holds them by the partition of their game.
"""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from google.protobuf.message import DecodeError

from services.audit.commits import StoredRecord, StreamCommits, partition_for
from services.audit.findings import Finding, Kind
from services.gen.signalbox.log.v1 import log_pb2 as pb


class Promise(NamedTuple):
    """An answer that a request led to events `first` to `last`."""

    kind: Kind
    game_id: str
    request_id: str
    first: int
    last: int


def write_promises(path: Path, promises: Iterable[Promise], partitions: int) -> int:
    """Write promises into a new file; returns how many."""
    rows = ((partition_for(each.game_id.encode(), partitions), *each) for each in promises)
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("PRAGMA synchronous = OFF")
        connection.execute(
            "CREATE TABLE promise (partition INTEGER, kind TEXT, game_id TEXT, request_id TEXT, first INTEGER, last INTEGER)"
        )
        written = connection.executemany("INSERT INTO promise VALUES (?, ?, ?, ?, ?, ?)", rows).rowcount
        connection.execute("CREATE INDEX promise_by_game ON promise (partition, game_id)")
    return written


class PromiseFile:
    """Reads the promises of one partition."""

    def __init__(self, path: Path, partition: int) -> None:
        self._connection = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
        self._partition = partition

    def games(self) -> Iterator[str]:
        """The games that have promises."""
        query = "SELECT DISTINCT game_id FROM promise WHERE partition = ?"
        for (game_id,) in self._connection.execute(query, (self._partition,)):
            yield game_id

    def of_game(self, game_id: str) -> list[Promise]:
        """The promises of a game."""
        query = (
            "SELECT kind, game_id, request_id, first, last FROM promise WHERE partition = ? AND game_id = ?"
        )
        return [Promise(*row) for row in self._connection.execute(query, (self._partition, game_id))]

    def close(self) -> None:
        """Close the file."""
        self._connection.close()


def outcome_in(record: StoredRecord, findings: list[Finding]) -> Promise | None:
    """The promise in an owner's answer, if it carried a command out; adds a finding for what is no answer."""
    try:
        outcome = pb.CommandOutcome.FromString(record.value or b"")
    except DecodeError as error:
        findings.append(Finding("unreadable", "", 0, f"no outcome at {record.position}: {error}"))
        return None
    if outcome.WhichOneof("body") != "carried_out":
        return None
    done = outcome.carried_out
    return Promise("outcome", outcome.game_id, outcome.request_id, done.first_sequence, done.last_sequence)


def broken_promises(promises: Sequence[Promise], stream: StreamCommits) -> list[Finding]:
    """Answers whose events the log does not have exactly once, at exactly those sequences."""
    ranges: dict[str, list[tuple[int, int]]] = defaultdict(list)
    for commit in stream.commits if promises else ():
        if commit.HasField("request"):
            last = commit.first_sequence + len(commit.facts) - 1
            ranges[commit.request.request_id].append((commit.first_sequence, last))
    found = []
    for kind, game_id, request_id, first, last in promises:
        at = ranges.get(request_id, [])
        if at != [(first, last)]:
            where = ", ".join(f"{one} to {other}" for one, other in at) or "nowhere"
            text = f"request {request_id!r} was answered with {first} to {last}, its events are {where}"
            found.append(Finding(kind, game_id, first, text))
    return found
