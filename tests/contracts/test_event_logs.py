"""Both event logs and both snapshot stores keep their contract; what only SQLite promises comes after."""

import os
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import grpc
import pytest

from services.common.clock import ManualClock
from services.common.eventlog.memory import MemoryEventLog, MemorySnapshotStore
from services.common.eventlog.port import (
    Appended,
    Conflict,
    EventLog,
    LogFileError,
    LogNotWritable,
    NewRecord,
    SnapshotStore,
)
from services.common.eventlog.sqlite import (
    ROWS_PER_STATEMENT,
    Append,
    SqliteEventLog,
    append_within,
    open_sqlite,
)
from services.common.eventlog.sqlite_database import SqliteDatabase
from tests.contracts.event_log_contract import EventLogContract, SnapshotStoreContract, fact, request


class TestMemoryEventLog(EventLogContract):
    """The log in memory."""

    @pytest.fixture
    def log(self) -> EventLog:
        """An empty log."""
        return MemoryEventLog(ManualClock())


class TestSqliteEventLog(EventLogContract):
    """The log in a file."""

    @pytest.fixture
    def log(self, tmp_path: Path) -> Iterator[EventLog]:
        """An empty log in a new file."""
        log, _ = open_sqlite(tmp_path / "log.db", ManualClock())
        yield log
        log.close()


class TestMemorySnapshotStore(SnapshotStoreContract):
    """Snapshots in memory."""

    @pytest.fixture
    def snapshots(self) -> SnapshotStore:
        """An empty store."""
        return MemorySnapshotStore()


class TestSqliteSnapshotStore(SnapshotStoreContract):
    """Snapshots in a file."""

    @pytest.fixture
    def snapshots(self, tmp_path: Path) -> Iterator[SnapshotStore]:
        """An empty store in a new file."""
        log, snapshots = open_sqlite(tmp_path / "log.db")
        yield snapshots
        log.close()


def test_everything_is_there_after_reopening(tmp_path: Path) -> None:
    """Records, requests, positions and snapshots outlive the process's log."""
    log, snapshots = open_sqlite(tmp_path / "log.db")
    log.append("game.1", 0, [fact(b"1")])
    log.save_position("ledger", 1)
    snapshots.put("game.1", 1, 1, b"state")
    log.close()
    log, snapshots = open_sqlite(tmp_path / "log.db")
    assert [record.payload for record in log.read("game.1")] == [b"1"]
    assert log.append("game.1", 1, [fact(b"2")]) == Appended(2, 2)
    assert [record.position for record in log.read("game.1")] == [1, 2]
    assert log.position("ledger") == 1
    assert snapshots.latest("game.1") is not None
    log.close()


def test_a_write_of_many_appends_decides_each_for_itself(tmp_path: Path) -> None:
    """More than one statement takes: every append meets what stood there before and what those before it added."""
    database = SqliteDatabase(tmp_path / "log.db")
    log = SqliteEventLog(database)
    log.append("game.7", 0, [fact()], request("r7"))
    many = 2 * ROWS_PER_STATEMENT + 1
    wanted = [Append(f"game.{each}", 0, [fact()], request(f"r{each}"), 0) for each in range(many)]
    again = Append(f"game.{many - 1}", 0, [fact()], request(f"r{many - 1}"), 0)
    results = database.write(lambda connection: append_within(connection, [*wanted, again]))
    repeated = [number for number, result in enumerate(results) if result != Appended(1, 1)]
    assert repeated == [7, many]
    assert len(log.streams()) == many
    log.close()


def test_damaged_snapshot_is_passed_over(tmp_path: Path) -> None:
    """A snapshot whose hash does not fit is not handed out; the one before it is."""
    log, snapshots = open_sqlite(tmp_path / "log.db")
    snapshots.put("game.1", 200, 1, b"good")
    snapshots.put("game.1", 400, 1, b"damaged later")
    with sqlite3.connect(tmp_path / "log.db") as other:
        other.execute("UPDATE snapshot SET payload = ? WHERE sequence = 400", (b"something else",))
    newest = snapshots.latest("game.1")
    assert newest is not None
    assert newest.payload == b"good"
    log.close()


def test_two_processes_worth_of_logs_share_one_file(tmp_path: Path) -> None:
    """Two open logs on one file see each other's records at once, and a lost race is a conflict."""
    first, _ = open_sqlite(tmp_path / "log.db")
    second, _ = open_sqlite(tmp_path / "log.db")
    subscription = second.subscribe()
    assert first.append("game.1", 0, [fact(b"1")]) == Appended(1, 1)
    assert second.append("game.1", 0, [fact(b"2")]) == Conflict(1)
    assert [record.payload for record in subscription.wait(60)] == [b"1"]
    first.close()
    second.close()


def limit_pages(database: SqliteDatabase, most: int) -> None:
    """The file may have so many pages; as many as it has for a smaller number."""
    database._writer_connection.execute(f"PRAGMA max_page_count = {most}")


