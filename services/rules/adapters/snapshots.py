"""Snapshots of a game's state: a shortcut past the log, never a source of truth.

What does not fit (another schema, damaged bytes, another sequence) counts as no snapshot at all.
"""

from __future__ import annotations

import copy
from hashlib import blake2b
from zlib import crc32

import msgspec
from msgspec import Struct
from msgspec.structs import fields

from services.rules.domain.game import Game

# Raised when the fold changes what it makes of the same events.
FOLD_VERSION = 1
HASH_BYTES = 16

_encoder = msgspec.msgpack.Encoder()
_decoder = msgspec.msgpack.Decoder(tuple[tuple[str, ...], Game])


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


SNAPSHOT_SCHEMA = crc32(f"{FOLD_VERSION} {_describe(Game, set())}".encode())


def state_bytes(game: Game) -> bytes:
    """The state as bytes, the same in every process. Keys keep the order in which they came; the one set of the state
    has none of its own and is written apart, sorted."""
    without_set = copy.copy(game)
    without_set.depot_sold = frozenset()
    return _encoder.encode((sorted(game.depot_sold), without_set))


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
        depot_sold, game = _decoder.decode(state)
    except msgspec.MsgspecError:
        return None
    game.depot_sold = frozenset(depot_sold)
    return game if game.sequence == sequence else None


def _digest(state: bytes) -> bytes:
    return blake2b(state, digest_size=HASH_BYTES).digest()
