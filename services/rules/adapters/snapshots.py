"""Snapshots of a game's state: a shortcut past the log, never a source of truth.

What does not fit (another schema, damaged bytes, another sequence) counts as no snapshot at all. The state of the kernel
comes first, then the states of the parts and of the title and their notes about turn and round, each by its name.
"""

from __future__ import annotations

import copy
from hashlib import blake2b
from zlib import crc32

import msgspec
from msgspec import Struct
from msgspec.structs import fields, replace

from services.rules.adapters.registry import all_parts
from services.rules.kernel.game import Game, PartNote, PartState

HASH_BYTES = 16

Raws = dict[str, msgspec.Raw]

_encoder = msgspec.msgpack.Encoder()
_decoder = msgspec.msgpack.Decoder(tuple[Game, Raws, Raws, Raws])
_STATES: dict[str, msgspec.msgpack.Decoder[PartState]] = {
    part.name: msgspec.msgpack.Decoder(part.state) for part in all_parts() if part.state is not None
}
_TURN_NOTES: dict[str, msgspec.msgpack.Decoder[PartNote]] = {
    part.name: msgspec.msgpack.Decoder(part.turn_note) for part in all_parts() if part.turn_note is not None
}
_ROUND_NOTES: dict[str, msgspec.msgpack.Decoder[PartNote]] = {
    part.name: msgspec.msgpack.Decoder(part.round_note) for part in all_parts() if part.round_note is not None
}


def _describe(kind: type[Struct], seen: set[type[Struct]]) -> str:
    """The fields of a struct and of all structs in it, as text that changes whenever one of them does."""
    seen.add(kind)
    text = f"{kind.__name__}:" + ",".join(f"{info.name}={info.type}" for info in fields(kind)) + ";"
    for info in fields(kind):
        for inner in _structs_in(info.type):
            if inner not in seen:
                text += _describe(inner, seen)
    return text


def _structs_in(kind: object) -> list[type[Struct]]:
    if isinstance(kind, type) and issubclass(kind, Struct):
        return [kind]
    return [struct for argument in getattr(kind, "__args__", ()) for struct in _structs_in(argument)]


def _schema() -> int:
    kinds: list[type[Struct]] = [Game]
    for part in all_parts():
        kinds += [kind for kind in (part.state, part.turn_note, part.round_note) if kind is not None]
    return crc32(" ".join(_describe(kind, set()) for kind in kinds).encode())


SNAPSHOT_SCHEMA = _schema()


def state_bytes(game: Game) -> bytes:
    """The state as bytes, the same in every process. Keys keep the order in which they came, parts come by name."""
    shell = copy.copy(game)
    shell.parts = {}
    shell.turn = replace(game.turn, notes={})
    round_notes: dict[str, PartNote] = {}
    if game.round is not None:
        round_notes = game.round.notes
        shell.round = replace(game.round, notes={})
    parts = {name: game.parts[name] for name in sorted(game.parts)}
    return _encoder.encode((shell, parts, _sorted(game.turn.notes), _sorted(round_notes)))


def _sorted(notes: dict[str, PartNote]) -> dict[str, PartNote]:
    return {name: notes[name] for name in sorted(notes)}


def encode_snapshot(game: Game) -> bytes:
    """The state with its hash before it."""
    state = state_bytes(game)
    return _digest(state) + state


def decode_snapshot(payload: bytes, schema: int, sequence: int) -> Game | None:
    """The state, or `None` when schema, hash, form or sequence do not fit."""
    state = payload[HASH_BYTES:]
    if schema != SNAPSHOT_SCHEMA or payload[:HASH_BYTES] != _digest(state):
        return None
    try:
        game, parts, turn_notes, round_notes = _decoder.decode(state)
        game.parts = {name: _STATES[name].decode(raw) for name, raw in parts.items()}
        game.turn = replace(game.turn, notes=_notes(turn_notes, _TURN_NOTES))
        if game.round is not None:
            game.round = replace(game.round, notes=_notes(round_notes, _ROUND_NOTES))
    except (msgspec.MsgspecError, KeyError):
        return None
    return game if game.sequence == sequence else None


def _notes(raws: Raws, decoders: dict[str, msgspec.msgpack.Decoder[PartNote]]) -> dict[str, PartNote]:
    return {name: decoders[name].decode(raw) for name, raw in raws.items()}


def _digest(state: bytes) -> bytes:
    return blake2b(state, digest_size=HASH_BYTES).digest()
