"""The ways of proving that small boards hardly ever need, made to be taken there: prices, and going around the others."""

from __future__ import annotations

import msgspec
import pytest

from services.routing.domain import choice, frontier, prices, sweep
from services.routing.domain.choice import RunChoice
from services.routing.domain.prices import PriceSearch
from services.routing.domain.problem import Train
from services.routing.domain.solver import solve
from services.routing.domain.verify import verify_solution
from tests.routing.boards import SMALL_FAMILIES, SmallFamily, random_trains, small_board
from tests.routing.oracle import best_money

BOARD_COUNT = 150
DIESEL = Train("D", "normal", 0)


class Calls:
    """Counts how often a method is called while the tests run."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, owner: type, name: str) -> None:
        self.count = 0
        method = getattr(owner, name)

        def counted(*arguments: object) -> object:
            self.count += 1
            return method(*arguments)

        monkeypatch.setattr(owner, name, counted)


def check_boards(family: SmallFamily, *more: Train) -> None:
    """Every answer is proven and as rich as the oracle's; beside trains of `more` the others have a limit that holds."""
    for seed in range(BOARD_COUNT):
        problem = small_board(seed, random_trains(seed, family))
        if more:
            held = [train for train in problem.trains if 0 < train.reach < len(problem.stops)]
            problem = msgspec.structs.replace(problem, trains=(*held[:2], *more))
        solution = solve(problem)
        assert verify_solution(problem, solution) is None, seed
        assert solution.proven, seed
        assert (solution.revenue, solution.treasury_income) == best_money(problem), seed


@pytest.mark.parametrize("family", SMALL_FAMILIES)
def test_prices_lose_no_better_packing(family: SmallFamily, monkeypatch: pytest.MonkeyPatch) -> None:
    """With hardly any effort granted before prices are looked for, the answers are the same."""
    monkeypatch.setattr(choice, "EFFORT_FIRST", 1)
    rounds = Calls(monkeypatch, PriceSearch, "go_on")
    check_boards(family)
    assert rounds.count > 20


@pytest.mark.parametrize("family", ("normal", "normal+goods"))
def test_a_train_without_limit_goes_around_the_others(
    family: SmallFamily, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With no room for its own routes, a diesel is tried beside all that the others may choose: the same answers."""
    monkeypatch.setattr(sweep, "TRACED_STATES_MOST", 0)
    monkeypatch.setattr(prices, "STEP_LEAST", 2.0)
    around = Calls(monkeypatch, RunChoice, "_go_around")
    check_boards(family, DIESEL)
    assert around.count > 20


@pytest.mark.parametrize("states_first", [1, 4])
def test_a_narrow_sweep_is_widened_until_it_proves(
    states_first: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A sweep that first keeps almost nothing comes to the same routes in the end."""
    monkeypatch.setattr(sweep, "STATES_FIRST", states_first)
    monkeypatch.setattr(sweep, "STATES_GROWTH", 2)
    check_boards("normal", DIESEL)


def test_a_map_too_wide_for_a_sweep_is_searched(monkeypatch: pytest.MonkeyPatch) -> None:
    """With too few slots or bits for any map a diesel's routes are searched like those of other trains."""
    assert frontier.SLOTS_MOST > 2
    for name, most in (("SLOTS_MOST", 2), ("EXCLUSIONS_MOST", 0)):
        monkeypatch.setattr(f"services.routing.domain.sweepplan.{name}", most)
        check_boards("normal", DIESEL)
