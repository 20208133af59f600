"""Solves route problems for commands: in this process or by a running service."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from typing import NamedTuple

import grpc
from msgspec.structs import replace

from services.client.calls import bearer, channel_to
from services.client.routes import ROUTING
from services.gen.signalbox.routing.v1 import routing_pb2, routing_pb2_grpc
from services.routing.convert import problem_to_message, solution_from_message
from services.routing.domain.problem import ProblemError, RouteProblem
from services.routing.domain.solution import RouteSolution
from services.routing.grpc_server import FIELD_KEY
from services.routing.handlers import InvalidAnswerError, solve_routes
from services.routing.reasons import REASON_KEY

OnBetter = Callable[[RouteSolution], None]
PROBLEM_PREFIX = "problem."


class NoAnswerError(Exception):
    """There is no answer, or it failed verification; the message says why."""


class Solved(NamedTuple):
    """An answer and how long it took, with verification."""

    solution: RouteSolution
    milliseconds: float


def with_deadline(problem: RouteProblem, deadline_ms: int | None) -> RouteProblem:
    """The problem with this deadline, or with its own where None is given."""
    if deadline_ms is None:
        return problem
    return replace(problem, options=replace(problem.options, deadline_ms=deadline_ms))


def solve_here(problem: RouteProblem, on_better: OnBetter) -> Solved:
    """The verified best runs within the problem's deadline. Raises `ProblemError` and `NoAnswerError`."""
    began = time.perf_counter()
    deadline_ms = problem.options.deadline_ms
    end = began + deadline_ms / 1000

    def should_stop() -> bool:
        return deadline_ms > 0 and time.perf_counter() >= end

    try:
        solution = solve_routes(problem, should_stop, on_better)
    except InvalidAnswerError as refused:
        raise NoAnswerError(f"the answer failed verification: {refused}") from refused
    return Solved(solution, (time.perf_counter() - began) * 1000)


def solve_there(problem: RouteProblem, address: str, on_better: OnBetter | None, token: str = "") -> Solved:
    """The best runs from the service at `address` (host:port); intermediate ones go to `on_better` if given. The service of
    an embedded host needs a player's token.

    Raises `ProblemError` and `NoAnswerError`."""
    began = time.perf_counter()
    request = routing_pb2.SolveRequest(problem=problem_to_message(problem))
    try:
        with channel_to(address, ROUTING.full_name) as channel:
            stub = routing_pb2_grpc.RoutingStub(channel)
            metadata = bearer(token)
            if on_better is None:
                answer = stub.Solve(request, metadata=metadata)
            else:
                answer = _last(stub.SolveStream(request, metadata=metadata), on_better)
    except grpc.RpcError as error:
        raise _exception_for(error) from error
    return Solved(solution_from_message(answer.solution), (time.perf_counter() - began) * 1000)


def _last(answers: Iterable[routing_pb2.SolveResponse], on_better: OnBetter) -> routing_pb2.SolveResponse:
    for answer in answers:
        if answer.final:
            return answer
        on_better(solution_from_message(answer.solution))
    raise NoAnswerError("the service ended the stream without an answer")


def _exception_for(error: grpc.RpcError) -> ProblemError | NoAnswerError:
    """The exception for a failed call. In practice every such `grpc.RpcError` is a `grpc.Call` as well."""
    if not isinstance(error, grpc.Call):
        return NoAnswerError(str(error))
    trailers = {item.key: item.value for item in error.trailing_metadata() or ()}
    details = error.details() or ""
    field, reason = (_text(trailers.get(key, "")) for key in (FIELD_KEY, REASON_KEY))
    if error.code() is grpc.StatusCode.INVALID_ARGUMENT and field:
        message = details.removeprefix(f"{field}: ")
        return ProblemError(field.removeprefix(PROBLEM_PREFIX), reason, message)
    return NoAnswerError(f"{error.code().name}: {details}")


def _text(value: str | bytes) -> str:
    return value if isinstance(value, str) else value.decode(errors="replace")
