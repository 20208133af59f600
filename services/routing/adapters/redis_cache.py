"""Answers that all replicas of the routing service share, in Redis."""

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
    """Changes with every line of the solver, so that no replica is given what another version would answer."""
    digest = hashlib.sha256()
    folder = Path(domain.__path__[0])
    for module in sorted(folder.rglob("*.py")):
        digest.update(module.relative_to(folder).as_posix().encode() + b"\0" + module.read_bytes() + b"\0")
    return digest.hexdigest()[:16]


class RedisSolutionCache:
    """Implements `SolutionCache`. A value that is damaged, or was written for another problem, is not there."""

    def __init__(self, connection: RedisConnection) -> None:
        self._connection = connection

    def get(self, key: str) -> RouteSolution | None:
        """See `SolutionCache`."""
        place = self._place(key)
        value = self._connection.ask(lambda redis: redis.get(place), otherwise=None)
        return _opened(key, value) if isinstance(value, bytes) else None

    def put(self, key: str, solution: RouteSolution) -> None:
        """See `SolutionCache`. What is larger than `VALUE_BYTES_MAX` is left out."""
        value = _closed(key, solution)
        if len(value) > VALUE_BYTES_MAX:
            return
        place = self._place(key)

        def keep(redis: Client) -> None:
            redis.set(place, value, ex=KEPT_SECONDS)

        self._connection.ask(keep, otherwise=None)

    def _place(self, key: str) -> str:
        return self._connection.key("route", solver_version(), key)


def _closed(key: str, solution: RouteSolution) -> bytes:
    body = _ENCODER.encode(solution)
    return _digest(key, body) + body


def _opened(key: str, value: bytes) -> RouteSolution | None:
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
