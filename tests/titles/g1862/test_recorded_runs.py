"""Runs of recorded games of 1862: legal by the rules, and worth what was recorded."""

from pathlib import Path

import pytest

from services.routing.domain.problem import LockedRun
from services.routing.domain.validation import validate_problem
from services.routing.domain.verify import RunFault, check_runs
from services.rules.parts.map.boardview import view_of
from services.rules.parts.trains.commands import Hop, TrainRun
from services.rules.parts.trains.entries import claim_with_entries
from services.rules.parts.trains.runs import resolve_runs
from services.rules.parts.trains.state import phase_of
from services.rules.titles.g1862.operating.routes import law_of, problem_of, train_of
from services.rules.titles.g1862.trains.depots import runnable_trains
from tests.rules.board.boards import actions_of
from tests.titles.g1862.recorded_boards import RECORDED, position, recorded_steps


@pytest.mark.parametrize("name", RECORDED)
def test_recorded_runs_earn_what_was_recorded(shared: Path, name: str) -> None:
    """Every recorded run is legal and earns the recorded revenue and subsidy, or what was recomputed for it since."""
    data, steps = recorded_steps(shared, name)
    turns = 0
    for before, after, action in actions_of(steps, "run_routes"):
        turns += 1
        symbol = action["entity"]
        game = position(data, before, symbol)
        given = tuple(
            TrainRun(route["train"], tuple(Hop(tuple(hop)) for hop in route["connections"]))
            for route in action["routes"]
        )
        trains = tuple(train_of(game, data, run.train) for run in given)
        assert all(run.train in runnable_trains(game, symbol) for run in given), after["n"]
        runs = resolve_runs(
            view_of(data, game), symbol, trains, given, phase_of(game), law_of(game, data, symbol)
        )
        recorded = after["routes"]["routes"]
        revenue = sum(route.get("recomputed", route["revenue"]) for route in recorded)
        assert sum(run.revenue for run in runs) == revenue, after["n"]
        assert sum(run.treasury_income for run in runs) == after["routes"]["subsidy"], after["n"]
        problem = problem_of(game, data, symbol)
        validate_problem(problem)
        segments = {segment.id: segment for segment in problem.segments}
        claims = [claim_with_entries(LockedRun(run.train, run.stops, run.segments), segments) for run in runs]
        assert not isinstance(check_runs(problem, claims), RunFault), after["n"]
    assert turns > 50
