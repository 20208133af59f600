"""Programs over flows by themselves, against plain search on small boards: routes, bounds and proofs."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

import msgspec
import numpy as np
import pytest

from services.routing.domain import choice
from services.routing.domain.budget import Budget
from services.routing.domain.casefinder import finder_for
from services.routing.domain.finder import Route
from services.routing.domain.flow import crew
from services.routing.domain.flow.search import FlowSearch, Routes
from services.routing.domain.network import Network, Scores
from services.routing.domain.problem import Bonus, Options, RouteProblem, Train, Where
from services.routing.domain.runs import runs_of
from services.routing.domain.solver import solve
from services.routing.domain.verify import verify_solution
from tests.bench.solver import board_with
from tests.routing.boards import SmallFamily, random_trains, small_board
from tests.routing.oracle import Money, best_money
from tests.routing.term_boards import MIXED, TERMS, term_board
from tests.routing.term_oracle import best_term_money
from tests.routing.test_optimality import best_value, check_early_answer

BOARD_COUNT, MIXED_BOARD_COUNT = 500, 150
# The oracle tries all sets of three runs.
THREE_ONCE_COUNT = 40
TERM_BOARD_COUNT = 60
DIESEL = Train("D", "normal", 0)
GOODS_DIESEL = Train("Dg", "goods", 0, "free")
DIESELS: dict[str, tuple[Train, ...]] = {
    "two": (DIESEL, msgspec.structs.replace(DIESEL, id="E")),
    "three": tuple(msgspec.structs.replace(DIESEL, id=name) for name in "DEF"),
    "of two sorts": (DIESEL, msgspec.structs.replace(DIESEL, id="E", tariff="fast")),
    "two of goods": (GOODS_DIESEL, msgspec.structs.replace(GOODS_DIESEL, id="Eg")),
    "goods and normal": (DIESEL, GOODS_DIESEL),
}
Oracle = Callable[[RouteProblem], Money]
FAMILIES: tuple[SmallFamily, ...] = ("normal", "normal+goods", "skip", "counts", "hexes")


def few_and_others(few: int, count: int) -> pytest.MarkDecorator:
    """The first few of so many boards; `make soak` takes the others."""
    others = pytest.param(range(few, count), marks=pytest.mark.soak)
    return pytest.mark.parametrize("seeds", [range(few), others], ids=["few", "many"])


class Found:
    """The best routes and the lowest bound that a search by programs has come to."""

    def __init__(self, problem: RouteProblem) -> None:
        self.problem, self.network = (
            problem,
            Network(problem, Scores(problem), Budget(1 << 60, lambda: False)),
        )
        self.trains = sorted(problem.trains, key=lambda train: train.id)
        self.score, self.routes = 0, list[tuple[Train, Route | None]]()
        self.bounds: list[int] = []

    def take(self, routes: Routes) -> int:
        """Keep routes that score more than those before."""
        score = sum(route.score for some in routes.values() for route in some)
        if score > self.score:
            left = {sort: list(some) for sort, some in routes.items()}
            self.score = score
            self.routes = [(train, _next(left.get(_sort(train), []))) for train in self.trains]
        return self.score

    def search(self) -> FlowSearch:
        """The search of these trains beside nothing."""
        sorts = [_sort(train) for train in self.trains]
        budget = Budget(1 << 60, lambda: False)
        finders = {sort: finder_for(sort, self.network, budget) for sort in sorts}
        taken = np.zeros(self.network.track.shape[1], np.uint64)
        return FlowSearch(self.network, sorts, finders, taken, budget, self.take, self.bounds.append)

    def check(self, seed: int, oracle: Oracle = best_money) -> bool:
        """Search; the routes are legal, worth what the oracle's are, and proven. False where they cannot be searched so."""
        search = self.search()
        if not search.suits(1 << 16):
            return False
        search.run()
        runs = runs_of(self.problem, self.network, self.routes)
        money = sum(run.revenue for run in runs), sum(run.treasury_income for run in runs)
        assert money == oracle(self.problem), seed
        assert self.score == min(self.bounds), seed
        return True


def _sort(train: Train) -> Train:
    return msgspec.structs.replace(train, id="")


def _next(routes: list[Route]) -> Route | None:
    return routes.pop(0) if routes else None


def with_trains(problem: RouteProblem, trains: Sequence[Train]) -> RouteProblem:
    """The same board for these trains."""
    return msgspec.structs.replace(problem, trains=tuple(trains))


@pytest.fixture
def short_tries(monkeypatch: pytest.MonkeyPatch) -> None:
    """Small boards need few moves; what they do not find the program proves."""
    monkeypatch.setattr(crew, "MOVES_PER_SEGMENT", 50)


@few_and_others(60, BOARD_COUNT)
@pytest.mark.parametrize("trains", DIESELS.values(), ids=DIESELS)
@pytest.mark.usefixtures("short_tries")
def test_diesels_together_equal_plain_search(trains: tuple[Train, ...], seeds: range) -> None:
    """Alike or not, of either kind: on random boards with all oddities the routes are the best, and proven."""
    for seed in seeds:
        assert Found(small_board(seed, trains)).check(seed)


@few_and_others(60, MIXED_BOARD_COUNT)
@pytest.mark.usefixtures("short_tries")
def test_diesels_that_earn_otherwise_equal_plain_search(seeds: range) -> None:
    """One earns twice as much, one by own tokens alone."""
    trains = (
        msgspec.structs.replace(DIESEL, factor=2),
        msgspec.structs.replace(DIESEL, id="E", only_tokens=True),
    )
    for seed in seeds:
        assert Found(small_board(seed, trains)).check(seed, best_term_money)


