"""The slow truth with bonuses and requirements: every route, every way to count it, every set of runs by trial.

Written from docs/routes-json.md alone and sharing no code with the solver or the verifier.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import chain as joined, combinations, product

from services.routing.domain.problem import Bonus, Requirement, RouteProblem, Stop, Train
from tests.routing.oracle import Chain, Money, Pieces, may_take, routes_of

Way = tuple[Pieces, tuple[str, ...], Money]


MayRun = Callable[[Train, Chain], bool]


def anywhere(_train: Train, _chain: Chain) -> bool:
    """Every train may take every legal route."""
    return True


def best_term_money(problem: RouteProblem, may_run: MayRun = anywhere) -> Money:
    """Revenue and treasury income of the best set of runs, by what is maximised and then what decides ties.

    `may_run`: routes to leave out.
    """
    routes = list(routes_of(problem))
    limits = {bonus.id: bonus.runs for bonus in problem.parameters.bonuses if bonus.runs}
    by_train = [
        [(frozenset(), (), (0, 0)), *_ways(problem, train, routes, may_run)] for train in problem.trains
    ]
    best = (0, 0)
    for chosen in product(*by_train):
        pieces = [way[0] for way in chosen]
        if len(frozenset().union(*pieces)) < sum(map(len, pieces)):
            continue
        had = [name for way in chosen for name in way[1]]
        if all(had.count(name) <= most for name, most in limits.items()):
            money = (sum(way[2][0] for way in chosen), sum(way[2][1] for way in chosen))
            best = max(best, money, key=lambda each: _rank(problem, each))
    return best


def _rank(problem: RouteProblem, money: Money) -> Money:
    revenue, income = money
    return (revenue + income, revenue) if problem.parameters.compare_treasury_income else (revenue, income)


def _ways(
    problem: RouteProblem, train: Train, routes: list[tuple[Chain, Pieces]], may_run: MayRun
) -> list[Way]:
    """What the train can earn, by the pieces used and the bonuses of few runs that it then has."""
    ways: dict[tuple[Pieces, tuple[str, ...]], Money] = {}
    for chain, track in routes:
        if not (may_take(train, chain) and may_run(train, chain)):
            continue
        pieces = track
        if problem.parameters.places_once == "company":
            pieces |= {("place", stop.place) for stop in chain.stops}
        for had, money in _countings(problem, train, chain):
            known = ways.get((pieces, had), money)
            ways[pieces, had] = max(known, money, key=lambda each: _rank(problem, each))
    return [(pieces, had, money) for (pieces, had), money in ways.items()]


def _countings(problem: RouteProblem, train: Train, chain: Chain) -> Iterator[tuple[tuple[str, ...], Money]]:
    parameters = problem.parameters
    for counted in _choices(train, chain):
        if not all(
            _touches(requirement, requirement.stops, chain, counted)
            for requirement in parameters.requirements
            if _is_for(requirement, train)
        ):
            continue
        possible = [
            bonus
            for bonus in parameters.bonuses
            if _is_for(bonus, train) and all(_touches(bonus, group, chain, counted) for group in bonus.groups)
        ]
        limited = [bonus for bonus in possible if bonus.runs]
        for had in joined.from_iterable(combinations(limited, size) for size in range(len(limited) + 1)):
            revenue = sum(_worth(problem, train, stop) for stop in counted if stop.kind != "mine")
            revenue += sum(segment.revenue for segment in chain.segments)
            income = sum(_worth(problem, train, stop) for stop in chain.stops if stop.kind == "mine")
            for bonus in possible:
                if not bonus.runs or bonus in had:
                    paid = bonus.pays
                    for group in bonus.groups:
                        paid += sum(group[stop.id] for stop in _touches(bonus, group, chain, counted))
                    if bonus.times_factor:
                        paid *= train.factor
                    revenue, income = (
                        (revenue, income + paid) if bonus.to_treasury else (revenue + paid, income)
                    )
            yield tuple(bonus.id for bonus in had), (revenue, income)


def _is_for(term: Bonus | Requirement, train: Train) -> bool:
    return len(term.tariffs) == 0 or train.tariff in term.tariffs


def _touches(
    term: Bonus | Requirement,
    group: dict[str, int] | tuple[str, ...],
    chain: Chain,
    counted: tuple[Stop, ...],
) -> list[Stop]:
    candidates = (
        list(chain.stops) if term.where in ("visited", "counted") else [chain.stops[0], chain.stops[-1]]
    )
    if term.where.startswith("counted"):
        candidates = [stop for stop in candidates if stop in counted and stop.kind != "mine"]
    return [stop for stop in candidates if stop.id in group]


def _worth(problem: RouteProblem, train: Train, stop: Stop) -> int:
    if train.only_tokens and stop.id not in problem.token_stops:
        return 0
    return train.factor * stop.tariffs.get(train.tariff, stop.revenue)


def _choices(train: Train, chain: Chain) -> Iterator[tuple[Stop, ...]]:
    """Every set of stops that a train within its reach may count."""
    if train.counts:
        for size in range(min(train.counts, len(chain.stops)) + 1):
            yield from combinations(chain.stops, size)
    elif train.towns == "skip" and train.reach:
        inner = [stop.id for stop in chain.stops[1:-1] if stop.kind == "town"]
        for size in range(len(inner) + 1):
            for passed in combinations(inner, size):
                counted = tuple(stop for stop in chain.stops if stop.id not in passed)
                if sum(stop.kind != "mine" for stop in counted) <= train.reach:
                    yield counted
    else:
        yield chain.stops
