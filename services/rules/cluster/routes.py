"""Best runs sent with a command, instead of a call to routing: the owner of a game makes no calls."""

from __future__ import annotations

from services.gen.signalbox.log.v1 import log_pb2 as pb
from services.routing.convert import solution_from_message, solution_to_message
from services.routing.domain.canonical import problem_key, reordered_for
from services.routing.domain.problem import RouteProblem
from services.routing.domain.solution import RouteSolution
from services.routing.domain.verify import verify_solution
from services.rules.ports import RoutingUnavailableError


class AttachedRoutes:
    """The `RouteSolver` of the owner: knows the answer that came with the command at hand and no other.

    The sender is not trusted: the answer must be to the owner's own problem, and pass routing's check."""

    def __init__(self) -> None:
        self._attached: pb.BestRunsFound | None = None

    def attach(self, best_runs: pb.BestRunsFound | None) -> None:
        """The best runs sent with the next command."""
        self._attached = best_runs

    def solve(self, problem: RouteProblem) -> RouteSolution:
        """See `RouteSolver`."""
        attached = self._attached
        if attached is None:
            raise RoutingUnavailableError("no best runs came with the command")
        key = problem_key(problem)
        if attached.problem_key != key:
            raise RoutingUnavailableError(
                f"the best runs that came are for problem {attached.problem_key}, not {key}"
            )
        solution = reordered_for(problem, solution_from_message(attached.solution))
        fault = verify_solution(problem, solution)
        if fault is not None:
            raise RoutingUnavailableError(f"the best runs that came are wrong: {fault.message}")
        return solution


def best_runs_found(problem: RouteProblem, solution: RouteSolution) -> pb.BestRunsFound:
    """An answer to go with a command."""
    return pb.BestRunsFound(problem_key=problem_key(problem), solution=solution_to_message(solution))
