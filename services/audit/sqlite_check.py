"""Checks a whole log in one SQLite file within one read transaction; a host may go on writing meanwhile."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import msgspec

from services.audit.cases import GameCase, StoredBook, StoredFact, StoredHold, StoredRequest, StoredSnapshot
from services.audit.commits import GAMES
from services.audit.findings import Finding, Report
from services.audit.lobby import check_lobby_stream
from services.audit.workers import OnProgress, checking, gather
from services.common.eventlog.port import LogFileError, Record

GAMES_END = "game0"
GAMES_AT_ONCE = 200
# All but those that were brought back.
IN_ARCHIVE = "SELECT stream_id FROM archived WHERE state != 1"
_decode = msgspec.msgpack.Decoder(Record).decode


def check_sqlite(path: Path, *, processes: int = 1, on_progress: OnProgress = lambda _: None) -> Report:
    """Check all streams, snapshots, books and holds of the file. Raises `LogFileError`."""
    report = Report()
    try:
        with closing(_opened(path)) as connection, checking(processes) as check:
            file = _File(connection, report)
            for ids in file.portions():
                gather(report, check(file.case(stream_id, name) for stream_id, name in ids), on_progress)
            for stream_id, name in file.streams("name < ? OR name >= ?"):
                report.findings += check_lobby_stream(name, file.facts(stream_id, name))
    except sqlite3.DatabaseError as error:
        raise LogFileError(f"{path}: {error}") from error
    report.findings.sort()
    return report


def games_in(path: Path) -> int:
    """How many games a file has. Raises `LogFileError`."""
    try:
        with closing(_opened(path)) as connection:
            query = "SELECT count(*) FROM stream WHERE name >= ? AND name < ?"
            return int(connection.execute(query, (GAMES, GAMES_END)).fetchone()[0])
    except sqlite3.DatabaseError as error:
        raise LogFileError(f"{path}: {error}") from error


class BookFile:
    """The books that a ledger stored in a file. Raises `LogFileError`."""

    def __init__(self, path: Path) -> None:
        self._path = path
        try:
            self._connection = _opened_file(path)
            self._has_books = "ledger_books" in _tables(self._connection)
        except sqlite3.DatabaseError as error:
            raise LogFileError(f"{path}: {error}") from error

    def of_game(self, game_id: str) -> StoredBook | None:
        """The book of a game, if there is one."""
        if not self._has_books:
            return None
        try:
            return _book(self._connection, game_id)
        except sqlite3.DatabaseError as error:
            raise LogFileError(f"{self._path}: {error}") from error

    def close(self) -> None:
        """Close the file."""
        self._connection.close()


class _File:
    """Reads the file within one transaction, for a consistent view."""

    def __init__(self, connection: sqlite3.Connection, report: Report) -> None:
        self._connection = connection
        self._report = report
        tables = _tables(connection)
        self._has_books = "ledger_books" in tables
        self._has_archive = "archived" in tables
        self._has_summaries = "lobby_summaries" in tables
        self._holds = (
            {
                game_id: StoredHold(*hold)
                for game_id, *hold in connection.execute(
                    "SELECT game_id, reason, detail, sequence FROM ledger_holds"
                )
            }
            if "ledger_holds" in tables
            else {}
        )

    def portions(self) -> Iterator[list[tuple[int, str]]]:
        """All games in portions, without those that the archive has, or had."""
        games = self.streams("name >= ? AND name < ?")
        if self._has_archive:
            away = {stream_id for (stream_id,) in self._connection.execute(IN_ARCHIVE)}
            self._report.archived += len(away)
            games = [each for each in games if each[0] not in away]
        for start in range(0, len(games), GAMES_AT_ONCE):
            yield games[start : start + GAMES_AT_ONCE]

    def streams(self, condition: str) -> list[tuple[int, str]]:
        """The streams whose names meet a condition."""
        query = f"SELECT stream_id, name FROM stream WHERE {condition} ORDER BY name"
        return self._connection.execute(query, (GAMES, GAMES_END)).fetchall()

    def case(self, stream_id: int, name: str) -> GameCase:
        """Everything stored about one game."""
        game_id = name.removeprefix(GAMES)
        requests = self._connection.execute(
            "SELECT request_id, player, outcome FROM request WHERE stream_id = ?", (stream_id,)
        )
        snapshots = self._connection.execute(
            "SELECT sequence, schema, payload FROM snapshot WHERE stream = ?", (name,)
        )
        return GameCase(
            game_id=game_id,
            facts=self.facts(stream_id, name),
            requests=[StoredRequest(*row) for row in requests],
            snapshots=[StoredSnapshot(*row) for row in snapshots],
            book=_book(self._connection, game_id) if self._has_books else None,
            summary=self._summary(game_id),
            hold=self._holds.get(game_id),
        )

    def _summary(self, game_id: str) -> bytes | None:
        if not self._has_summaries:
            return None
        query = "SELECT summary FROM lobby_summaries WHERE game_id = ?"
        row = self._connection.execute(query, (game_id,)).fetchone()
        return None if row is None else row[0]

    def facts(self, stream_id: int, name: str) -> list[StoredFact]:
        """The facts of a stream, with findings for what is out of order."""
        self._report.streams += 1
        facts: list[StoredFact] = []
        rows = self._connection.execute(
            "SELECT sequence, position, frame FROM record WHERE stream_id = ? ORDER BY sequence", (stream_id,)
        )
        for sequence, position, frame in rows:
            try:
                record = _decode(frame)
            except msgspec.MsgspecError as error:
                self._find(name, sequence, f"no record: {error}")
                return facts
            if (record.stream, record.sequence, record.position) != (name, sequence, position):
                said = f"{record.stream} #{record.sequence} at position {record.position}"
                self._find(name, sequence, f"the record at position {position} says that it is {said}")
            if sequence != len(facts) + 1:
                self._find(name, sequence, f"{len(facts) + 1} is next")
            facts.append(
                StoredFact(record.type, record.schema_version, record.payload, record.recorded_time_ms)
            )
        return facts

    def _find(self, name: str, sequence: int, text: str) -> None:
        self._report.findings.append(Finding("sequence", name.removeprefix(GAMES), sequence, text))


def _opened(path: Path) -> sqlite3.Connection:
    connection = _opened_file(path)
    connection.execute("BEGIN")
    if "record" not in _tables(connection):
        connection.close()
        raise LogFileError(f"{path}: is no event log")
    return connection


def _opened_file(path: Path) -> sqlite3.Connection:
    if not path.is_file():
        raise LogFileError(f"{path}: there is no such file")
    return sqlite3.connect(f"file:{path}?mode=ro", uri=True, isolation_level=None)


def _tables(connection: sqlite3.Connection) -> set[str]:
    return {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}


def _book(connection: sqlite3.Connection, game_id: str) -> StoredBook | None:
    query = "SELECT last_sequence, schema_version FROM ledger_books WHERE game_id = ?"
    head = connection.execute(query, (game_id,)).fetchone()
    if head is None:
        return None
    query = "SELECT entries FROM ledger_entries WHERE game_id = ? ORDER BY last_sequence"
    sequence, version = head
    batches = tuple(entries for (entries,) in connection.execute(query, (game_id,)))
    return StoredBook(sequence, version, batches)