def test_a_file_that_cannot_grow_is_read_and_written_again_later(tmp_path: Path) -> None:
    """An append is refused and nothing of it is there; reads go on; when there is room that is noticed without any write."""
    database = SqliteDatabase(tmp_path / "log.db")
    log, reported = SqliteEventLog(database), []
    noticed = threading.Event()

    def report(is_writable: bool) -> None:
        reported.append(is_writable)
        if is_writable:
            noticed.set()

    log.when_writable_changes(report)
    log.append("game.1", 0, [fact(b"first")], request("r1"))
    limit_pages(database, 1)
    large = fact(b"x" * 100_000)
    for _ in range(2):
        with pytest.raises(LogNotWritable) as refused:
            log.append("game.1", 1, [large], request("r2"))
    assert refused.value.code is grpc.StatusCode.UNAVAILABLE
    assert ("signalbox-reason", "log_not_writable") in refused.value.trailing
    assert reported == [False] and not log.is_writable
    assert [record.payload for record in log.read("game.1")] == [b"first"]
    assert log.outcome("game.1", "r2") is None
    limit_pages(database, 100_000)
    assert noticed.wait(60) and reported == [False, True] and log.is_writable
    assert log.append("game.1", 1, [large], request("r2")) == Appended(2, 2)
    assert [record.sequence for record in log.read("game.1")] == [1, 2]
    log.close()


def test_a_broken_statement_is_no_full_disk(tmp_path: Path) -> None:
    """An error of our own stays what it is, and the file stays writable."""
    database = SqliteDatabase(tmp_path / "log.db")
    with pytest.raises(sqlite3.OperationalError, match="no such table"):
        database.write(lambda connection: connection.execute("INSERT INTO missing VALUES (1)"))
    assert database.is_writable
    database.close()


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        (b"this is a letter, not a database" * 40, "is not a SQLite database or is damaged"),
        ("CREATE TABLE recipes (name TEXT)", "is the SQLite database of another program"),
        (f"PRAGMA application_id = {0x53424F58}; PRAGMA user_version = 99", "has schema version 99"),
    ],
    ids=["no database", "other program", "newer version"],
)
def test_unusable_file_is_named(tmp_path: Path, content: bytes | str, complaint: str) -> None:
    """A file that is no event log of ours is refused by its name with the exact reason, and left as it is."""
    path = tmp_path / "strange.db"
    if isinstance(content, bytes):
        path.write_bytes(content)
    else:
        connection = sqlite3.connect(path)
        connection.executescript(content)
        connection.close()
    before = path.read_bytes()
    with pytest.raises(LogFileError, match=f"strange.db: {complaint}"):
        open_sqlite(path)
    assert path.read_bytes() == before


def test_failing_write_leaves_its_neighbours_alone(tmp_path: Path) -> None:
    """When one append of a group fails, the others are written and only the failing caller hears of it."""
    log, _ = open_sqlite(tmp_path / "log.db")
    broken = NewRecord("share_bought", 1, object())  # type: ignore[arg-type]
    results: list[object] = []
    barrier = threading.Barrier(3)

    def write(stream: str, record: NewRecord) -> None:
        barrier.wait()
        try:
            results.append(log.append(stream, 0, [record]))
        except TypeError:
            results.append("refused")

    threads = [
        threading.Thread(target=write, args=arguments)
        for arguments in (("game.1", fact()), ("game.2", broken), ("game.3", fact()))
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results.count(Appended(1, 1)) == 2
    assert results.count("refused") == 1
    assert log.streams() == ["game.1", "game.3"]
    log.close()


WRITER = """
import sys
from pathlib import Path
from services.common.eventlog.port import NewRecord
from services.common.eventlog.sqlite import open_sqlite
log, _ = open_sqlite(Path(sys.argv[1]))
expected = len(log.read("game.1"))
while True:
    log.append("game.1", expected, [NewRecord("passed", 1, b"%d" % n) for n in range(3)])
    expected += 3
    print(expected, flush=True)
"""


@pytest.mark.integration
def test_killed_writer_loses_nothing_acknowledged(tmp_path: Path, repository: Path) -> None:
    """After SIGKILL in the middle of appending, every acknowledged record is there and no append is torn."""
    path = tmp_path / "log.db"
    for life in range(3):
        process = subprocess.Popen(
            [sys.executable, "-c", WRITER, str(path)], stdout=subprocess.PIPE, cwd=repository, text=True
        )
        assert process.stdout is not None
        process.stdout.readline()
        time.sleep(0.05 + 0.03 * life)
        os.kill(process.pid, signal.SIGKILL)
        acknowledged = [int(line) for line in process.stdout.read().splitlines() if line.strip()]
        process.wait()
        log, _ = open_sqlite(path)
        records = log.read("game.1")
        assert len(records) >= max(acknowledged, default=3)
        assert len(records) % 3 == 0
        assert [record.sequence for record in records] == list(range(1, len(records) + 1))
        log.close()
