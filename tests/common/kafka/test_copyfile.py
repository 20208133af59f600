"""The file of a copy: thrown away when it is no copy, never because of something that passes."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from services.common.eventlog import sqlite_database
from services.common.eventlog.port import LogFileError
from services.common.kafka.copyfile import Batch, CopyFile

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
