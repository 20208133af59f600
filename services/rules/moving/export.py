"""The file of a game of this project: its events, one JSON object a line, and a last line with the signature.

Every line has the first digits of the hash of all lines up to it, so that the first one that was changed can be named. An
import reads the stored bytes of an event (`payload`); `event` shows the same to people.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from hashlib import sha256

import msgspec

from services.common.auth.signatures import Signature
from services.common.eventlog.port import NewRecord, Record
from services.rules.adapters.codec import decode_event
from services.rules.adapters.snapshots import SNAPSHOT_SCHEMA, state_bytes
from services.rules.kernel.fold import replay
from services.rules.kernel.game import Game
from services.rules.moving.refusals import FileRefused

FORMAT = "signalbox game 1"
EVENTS_MAX = 100_000
LINK_DIGITS = 16
BEGINNING = b'{"sequence":'

Sign = Callable[[bytes], Signature]


class _Line(msgspec.Struct, frozen=True):
    """An event of the file."""

    sequence: int
    type: str
    schema_version: int
    recorded_time_ms: int
    payload: bytes
    digest: str


class ExportEnd(msgspec.Struct, frozen=True, kw_only=True):
    """The last line. `digest`: of all events; `state`: hash of the state after them, in the encoding `state_schema`."""

    format: str
    game_id: str
    event_count: int
    digest: str
    state_schema: int
    state: str
    key_id: str = ""
    signature: bytes = b""

    def signed(self) -> bytes:
        """What the signature covers."""
        fields = (
            self.format,
            self.game_id,
            self.event_count,
            self.digest,
            self.state_schema,
            self.state,
        )
        return msgspec.msgpack.encode(fields)


class _LastLine(msgspec.Struct, frozen=True):
    end: ExportEnd


class Export(msgspec.Struct, frozen=True):
    """An export as its file has it; whom `end.signature` is of has not been checked."""

    facts: tuple[NewRecord, ...]
    end: ExportEnd


_read_line = msgspec.json.Decoder(_Line).decode
_read_last = msgspec.json.Decoder(_LastLine).decode


def export_lines(game_id: str, records: Sequence[Record], sign: Sign) -> Iterator[bytes]:
    """The lines of a game's file. Raises `UnreadableEventError`, and what `sign` raises."""
    digest = _first_digest()
    events = []
    for record in records:
        event = decode_event(record.type, record.schema_version, record.payload)
        digest = _next_digest(digest, record, record.sequence, record.recorded_time_ms)
        events.append(event)
        line = {
            "sequence": record.sequence,
            "type": record.type,
            "recorded_time_ms": record.recorded_time_ms,
            "event": msgspec.to_builtins(event),
            "schema_version": record.schema_version,
            "payload": record.payload,
            "digest": digest.hex()[:LINK_DIGITS],
        }
        yield msgspec.json.encode(line) + b"\n"
    end = ExportEnd(
        format=FORMAT,
        game_id=game_id,
        event_count=len(records),
        digest=digest.hex(),
        state_schema=SNAPSHOT_SCHEMA,
        state=state_digest(replay(events)),
    )
    signature = sign(end.signed())
    signed = msgspec.structs.replace(end, key_id=signature.key_id, signature=signature.value)
    yield msgspec.json.encode(_LastLine(signed)) + b"\n"


def read_export(content: bytes) -> Export:
    """The export in a file whose lines belong together. Raises `FileRefused`, which names the first that does not."""
    *lines, last = content.rstrip(b"\n").split(b"\n")
    if len(lines) > EVENTS_MAX:
        raise FileRefused("too_large", f"more than {EVENTS_MAX} events")
    digest, facts = _first_digest(), []
    for number, text in enumerate(lines, start=1):
        line = _line(number, text)
        fact = NewRecord(line.type, line.schema_version, line.payload)
        digest = _next_digest(digest, fact, number, line.recorded_time_ms)
        if line.digest != digest.hex()[:LINK_DIGITS]:
            raise FileRefused("event_differs", number=number, kind=line.type)
        facts.append(fact)
    try:
        end = _read_last(last).end
    except (msgspec.MsgspecError, RecursionError) as error:
        raise FileRefused("not_signed", f"the last line holds no signature: {error}") from error
    if end.format != FORMAT:
        raise FileRefused("not_a_game", f"the format is not {FORMAT!r} - at `$.end.format`")
    if (end.event_count, end.digest) != (len(facts), digest.hex()):
        raise FileRefused("event_missing", number=min(end.event_count, len(facts)) + 1)
    return Export(tuple(facts), end)


def state_digest(game: Game) -> str:
    """Hash of a state, in hexadecimal digits."""
    return sha256(state_bytes(game)).hexdigest()


def _line(number: int, text: bytes) -> _Line:
    try:
        line = _read_line(text)
    except (msgspec.MsgspecError, RecursionError) as error:
        raise FileRefused("not_a_game", str(error), number=number) from error
    if line.sequence != number:
        raise FileRefused("event_missing", number=number)
    return line


def _first_digest() -> bytes:
    return sha256(FORMAT.encode()).digest()


def _next_digest(digest: bytes, fact: NewRecord | Record, sequence: int, recorded_time_ms: int) -> bytes:
    fields = (sequence, fact.type, fact.schema_version, recorded_time_ms, fact.payload)
    return sha256(digest + msgspec.msgpack.encode(fields)).digest()
