"""Standings of games as the records of Kafka tell them."""

from __future__ import annotations

from google.protobuf.message import DecodeError

from services.common.faust.records import NewerVersion, Unworkable
from services.gen.signalbox.log.v1 import log_pb2 as pb
from services.lobby.domain.games import GameResult, GameStanding

SCHEMA_VERSION = 1


def read_standing(value: bytes) -> GameStanding:
    """The standing in a record's value. Raises `Unworkable`, and `NewerVersion` for one of a newer platform."""
    try:
        message = pb.Standing.FromString(value)
    except DecodeError as error:
        raise Unworkable(f"no standing: {error}") from error
    if message.schema_version > SCHEMA_VERSION:
        raise NewerVersion(f"a standing of schema version {message.schema_version}")
    if message.schema_version != SCHEMA_VERSION or not message.game_id or message.sequence < 1:
        raise Unworkable("no standing: it needs a schema version, a game and a sequence from 1")
    return GameStanding(
        game_id=message.game_id,
        sequence=message.sequence,
        title=message.title,
        players=tuple(message.players),
        acting_players=tuple(message.acting_players),
        round_kind=message.round_kind,
        turn=message.turn,
        round_number=message.round_number,
        phase=message.phase,
        actor=message.actor,
        ending=message.ending,
        results=tuple(GameResult(each.player, each.value) for each in message.results),
        time_ms=message.recorded_time_ms,
    )
