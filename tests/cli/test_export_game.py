"""The command `signalbox export`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from services.cli import export_game
from services.common.eventlog.port import NewRecord
from services.common.eventlog.sqlite import SqliteEventLog
from services.common.eventlog.sqlite_database import SqliteDatabase
from services.rules.adapters.codec import encode_event
from services.rules.history import stream_of
from tests.recorded.documents import act, replayed


@pytest.fixture
def app() -> typer.Typer:
    """A command line with this command; a second one keeps its name."""
    found = typer.Typer()
    export_game.register(found)
    found.command("other")(lambda: None)
    return found


def test_events_come_out_in_order_as_json_lines(
    app: typer.Typer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every stored event gives one line with its sequence, name and fields; the last line is the signature's."""
    monkeypatch.chdir(tmp_path)
    events = replayed(act(1, "buy_company", 13, company="EPP", price=120)).events
    path = tmp_path / "log.db"
    log = SqliteEventLog(SqliteDatabase(path))
    stored = [NewRecord(*encode_event(event)) for event in events]
    log.append(stream_of("g1"), 0, stored)
    log.close()
    found = CliRunner().invoke(app, ["export", "g1", "--database", str(path)])
    *lines, end = [json.loads(line) for line in found.stdout.splitlines()]
    assert end["end"]["event_count"] == len(events)
    assert found.exit_code == 0 and [line["sequence"] for line in lines] == list(range(1, len(events) + 1))
    assert lines[0]["type"] == "game_created" and lines[0]["event"]["players"] == ["11", "12", "13"]
    output = tmp_path / "events.jsonl"
    assert (
        CliRunner().invoke(app, ["export", "g1", "--database", str(path), "-o", str(output)]).exit_code == 0
    )
    assert output.read_text() == found.stdout


def test_unknown_games_and_files_are_told(app: typer.Typer, tmp_path: Path) -> None:
    """No such game, no such file, no log at all: exit 1, and nothing is created."""
    missing, junk = tmp_path / "none.db", tmp_path / "junk.db"
    junk.write_text("no database")
    for path in (missing, junk):
        found = CliRunner().invoke(app, ["export", "g1", "--database", str(path)])
        assert found.exit_code == 1 and "g1" in found.stderr and found.stdout == ""
    assert not missing.exists() and junk.read_text() == "no database"
