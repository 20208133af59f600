"""Decodes the statuses of games in `rules.game_statuses`."""

from __future__ import annotations

from google.protobuf.message import DecodeError

from services.common.faust.records import NewerVersion, UnprocessableRecord
from services.common.kafka.unpacking import UnknownDictionary, message_in
from services.gen.signalbox.log.v1 import log_pb2 as pb
from services.lobby.domain.games import GameStatus
from services.lobby.statuses import status_from

# Version 1 had all balances as well, which the lobby does not read; since version 3 players are named by their seats.
KNOWN_VERSIONS = (1, 2, 3)


def read_status(value: bytes, key: bytes | str | None) -> GameStatus:
    """The status in the value of a record with this key.

    Raises `UnprocessableRecord`, and `NewerVersion` for one of a newer platform."""
    try:
        message = message_in(pb.GameStatus, value, key)
    except UnknownDictionary as error:
        raise NewerVersion(f"a status {error}") from error
    except DecodeError as error:
        raise UnprocessableRecord(f"not a status: {error}") from error
    if message.schema_version > max(KNOWN_VERSIONS):
        raise NewerVersion(f"a status of schema version {message.schema_version}")
    if message.schema_version not in KNOWN_VERSIONS or not message.game_id or message.sequence < 1:
        raise UnprocessableRecord("not a status: it needs a schema version, a game and a sequence from 1")
    return status_from(message)
