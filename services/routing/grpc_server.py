"""The gRPC face of the routing service: decode, call the handler, encode."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import NoReturn

import grpc

from services.gen.signalbox.routing.v1 import routing_pb2, routing_pb2_grpc
from services.routing.convert import problem_from_message, solution_to_message
from services.routing.domain.problem import ProblemError
from services.routing.handlers import AnswerRefused, solve_routes, stop_at

# Kept back from a caller's deadline so that the answer found so far still reaches the caller.
REPLY_SECONDS = 0.05
REPLY_FRACTION = 0.2
# Trailing metadata of INVALID_ARGUMENT: the path of the bad field and a code that never changes meaning.
FIELD_KEY = "signalbox-field"
REASON_KEY = "signalbox-reason"


class RoutingServicer(routing_pb2_grpc.RoutingServicer):
    """Answers `signalbox.routing.v1.Routing`. `clock` gives seconds and never goes back."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock

    def Solve(
        self, request: routing_pb2.SolveRequest, context: grpc.ServicerContext
    ) -> routing_pb2.SolveResponse:
        """The best runs for the request's problem; INVALID_ARGUMENT names the field of a problem without meaning."""
        began = self._clock()
        try:
            problem = problem_from_message(request.problem)
            seconds = search_seconds(context.time_remaining(), problem.options.deadline_ms)
            solution = solve_routes(problem, stop_at(self._clock, seconds, context.is_active))
        except ProblemError as error:
            _abort_invalid(context, error)
        except AnswerRefused:
            context.abort(grpc.StatusCode.INTERNAL, "the answer failed its own check and was withheld")
        elapsed_us = int((self._clock() - began) * 1_000_000)
        return routing_pb2.SolveResponse(solution=solution_to_message(solution), elapsed_us=elapsed_us)


def make_servicer() -> RoutingServicer:
    """The servicer as the server registers it."""
    return RoutingServicer()


def search_seconds(call_seconds: float | None, deadline_ms: int) -> float | None:
    """How long to search: the call's remaining time less what the reply needs, or the problem's own if shorter.

    None if neither sets a limit.
    """
    limits = [deadline_ms / 1000] if deadline_ms > 0 else []
    if call_seconds is not None:
        limits.append(call_seconds - min(REPLY_SECONDS, call_seconds * REPLY_FRACTION))
    return min(limits, default=None)


def _abort_invalid(context: grpc.ServicerContext, error: ProblemError) -> NoReturn:
    context.set_trailing_metadata(((FIELD_KEY, f"problem.{error.field}"), (REASON_KEY, error.reason)))
    context.abort(grpc.StatusCode.INVALID_ARGUMENT, f"problem.{error.field}: {error.message}")
