"""The ways of proving that small boards hardly ever need, made to be taken there: prices, and going around the others."""

from __future__ import annotations

import msgspec
import pytest

from services.routing.domain import choice, finder, frontier, prices, sweep
from services.routing.domain.choice import RunChoice
from services.routing.domain.prices import PriceSearch
from services.routing.domain.problem import RouteProblem, Train
from services.routing.domain.solution import maximised_value
from services.routing.domain.solver import solve
from services.routing.domain.verify import verify_solution
from tests.routing.boards import SMALL_FAMILIES, SmallFamily, random_trains, small_board
from tests.routing.oracle import best_money

BOARDS = range(80)
SOAK_BOARDS = range(len(BOARDS), 500)
# Each family of boards is searched in three ways with too little room.
CLAIM_BOARDS = range(40)
CLAIM_SOAK_BOARDS = range(len(CLAIM_BOARDS), 500)
DIESEL = Train("D", "normal", 0)


@pytest.fixture(params=[BOARDS, pytest.param(SOAK_BOARDS, marks=pytest.mark.soak)], ids=["few", "many"])
def seeds(request: pytest.FixtureRequest) -> range:
    """Which boards: those of all tests here are the same few, `make soak` takes many others."""
    boards: range = request.param
    return boards


class Calls:
    """Counts how often a method is called while the tests run."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, owner: type, name: str) -> None:
        self.count = 0
        method = getattr(owner, name)

        def counted(*arguments: object) -> object:
            self.count += 1
            return method(*arguments)

        monkeypatch.setattr(owner, name, counted)


def with_diesel(problem: RouteProblem) -> RouteProblem:
    """The problem with a diesel beside at most two trains whose limit holds."""
    held = [train for train in problem.trains if 0 < train.reach < len(problem.stops)]
    return msgspec.structs.replace(problem, trains=(*held[:2], DIESEL))


def check_claim(problem: RouteProblem, seed: int) -> None:
    """The answer is legal, the truth lies between its value and its bound, and what is called proven is true."""
    solution = solve(problem)
    assert verify_solution(problem, solution) is None, seed
    revenue, income = best_money(problem)
    compared = problem.parameters.compare_treasury_income
    truth = revenue + income if compared else revenue
    assert maximised_value(solution, compared) <= truth <= solution.upper_bound, seed
    assert not solution.proven or (solution.revenue, solution.treasury_income) == (revenue, income), seed


def check_boards(family: SmallFamily, seeds: range, has_diesel: bool = False) -> None:
    """Every answer is proven and as rich as the oracle's."""
    for seed in seeds:
        problem = small_board(seed, random_trains(seed, family))
        if has_diesel:
            problem = with_diesel(problem)
        solution = solve(problem)
        assert verify_solution(problem, solution) is None, seed
        assert solution.proven, seed
        assert (solution.revenue, solution.treasury_income) == best_money(problem), seed


@pytest.mark.parametrize("family", SMALL_FAMILIES)
def test_prices_lose_no_better_packing(
    family: SmallFamily, seeds: range, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With hardly any effort granted before prices are looked for, the answers are the same."""
    monkeypatch.setattr(choice, "EFFORT_FIRST", 1)
    rounds = Calls(monkeypatch, PriceSearch, "go_on")
    check_boards(family, seeds)
    assert rounds.count > 20


@pytest.mark.parametrize("family", ("normal", "normal+goods"))
def test_a_train_without_limit_goes_around_the_others(
    family: SmallFamily, seeds: range, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With no room for its own routes, a diesel is tried beside all that the others may choose: the same answers."""
    monkeypatch.setattr(sweep, "TRACED_STATES_MOST", 0)
    monkeypatch.setattr(prices, "STEP_LEAST", 2.0)
    around = Calls(monkeypatch, RunChoice, "_go_around")
    check_boards(family, seeds, has_diesel=True)
    assert around.count > 20


@pytest.mark.parametrize("states_first", [1, 4])
def test_a_narrow_sweep_is_widened_until_it_proves(
    states_first: int, seeds: range, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A sweep that first keeps almost nothing comes to the same routes in the end."""
    monkeypatch.setattr(sweep, "STATES_FIRST", states_first)
    monkeypatch.setattr(sweep, "STATES_GROWTH", 2)
    check_boards("normal", seeds, has_diesel=True)


def test_a_map_too_wide_for_a_sweep_is_searched(seeds: range, monkeypatch: pytest.MonkeyPatch) -> None:
    """With too few slots or bits for any map a diesel's routes are searched like those of other trains."""
    assert frontier.SLOTS_MOST > 2
    for name, most in (("SLOTS_MOST", 2), ("LAST_WORD_BITS", frontier.FIRST_MARK)):
        monkeypatch.setattr(f"services.routing.domain.sweepplan.{name}", most)
        check_boards("normal", seeds, has_diesel=True)


@pytest.mark.parametrize("cramped", ["states", "routes"])
def test_what_does_not_fit_is_never_called_proven(
    cramped: str, seeds: range, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where a diesel goes around the others with too little room, the bound stays above the truth and the answer legal."""
    monkeypatch.setattr(sweep, "TRACED_STATES_MOST", 0)
    monkeypatch.setattr(prices, "STEP_LEAST", 2.0)
    if cramped == "states":
        monkeypatch.setattr(sweep, "STATES_FIRST", 1)
        monkeypatch.setattr(sweep, "STATES_MOST", 1)
    else:
        monkeypatch.setattr(finder, "FIRST_ROOM", 1)
        monkeypatch.setattr(finder, "ROUTES_MOST", 1)
    around = Calls(monkeypatch, RunChoice, "_go_around")
    for seed in seeds:
        check_claim(with_diesel(small_board(seed, random_trains(seed, "normal"))), seed)
    assert around.count > 20


@pytest.mark.parametrize(
    "seeds",
    [CLAIM_BOARDS, pytest.param(CLAIM_SOAK_BOARDS, marks=pytest.mark.soak)],
    ids=["few", "many"],
)
@pytest.mark.parametrize(("states_most", "effort_first"), [(1, 300_000), (2, 1), (3, 50)])
@pytest.mark.parametrize("family", SMALL_FAMILIES)
def test_a_claim_holds_however_little_was_searched(
    family: SmallFamily, seeds: range, states_most: int, effort_first: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Narrow sweeps and early packing, with large gaps and prices, lose proofs but never claim a false one."""
    monkeypatch.setattr(sweep, "STATES_FIRST", states_most)
    monkeypatch.setattr(sweep, "STATES_MOST", states_most)
    monkeypatch.setattr(choice, "EFFORT_FIRST", effort_first)
    for seed in seeds:
        problem = small_board(seed, random_trains(seed, family))
        check_claim(msgspec.structs.replace(problem, trains=(*problem.trains[:2], DIESEL)), seed)
