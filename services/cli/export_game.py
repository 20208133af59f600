"""`signalbox export`: the events of a game in the local log, one JSON object a line."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated

import msgspec
import typer

from services.common.errors import SignalboxError
from services.common.eventlog.port import Record
from services.common.eventlog.sqlite import SqliteEventLog
from services.common.eventlog.sqlite_database import SqliteDatabase
from services.common.settings.service import load_settings
from services.rules.adapters.codec import UnreadableEventError, decode_event
from services.rules.history import stream_of

FAILED = 1


def register(app: typer.Typer) -> None:
    """Add the command `export` to `app`."""

    @app.command("export")
    def export_command(
        game: Annotated[str, typer.Argument(help="Id of the game.")],
        output: Annotated[
            Path | None, typer.Option("--output", "-o", help="File; standard output if none.")
        ] = None,
        database: Annotated[
            Path | None, typer.Option(help="File of the event log; SIGNALBOX_DATABASE if not given.")
        ] = None,
    ) -> None:
        """Write the events of a game as JSON lines. Exit 1 when there is no such game or the log cannot be read."""
        raise typer.Exit(export_game(game, output, database))


def export_game(game: str, output: Path | None = None, database: Path | None = None) -> int:
    """Write the events of `game`; returns the exit code."""
    try:
        path = database or load_settings(os.environ).database
        content = b"".join(event_lines(_records(path, game)))
        if output is None:
            typer.echo(content, nl=False)
        else:
            output.write_bytes(content)
    except (SignalboxError, UnreadableEventError, OSError) as problem:
        typer.echo(f"{game}: {problem}", err=True)
        return FAILED
    if not content:
        typer.echo(f"{game}: no such game in {path}", err=True)
        return FAILED
    return 0


def _records(path: Path, game: str) -> list[Record]:
    if not path.is_file():
        return []
    log = SqliteEventLog(SqliteDatabase(path))
    try:
        return log.read(stream_of(game))
    finally:
        log.close()


def event_lines(records: Sequence[Record]) -> Iterator[bytes]:
    """Every stored event as a JSON line: `sequence`, `type`, `recorded_time_ms`, then its fields under `event`."""
    for record in records:
        line = {
            "sequence": record.sequence,
            "type": record.type,
            "recorded_time_ms": record.recorded_time_ms,
            "event": msgspec.to_builtins(decode_event(record.type, record.schema_version, record.payload)),
        }
        yield msgspec.json.encode(line) + b"\n"
