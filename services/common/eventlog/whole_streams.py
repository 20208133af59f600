"""Streams of an SQLite log as wholes, with all that the file has of them: out of one file and into another."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator, Sequence
from operator import attrgetter

import msgspec

from services.common.eventlog.archived import BROUGHT_BACK, Marker, is_news, put_rows_within, rows_of
from services.common.eventlog.port import Record, RequestRecord, Snapshot
from services.common.eventlog.sqlite import (
    insert_within,
    put_snapshot_within,
    records_of,
    snapshot_digest,
)

NAMES_AT_ONCE = 1000
NAMES = "SELECT stream_id, name FROM stream WHERE stream_id > ? ORDER BY stream_id LIMIT ?"
# One row for a stream: each row that is read gives up the interpreter's lock. Text goes through hexadecimal digits, in which a
# NUL does no harm.
WHOLE = """
    SELECT (SELECT count(*) FROM record WHERE stream_id = ?1),
           (SELECT CAST(group_concat(frame, '') AS BLOB)
            FROM (SELECT frame FROM record WHERE stream_id = ?1 ORDER BY sequence)),
           (SELECT group_concat(hex(request_id) || ' ' || hex(player) || ' ' || hex(content_hash) || ' ' || hex(outcome), ',')
            FROM (SELECT * FROM request WHERE stream_id = ?1 ORDER BY request_id)),
           archived.sequence, archived.object, archived.state,
           snapshot.sequence, snapshot.schema, snapshot.digest, snapshot.payload
    FROM stream
    LEFT JOIN archived USING (stream_id)
    LEFT JOIN snapshot ON snapshot.stream = stream.name
         AND snapshot.sequence = (SELECT max(sequence) FROM snapshot WHERE stream = stream.name)
    WHERE stream_id = ?1"""
LAST_POSITION = "SELECT coalesce(max(position), 0) FROM record"
NAME = attrgetter("stream")
NEXT_ID = "SELECT coalesce(max(stream_id), 0) + 1 FROM stream"
# A record as it is encoded: an array of its seven fields, first the stream and its sequence, last the position, here 0.
RECORD_OF_SEVEN, NO_POSITION = b"\x97", b"\0"

_encode = msgspec.msgpack.Encoder().encode


class DamagedStream(ValueError):
    """What is to be put into a file is no whole stream; the message names it."""


class WholeStream(msgspec.Struct, frozen=True, array_like=True):
    """All that a file has of a stream. Records have position 0: those are of one file alone.

    `records` begin after what `marker` says is in the archive."""

    stream: str
    records: tuple[Record, ...] = ()
    requests: tuple[RequestRecord, ...] = ()
    snapshot: Snapshot | None = None
    marker: Marker | None = None

    @property
    def bytes(self) -> int:
        """About its bytes."""
        outcomes = sum(len(each.outcome) + len(each.content_hash) for each in self.requests)
        state = 0 if self.snapshot is None else len(self.snapshot.payload)
        return len(self.stream) + sum(len(each.payload) for each in self.records) + outcomes + state


class StoredStream(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A `WholeStream` as it is stored, its records undecoded: millions of them are put into a file, and all but their positions
    stand there as they are."""

    stream: str
    records: tuple[msgspec.Raw, ...] = ()
    requests: tuple[RequestRecord, ...] = ()
    snapshot: Snapshot | None = None
    marker: Marker | None = None


def whole_streams(connection: sqlite3.Connection, is_wanted: Callable[[str], bool]) -> Iterator[WholeStream]:
    """Those of which there is something, chosen by name; of one moment if the connection is in a transaction."""
    after = 0
    while names := connection.execute(NAMES, (after, NAMES_AT_ONCE)).fetchall():
        after = names[-1][0]
        for stream_id, name in names:
            if is_wanted(name) and (found := _read(connection, stream_id, name)) != WholeStream(name):
                yield found


def _read(connection: sqlite3.Connection, stream_id: int, name: str) -> WholeStream:
    count, frames, requests, *row = connection.execute(WHOLE, (stream_id,)).fetchone()
    archived, object_name, state, sequence, schema, digest, payload = row
    is_whole = sequence is not None and digest == snapshot_digest(payload)
    return WholeStream(
        name,
        tuple(msgspec.structs.replace(each, position=0) for each in records_of(count, frames)),
        tuple(map(_request, requests.split(","))) if requests else (),
        Snapshot(name, sequence, schema, payload) if is_whole else None,
        None if archived is None else Marker(name, archived, object_name, state),
    )


def _request(text: str) -> RequestRecord:
    request_id, player, content_hash, outcome = map(bytes.fromhex, text.split(" "))
    return RequestRecord(request_id.decode(), player.decode(), content_hash, outcome)


def put_streams_within(connection: sqlite3.Connection, streams: Sequence[StoredStream]) -> None:
    """Put streams into a file that has no records of them, as part of a transaction that is open.

    What this file knows to be in the archive is left out, as it would be were it appended (`append_within`). Raises
    `DamagedStream`."""
    known = rows_of(connection, [each.stream for each in streams])
    (position,) = connection.execute(LAST_POSITION).fetchone()
    (next_id,) = connection.execute(NEXT_ID).fetchone()
    names: list[tuple[int, str]] = []
    records: list[tuple[int, int, int, bytes]] = []
    requests: list[tuple[int, str, str, bytes, bytes]] = []
    rows: list[tuple[int, Marker]] = []
    # By their names, so that the index of names, which is large, is gone through once.
    for each in sorted(streams, key=NAME):
        stream_id, marker = known.get(each.stream, (None, None))
        if stream_id is None:
            stream_id, next_id = next_id, next_id + 1
            names.append((stream_id, each.stream))
        if each.marker is not None and is_news(each.marker, marker):
            marker = each.marker
            rows.append((stream_id, marker))
        if not each.records:
            continue
        kept = list(_kept(each, marker))
        for sequence, frame in kept:
            position += 1
            records.append((stream_id, sequence, position, frame + _encode(position)))
        if kept:
            requests += [
                (stream_id, said.request_id, said.player, said.content_hash, said.outcome)
                for said in each.requests
            ]
    insert_within(connection, "stream", "(?,?)", names)
    put_rows_within(connection, rows)
    insert_within(connection, "record", "(?,?,?,?)", records)
    insert_within(connection, "request", "(?,?,?,?,?)", requests)
    for each in streams:
        if (state := each.snapshot) is not None:
            put_snapshot_within(connection, each.stream, state.sequence, state.schema, state.payload)


def _kept(stream: StoredStream, marker: Marker | None) -> Iterator[tuple[int, bytes]]:
    """The sequence and the frame, without the position at its end, of each record that is not in the archive."""
    away = 0 if marker is None or marker.state == BROUGHT_BACK else marker.sequence
    beginning = RECORD_OF_SEVEN + _encode(stream.stream)
    # They are whole from where they begin: that is behind what their owner had in the archive.
    first = 1 if stream.marker is None or stream.marker.state == BROUGHT_BACK else stream.marker.sequence + 1
    if stream.records and first > away + 1:
        raise DamagedStream(f"{stream.stream}: begins with {first}, not after {away}")
    for sequence, raw in enumerate(stream.records, first):
        if sequence <= away:
            continue
        frame = bytes(raw)
        if not frame.startswith(beginning + _encode(sequence)) or not frame.endswith(NO_POSITION):
            raise DamagedStream(f"{stream.stream}: has another record than {sequence} after {away}")
        yield sequence, frame[:-1]
