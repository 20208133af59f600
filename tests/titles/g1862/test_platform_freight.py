"""Freight trains that meet under the rulings on joining and counting, which go together in any way."""

from __future__ import annotations

import pytest

from services.routing.domain.solver import solve
from services.rules.kernel.decide import Accepted, acting_players, decide
from services.rules.kernel.rejections import Rejection
from services.rules.parts.trains.bestruns import problem_for, reckon_for
from services.rules.parts.trains.commands import RunTrains
from services.rules.parts.trains.runs import as_drawn
from services.rules.titles.g1862.title import TITLE
from tests.positions.trains import earnings
from tests.titles.g1862.runboard import board, earned, refused
from tests.titles.g1862.table import Table

COUNTING = ("for_the_most", "train_by_train")
MEETING = {"joined_freight": "ends_meet", "runs_meet": "in_any_stop"}
# Wisbech (30) and March (20) lie beside one hex of the Midlands; King's Lynn (50) is the home of L&H.
BESIDE_THE_MIDLANDS = "B5:611/0 C4:793/4 B7:6/0"


def beside_the_midlands(*trains: str, phase: str = "C", **rulings: str) -> Table:
    """L&H with stations in King's Lynn, Wisbech and March."""
    table = board("L&H", BESIDE_THE_MIDLANDS, *trains, phase=phase, **rulings)
    table.token_stands("L&H", "B5")
    table.token_stands("L&H", "B7")
    return table


@pytest.mark.clause("1862/7.8.1-i")
@pytest.mark.parametrize("counting", COUNTING)
def test_permanent_trains_that_meet_run_apart_however_stops_are_counted(counting: str) -> None:
    """By the rulebook they may run separately, so both bring a bonus; the ways of counting stops do not join them."""
    runs = {"7F": "C4 B5 A6", "6F": "A6 B7"}
    apart = beside_the_midlands("7F", "6F", phase="E", runs_meet="in_any_stop", counting_of_stops=counting)
    joined = beside_the_midlands("7F", "6F", phase="E", counting_of_stops=counting, **MEETING)
    assert earned(apart, runs)[0] > earned(joined, runs)[0]
    assert earned(apart, runs) == earned(
        beside_the_midlands("7F", "6F", phase="E", runs_meet="in_any_stop"), runs
    )


@pytest.mark.clause("1862/7.8.1-g")
@pytest.mark.parametrize("counting", COUNTING)
def test_runs_that_enter_one_area_from_two_sides_meet_there(counting: str) -> None:
    """Where it is enough that ends meet they make one run past the Midlands; as a route of one train they make none."""
    runs = {"3F": "C4 B5 A6", "3Fx": "A6 B7"}
    table = beside_the_midlands("3F", "3Fx", counting_of_stops=counting, **MEETING)
    assert earned(table, runs) == (50 + 20 + 20, 0)
    strict = beside_the_midlands("3F", "3Fx", counting_of_stops=counting, runs_meet="in_any_stop")
    assert refused(strict, runs) == ("1862.freight_not_joined", "1862/7.8.1-l")


@pytest.mark.clause("1862/7.8.1-l")
@pytest.mark.parametrize("counting", COUNTING)
def test_a_third_run_into_the_area_is_joined_to_none(counting: str) -> None:
    """Two of three trains that must join meet in the Midlands; the third ends there, too, and is left out."""
    runs = {"3F": "C4 B5 A6", "3Fx": "A6 B7", "3Fxx": "B5 A6"}
    table = beside_the_midlands("3F", "3Fx", "3Fxx", counting_of_stops=counting, **MEETING)
    assert refused(table, runs) == ("1862.freight_not_joined", "1862/7.8.1-l")


@pytest.mark.clause("1862/7.3-c")
def test_the_best_runs_count_as_the_table_counts_them() -> None:
    """In receivership, stops counted train by train: the best runs bring less than routing found them for, and will do."""
    tiles = "B5:15/1 C4:793/4 B7:6/0 B9:791/0"
    table = board("L&H", tiles, "3E", "2/3E", phase="C", counting_of_stops="train_by_train", **MEETING)
    table.token_stands("L&H", "B9")
    table.has_no_director("L&H")
    problem = problem_for(TITLE, table.game, table.data, "L&H")
    best = solve(problem)
    assert best.proven and not reckon_for(TITLE, table.game, table.data, best).disagreement(best)
    player = acting_players(TITLE, table.data, table.game)[0]
    outcome = decide(TITLE, table.data, table.game, player, RunTrains("L&H", as_drawn(problem, best)), best)
    assert isinstance(outcome, Accepted)
    (ran,) = earnings(outcome.events)
    assert 0 < ran.revenue < best.revenue
    nothing = decide(TITLE, table.data, table.game, player, RunTrains("L&H", ()), best)
    assert isinstance(nothing, Rejection) and nothing.message.endswith(f"0 against {ran.revenue}")
