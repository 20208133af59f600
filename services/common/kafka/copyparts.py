"""One partition of a copy as a whole: out of the file as it is at one moment, and into a file that has nothing of it.

What is put in counts only when all is there: until then the file says that the partition is being deleted, so a process that ends
in between deletes after its restart what it has, and never takes it for a copy.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from contextlib import contextmanager
from functools import partial

import msgspec

from services.common.eventlog.sqlite import save_position_within
from services.common.eventlog.sqlite_database import SqliteDatabase
from services.common.eventlog.whole_streams import (
    StoredStream,
    WholeStream,
    put_streams_within,
    whole_streams,
)
from services.common.kafka.copydrop import DROPPING
from services.common.kafka.copyfile import LAST_DIGESTS, LAST_OFFSETS, OFFSETS
from services.common.kafka.landmarks import Landmark

POSITION = "SELECT position FROM consumer WHERE name = ?"


class PartAtMoment(msgspec.Struct, frozen=True):
    """What a file has of a partition. `offsets`: the next one of each topic; `last`: the last record of the commits' topic.

    `streams` may be read once, and only inside of `PartitionOfCopy.reading`."""

    offsets: Mapping[str, int]
    last: Landmark
    streams: Iterator[WholeStream]


class PartitionOfCopy:
    """One partition of an open file."""

    def __init__(
        self,
        database: SqliteDatabase,
        number: int,
        topics: Sequence[str],
        partition_of_stream: Callable[[str], int],
    ) -> None:
        """`topics`: by their names in Kafka, that of the commits first."""
        self.number = number
        self.topics = tuple(topics)
        self.has_begun = False
        """Whether something of it was put in."""
        self._database = database
        self._partition_of_stream = partition_of_stream

    def has(self, stream: str) -> bool:
        """Whether a stream belongs to it."""
        return self._partition_of_stream(stream) == self.number

    @contextmanager
    def reading(self) -> Iterator[PartAtMoment | None]:
        """What there is of it, of one moment however long it takes; None where no record of it was read.

        Meanwhile what is written to the file waits beside it."""
        with self._database.reader() as connection:
            connection.execute("BEGIN")
            try:
                yield self._moment(connection)
            finally:
                connection.execute("ROLLBACK")

    def _moment(self, connection: sqlite3.Connection) -> PartAtMoment | None:
        offsets = {topic: self._saved(connection, OFFSETS, topic) for topic in self.topics}
        last = self._saved(connection, LAST_OFFSETS, self.topics[0])
        digest = self._saved(connection, LAST_DIGESTS, self.topics[0])
        if last is None or digest is None:
            return None
        known = {topic: offset for topic, offset in offsets.items() if offset is not None}
        return PartAtMoment(known, Landmark(last, digest), whole_streams(connection, self.has))

    def _saved(self, connection: sqlite3.Connection, beginning: str, topic: str) -> int | None:
        row = connection.execute(POSITION, (self._name(beginning, topic),)).fetchone()
        return None if row is None else int(row[0])

    def _name(self, beginning: str, topic: str) -> str:
        return f"{beginning}{topic}/{self.number}"

    def begin(self) -> None:
        """Before anything is put in."""
        self.has_begun = True
        self._database.write(partial(save_position_within, consumer=self._note, position=self.number))

    def put(self, streams: Sequence[StoredStream]) -> Future[None]:
        """Some of its streams, in the file when the result is there. That raises `DamagedStream`."""
        return self._database.write_soon(partial(put_streams_within, streams=streams))

    def finish(self, offsets: Mapping[str, int], last: Landmark) -> None:
        """All of it is there, up to these offsets."""
        positions = {self._name(OFFSETS, topic): offset for topic, offset in offsets.items()}
        positions[self._name(LAST_OFFSETS, self.topics[0])] = last.offset
        positions[self._name(LAST_DIGESTS, self.topics[0])] = last.digest

        def write(connection: sqlite3.Connection) -> None:
            connection.execute("DELETE FROM consumer WHERE name = ?", (self._note,))
            for name, position in positions.items():
                save_position_within(connection, name, position)

        self._database.write(write)

    @property
    def _note(self) -> str:
        return f"{DROPPING}{self.number}"
