"""The cache that all replicas of the routing service share, in Redis."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path

import msgspec

from services.common.redis.client import Client
from services.common.redis.connection import RedisConnection
from services.routing import domain
from services.routing.domain.solution import RouteSolution

KEPT_SECONDS = 7 * 24 * 3600
VALUE_BYTES_MAX = 64 * 1024
DIGEST_BYTES = 16

_ENCODER = msgspec.msgpack.Encoder()
_DECODER = msgspec.msgpack.Decoder(RouteSolution)


@cache
def solver_version() -> str:
    """A hash of the solver's sources, so that no replica gets the answer of another version."""
    digest = hashlib.sha256()
    folder = Path(domain.__path__[0])
    for module in sorted(folder.rglob("*.py")):
        digest.update(module.relative_to(folder).as_posix().encode() + b"\0" + module.read_bytes() + b"\0")
    return digest.hexdigest()[:16]


class RedisSolutionCache:
    """Implements `SolutionCache`. A damaged value, or one written for another problem, counts as a miss."""

    def __init__(self, connection: RedisConnection) -> None:
        self._connection = connection

    def get(self, key: str) -> RouteSolution | None:
        """See `SolutionCache`."""
        redis_key = self._redis_key(key)
        value = self._connection.ask(lambda redis: redis.get(redis_key), otherwise=None)
        return _decode(key, value) if isinstance(value, bytes) else None

    def put(self, key: str, solution: RouteSolution) -> None:
        """See `SolutionCache`. Values larger than `VALUE_BYTES_MAX` are not stored."""
        value = _encode(key, solution)
        if len(value) > VALUE_BYTES_MAX:
            return
        redis_key = self._redis_key(key)

        def keep(redis: Client) -> None:
            redis.set(redis_key, value, ex=KEPT_SECONDS)

        self._connection.ask(keep, otherwise=None)

    def _redis_key(self, key: str) -> str:
        return self._connection.key("route", solver_version(), key)


def _encode(key: str, solution: RouteSolution) -> bytes:
    body = _ENCODER.encode(solution)
    return _digest(key, body) + body


def _decode(key: str, value: bytes) -> RouteSolution | None:
    digest, body = value[:DIGEST_BYTES], value[DIGEST_BYTES:]
    if digest != _digest(key, body):
        return None
    try:
        solution = _DECODER.decode(body)
    except msgspec.DecodeError:
        return None
    return solution if solution.proven else None


def _digest(key: str, body: bytes) -> bytes:
    return hashlib.sha256(key.encode() + b"\0" + body).digest()[:DIGEST_BYTES]
