"""The file of a copy: thrown away when it is no copy, never because of something that passes."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import NoReturn

import pytest

from services.common.eventlog import sqlite_database
from services.common.eventlog.port import LogFileError
from services.common.kafka import copyfile
from services.common.kafka.copyfile import Batch, CopyFile
from services.gen.signalbox.log.v1 import log_pb2 as pb

ENDS = {("rules.events", 0): 7}


def test_a_file_that_somebody_holds_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A failed open is reported; afterwards the file has all it had."""
    monkeypatch.setattr(sqlite_database, "BUSY_TIMEOUT_SECONDS", 0.05)
    path = tmp_path / "copy.db"
    first = CopyFile(path, "a", ENDS)
    first.write(Batch([], [], ENDS))
    first.close()
    with sqlite3.connect(path, isolation_level=None) as holder:
        holder.execute("PRAGMA locking_mode = EXCLUSIVE")
        holder.execute("BEGIN EXCLUSIVE")
        with pytest.raises(LogFileError, match="cannot be opened"):
            CopyFile(path, "a", ENDS)
        holder.execute("ROLLBACK")
    holder.close()
    again = CopyFile(path, "a", ENDS)
    assert again.offsets() == ENDS
    again.close()


@pytest.mark.parametrize("content", [b"no database " * 500, b""], ids=["damaged", "empty"])
def test_what_is_no_copy_is_made_anew(tmp_path: Path, content: bytes) -> None:
    """A damaged file hinders nobody."""
    path = tmp_path / "copy.db"
    path.write_bytes(content)
    copy = CopyFile(path, "a", ENDS)
    assert copy.offsets() == {}
    copy.close()


def test_only_the_latest_snapshot_of_a_game_is_kept(tmp_path: Path) -> None:
    """As in Kafka: a copy grows with the events, not with the states after them."""
    copy = CopyFile(tmp_path / "copy.db", "a", ENDS)
    for sequence in (400, 800):
        snapshot = pb.Snapshot(stream="game/1", sequence=sequence, schema=1, payload=b"state")
        copy.write(Batch([], [("game/1", snapshot)], ENDS))
    latest = copy.snapshots.latest("game/1")
    assert latest is not None and latest.sequence == 800
    assert copy.snapshots.latest("game/1", 799) is None
    copy.close()


def test_a_copy_on_a_full_disk_opens_and_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing has to be written for it; what does not fit is refused."""
    path = tmp_path / "copy.db"
    first = CopyFile(path, "a", ENDS)
    first.write(Batch([], [], ENDS))
    first.close()

    def full(*_: object) -> NoReturn:
        raise sqlite3.OperationalError("database or disk is full")

    monkeypatch.setattr(copyfile, "save_position_within", full)
    copy = CopyFile(path, "a", ENDS)
    assert copy.offsets() == ENDS
    with pytest.raises(sqlite3.OperationalError, match="full"):
        copy.write(Batch([], [], ENDS))
    copy.close()
