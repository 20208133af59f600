"""Runs of recorded games against route problems and resolved hops."""

from pathlib import Path

import pytest

from services.routing.domain.problem import LockedRun
from services.routing.domain.validation import validate_problem
from services.routing.domain.verify import RunFault, check_runs
from services.rules.parts.map.boardview import board_view
from services.rules.parts.trains.routes import (
    ResolvedRun,
    network_of,
    resolve_connections,
    route_problem,
)
from tests.rules.board.boards import RECORDED_1824, actions_of, recorded_map, recorded_steps


@pytest.mark.clause("1824/VII.10-a", "1824/VII.10-b")
@pytest.mark.parametrize("game", RECORDED_1824)
def test_recorded_runs_earn_what_was_recorded(shared: Path, game: str) -> None:
    """Every recorded run is legal in its route problem and earns the recorded revenue and mine income."""
    title, steps = recorded_steps(shared, game)
    turns = 0
    for before, after, action in actions_of(steps, "run_routes"):
        turns += 1
        tiles, tokens = recorded_map(before)
        company, network = action["entity"], network_of(title, tiles)
        trains = tuple((route["train"], route["train"].partition("-")[0]) for route in action["routes"])
        problem = route_problem(board_view(title, tiles, tokens), company, trains, before["phase"])
        validate_problem(problem)
        claims = []
        for route in action["routes"]:
            run = resolve_connections(network, route["connections"])
            assert isinstance(run, ResolvedRun), (after["n"], run)
            claims.append(LockedRun(route["train"], run.stops, run.segments))
        runs = check_runs(problem, claims)
        assert not isinstance(runs, RunFault), (after["n"], runs)
        assert [run.revenue for run in runs] == [route["revenue"] for route in action["routes"]], after["n"]
        assert sum(run.treasury_income for run in runs) == action.get("subsidy", 0), after["n"]
    assert turns > 100
