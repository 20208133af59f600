"""The law that routing and rules agree: what the solver finds is legal by the rules and worth what it was found for."""

from __future__ import annotations

from random import Random

from msgspec.structs import replace

from services.routing.domain.problem import RouteProblem
from services.routing.domain.shape import same_stop
from services.routing.domain.solution import RouteSolution
from services.routing.domain.solver import solve
from services.rules.kernel.decide import Accepted, acting_players, decide
from services.rules.kernel.fold import apply
from services.rules.kernel.game import Game
from services.rules.kernel.title import Title
from services.rules.kernel.titledata import TitleData
from services.rules.parts.shares.events import DirectorChanged
from services.rules.parts.trains.bestruns import problem_for, reckon_for
from services.rules.parts.trains.commands import RunTrains
from services.rules.parts.trains.runs import as_drawn
from tests.positions.trains import earnings

RUN_RULINGS = {
    "1824": ("best_run", "one_stop_per_hex"),
    "1862": ("receivership_run", "runs_meet", "joined_freight", "counting_of_stops"),
}
STEPS_MOST = 100_000


def played_otherwise(draw: Random, title: Title, game: Game) -> Game:
    """The same position at a table that plays any of the rulings on runs; half of those of 1862 without a director."""
    twin = game.copy()
    values = {ruling.name: ruling.values for ruling in title.rulings}
    twin.rulings = {
        **game.rulings,
        **{name: draw.choice(values[name]) for name in RUN_RULINGS[title.name]},
    }
    if title.name == "1862" and draw.random() < 0.5:
        apply(twin, DirectorChanged(game.actor, ""))
    return twin


def check_best_runs(title: Title, data: TitleData, game: Game) -> None:
    """Solve for the company at turn, and let the rules value the answer and carry it out."""
    problem = problem_for(title, game, data, game.actor)
    problem = replace(problem, options=replace(problem.options, node_budget=STEPS_MOST))
    solution = solve(problem)
    context = (game.actor, dict(game.rulings), solution)
    difference = reckon_for(title, game, data, solution).disagreement(solution)
    assert not difference, (difference, *context)
    command = RunTrains(game.actor, as_drawn(problem, solution))
    outcome = decide(title, data, game, acting_players(title, data, game)[0], command, solution)
    assert isinstance(outcome, Accepted), (outcome, *context)
    ran = earnings(outcome.events)[0]
    found = (solution.revenue, solution.treasury_income)
    if counts_in_turn(game) and comes_to_an_area_twice(problem, solution):
        assert ran.revenue <= found[0] and ran.treasury_income == found[1], (ran, *context)
    else:
        assert (ran.revenue, ran.treasury_income) == found, (ran, *context)


def counts_in_turn(game: Game) -> bool:
    """Whether hexes of one area may be taken for several stops, by which the best runs may bring less."""
    return game.rulings.get("counting_of_stops") == "train_by_train"


def comes_to_an_area_twice(problem: RouteProblem, solution: RouteSolution) -> bool:
    """Whether runs of the solution come to different stops of one place."""
    location_of = {stop.id: stop.place for stop in problem.stops}
    stops = {stop for run in solution.runs for stop in run.stops}
    return len({same_stop(stop) for stop in stops}) > len({location_of[stop] for stop in stops})
