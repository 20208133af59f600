"""The routing service: best runs for any problem, without a game."""

from __future__ import annotations

from services.client.calls import Caller, channel_to
from services.client.retries import RIDE_OVER, Retries
from services.gen.signalbox.routing.v1 import routing_pb2 as pb
from services.gen.signalbox.routing.v1.routing_pb2_grpc import RoutingStub
from services.routing.convert import problem_to_message, solution_from_message
from services.routing.domain.problem import RouteProblem
from services.routing.domain.solution import RouteSolution

ROUTING = pb.DESCRIPTOR.services_by_name["Routing"]


class Routes:
    """The routing service, as a player of the embedded host, or without a token where it runs alone."""

    def __init__(self, addresses: str, token: str = "", retries: Retries = RIDE_OVER) -> None:
        """`addresses`: host:port, or several separated by commas; calls are spread over them."""
        channel = channel_to(addresses, ROUTING.full_name, is_balanced=True)
        self._caller = Caller(addresses, ROUTING, token, channel, retries)
        self._stub = RoutingStub(self._caller.channel)

    def solve(self, problem: RouteProblem) -> RouteSolution:
        """The best runs; `proven` if none are better."""
        request = pb.SolveRequest(problem=problem_to_message(problem))
        return solution_from_message(self._caller.call(self._stub.Solve, request, pb.SolveResponse).solution)

    def close(self) -> None:
        """Close the channel."""
        self._caller.close()
