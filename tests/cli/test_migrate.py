"""`signalbox migrate`: faults of a file are reported in one sentence."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from services.cli.main import app
from services.common.eventlog.port import NewRecord
from services.common.eventlog.sqlite import open_sqlite
from services.migration import migrate
from services.migration.sqlite_endpoint import SqliteEndpoint

PAGE_BYTES = 4096


def test_a_damaged_file_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Pages that SQLite cannot read end the move with the file's name and SQLite's words."""
    file = tmp_path / "signalbox.db"
    log, _ = open_sqlite(file)
    log.append("game/g1", 0, [NewRecord("turn_ended", 1, b"")])
    log.close()
    SqliteEndpoint(file, must_exist=True).close()
    content = file.read_bytes()
    file.write_bytes(content[:PAGE_BYTES] + b"\xff" * (len(content) - PAGE_BYTES))
    monkeypatch.setattr(migrate, "to_kafka", lambda side, *_, **__: side.last_sequences())
    ended = CliRunner().invoke(app, ["migrate", "--from", f"sqlite:{file}", "--to", "kafka:127.0.0.1:1/x."])
    assert ended.exit_code == 1
    assert ended.stderr == f"signalbox migrate: {file}: database disk image is malformed\n"
