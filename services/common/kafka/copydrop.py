"""Deletes partitions from the file of a copy, a few streams at a time, so that what is copied meanwhile hardly waits.

A partition that is being deleted is noted in the file together with the loss of its offsets: a process that ends in between goes
on with it after its restart, and never takes what is left for a copy.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Collection, Iterable
from functools import partial

from services.common.eventlog.sqlite import forget_streams_within, save_position_within
from services.common.eventlog.sqlite_database import SqliteDatabase

DROPPING = "dropping partition "
LOOKED_AT = 1000
DELETED_AT_ONCE = 20


class DroppedPartitions:
    """The partitions of one file that are being deleted. For one thread."""

    def __init__(self, database: SqliteDatabase, partition_of_stream: Callable[[str], int]) -> None:
        self._database = database
        self._partition_of_stream = partition_of_stream
        self._after = 0
        with database.reader() as connection:
            rows = connection.execute(
                "SELECT position FROM consumer WHERE substr(name, 1, ?) = ?", (len(DROPPING), DROPPING)
            ).fetchall()
        self.left = frozenset(int(number) for (number,) in rows)
        """Partitions of which something may be left."""

    def begin(self, partitions: Collection[int], notes: Iterable[str]) -> None:
        """Delete these as well; `notes`: the names under which the file keeps how far they are copied."""
        self._database.write(partial(_note_within, frozenset(partitions), tuple(notes)))
        self.left |= frozenset(partitions)
        self._after = 0

    def step(self) -> None:
        """Delete some streams; `left` is empty once there are none."""
        if not self.left:
            return
        with self._database.reader() as connection:
            found = connection.execute(
                "SELECT stream_id, name FROM stream WHERE stream_id > ? ORDER BY stream_id LIMIT ?",
                (self._after, LOOKED_AT),
            ).fetchall()
        chosen = [row for row in found if self._partition_of_stream(row[1]) in self.left][:DELETED_AT_ONCE]
        self._database.write(partial(_delete_within, chosen, () if found else self.left))
        if not found:
            self.left = frozenset()
        else:
            self._after = (chosen if len(chosen) == DELETED_AT_ONCE else found)[-1][0]


def _note_within(partitions: frozenset[int], notes: tuple[str, ...], connection: sqlite3.Connection) -> None:
    connection.executemany("DELETE FROM consumer WHERE name = ?", [(name,) for name in notes])
    for number in sorted(partitions):
        save_position_within(connection, f"{DROPPING}{number}", number)


def _delete_within(
    streams: Collection[tuple[int, str]], done: Collection[int], connection: sqlite3.Connection
) -> None:
    forget_streams_within(connection, streams)
    connection.executemany(
        "DELETE FROM consumer WHERE name = ?", [(f"{DROPPING}{number}",) for number in done]
    )
