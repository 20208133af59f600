"""The file of a replica's summaries: what their topic says, up to where it was read, and the replica's own latest ones on top.

It is kept over a restart, and while others follow some of its partitions. What this replica put and the topic does not say is
forgotten before a partition is read on: the topic may never have got it, and what is missing comes again from the statuses of
the games. A file of another topic, of another form or damaged is made anew, and so is what it has of a partition in which Kafka
no longer has the last record that was read. That is so as well after that record has been compacted away, which needs a later
summary of the same game and hours in which this replica did not read.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from services.common.eventlog.sqlite_database import remove_database
from services.common.kafka.landmarks import Landmark, landmark
from services.common.kafka.tail import TailRecord
from services.common.kafka.unpacking import UnreadableValue, unpacked
from services.common.telemetry.logs import get_logger
from services.lobby.adapters.sqlite_summaries import (
    SCHEMA_VERSION,
    SqliteSummaries,
    forget_summary_within,
    put_summary_within,
)
from services.lobby.domain.games import GameSummary
from services.lobby.summary_codec import UnreadableSummary, decode_summary

TABLES = (
    """CREATE TABLE IF NOT EXISTS summaries_source (
        only INTEGER PRIMARY KEY CHECK (only = 1), identity TEXT NOT NULL
    )""",
    """CREATE TABLE IF NOT EXISTS summaries_read (
        partition INTEGER PRIMARY KEY, last INTEGER NOT NULL, digest INTEGER NOT NULL
    )""",
    # What the topic says of a game of which this replica has put more: NULL where it says nothing.
    "CREATE TABLE IF NOT EXISTS summaries_ahead (game_id TEXT PRIMARY KEY, of_topic BLOB) WITHOUT ROWID",
)
Landmarks = Mapping[int, Landmark]
FindLost = Callable[[Landmarks], Collection[int]]
"""The partitions in which the topic has not these records."""


class SummariesFile:
    """The open file; `summaries` is for reading. What is written raises `sqlite3.Error` on a full disk."""

    def __init__(self, path: Path, identity: str, partition_of_game: Callable[[str], int]) -> None:
        """`identity` names the topic, as no other is. Raises `sqlite3.OperationalError`."""
        self._log = get_logger("lobby")
        self._identity = f"form {SCHEMA_VERSION} of {identity}"
        self._partition_of_game = partition_of_game
        path.parent.mkdir(parents=True, exist_ok=True)
        self.summaries = self._opened(path)
        if self.summaries.write(_identity) not in ("", self._identity):
            self._log.warning("file of summaries dropped", why="it was made from another topic")
            self.summaries.close()
            remove_database(path)
            self.summaries = self._opened(path)
        self.summaries.write(self._sign)

    def _opened(self, path: Path) -> SqliteSummaries:
        try:
            return _sound(path)
        except sqlite3.DatabaseError as problem:
            if isinstance(problem, sqlite3.OperationalError):
                raise
            self._log.warning("file of summaries dropped", file=str(path), why=str(problem))
        remove_database(path)
        return _sound(path)

    def _sign(self, connection: sqlite3.Connection) -> None:
        connection.execute("INSERT OR REPLACE INTO summaries_source VALUES (1, ?)", (self._identity,))

    def read_on(self, partitions: Collection[int], find_lost: FindLost) -> dict[int, int]:
        """Before these partitions are read: go back to what the topic says of their games, and forget those that the topic
        has no longer said. Returns from where each is to be read. Raises what `find_lost` raises."""
        known = {each: last for each, last in self.summaries.write(_landmarks).items() if each in partitions}
        lost = frozenset(find_lost(known) if known else ())
        if lost:
            why = "Kafka has not the records they were made from"
            self._log.warning("summaries of partitions dropped", partitions=sorted(lost), why=why)

        def settle(connection: sqlite3.Connection) -> None:
            for game_id, of_topic in connection.execute("SELECT * FROM summaries_ahead").fetchall():
                if self._partition_of_game(game_id) in partitions:
                    _go_back(connection, game_id, of_topic)
            if lost:
                self._forget(connection, lost)

        self.summaries.write(settle)
        begins = {each: last.offset + 1 for each, last in known.items() if each not in lost}
        return dict.fromkeys(partitions, 0) | begins

    def _forget(self, connection: sqlite3.Connection, partitions: Collection[int]) -> None:
        for (game_id,) in connection.execute("SELECT game_id FROM lobby_summaries").fetchall():
            if self._partition_of_game(game_id) in partitions:
                forget_summary_within(connection, game_id)
        rows = [(each,) for each in partitions]
        connection.executemany("DELETE FROM summaries_read WHERE partition = ?", rows)

    def put(self, summary: GameSummary) -> bool:
        """Put a summary of this replica; False where there is a later one."""

        def put_within(connection: sqlite3.Connection) -> bool:
            before = _stored(connection, summary.game_id)
            is_put = put_summary_within(connection, summary)
            if is_put:
                row = (summary.game_id, before)
                connection.execute("INSERT OR IGNORE INTO summaries_ahead VALUES (?, ?)", row)
            return is_put

        return self.summaries.write(put_within)

    def take(self, records: Sequence[TailRecord]) -> None:
        """Take over records of the topic, all or none of them."""
        known = [found for record in records if (found := self._read(record)) is not None]
        lasts = {record.partition: landmark(record.offset, record.value) for record in records}

        def take_within(connection: sqlite3.Connection) -> None:
            for summary, value in known:
                _take_within(connection, summary, value)
            rows = [(partition, last.offset, last.digest) for partition, last in lasts.items()]
            connection.executemany("INSERT OR REPLACE INTO summaries_read VALUES (?, ?, ?)", rows)

        self.summaries.write(take_within)

    def close(self) -> None:
        """Close the file."""
        self.summaries.close()

    def _read(self, record: TailRecord) -> tuple[GameSummary, bytes] | None:
        """A summary with its stored form, which is not packed here."""
        try:
            value = unpacked(record.value or b"", record.key)
            summary = decode_summary(value)
        except (UnreadableSummary, UnreadableValue) as problem:
            self._log.error("unreadable summary", key=record.key, problem=str(problem))
            return None
        return (summary, value) if summary.game_id else None


def _take_within(connection: sqlite3.Connection, summary: GameSummary, value: bytes) -> None:
    row = connection.execute(
        "SELECT of_topic FROM summaries_ahead WHERE game_id = ?", (summary.game_id,)
    ).fetchone()
    if put_summary_within(connection, summary, value) or (
        row and _is(_stored(connection, summary.game_id), summary)
    ):
        connection.execute("DELETE FROM summaries_ahead WHERE game_id = ?", (summary.game_id,))
    elif row and _sequence(row[0]) < summary.sequence:
        connection.execute(
            "UPDATE summaries_ahead SET of_topic = ? WHERE game_id = ?", (value, summary.game_id)
        )


def _go_back(connection: sqlite3.Connection, game_id: str, of_topic: bytes | None) -> None:
    forget_summary_within(connection, game_id)
    with suppress(UnreadableSummary):
        if of_topic is not None:
            put_summary_within(connection, decode_summary(of_topic))
    connection.execute("DELETE FROM summaries_ahead WHERE game_id = ?", (game_id,))


def _is(stored: bytes | None, summary: GameSummary) -> bool:
    return stored is not None and decode_summary(stored) == summary


def _sequence(stored: bytes | None) -> int:
    try:
        return 0 if stored is None else decode_summary(stored).sequence
    except UnreadableSummary:
        return 0


def _stored(connection: sqlite3.Connection, game_id: str) -> bytes | None:
    row = connection.execute("SELECT summary FROM lobby_summaries WHERE game_id = ?", (game_id,)).fetchone()
    return None if row is None else row[0]


def _identity(connection: sqlite3.Connection) -> str:
    row = connection.execute("SELECT identity FROM summaries_source").fetchone()
    return "" if row is None else row[0]


def _landmarks(connection: sqlite3.Connection) -> dict[int, Landmark]:
    rows = connection.execute("SELECT partition, last, digest FROM summaries_read")
    return {partition: Landmark(last, digest) for partition, last, digest in rows}


def _sound(path: Path) -> SqliteSummaries:
    """The file with its tables. Raises `sqlite3.DatabaseError` where it is damaged."""
    summaries = SqliteSummaries(path)
    try:
        summaries.write(_check)
    except sqlite3.DatabaseError:
        summaries.close()
        raise
    return summaries


def _check(connection: sqlite3.Connection) -> None:
    (result,) = connection.execute("PRAGMA quick_check(1)").fetchone()
    if result != "ok":
        raise sqlite3.DatabaseError(str(result))
    for table in TABLES:
        connection.execute(table)
