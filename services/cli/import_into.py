"""`signalbox import --into`: makes a table of a game that was begun elsewhere."""

from __future__ import annotations

import gzip
import hashlib
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple

import msgspec
import typer

from services.client.calls import NotAnsweredError, Rejected
from services.client.lobby import Lobby
from services.client.retries import Retries
from services.common.errors import SignalboxError
from services.gen.signalbox.lobby.v1 import table_pb2
from services.rules.importer.files import read_content
from services.rules.importer.record import NotAGameError

REFUSED = 1
FAILED = 2
RETRIES = Retries(seconds=30.0, attempt_seconds=60.0)
REQUEST_ID_DIGITS = 40

_read_seats = msgspec.json.Decoder(dict[str, str]).decode


class UndoChoice(StrEnum):
    """What players may take back."""

    FREE = "free"
    OWN_TURN = "own_turn"
    NONE = "none"


UNDO_POLICIES = {
    UndoChoice.FREE: table_pb2.UNDO_POLICY_FREE,
    UndoChoice.OWN_TURN: table_pb2.UNDO_POLICY_OWN_TURN,
    UndoChoice.NONE: table_pb2.UNDO_POLICY_NONE,
}


class Moving(NamedTuple):
    """Where a game is to go on, and how. `seats`: file with the accounts, `token_file`: with the token of an operator."""

    lobby: str
    seats: Path | None
    token_file: Path | None
    undo: UndoChoice
    turn_seconds: int
    as_recorded: bool


class _UnusableFile(SignalboxError):
    """A file that the command needs cannot be used."""


def import_into(file: Path, moving: Moving) -> int:
    """Make the table and print its id and that of the game; returns the exit code."""
    try:
        table = _imported(file, moving)
    except Rejected as rejected:
        typer.echo(f"{file}: {rejected}", err=True)
        return REFUSED
    except NotAGameError as error:
        typer.echo(f"{file}: not a game: {error}", err=True)
        return REFUSED
    except (SignalboxError, NotAnsweredError) as problem:
        typer.echo(f"signalbox import: {problem}", err=True)
        return FAILED
    typer.echo(f"table {table.table_id}  game {table.game_id}  {table.origin.action_count} taken over")
    return 0


def _imported(file: Path, moving: Moving) -> table_pb2.Table:
    content = read_content(file)
    seats = {} if moving.seats is None else _seats(moving.seats)
    lobby = Lobby(moving.lobby, _token(moving.token_file), RETRIES)
    try:
        return lobby.import_table(
            gzip.compress(content, mtime=0),
            seats,
            UNDO_POLICIES[moving.undo],
            moving.turn_seconds,
            moving.as_recorded,
            _request_id(content, seats, moving),
        )
    finally:
        lobby.close()


def _request_id(content: bytes, seats: dict[str, str], moving: Moving) -> str:
    """The same for the same import, so that the command may be repeated."""
    said = msgspec.json.encode((seats, moving.undo, moving.turn_seconds, moving.as_recorded), order="sorted")
    return hashlib.sha256(content + said).hexdigest()[:REQUEST_ID_DIGITS]


def _seats(path: Path) -> dict[str, str]:
    try:
        return _read_seats(path.read_bytes())
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise _UnusableFile(f"seats {path}: {error}") from error


def _token(path: Path | None) -> str:
    if path is None:
        raise _UnusableFile("--into needs --token-file, the token of an operator")
    try:
        return path.read_text(encoding="ascii").strip()
    except (OSError, UnicodeError) as error:
        raise _UnusableFile(f"token {path}: {error}") from error
