"""The file of a move when the disk is full."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from services.gen.signalbox.log.v1 import log_pb2 as pb
from services.migration.sqlite_endpoint import SqliteEndpoint


def test_a_full_disk_is_named(tmp_path: Path) -> None:
    """SQLite then rolls back by itself; its answer stays the one reported, and nothing was written."""
    facts = [pb.Fact(type="turn_ended", schema_version=1, payload=b"x" * 100_000)]
    commit = pb.Commit(stream="game/g1", first_sequence=1, facts=facts)
    with closing(SqliteEndpoint(tmp_path / "signalbox.db", must_exist=False)) as file:
        (pages,) = file._lock.execute("PRAGMA page_count").fetchone()
        file._lock.execute(f"PRAGMA max_page_count = {pages}")
        with pytest.raises(sqlite3.OperationalError, match="disk is full"):
            file.append([commit])
        file._lock.execute(f"PRAGMA max_page_count = {1000 * pages}")
        assert file.last_sequences() == {}
        file.append([commit])
        assert file.last_sequences() == {"game/g1": 1}
