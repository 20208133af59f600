"""Which streams of an SQLite log begin in the archive: one row for each, in the place of its records and requests.

A row says that the records up to a sequence are in an object. What follows them is in the log as ever. So rows commute with
records: those up to that sequence are passed over whenever they come (`append_within` takes them for old), later ones are kept.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from functools import partial

import msgspec

from services.common.eventlog.port import Record, RequestRecord
from services.common.eventlog.sqlite import (
    LAST_CHARACTER,
    forget_snapshots_within,
    insert_within,
    put_back_within,
)
from services.common.eventlog.sqlite_database import SqliteDatabase

NAMES_AT_ONCE = 500
OF_STREAM = (
    """SELECT archived.sequence, object, state FROM archived JOIN stream USING (stream_id) WHERE name = ?"""
)
# Somebody wrote on after what is in the archive.
GONE_ON = """SELECT name, archived.sequence, object, state FROM archived JOIN stream USING (stream_id)
    WHERE state = 0 AND EXISTS (SELECT 1 FROM record WHERE record.stream_id = archived.stream_id)"""
AWAY = "SELECT name FROM archived JOIN stream USING (stream_id) WHERE state = 0 ORDER BY name"
COUNT = "SELECT count(*) FROM archived WHERE state != 1"
REPLACING = """
    ON CONFLICT (stream_id) DO UPDATE SET sequence = excluded.sequence, object = excluded.object, state = excluded.state"""
IDS_OF_STREAMS = """SELECT name, stream_id, archived.sequence, object, state FROM stream LEFT JOIN archived USING (stream_id)
    WHERE name IN ({})"""

# In the order of their ids, so that each is met once.
LAST_RECORDS = """SELECT stream_id,
    (SELECT frame FROM record WHERE record.stream_id = stream.stream_id ORDER BY sequence DESC LIMIT 1)
    FROM stream WHERE stream_id > ? AND name >= ? AND name < ? ORDER BY stream_id LIMIT ?"""
STREAMS_AT_ONCE = 500

_decode = msgspec.msgpack.Decoder(Record).decode

IN_ARCHIVE, BROUGHT_BACK, DELETED = range(3)
"""The states of a row. `BROUGHT_BACK`: the records are in the log again; `DELETED`: they are nowhere."""


class Marker(msgspec.Struct, frozen=True):
    """A row: the records up to `sequence` are in the object named."""

    stream: str
    sequence: int
    object: str
    state: int = IN_ARCHIVE


class ArchivedStreams:
    """The rows of one file. Safe for many threads."""

    def __init__(self, database: SqliteDatabase) -> None:
        self._database = database

    def find(self, stream: str) -> Marker | None:
        """The row of a stream."""
        with self._database.reader() as connection:
            row = connection.execute(OF_STREAM, (stream,)).fetchone()
        return None if row is None else Marker(stream, *row)

    def gone_on(self) -> list[Marker]:
        """The streams that were written to again after they were archived."""
        with self._database.reader() as connection:
            rows = connection.execute(GONE_ON).fetchall()
        return [Marker(*row) for row in rows]

    def away(self) -> list[str]:
        """The streams that are in the archive, and not deleted."""
        with self._database.reader() as connection:
            return [name for (name,) in connection.execute(AWAY)]

    def count(self) -> int:
        """How many streams are in the archive, or were deleted from it."""
        with self._database.reader() as connection:
            return int(connection.execute(COUNT).fetchone()[0])

    def archive(self, stream: str, sequence: int, name: str) -> bool:
        """Drop the records up to `sequence`, which are in the object `name`, unless the stream has later ones.

        False where it has, or where the newest record of the whole file is among them, by which positions go on."""
        return self._database.write(
            lambda connection: _archive_within(connection, Marker(stream, sequence, name), True)
        )

    def learn(self, markers: Sequence[Marker]) -> int:
        """Take over what others archived or deleted; what is known already costs a look. Returns how many were new."""
        learned = 0
        for start in range(0, len(markers), NAMES_AT_ONCE):
            chunk = markers[start : start + NAMES_AT_ONCE]
            with self._database.reader() as connection:
                known = rows_of(connection, [each.stream for each in chunk])
            news = [each for each in chunk if is_news(each, known.get(each.stream, (0, None))[1])]
            if news:
                learned += self._database.write(partial(_learn_within, news))
        return learned

    def last_records(self, prefix: str, after: int) -> list[tuple[int, Record]]:
        """The last record of each of the next streams with a prefix, with a number to go on `after`; those without records, of
        which everything is in the archive, are passed over. Empty at the end."""
        found: list[tuple[int, Record]] = []
        while not found:
            with self._database.reader() as connection:
                rows = connection.execute(
                    LAST_RECORDS, (after, prefix, prefix + LAST_CHARACTER, STREAMS_AT_ONCE)
                ).fetchall()
            if not rows:
                return []
            after = rows[-1][0]
            found = [(number, _decode(frame)) for number, frame in rows if frame is not None]
        return found

    def bring_back(
        self, marker: Marker, records: Iterable[Record], requests: Iterable[RequestRecord]
    ) -> bool:
        """Put the records and requests of an object into the log again; False where the row is another one by now."""

        def job(connection: sqlite3.Connection) -> bool:
            row = connection.execute(OF_STREAM, (marker.stream,)).fetchone()
            if row is None or Marker(marker.stream, *row) != marker:
                return False
            put_back_within(connection, marker.stream, records, requests)
            back = msgspec.structs.replace(marker, state=BROUGHT_BACK)
            put_rows_within(connection, [(_id(connection, marker), back)])
            return True

        return self._database.write(job)


def rows_of(connection: sqlite3.Connection, streams: Sequence[str]) -> dict[str, tuple[int, Marker | None]]:
    """The ids of those of these streams that the file knows, each with its row, if it has one."""
    found: dict[str, tuple[int, Marker | None]] = {}
    for start in range(0, len(streams), NAMES_AT_ONCE):
        chunk = streams[start : start + NAMES_AT_ONCE]
        query = IDS_OF_STREAMS.format(",".join("?" * len(chunk)))
        for name, stream_id, sequence, *row in connection.execute(query, chunk).fetchall():
            found[name] = stream_id, None if sequence is None else Marker(name, sequence, *row)
    return found


def put_rows_within(connection: sqlite3.Connection, rows: Sequence[tuple[int, Marker]]) -> None:
    """Put down rows of streams that have no records here, given with their ids, as part of a transaction that is open."""
    values = [(stream_id, each.sequence, each.object, each.state) for stream_id, each in rows]
    insert_within(connection, "archived", "(?,?,?,?)", values, REPLACING)


def is_news(marker: Marker, known: Marker | None) -> bool:
    """Whether a row says more than the one that is known."""
    if known is None:
        return True
    if marker.state == DELETED and known.state != DELETED:
        return marker.sequence >= known.sequence
    return marker.sequence > known.sequence


def _learn_within(markers: Sequence[Marker], connection: sqlite3.Connection) -> int:
    return sum(
        is_news(each, _row(connection, each.stream)) and _archive_within(connection, each, False)
        for each in markers
    )


def _archive_within(connection: sqlite3.Connection, marker: Marker, is_whole: bool) -> bool:
    """Drop the records of a marker and put it down. `is_whole`: unless there are later ones."""
    stream_id = _id(connection, marker)
    (last,) = connection.execute(
        "SELECT max(sequence) FROM record WHERE stream_id = ?", (stream_id,)
    ).fetchone()
    has_gone_on = last is not None and last > marker.sequence
    # What went on after it was archived is not finished, whatever a policy said about that.
    if (has_gone_on and marker.state == DELETED) or (is_whole and last != marker.sequence):
        return False
    newest = connection.execute(
        "SELECT stream_id, sequence FROM record ORDER BY position DESC LIMIT 1"
    ).fetchone()
    if newest is not None and newest[0] == stream_id and newest[1] <= marker.sequence:
        return False
    connection.execute(
        "DELETE FROM record WHERE stream_id = ? AND sequence <= ?", (stream_id, marker.sequence)
    )
    if not has_gone_on:
        connection.execute("DELETE FROM request WHERE stream_id = ?", (stream_id,))
    forget_snapshots_within(connection, marker.stream)
    put_rows_within(connection, [(stream_id, marker)])
    return True


def _row(connection: sqlite3.Connection, stream: str) -> Marker | None:
    row = connection.execute(OF_STREAM, (stream,)).fetchone()
    return None if row is None else Marker(stream, *row)


def _id(connection: sqlite3.Connection, marker: Marker) -> int:
    connection.execute("INSERT OR IGNORE INTO stream (name) VALUES (?)", (marker.stream,))
    found = connection.execute("SELECT stream_id FROM stream WHERE name = ?", (marker.stream,)).fetchone()
    return int(found[0])
