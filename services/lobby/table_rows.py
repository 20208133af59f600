"""Tables as rows of a file, in lists by what they are asked for: no question reads the tables that it does not answer with."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping
from heapq import merge
from itertools import islice
from typing import NamedTuple

import msgspec

from services.lobby.domain.invitations import Visibility
from services.lobby.domain.quotas import Usage
from services.lobby.domain.tables import Table, TableState
from services.lobby.domain.visibility import Viewer, insiders
from services.lobby.row_values import RowValues

TABLES = (
    """CREATE TABLE tables (
        opened INTEGER PRIMARY KEY, table_id TEXT NOT NULL UNIQUE, is_public INTEGER NOT NULL, state TEXT NOT NULL,
        title TEXT NOT NULL, body BLOB NOT NULL)""",
    "CREATE INDEX tables_by_state ON tables (is_public, state)",
    "CREATE INDEX tables_by_title ON tables (is_public, title, state)",
    # Who gets a table in lists that is not for everybody.
    """CREATE TABLE insiders (
        account TEXT NOT NULL, opened INTEGER NOT NULL, state TEXT NOT NULL, title TEXT NOT NULL,
        PRIMARY KEY (account, opened)) WITHOUT ROWID""",
    "CREATE INDEX insiders_of_table ON insiders (opened)",
    "CREATE TABLE games (game_id TEXT PRIMARY KEY, table_id TEXT NOT NULL) WITHOUT ROWID",
    "CREATE TABLE states (state TEXT PRIMARY KEY, tables INTEGER NOT NULL) WITHOUT ROWID",
    """CREATE TABLE usage (
        player_id TEXT PRIMARY KEY, open_tables INTEGER NOT NULL, seats INTEGER NOT NULL,
        stored_bytes INTEGER NOT NULL, imports INTEGER NOT NULL) WITHOUT ROWID""",
    # `opened` and `body`: as the table was before what cannot be read; NULL where that is its first record.
    "CREATE TABLE unreadable (table_id TEXT PRIMARY KEY, why TEXT NOT NULL, opened INTEGER, body BLOB)",
)
VALUES = RowValues(msgspec.msgpack.Decoder(Table), 1)
PUT = """INSERT INTO tables VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (opened) DO UPDATE SET
    is_public = excluded.is_public, state = excluded.state, title = excluded.title, body = excluded.body"""
PUT_USAGE = """INSERT INTO usage VALUES (?, ?, ?, ?, ?) ON CONFLICT (player_id) DO UPDATE SET
    open_tables = open_tables + excluded.open_tables, seats = seats + excluded.seats,
    stored_bytes = stored_bytes + excluded.stored_bytes, imports = imports + excluded.imports"""
PUT_STATE = (
    "INSERT INTO states VALUES (?, ?) ON CONFLICT (state) DO UPDATE SET tables = tables + excluded.tables"
)
OF_STATE = """SELECT opened FROM tables WHERE is_public = ? AND state = ? AND opened < ?
    ORDER BY opened DESC LIMIT ?"""
OF_TITLE = """SELECT opened FROM tables WHERE is_public = ? AND title = ? AND state = ? AND opened < ?
    ORDER BY opened DESC LIMIT ?"""
OF_INSIDER = """SELECT opened FROM insiders WHERE account = ? AND (? = '' OR title = ?) AND (? = '' OR state = ?)
    AND opened < ? ORDER BY opened DESC LIMIT ?"""
END = 2**63 - 1


class Row(NamedTuple):
    """A table, and the position of its first record."""

    opened: int
    table: Table


def find(connection: sqlite3.Connection, table_id: str) -> Row | None:
    """The table with this id. Raises `DamagedRow`."""
    found = connection.execute("SELECT opened, body FROM tables WHERE table_id = ?", (table_id,)).fetchone()
    return None if found is None else Row(found[0], VALUES.decoded(found[1]))


def table_id_of_game(connection: sqlite3.Connection, game_id: str) -> str | None:
    """The table at which a game is played, readable or not."""
    found = connection.execute("SELECT table_id FROM games WHERE game_id = ?", (game_id,)).fetchone()
    return None if found is None else found[0]


def in_state(connection: sqlite3.Connection, state: TableState) -> list[Table]:
    """The tables in this state, oldest first. Raises `DamagedRow`."""
    query = "SELECT body FROM tables WHERE is_public IN (0, 1) AND state = ? ORDER BY opened"
    return [VALUES.decoded(body) for (body,) in connection.execute(query, (state.value,))]


def count(connection: sqlite3.Connection, state: TableState) -> int:
    """How many tables are in this state."""
    found = connection.execute("SELECT tables FROM states WHERE state = ?", (state.value,)).fetchone()
    return 0 if found is None else found[0]


def usage_of(connection: sqlite3.Connection, player_id: str) -> Usage:
    """What a player keeps."""
    query = "SELECT open_tables, seats, stored_bytes, imports FROM usage WHERE player_id = ?"
    found = connection.execute(query, (player_id,)).fetchone()
    return Usage() if found is None else Usage(*found)


def page(
    connection: sqlite3.Connection,
    most: int,
    before: int,
    title: str,
    state: TableState | None,
    viewer: Viewer,
) -> list[Row]:
    """The newest tables that were opened before a position and are listed for the viewer. Raises `DamagedRow`."""
    lists: list[list[int]] = []
    for is_public in (1, 0) if viewer.sees_all else (1,):
        for each in TableState if state is None else (state,):
            title_and_state = (title, each.value) if title else (each.value,)
            query = OF_TITLE if title else OF_STATE
            lists.append(_numbers(connection, query, (is_public, *title_and_state, before, most)))
    if viewer.account and not viewer.sees_all:
        wanted = "" if state is None else state.value
        lists.append(
            _numbers(connection, OF_INSIDER, (viewer.account, title, title, wanted, wanted, before, most))
        )
    numbers = islice(merge(*lists, reverse=True), most)
    return [Row(number, VALUES.decoded(_body(connection, number))) for number in numbers]


def check(table: Table) -> None:
    """Raises `UnfitValue` for a table that no row can hold."""
    VALUES.encoded(table)


def write(
    connection: sqlite3.Connection,
    rows: Iterable[Row],
    hidden: Iterable[Row],
    games: Mapping[str, str],
) -> None:
    """Put down tables as they are now. `hidden`: those of them that are, or were, not for everybody."""
    connection.executemany(PUT, [_values(row) for row in rows])
    connection.executemany("INSERT OR REPLACE INTO games VALUES (?, ?)", games.items())
    for opened, table in hidden:
        connection.execute("DELETE FROM insiders WHERE opened = ?", (opened,))
        if not is_public(table):
            connection.executemany(
                "INSERT INTO insiders VALUES (?, ?, ?, ?)",
                [(account, opened, table.state.value, table.title) for account in insiders(table)],
            )


def add_to_counts(
    connection: sqlite3.Connection, states: Mapping[TableState, int], usage: Mapping[str, Usage]
) -> None:
    """What came and went."""
    connection.executemany(PUT_STATE, [(state.value, change) for state, change in states.items() if change])
    connection.executemany(
        PUT_USAGE,
        [
            (player_id, each.open_tables, each.seats, each.stored_bytes, each.imports)
            for player_id, each in usage.items()
        ],
    )


def mark_unreadable(connection: sqlite3.Connection, table_id: str, why: str, before: Row | None) -> None:
    """A table is in no list any more; `before`: as it was last."""
    row = (None, None) if before is None else (before.opened, VALUES.encoded(before.table))
    connection.execute("INSERT INTO unreadable VALUES (?, ?, ?, ?)", (table_id, why, *row))
    if before is not None:
        connection.execute("DELETE FROM tables WHERE opened = ?", (before.opened,))
        connection.execute("DELETE FROM insiders WHERE opened = ?", (before.opened,))


def why_unreadable(connection: sqlite3.Connection) -> dict[str, str]:
    """By table, why it cannot be read."""
    return dict(connection.execute("SELECT table_id, why FROM unreadable").fetchall())


def unreadable_since(connection: sqlite3.Connection) -> dict[str, int]:
    """By table, the last sequence that could be read."""
    rows = connection.execute("SELECT table_id, body FROM unreadable").fetchall()
    return {table_id: 0 if body is None else VALUES.decoded(body).version for table_id, body in rows}


def take_unreadable(connection: sqlite3.Connection, table_id: str) -> Row | None:
    """A table as it was before what cannot be read, which is forgotten."""
    opened, body = connection.execute(
        "SELECT opened, body FROM unreadable WHERE table_id = ?", (table_id,)
    ).fetchone()
    connection.execute("DELETE FROM unreadable WHERE table_id = ?", (table_id,))
    connection.execute("DELETE FROM games WHERE table_id = ?", (table_id,))
    return None if body is None else Row(opened, VALUES.decoded(body))


def is_public(table: Table) -> bool:
    """Whether the table is in the lists that everybody gets."""
    return table.guests.arranged.visibility is Visibility.PUBLIC


def _values(row: Row) -> tuple[object, ...]:
    opened, table = row
    return opened, table.table_id, is_public(table), table.state.value, table.title, VALUES.encoded(table)


def _numbers(connection: sqlite3.Connection, query: str, values: tuple[object, ...]) -> list[int]:
    return [number for (number,) in connection.execute(query, values)]


def _body(connection: sqlite3.Connection, opened: int) -> bytes:
    (body,) = connection.execute("SELECT body FROM tables WHERE opened = ?", (opened,)).fetchone()
    return bytes(body)