@few_and_others(60, MIXED_BOARD_COUNT)
@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.usefixtures("short_tries")
def test_a_diesel_beside_limited_trains_equals_plain_search(family: SmallFamily, seeds: range) -> None:
    """One or two diesels beside trains of every sort that has a limit, as columns."""
    for seed in seeds:
        others = [train for train in random_trains(seed, family) if train.reach][:1]
        diesels = DIESELS["two"][: random.Random(seed).randint(1, 2)]
        assert Found(small_board(seed, (*others, *diesels))).check(seed)


def keeping_apart(problem: RouteProblem) -> RouteProblem:
    """The same problem where all runs of the company visit each place once."""
    once = msgspec.structs.replace(problem.parameters, places_once="company")
    return msgspec.structs.replace(problem, parameters=once)


@pytest.mark.parametrize("trains", DIESELS.values(), ids=DIESELS)
@pytest.mark.usefixtures("short_tries")
def test_diesels_that_visit_each_place_once_equal_plain_search(trains: tuple[Train, ...]) -> None:
    """Runs keep off each other's places too, those of goods trains off each other's mines."""
    for seed in range(THREE_ONCE_COUNT if len(trains) > 2 else MIXED_BOARD_COUNT):
        assert Found(keeping_apart(small_board(seed, trains))).check(seed, best_term_money)


# The oracle tries all sets of two or three runs that keep off each other's places.
@few_and_others(50, BOARD_COUNT)
@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.usefixtures("short_tries")
def test_diesels_beside_limited_trains_visit_each_place_once(family: SmallFamily, seeds: range) -> None:
    """So do routes of trains with a limit."""
    for seed in seeds:
        others = [train for train in random_trains(seed, family) if train.reach][:1]
        diesels = DIESELS["two"][: random.Random(seed).randint(1, 2)]
        assert Found(keeping_apart(small_board(seed, (*others, *diesels)))).check(seed, best_term_money)


@pytest.mark.parametrize("board", ["dense", "realistic"])
def test_late_boards_with_two_diesels_that_visit_each_place_once_are_proven(board: str) -> None:
    """In few steps; the search of all routes came to no proof in ten seconds."""
    problem = board_with("once " + board, "D+D", 0)
    solution = solve(msgspec.structs.replace(problem, options=Options(node_budget=20_000_000)))
    assert solution.proven
    assert verify_solution(problem, solution) is None


@few_and_others(20, TERM_BOARD_COUNT)
@pytest.mark.parametrize("term", [*TERMS, MIXED])
@pytest.mark.usefixtures("short_tries")
def test_diesels_with_terms_equal_plain_search(term: str, seeds: range) -> None:
    """Each term, and three together: two trains without a limit, beside another as drawn."""
    searched = 0
    for seed in seeds:
        problem = term_board(seed, term)
        first, *others = problem.trains
        diesel = msgspec.structs.replace(first, kind="normal", reach=0, towns="stop", counts=0, town_reach=0)
        trains = (diesel, msgspec.structs.replace(diesel, id="D"), *others[:1])
        searched += Found(with_trains(problem, trains)).check(seed, best_term_money)
    assert searched == len(seeds)


def test_one_diesel_with_terms_is_left_to_the_other_searches() -> None:
    """Which prove it as they did."""
    problem = term_board(0, "mail")
    assert not Found(with_trains(problem, DIESELS["two"][:1])).search().suits(1)
    assert Found(with_trains(problem, DIESELS["two"])).search().suits(1)


@pytest.mark.parametrize("where", ["ends", "counted", "visited"])
def test_late_boards_with_two_diesels_and_a_bonus_are_proven(where: Where) -> None:
    """In few steps; the search of all routes came to no proof in ten seconds."""
    problem = board_with("realistic", "D+D", 0)
    names = [stop.id for stop in problem.stops]
    bonus = Bonus("B", (dict.fromkeys(names[::7], 30), dict.fromkeys(names[3::7], 20)), where, pays=20)
    paid = msgspec.structs.replace(problem.parameters, bonuses=(bonus,))
    limited = Options(node_budget=20_000_000)
    problem = msgspec.structs.replace(problem, parameters=paid, options=limited)
    solution = solve(problem)
    assert solution.proven
    assert verify_solution(problem, solution) is None
    assert any(run.bonuses for run in solution.runs)


def test_scores_too_fine_are_left_to_the_other_searches() -> None:
    """Programs compute in floating point."""
    assert not Found(small_board(3, DIESELS["two"])).search().suits(1 << 40)


@pytest.mark.parametrize("node_budget", [1, 50, 500, 5_000, 50_000])
def test_a_search_by_programs_cut_short_keeps_a_valid_bound(
    node_budget: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However early the budget ends, the answer is legal and the truth lies between it and its bound."""
    monkeypatch.setattr(choice, "FLOW_SEGMENTS_LEAST", 0)
    for seed in range(60):
        problem = with_trains(small_board(seed, DIESELS["two"]), DIESELS["two"])
        cut = msgspec.structs.replace(problem, options=Options(node_budget=node_budget))
        check_early_answer(cut, solve(cut), best_value(problem), seed)


@pytest.mark.parametrize(
    ("board", "trains"),
    [("dense", "D+D"), pytest.param("dense", "D+D+D", marks=pytest.mark.soak), ("realistic", "D+D")],
)
def test_late_boards_with_diesels_are_proven(board: str, trains: str) -> None:
    """45 stops with nearly all track laid: proven by flows, and the same again."""
    problem = board_with(board, trains, 2)
    solution = solve(msgspec.structs.replace(problem, options=Options(explain=False)))
    assert solution.proven
    assert verify_solution(problem, solution) is None
    assert solve(problem) == solution
