"""The way to the routing service over gRPC."""

from __future__ import annotations

import grpc

from services.gen.signalbox.routing.v1 import routing_pb2, routing_pb2_grpc
from services.routing.convert import problem_to_message, solution_from_message
from services.routing.domain.problem import RouteProblem
from services.routing.domain.solution import RouteSolution
from services.rules.ports import RoutingUnavailableError


class GrpcRouteSolver:
    """Asks a routing service. Whatever keeps it from answering counts as unavailable."""

    def __init__(self, channel: grpc.Channel, seconds: float) -> None:
        """`seconds`: how long to wait for an answer; the service searches as long and gives the best it has."""
        self._stub = routing_pb2_grpc.RoutingStub(channel)
        self._seconds = seconds

    def solve(self, problem: RouteProblem) -> RouteSolution:
        """See `RouteSolver`."""
        request = routing_pb2.SolveRequest(problem=problem_to_message(problem))
        try:
            response = self._stub.Solve(request, timeout=self._seconds)
        except grpc.RpcError as error:
            raise RoutingUnavailableError(str(error)) from error
        return solution_from_message(response.solution)
