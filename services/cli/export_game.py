"""`signalbox export`: the events of a game, one JSON object a line, signed so that they can be imported again."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer
from prometheus_client import CollectorRegistry

from services.cli.token_file import read_token
from services.client.calls import NotAnsweredError
from services.client.games import Games
from services.common.auth.identity import token_keys
from services.common.auth.signatures import Signature, sign
from services.common.clock import SystemClock
from services.common.errors import SignalboxError
from services.common.eventlog.port import Record
from services.common.eventlog.sqlite import SqliteEventLog
from services.common.eventlog.sqlite_database import SqliteDatabase
from services.common.settings.service import Settings, load_settings
from services.rules.adapters.codec import UnreadableEventError, stored_body
from services.rules.archive.opening import RulesArchive
from services.rules.history import stream_of
from services.rules.moving.export import Sign, export_lines

FAILED = 1
NO_KEY = "no signing key here: an unsigned export cannot be imported again"


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
        server: Annotated[
            str, typer.Option(help="Where a rules service answers, host:port, in the place of a file.")
        ] = "",
        token_file: Annotated[
            Path | None, typer.Option(help="File with a token, for --server.", dir_okay=False)
        ] = None,
    ) -> None:
        """Write the events of a game as JSON lines, signed with the key that signs tokens (SIGNALBOX_SIGNING_KEY or
        SIGNALBOX_TOKEN_KEYS). Exit 1 when there is no such game or it cannot be read."""
        raise typer.Exit(export_game(game, output, database, server, token_file))


def export_game(
    game: str,
    output: Path | None = None,
    database: Path | None = None,
    server: str = "",
    token_file: Path | None = None,
) -> int:
    """Write the events of `game`; returns the exit code."""
    try:
        settings = load_settings(os.environ)
        path = database or settings.database
        records = _served(server, token_file, game) if server else _records(path, game, settings)
        if not records:
            typer.echo(f"{game}: no such game in {path}", err=True)
            return FAILED
        write_export(game, records, lambda content: signature_of(settings, content), output)
    except (SignalboxError, UnreadableEventError, NotAnsweredError, OSError, UnicodeError) as problem:
        typer.echo(f"{game}: {problem}", err=True)
        return FAILED
    return 0


def write_export(game: str, records: Sequence[Record], sign: Sign, output: Path | None) -> None:
    """Write the file of a game, to standard output where `output` is None. Raises `UnreadableEventError`, `OSError`."""
    content = b"".join(export_lines(game, records, sign))
    if output is None:
        typer.echo(content, nl=False)
    else:
        output.write_bytes(content)


def signature_of(settings: Settings, content: bytes) -> Signature:
    """Made with a key that is there; none is made for it, since no lobby would know it."""
    if settings.token_keys is None and not settings.signing_key.is_file():
        typer.echo(NO_KEY, err=True)
        return Signature("", b"")
    return sign(token_keys(settings, SystemClock()), content)


def _records(path: Path, game: str, settings: Settings) -> list[Record]:
    if not path.is_file():
        return []
    log = SqliteEventLog(SqliteDatabase(path))
    archive = RulesArchive(settings, log, CollectorRegistry())
    try:
        return archive.log.read(stream_of(game))
    finally:
        archive.close()
        log.close()


def _served(server: str, token_file: Path | None, game: str) -> list[Record]:
    """The events as the service gives them: in their current versions."""
    token = "" if token_file is None else read_token(token_file)
    games = Games(server, token)
    try:
        return [
            Record(stream_of(game), event.sequence, *stored_body(event), event.recorded_time_ms, 0)
            for event in games.events(game)
        ]
    finally:
        games.close()
