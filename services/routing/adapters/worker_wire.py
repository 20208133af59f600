"""Messages between the server and a worker process over their pipe, one MessagePack map each."""

from __future__ import annotations

from typing import TypeAlias

import msgspec

from services.routing.domain.problem import RouteProblem
from services.routing.domain.solution import RouteSolution
from services.routing.domain.verify import RunFault


class Ask(msgspec.Struct, frozen=True, tag=True):
    """Solve this problem, for at most `seconds` if given."""

    problem: RouteProblem
    seconds: float | None


class Stop(msgspec.Struct, frozen=True, tag=True):
    """Answer with the best so far. Ignored after the answer."""


class Ready(msgspec.Struct, frozen=True, tag=True):
    """Warmed up; sent once."""


class Better(msgspec.Struct, frozen=True, tag=True):
    """A better intermediate answer; more follow."""

    solution: RouteSolution


class Answered(msgspec.Struct, frozen=True, tag=True):
    """The final answer."""

    solution: RouteSolution


class InvalidProblem(msgspec.Struct, frozen=True, tag=True):
    """The problem is invalid; the parts of a `ProblemError`."""

    field: str
    reason: str
    message: str


class InvalidAnswer(msgspec.Struct, frozen=True, tag=True):
    """The answer failed verification."""

    fault: RunFault


class SolverFailed(msgspec.Struct, frozen=True, tag=True):
    """The solver raised an unexpected exception."""

    traceback: str


ToWorker: TypeAlias = Ask | Stop
FromWorker: TypeAlias = Ready | Better | Answered | InvalidProblem | InvalidAnswer | SolverFailed

_to_worker = msgspec.msgpack.Decoder(ToWorker)
_from_worker: msgspec.msgpack.Decoder[FromWorker] = msgspec.msgpack.Decoder(FromWorker)


def encode(message: ToWorker | FromWorker) -> bytes:
    """The bytes of a message in either direction."""
    return msgspec.msgpack.encode(message)


def decode_to_worker(content: bytes) -> ToWorker:
    """Decode a message from the server."""
    message: ToWorker = _to_worker.decode(content)
    return message


def decode_from_worker(content: bytes) -> FromWorker:
    """Decode a message from the worker."""
    return _from_worker.decode(content)
