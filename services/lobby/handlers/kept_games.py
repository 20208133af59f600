"""The events of imported games, kept until their games have them: in streams of their own, which no list reads."""

import hashlib

from services.common.eventlog.port import EventLog
from services.lobby.domain.imports import GameKept
from services.lobby.event_codec import UnknownRecord, decode, encode

KEPT_STREAM = "lobby.import."


def keep_events(log: EventLog, events: bytes) -> str:
    """Keep the events of a game; the name of their stream, which follows from them, so that the same are kept once."""
    stream = KEPT_STREAM + hashlib.sha256(events).hexdigest()
    log.append(stream, 0, [encode(GameKept(events))])
    return stream


def kept_events(log: EventLog, stream: str) -> bytes:
    """What is kept there. Raises `UnknownRecord` where nothing is, or this version cannot read it."""
    for record in log.read(stream, up_to=1):
        kept: GameKept = decode(record)
        return kept.events
    raise UnknownRecord(f"{stream}: holds no events")
