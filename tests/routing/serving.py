"""A minimal routing service for clients: started, stopped and restarted at one address."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import grpc

from services.gen.signalbox.routing.v1 import routing_pb2, routing_pb2_grpc
from services.routing.convert import problem_from_message, solution_to_message
from services.routing.domain.problem import ProblemError
from services.routing.domain.solver import solve


class PlainRouting(routing_pb2_grpc.RoutingServicer):
    """Solves in the thread of the call."""

    def Solve(
        self, request: routing_pb2.SolveRequest, context: grpc.ServicerContext
    ) -> routing_pb2.SolveResponse:
        """The answer, or the fault with its field and reason."""
        try:
            solution = solve(problem_from_message(request.problem))
        except ProblemError as error:
            field = f"problem.{error.field}"
            context.set_trailing_metadata((("signalbox-field", field), ("signalbox-reason", error.reason)))
            context.abort(grpc.StatusCode.INVALID_ARGUMENT, f"{field}: {error.message}")
        return routing_pb2.SolveResponse(solution=solution_to_message(solution), final=True)

    def SolveStream(
        self, request: routing_pb2.SolveRequest, context: grpc.ServicerContext
    ) -> Iterator[routing_pb2.SolveResponse]:
        """First nothing under a high bound, then the answer."""
        yield routing_pb2.SolveResponse(solution=routing_pb2.RouteSolution(upper_bound=99))
        yield self.Solve(request, context)


@contextmanager
def plain_routing(port: int = 0) -> Iterator[int]:
    """A routing service on loopback at `port`, 0 for a free one; gives its port and stops at the end."""
    server = grpc.server(ThreadPoolExecutor(2))
    routing_pb2_grpc.add_RoutingServicer_to_server(PlainRouting(), server)
    bound = server.add_insecure_port(f"127.0.0.1:{port}")
    server.start()
    try:
        yield bound
    finally:
        server.stop(None).wait()
