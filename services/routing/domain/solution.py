"""The solver's answer: at most one run per train, with values, proof and bound."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import msgspec

from services.routing.domain.direct.answer import Covered, Goal
from services.routing.domain.problem import RouteProblem

BoundBy = Literal["alone", "prices", "routes", "beside", "flows"]


class Run(msgspec.Struct, frozen=True, omit_defaults=True):
    """One train's route. Money in whole units.

    `stops` and `segments` in the order travelled (one segment fewer than stops); `hexes` the hexes passed.
    `revenue` is what `counted_stops` yield, and `bonus`: what the run earns beside its stops, for its segments and
    `bonuses` (the ids of those that it has), or for the distance between its ends. `treasury_income` is the mine's, that
    of bonuses, or the subsidy for hexes that no earlier run touches; it is no part of the revenue. Where runs make one
    network, `counted_stops` are those that no other run counts. `joined_trains` are the trains of the longer run that
    this one is a part of, in the order along it, none for a run by itself; the first of them has the bonus, each end of
    it is counted where it lies.
    """

    train: str
    stops: tuple[str, ...]
    segments: tuple[str, ...]
    hexes: tuple[str, ...]
    revenue: int
    treasury_income: int
    counted_stops: tuple[str, ...]
    bonus: int = 0
    joined_trains: tuple[str, ...] = ()
    bonuses: tuple[str, ...] = ()


class BoundStep(msgspec.Struct, frozen=True):
    """A bound on every set of runs, in the unit that is maximised, and `by` what it was reached. alone: the best run of each
    train by itself. prices: the same with prices on what trains contend for. routes: every set of routes that could
    earn more was tried. beside: the best run of the train without limit beside every such set of the others. flows: the
    optimum of a program in which trains without a limit are flows.
    """

    by: BoundBy
    bound: int


class AloneRun(msgspec.Struct, frozen=True):
    """The best run of a train if no other but the locked ones ran, None if it has none. `proven`: nothing is better."""

    train: str
    run: Run | None
    proven: bool


class SecondBest(msgspec.Struct, frozen=True):
    """The best set of runs of which one is another than in the answer: `train`, or one like it, no longer comes to the same
    stops. `loses`: what it is worth less than the answer, in the unit that is maximised; 0 if it is as good.
    """

    train: str
    runs: tuple[Run, ...]
    revenue: int
    treasury_income: int
    loses: int


class Explanation(msgspec.Struct, frozen=True):
    """Why nothing is better: the bounds, the last of which is the answer's; the best run of each train alone; the second best.

    `complete`: all of it was found before the search had to end. Otherwise `alone` lacks trains, or `second` is None
    where there may be one; one network has no `second`.
    """

    bounds: tuple[BoundStep, ...]
    alone: tuple[AloneRun, ...]
    second: SecondBest | None
    complete: bool


class RouteSolution(msgspec.Struct, frozen=True, omit_defaults=True):
    """Runs of a company, in the order of the problem's trains; a train that has no run is left out.

    `upper_bound`: no legal set of runs earns more, in the unit that is maximised: revenue, or revenue and treasury
    income together under `compare_treasury_income`. `proven`: nothing better exists. Among answers equal in money
    the one that the search meets first is given: it goes by the values and the ids of stops and segments and by the
    kinds, reaches and ids of trains, never by their order in the problem, nor by time. `nodes_explored` counts
    search steps; it depends on the same. `explanation`: if the problem asks for it, in the final answer.

    The answer for direct routes has no runs but `goals`, by the ids of their stops, and `covered`: how much traffic each
    train covers, in the order of the problem's trains; `revenue` is the sum, and `upper_bound` the same. `proven`: so are
    all goals, and none is missing.

    `order`: the trains in the order in which their runs must be given, where that decides which freight runs are joined;
    empty where any order will do. Only where freight runs are joined wherever their ends meet.
    """

    runs: tuple[Run, ...]
    revenue: int
    treasury_income: int
    proven: bool
    upper_bound: int
    nodes_explored: int
    explanation: Explanation | None = None
    goals: tuple[Goal, ...] = ()
    covered: tuple[Covered, ...] = ()
    order: tuple[str, ...] = ()


def runs_in_order(solution: RouteSolution) -> tuple[Run, ...]:
    """The runs in an order in which they are worth what the solution says."""
    if not solution.order:
        return solution.runs
    by_train = {run.train: run for run in solution.runs}
    return tuple(by_train[train] for train in solution.order)


def maximised_value(solution: RouteSolution, compare_treasury_income: bool) -> int:
    """What the problem asked to maximise, in whole units, as reached by `solution`."""
    return solution.revenue + (solution.treasury_income if compare_treasury_income else 0)


def solution_from(runs: tuple[Run, ...], proven: bool, steps: int) -> RouteSolution:
    """The answer that consists of these runs; its bound is still to be set."""
    return RouteSolution(
        runs=runs,
        revenue=sum(run.revenue for run in runs),
        treasury_income=sum(run.treasury_income for run in runs),
        proven=proven,
        upper_bound=0,
        nodes_explored=steps,
    )


def unsearched(problem: RouteProblem, locked: Sequence[Run], most: int, steps: int) -> RouteSolution:
    """The answer of a search that ended before it had begun: the locked runs, beside which the others earn so much at most."""
    in_order = {run.train: run for run in locked}
    runs = tuple(in_order[train.id] for train in problem.trains if train.id in in_order)
    found = solution_from(runs, not most, steps)
    bound = maximised_value(found, problem.parameters.compare_treasury_income) + most
    explanation = Explanation((BoundStep("alone", bound),), (), None, complete=False)
    return msgspec.structs.replace(
        found, upper_bound=bound, explanation=explanation if problem.options.explain else None
    )
