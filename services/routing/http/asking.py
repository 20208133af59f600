"""Calls of the routing service that end when nobody waits for them any more, without a thread for each."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from typing import NamedTuple, TypeAlias

import grpc
from grpc_health.v1 import health_pb2
from msgspec.structs import replace

from services.gen.signalbox.routing.v1 import routing_pb2
from services.routing.convert import problem_to_message, solution_from_message
from services.routing.domain.problem import ProblemError, RouteProblem
from services.routing.domain.solution import RouteSolution
from services.routing.domain.validation import validate_problem
from services.routing.http.faults import of_call, of_problem
from services.routing.json_form import problem_from_json

SERVICE: str = routing_pb2.DESCRIPTOR.services_by_name["Routing"].full_name
SOLVE = f"/{SERVICE}/Solve"
CHECK = "/grpc.health.v1.Health/Check"
HEALTH_SECONDS = 2.0
# Beside the search, for the way there and back on a busy machine.
REPLY_SECONDS = 5.0

CallMetadata: TypeAlias = Sequence[tuple[str, str]]
BytesCall: TypeAlias = "grpc.UnaryUnaryMultiCallable[bytes, bytes]"


class Question(NamedTuple):
    """A valid problem, and the call's request as bytes."""

    problem: RouteProblem
    request: bytes


def question_in(content: bytes, search_seconds: float) -> Question:
    """The question of a JSON text, searched for so long at most. Raises `FaultError`. Takes long for large problems: not for the
    event loop.

    The problem is validated here too, because not every invalid one can be written as a message.
    """
    try:
        problem = problem_from_json(content)
        validate_problem(problem)
    except ProblemError as error:
        raise of_problem(error) from error
    most_ms = round(search_seconds * 1000)
    options = replace(problem.options, deadline_ms=min(problem.options.deadline_ms or most_ms, most_ms))
    request = routing_pb2.SolveRequest(problem=problem_to_message(replace(problem, options=options)))
    return Question(problem, request.SerializeToString())


def solution_in(response: bytes) -> RouteSolution:
    """The solution of a response; like `question_in` not for the event loop."""
    return solution_from_message(routing_pb2.SolveResponse.FromString(response).solution)


class RoutingCalls:
    """Calls over one channel."""

    def __init__(self, channel: grpc.Channel) -> None:
        self._solve: BytesCall = channel.unary_unary(SOLVE)
        self._check: BytesCall = channel.unary_unary(CHECK)

    async def solve(self, question: Question, seconds: float, metadata: CallMetadata) -> bytes:
        """The response to the question. Raises `FaultError`. If cancelled, it ends the search."""
        return await _answer(self._solve, question.request, seconds + REPLY_SECONDS, metadata)

    async def check_health(self) -> None:
        """Raises `FaultError` unless the service reports itself serving."""
        request = health_pb2.HealthCheckRequest(service=SERVICE).SerializeToString()
        await _answer(self._check, request, HEALTH_SECONDS, ())


async def _answer(
    method: BytesCall,
    request: bytes,
    seconds: float,
    metadata: CallMetadata,
) -> bytes:
    loop = asyncio.get_running_loop()
    ended = asyncio.Event()

    def note(_call: object) -> None:
        # The loop may be closed before a call that nobody waits for has ended.
        with suppress(RuntimeError):
            loop.call_soon_threadsafe(ended.set)

    call = method.future(request, timeout=seconds, metadata=tuple(metadata))
    call.add_done_callback(note)
    try:
        await ended.wait()
    finally:
        call.cancel()
    try:
        return call.result()
    except grpc.RpcError as error:
        raise of_call(error) from error
