"""Best runs that rules refuses or values otherwise than routing: the game goes on and operators are alarmed."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from services.rules.parts.trains.commands import RunTrains
from tests.rules.service.desk import GAME, Desk
from tests.titles.g1824.operating_positions import pilsen_table
from tests.titles.g1824.table import ADA

SHORT = RunTrains("MS", ())


@pytest.fixture
def running(desk: Desk) -> Desk:
    """A company that could run to Dresden or, for nothing or less, elsewhere."""
    table = pilsen_table("2")
    table.tiles_lie((("A6", "3", 5),))
    desk.place(table.log)
    return desk


def test_figures_of_routing_that_the_rules_do_not_confirm_hold_up_no_game(running: Desk) -> None:
    """A run is held against what the rules make of the best one; that routing made more of it is reported."""
    running.solver.distort = lambda solution: replace(solution, revenue=solution.revenue + 100)
    assert running.refused(ADA, SHORT) == "route_not_best"
    assert [(game, sequence) for game, sequence, _ in running.alarm.raised] == [(GAME, running.sequence())]
    assert "the rules make" in running.alarm.raised[0][2]
    (choice,) = running.rules.reader.options(GAME, ADA, with_best_runs=True).choices
    running.move(ADA, choice.command)
    assert len(running.alarm.raised) == 2


def test_runs_of_routing_that_the_rules_refuse_hold_up_no_game(running: Desk) -> None:
    """They are not offered, any legal run is accepted instead, and operators are alarmed."""
    running.solver.distort = lambda solution: replace(
        solution, runs=tuple(replace(run, train="9-9") for run in solution.runs)
    )
    options = running.rules.reader.options(GAME, ADA, with_best_runs=True)
    assert ([choice.open_field for choice in options.choices], options.best_runs) == (["runs"], None)
    running.move(ADA, SHORT)
    assert "train_not_owned" in running.alarm.raised[0][2]
