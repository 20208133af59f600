"""A projection knows the log that it was made from, and reads on from where that is unchanged."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from services.common.clock import ManualClock
from services.common.eventlog.memory import MemoryEventLog
from services.common.eventlog.port import NewRecord
from services.common.eventlog.sqlite import SqliteEventLog, open_sqlite
from services.lobby import projection_file
from services.lobby.directory import TABLE_STREAM, TableDirectory
from services.lobby.domain.tables import TableState
from tests.lobby.folded_tables import CountingLog, assert_right, keep_tables
from tests.lobby.random_tables import RandomTables


@pytest.fixture
def log() -> Iterator[CountingLog]:
    """An empty log."""
    log = CountingLog()
    yield log
    log.close()


def test_the_file_of_another_log_is_made_anew(log: CountingLog, tmp_path: Path) -> None:
    """Though its records are in the same places, as in a copy that was made again."""
    tables = RandomTables(log, 3)
    tables.write(50)
    keep_tables(log, tmp_path / "tables.db")
    other = CountingLog()
    others = RandomTables(other, 4)
    others.write(60)
    assert_right(TableDirectory(other, tmp_path / "tables.db"), other, others)


def test_a_log_that_was_put_back_is_noticed(tmp_path: Path) -> None:
    """It is the same file, and has as many records by now, but others."""
    log: SqliteEventLog
    log, _ = open_sqlite(tmp_path / "log.db", ManualClock())
    RandomTables(log, 5).write(10)
    TableDirectory(log, tmp_path / "tables.db").close()
    log.close()
    shutil.copy(tmp_path / "log.db", tmp_path / "backup.db")
    log, _ = open_sqlite(tmp_path / "log.db", ManualClock())
    RandomTables(log, 6).write(30)
    keep_tables(log, tmp_path / "tables.db")
    log.close()
    shutil.copy(tmp_path / "backup.db", tmp_path / "log.db")
    log, _ = open_sqlite(tmp_path / "log.db", ManualClock())
    tables = RandomTables(log, 7)
    tables.write(60)
    kept = TableDirectory(log, tmp_path / "tables.db")
    assert_right(kept, log, tables)
    log.close()


def test_a_copy_that_fell_behind_is_noticed(log: CountingLog, tmp_path: Path) -> None:
    """A power failure may take the last records of a copy; they come again, at other positions."""
    tables = RandomTables(log, 8)
    tables.write(30)
    keep_tables(log, tmp_path / "tables.db")
    shorter = CountingLog()
    shorter.save_position(projection_file.KNOWN_BY, log.position(projection_file.KNOWN_BY))
    fewer = RandomTables(shorter, 8)
    fewer.write(20)
    again = TableDirectory(shorter, tmp_path / "tables.db")
    fewer.write(20)
    assert_right(again, shorter, fewer)


def write_others(log: MemoryEventLog, count: int) -> None:
    """Records that are of no table."""
    for sequence in range(count):
        log.append(f"lobby.player.{log.last_position()}", 0, [NewRecord("x", 1, b"%d" % sequence)])


def test_a_restart_without_tables_looks_for_none(log: CountingLog, tmp_path: Path) -> None:
    """The records of others were passed over already."""
    write_others(log, 50)
    keep_tables(log, tmp_path / "tables.db")
    again = TableDirectory(log, tmp_path / "tables.db")
    assert again._file._position == 50
    log.records = 0
    again.count(TableState.OPEN)
    assert log.records == 0


@pytest.mark.parametrize("tables_before", [0, 20])
def test_a_log_that_lost_records_of_others_is_read_on_from_the_last_table(
    log: CountingLog, tmp_path: Path, tables_before: int
) -> None:
    """Their places may be those of tables by now; and what the file has is right."""
    tables = RandomTables(log, 15)
    tables.write(tables_before)
    write_others(log, 50)
    keep_tables(log, tmp_path / "tables.db")
    back = CountingLog()
    back.save_position(projection_file.KNOWN_BY, log.position(projection_file.KNOWN_BY))
    again = RandomTables(back, 15)
    again.write(tables_before)
    write_others(back, 5)
    again.write(60)
    kept = TableDirectory(back, tmp_path / "tables.db")
    tables_known = [
        each for each in back.read_all(0, 1000, TABLE_STREAM) if each.position <= log.last_position() - 50
    ]
    assert kept._file._position == (tables_known[-1].position if tables_known else 0)
    assert_right(kept, back, again)
