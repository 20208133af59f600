"""The directory of tables in a file: the answers of a fold in memory, after a restart at any point and whatever the file is."""

from __future__ import annotations

import random
import sqlite3
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from services.common.clock import ManualClock
from services.common.eventlog import unread
from services.common.eventlog.port import LogClosed
from services.common.eventlog.sqlite import open_sqlite
from services.lobby import directory as directory_module, event_codec, projection_file
from services.lobby.directory import TABLE_STREAM, TableDirectory
from services.lobby.domain.tables import TableState
from services.lobby.domain.visibility import Viewer
from services.lobby.event_codec import READERS, UnknownRecord
from services.lobby.handlers.requests import derived_id, game_id_of
from tests.lobby.folded_tables import CountingLog, as_on_disk, assert_right, keep_tables
from tests.lobby.played_tables import account, write_played
from tests.lobby.random_tables import RandomTables


@pytest.fixture
def log() -> Iterator[CountingLog]:
    """An empty log."""
    log = CountingLog()
    yield log
    log.close()


@pytest.mark.parametrize("seed", range(12))
def test_answers_are_those_of_a_fold_whatever_happens(
    log: CountingLog, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    """Ended in order, killed between fold and commit, or not at all, between any events; with tables that cannot be read."""
    chance = random.Random(seed)
    monkeypatch.setattr(unread, "BATCH_SIZE", chance.choice([1, 7, 1000]))
    monkeypatch.setattr(projection_file, "COMMIT_RECORDS", chance.choice([1, 10, 1000]))
    monkeypatch.setattr(projection_file, "COMMIT_SECONDS", chance.choice([0.0, 100.0]))
    tables = RandomTables(log, seed)
    path = tmp_path / "tables.db"
    directory = TableDirectory(log, path)
    for number in range(12):
        tables.write(chance.randrange(12), unreadable=0.02)
        if chance.random() < 0.7:
            assert_right(directory, log, tables, chance.randrange(1, 5))
        happens = chance.random()
        if happens < 0.3:
            directory.close()
            directory = TableDirectory(log, path)
        elif happens < 0.6:
            path = as_on_disk(path, number)
            directory = TableDirectory(log, path)
    assert_right(directory, log, tables)


def test_a_restart_reads_on(log: CountingLog, tmp_path: Path) -> None:
    """What was folded is not read again, but for the record by which the log is recognised."""
    tables = RandomTables(log, 1)
    tables.write(200)
    directory = TableDirectory(log, tmp_path / "tables.db")
    assert_right(directory, log, tables)
    directory.close()
    tables.write(5)
    again = TableDirectory(log, tmp_path / "tables.db")
    log.records = 0
    again.count(TableState.OPEN)
    assert 1 <= log.records <= 10
    assert_right(again, log, tables)


def test_what_was_not_committed_is_folded_again(
    log: CountingLog, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Position and tables are lost together, so nothing is missing and nothing counts twice."""
    monkeypatch.setattr(projection_file, "COMMIT_SECONDS", 1000.0)
    tables = RandomTables(log, 2)
    tables.write(40)
    directory = TableDirectory(log, tmp_path / "tables.db")
    directory.count(TableState.OPEN)
    killed = as_on_disk(tmp_path / "tables.db", 1)
    with sqlite3.connect(killed) as connection:
        assert connection.execute("SELECT count(*) FROM tables").fetchone() == (0,)
    assert_right(TableDirectory(log, killed), log, tables)


def test_another_form_is_made_anew(log: CountingLog, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever tables the file had."""
    tables = RandomTables(log, 9)
    tables.write(30)
    with monkeypatch.context() as older:
        older.setattr(directory_module._TableFold, "form", "0")
        older.setattr(
            directory_module._TableFold,
            "tables",
            (*directory_module._TableFold.tables, "CREATE TABLE old (a)"),
        )
        keep_tables(log, tmp_path / "tables.db")
    assert_right(TableDirectory(log, tmp_path / "tables.db"), log, tables)


@pytest.mark.parametrize("is_open", [True, False])
@pytest.mark.parametrize("place", [0.0, 0.4, 0.9])
def test_a_damaged_file_is_made_anew(log: CountingLog, tmp_path: Path, place: float, is_open: bool) -> None:
    """When it is opened, or when a question meets the damage."""
    tables = RandomTables(log, 10, tables=300)
    tables.write(900)
    path = tmp_path / "tables.db"
    keep_tables(log, path)
    with path.open("r+b") as file:
        file.seek(int(path.stat().st_size * place) // 4096 * 4096)
        file.write(b"\x07" * (4096 if is_open else path.stat().st_size - file.tell()))
    assert_right(TableDirectory(log, path), log, tables)


def test_a_row_that_cannot_be_read_is_no_table(log: CountingLog, tmp_path: Path) -> None:
    """The file is made anew."""
    tables = RandomTables(log, 11)
    tables.write(30)
    path = tmp_path / "tables.db"
    keep_tables(log, path)
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE tables SET body = x'00'")
    connection.close()
    assert_right(TableDirectory(log, path), log, tables)


def test_a_table_of_a_newer_version_is_read_after_an_upgrade(
    log: CountingLog, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With everything that was written at it meanwhile; the others are not folded again."""
    tables = RandomTables(log, 12)
    tables.write(100)
    path = tmp_path / "tables.db"
    with monkeypatch.context() as older:
        older.setattr(
            event_codec, "READERS", {name: each for name, each in READERS.items() if name != "player_joined"}
        )
        directory = TableDirectory(log, path)
        unreadable = [each for each in tables.ids if not is_readable(directory, each)]
        assert len(unreadable) > 3
        assert_right(directory, log, tables)
        directory.close()
        directory = TableDirectory(log, path)
        assert [each for each in tables.ids if not is_readable(directory, each)] == unreadable
        directory.close()
    log.records = 0
    upgraded = TableDirectory(log, path)
    assert_right(upgraded, log, tables)
    assert "player_joined" in {record.type for record in log.read_all(0, 1000, TABLE_STREAM)}
    upgraded.close()
    assert_right(TableDirectory(log, path), log, tables)


def is_readable(directory: TableDirectory, table_id: str) -> bool:
    """Whether a directory reads a table."""
    try:
        directory.get(table_id)
    except UnknownRecord:
        return False
    return True


def test_answers_are_right_while_the_disk_is_full(
    log: CountingLog, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They come from the open transaction, and are kept once there is room."""
    monkeypatch.setattr(projection_file, "COMMIT_SECONDS", 0.0)
    monkeypatch.setattr(projection_file, "RETRY_SECONDS", 0.0)
    real = projection_file._connected
    disk = FullDisk()
    monkeypatch.setattr(projection_file, "_connected", lambda path: disk.connected(real(path)))
    tables = RandomTables(log, 13)
    tables.write(50)
    path = tmp_path / "tables.db"
    directory = TableDirectory(log, path)
    assert_right(directory, log, tables)
    for does_roll_back in (False, True):
        disk.is_full, disk.does_roll_back = True, does_roll_back
        monkeypatch.setattr(projection_file, "RETRY_SECONDS", 100.0)
        tables.write(20)
        assert_right(directory, log, tables)
        disk.is_full = False
    monkeypatch.setattr(time, "monotonic", lambda: 1e12)
    tables.write(1)
    assert_right(directory, log, tables)
    assert_right(TableDirectory(log, as_on_disk(path, 1)), log, tables)


class FullDisk:
    """Connections whose commits fail while it is full."""

    is_full = False
    does_roll_back = False

    def connected(self, connection: sqlite3.Connection) -> Connection:
        """A connection to a file on it."""
        return Connection(self, connection)


class Connection:
    """A connection to a file on a disk."""

    def __init__(self, disk: FullDisk, connection: sqlite3.Connection) -> None:
        self._disk = disk
        self._connection = connection

    def execute(self, statement: str, values: object = ()) -> sqlite3.Cursor:
        """See `sqlite3.Connection`."""
        if statement == "COMMIT" and self._disk.is_full:
            if self._disk.does_roll_back:
                self._connection.execute("ROLLBACK")
            problem = sqlite3.OperationalError("database or disk is full")
            problem.sqlite_errorcode = sqlite3.SQLITE_FULL
            raise problem
        return self._connection.execute(statement, values)  # type: ignore[arg-type]

    def __getattr__(self, name: str) -> object:
        return getattr(self._connection, name)


def test_a_file_that_cannot_be_opened_is_done_without(log: CountingLog, tmp_path: Path) -> None:
    """A host with a full disk starts and answers."""
    tables = RandomTables(log, 14)
    tables.write(30)
    (tmp_path / "no-folder").write_text("")
    assert_right(TableDirectory(log, tmp_path / "no-folder" / "tables.db"), log, tables)


def test_a_closed_directory_says_so(log: CountingLog, tmp_path: Path) -> None:
    """As the log does."""
    directory = TableDirectory(log, tmp_path / "tables.db")
    directory.close()
    directory.close()
    with pytest.raises(LogClosed):
        directory.get("t1")


def steps_of(directory: TableDirectory) -> list[int]:
    """How much SQLite does for each question, in its own steps."""
    connection = directory._file._connection
    table_id = derived_id("t", "1", "0")
    questions: list[Callable[[], object]] = [
        lambda: directory.get(table_id),
        lambda: directory.of_game(game_id_of(table_id)),
        lambda: directory.usage_of(account(1)),
        lambda: directory.count(TableState.FINISHED),
        lambda: directory.in_state(TableState.PLAYING),
        lambda: directory.page(5, "", "", None),
        lambda: directory.page(5, "", "1824", TableState.FINISHED, Viewer(account(1))),
        lambda: directory.page(5, "", "1824", TableState.OPEN, Viewer("", sees_all=True)),
    ]
    found: list[int] = []
    for ask in questions:
        ticks: list[int] = []
        connection.set_progress_handler(lambda ticks=ticks: ticks.append(1), 1)  # type: ignore[misc]
        ask()
        found.append(len(ticks))
    connection.set_progress_handler(None, 1)
    return found


def test_a_question_costs_the_same_however_many_tables_ended(tmp_path: Path) -> None:
    """Ten times as many cost no more, but for deeper trees; nor does the start read them."""
    steps: list[list[int]] = []
    for finished in (200, 2_000):
        log, _ = open_sqlite(tmp_path / f"{finished}.db", ManualClock())
        write_played(log, finished, 10, 1, accounts=finished)
        directory = TableDirectory(log, tmp_path / f"tables-{finished}.db")
        assert directory.count(TableState.FINISHED) == finished
        assert len(directory.in_state(TableState.PLAYING)) == 10
        directory.close()
        directory = TableDirectory(log, tmp_path / f"tables-{finished}.db")
        steps.append(steps_of(directory))
        directory.close()
        log.close()
    few, many = steps
    assert all(more <= 1.5 * less + 30 for less, more in zip(few, many, strict=True)), steps
