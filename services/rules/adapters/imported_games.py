"""The first events of an imported game: as a message, and compressed as the lobby keeps them."""

from __future__ import annotations

import zlib
from collections.abc import Iterable

from services.common.eventlog.port import NewRecord
from services.gen.signalbox.log.v1 import log_pb2 as pb
from services.rules.requests import ImportGame


def imported_game(command: ImportGame) -> pb.ImportedGame:
    """A game to be imported as a message."""
    return pb.ImportedGame(
        facts=[
            pb.Fact(type=each.type, schema_version=each.schema_version, payload=each.payload)
            for each in command.facts
        ]
    )


def read_imported_game(message: pb.ImportedGame) -> ImportGame:
    """The game in its message."""
    return ImportGame(
        tuple(NewRecord(each.type, each.schema_version, each.payload) for each in message.facts)
    )


def packed_game(facts: Iterable[NewRecord]) -> bytes:
    """The events as the lobby keeps them; equal events give equal bytes."""
    message = imported_game(ImportGame(tuple(facts)))
    return zlib.compress(message.SerializeToString(deterministic=True))


def unpacked_game(kept: bytes) -> ImportGame:
    """The game that `packed_game` made."""
    return read_imported_game(pb.ImportedGame.FromString(zlib.decompress(kept)))
