"""A client of the routing service over gRPC."""

from __future__ import annotations

from collections.abc import Iterable

import grpc

from services.common.telemetry.logs import get_logger
from services.gen.signalbox.routing.v1 import routing_pb2, routing_pb2_grpc
from services.routing.convert import problem_to_message, solution_from_message
from services.routing.domain.problem import REVENUE_MAX, STOP_COUNT_MAX, RouteProblem
from services.routing.domain.solution import RouteSolution
from services.routing.reasons import ANSWER_WITHHELD, REASON_KEY
from services.rules.ports import RoutingUnavailableError

NOTHING_FOUND = RouteSolution(
    (), 0, 0, proven=False, upper_bound=REVENUE_MAX * STOP_COUNT_MAX, nodes_explored=0
)


class GrpcRouteSolver:
    """Calls a routing service. All errors count as unavailable, except an answer withheld because it failed routing's own check:
    a retry would not help, so the best runs are unknown then, and any legal run is accepted."""

    def __init__(self, channel: grpc.Channel, seconds: float) -> None:
        """`seconds`: how long to wait for an answer; the service searches that long and returns the best it found."""
        self._stub = routing_pb2_grpc.RoutingStub(channel)
        self._seconds = seconds
        self._log = get_logger("rules")

    def solve(self, problem: RouteProblem) -> RouteSolution:
        """See `RouteSolver`."""
        request = routing_pb2.SolveRequest(problem=problem_to_message(problem))
        try:
            response = self._stub.Solve(request, timeout=self._seconds)
        except grpc.RpcError as error:
            if _is_withheld(error):
                self._log.error("routing withheld its answer", company=problem.company)
                return NOTHING_FOUND
            raise RoutingUnavailableError(str(error)) from error
        return solution_from_message(response.solution)


def _is_withheld(error: grpc.RpcError) -> bool:
    if not isinstance(error, grpc.Call):
        return False
    trailers: Iterable[tuple[str, str | bytes]] = error.trailing_metadata() or ()
    return (REASON_KEY, ANSWER_WITHHELD) in trailers
