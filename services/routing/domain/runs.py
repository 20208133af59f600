"""The runs that routes of the search are, valued by the verifier; the search's scores only compare."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from services.routing.domain.finder import Route
from services.routing.domain.network import Network
from services.routing.domain.problem import LockedRun, RouteProblem, Train
from services.routing.domain.shape import InvalidAnswerError, RunClaim, RunFault
from services.routing.domain.solution import Run
from services.routing.domain.verify import check_runs


def runs_of(
    problem: RouteProblem,
    network: Network,
    routes: Iterable[tuple[Train, Route | None]],
    locked: Sequence[Run] = (),
) -> tuple[Run, ...]:
    """These routes and locked runs in the order of the problem's trains. Raises `InvalidAnswerError`."""
    claims: dict[str, RunClaim] = {run.train: run for run in locked}
    for train, route in routes:
        if route is not None:
            claims[train.id] = _claim(network, train, route)
    runs = check_runs(problem, [claims[train.id] for train in problem.trains if train.id in claims])
    if isinstance(runs, RunFault):
        raise InvalidAnswerError(runs)
    return runs


def _claim(network: Network, train: Train, route: Route) -> LockedRun:
    return LockedRun(
        train.id,
        tuple(network.stops[number].id for number in route.stops),
        tuple(network.segments[number].id for number in route.segments),
    )
