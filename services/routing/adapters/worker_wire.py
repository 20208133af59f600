"""What server and worker process say to each other over their pipe, one MessagePack map per message."""

from __future__ import annotations

from typing import TypeAlias

import msgspec

from services.routing.domain.problem import RouteProblem
from services.routing.domain.solution import RouteSolution
from services.routing.domain.verify import RunFault


class Ask(msgspec.Struct, frozen=True, tag=True):
    """Solve this, for so many seconds if a limit is given."""

    problem: RouteProblem
    seconds: float | None


class Stop(msgspec.Struct, frozen=True, tag=True):
    """Answer with what you have. Said too late, it means nothing."""


class Ready(msgspec.Struct, frozen=True, tag=True):
    """Warmed up; said once."""


class Better(msgspec.Struct, frozen=True, tag=True):
    """An answer better than those before; others follow."""

    solution: RouteSolution


class Answered(msgspec.Struct, frozen=True, tag=True):
    """The answer."""

    solution: RouteSolution


class Meaningless(msgspec.Struct, frozen=True, tag=True):
    """The problem means nothing; the parts of a `ProblemError`."""

    field: str
    reason: str
    message: str


class Withheld(msgspec.Struct, frozen=True, tag=True):
    """The answer failed its check."""

    fault: RunFault


class Broken(msgspec.Struct, frozen=True, tag=True):
    """The solver raised something unforeseen."""

    traceback: str


ToWorker: TypeAlias = Ask | Stop
FromWorker: TypeAlias = Ready | Better | Answered | Meaningless | Withheld | Broken

_to_worker = msgspec.msgpack.Decoder(ToWorker)
_from_worker: msgspec.msgpack.Decoder[FromWorker] = msgspec.msgpack.Decoder(FromWorker)


def encode(message: ToWorker | FromWorker) -> bytes:
    """The bytes of a message in either direction."""
    return msgspec.msgpack.encode(message)


def decode_to_worker(content: bytes) -> ToWorker:
    """What the server says."""
    message: ToWorker = _to_worker.decode(content)
    return message


def decode_from_worker(content: bytes) -> FromWorker:
    """What the worker says."""
    return _from_worker.decode(content)
