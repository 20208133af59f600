"""The printed examples of 1824 on the rebuilt network, with their exact numbers."""

from __future__ import annotations

import pytest

from services.routing.domain.problem import LockedRun, Train
from services.routing.domain.solution import Run
from services.routing.domain.solver import solve
from services.routing.domain.verify import check_runs, evaluate_run
from tests.routing.rulebook_board import rulebook_problem, way

THREE, FOUR = Train("3", "normal", 3), Train("4", "normal", 4)
ONE_GOODS, OTHER_GOODS, TWO_GOODS = (
    Train("1g", "goods", 1, "free"),
    Train("1g'", "goods", 1, "free"),
    Train("2g", "goods", 2, "free"),
)


def earned(token: str, *runs: tuple[Train, str]) -> list[tuple[int, int]]:
    """Revenue and treasury income of each run of one company."""
    problem = rulebook_problem(token, tuple(train for train, _ in runs))
    checked = check_runs(problem, [LockedRun(train.id, *way(letters)) for train, letters in runs])
    assert isinstance(checked, tuple), checked
    return [(run.revenue, run.treasury_income) for run in checked]


@pytest.mark.clause("1824/VII.9-f")
def test_goods_reach_limits_cities_and_neither_towns_nor_the_mine() -> None:
    """The 1g- and 2g-runs that the rulebook calls legal are, and one city fewer of reach refuses the second."""
    assert earned("F", (ONE_GOODS, "IFBCD")) == [(60, 10)]
    assert earned("F", (TWO_GOODS, "EDCBFA")) == [(80, 10)]
    refused = evaluate_run(rulebook_problem("F", (ONE_GOODS,)), "1g", *way("EDCBFA"))
    assert not isinstance(refused, Run)
    assert refused.reason == "route_too_long"


@pytest.mark.clause("1824/VII.10-a")
def test_company_revenue_is_the_sum_of_its_trains() -> None:
    """Companies X and Y earn 150 each with the runs of the example, X with 10 more for the treasury."""
    assert earned("F", (THREE, "FGC"), (TWO_GOODS, "EDCBFA")) == [(70, 0), (80, 10)]
    assert earned("F", (THREE, "HFG"), (FOUR, "GCBF")) == [(70, 0), (80, 0)]


@pytest.mark.clause("1824/VII.10-b")
def test_mine_income_is_no_part_of_the_revenue() -> None:
    """Coal company 2 earns 80 with its 2g-train and 10 from its mine, separately."""
    problem = rulebook_problem("E", (TWO_GOODS,))
    run = evaluate_run(problem, "2g", *way("EDCBFA"))
    assert isinstance(run, Run)
    assert (run.revenue, run.treasury_income) == (80, 10)
    assert run.counted_stops == ("D", "C", "B", "F", "A")


@pytest.mark.clause("1824/VII.10-c")
def test_two_goods_trains_of_a_coal_company_each_add_the_mine() -> None:
    """The best of coal company 1 is the printed 60 and 40, with 10 from the mine for each train."""
    solution = solve(rulebook_problem("I", (ONE_GOODS, OTHER_GOODS)))
    assert solution.proven
    assert {"".join(run.stops): (run.revenue, run.treasury_income) for run in solution.runs} == {
        "IFBCD": (60, 10),
        "ICG": (40, 10),
    }
    assert (solution.revenue, solution.treasury_income) == (100, 20)


@pytest.mark.clause("1824/VII.9-e")
def test_a_mine_with_two_exits_starts_two_goods_trains() -> None:
    """A third goods train of the coal company finds no exit of mine I free and has no run."""
    trains = (ONE_GOODS, OTHER_GOODS, Train("1g''", "goods", 1, "free"))
    assert len(solve(rulebook_problem("I", trains)).runs) == 2
