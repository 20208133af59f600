"""Tiny random boards for each thing that runs earn beside the values of stops."""

from __future__ import annotations

import random
from collections.abc import Callable

import msgspec

from services.routing.domain.problem import (
    Bonus,
    Parameters,
    Requirement,
    RouteProblem,
    Segment,
    Stop,
    StopKind,
    Train,
    Where,
)

COMPANY, OTHER = "X", "Y"
MIXED = "mixed"
# Terms beside which others could need more groups of stops counted than may be.
BY_ITSELF = {"three groups", "skipped towns"}
WHERES: tuple[Where, ...] = ("visited", "counted", "ends", "counted_ends")
Term = Callable[[random.Random, RouteProblem], RouteProblem]
replace = msgspec.structs.replace


def term_board(seed: int, term: str) -> RouteProblem:
    """A board of three to six stops with one term, or with three of them."""
    draw = random.Random(f"{term} {seed}")
    problem = _board(draw)
    for each in draw.sample(sorted(TERMS.keys() - BY_ITSELF), 3) if term == MIXED else (term,):
        problem = TERMS[each](draw, problem)
    return problem


def _board(draw: random.Random) -> RouteProblem:
    kinds: list[StopKind] = draw.choices(
        ("city", "town", "offboard", "mine"), weights=(8, 4, 3, 1), k=draw.randint(3, 6)
    )
    stops = tuple(
        Stop(
            f"s{number}",
            kind,
            f"P{number}" if draw.random() < 0.9 else "P0",
            draw.choice((0, 10, 20, 30, 40)),
            draw.choice(((), (), (OTHER,), ("",))),
            {"fast": draw.choice((0, 20, 60))} if draw.random() < 0.3 else {},
        )
        for number, kind in enumerate(kinds)
    )
    segments = tuple(_segment(draw, number, stops) for number in range(draw.randint(2, 7)))
    tokens = tuple(stop.id for stop in stops if draw.random() < 0.5)
    parameters = Parameters(compare_treasury_income=draw.random() < 0.4)
    trains = tuple(_train(draw, f"T{number}") for number in range(draw.choice((1, 1, 2, 2, 2, 3))))
    return RouteProblem(COMPANY, stops, segments, trains, tokens, parameters=parameters)


def _segment(draw: random.Random, number: int, stops: tuple[Stop, ...]) -> Segment:
    a, b = draw.sample(stops, 2)
    resources = (f"r{draw.randrange(5)}",) if draw.random() < 0.3 else ()
    return Segment(
        f"t{number}", a.id, b.id, resources, terminal_b=draw.random() < 0.05, length=draw.randint(1, 2)
    )


def _train(draw: random.Random, name: str) -> Train:
    tariff = draw.choice(("", "", "fast"))
    reach = draw.choice((0, 2, 2, 3, 3, 4))
    match draw.randrange(8):
        case 0:
            return Train(name, "goods", reach, "free", tariff=tariff)
        case 1:
            return Train(name, "normal", reach, "skip", tariff=tariff)
        case 2 | 3 | 4:
            return Train(name, "normal", reach, counts=draw.choice((1, 2, 2, 3)), tariff=tariff)
        case 5:
            return Train(name, "normal", reach, draw.choice(("stop", "free")), measure="hexes", tariff=tariff)
    return Train(name, "normal", reach, tariff=tariff)


def _group(draw: random.Random, stops: list[str], most: int) -> dict[str, int]:
    chosen = [stops.pop() for _ in range(min(len(stops), draw.randint(1, most)))]
    return {name: draw.choice((0, 10, 30)) for name in chosen}


def _with_bonus(
    draw: random.Random, problem: RouteProblem, name: str, wheres: tuple[Where, ...], runs: tuple[int, ...]
) -> RouteProblem:
    stops = [stop.id for stop in problem.stops]
    draw.shuffle(stops)
    groups = tuple(group for _ in range(draw.choice((1, 1, 2))) if (group := _group(draw, stops, 3)))
    bonus = Bonus(
        name,
        groups,
        draw.choice(wheres),
        pays=draw.choice((0, 20, 50)),
        runs=draw.choice(runs),
        tariffs=draw.choice(((), (), ("fast",))),
        to_treasury=draw.random() < 0.2,
    )
    return _with(problem, bonuses=(*problem.parameters.bonuses, bonus))


def _with(problem: RouteProblem, **fields: object) -> RouteProblem:
    return replace(problem, parameters=replace(problem.parameters, **fields))


def with_many_bonuses(problem: RouteProblem) -> RouteProblem:
    """The problem with 6 bonuses, among them such that need counting and such that few runs have: 96 sets of them."""
    draw = random.Random(len(problem.stops))
    names = [stop.id for stop in problem.stops if stop.kind != "mine"]
    wheres: tuple[Where, ...] = ("counted", "counted_ends", "ends", "visited", "visited", "visited")
    bonuses = tuple(
        Bonus(
            f"B{number}", (dict.fromkeys(draw.sample(names, 8), 20),), where, pays=30, runs=2 * (number == 5)
        )
        for number, where in enumerate(wheres)
    )
    return _with(problem, bonuses=bonuses)


def _ends(draw: random.Random, problem: RouteProblem) -> RouteProblem:
    return _with_bonus(draw, problem, "ends", ("ends",), (0,))


def _counted(draw: random.Random, problem: RouteProblem) -> RouteProblem:
    return _with_bonus(draw, problem, "counted", ("counted", "counted_ends"), (0,))


def _visited(draw: random.Random, problem: RouteProblem) -> RouteProblem:
    return _with_bonus(draw, problem, "visited", ("visited",), (0,))


def _three_groups(draw: random.Random, problem: RouteProblem) -> RouteProblem:
    """All stops are in one of them."""
    stops = [stop.id for stop in problem.stops]
    draw.shuffle(stops)
    groups = tuple({name: draw.choice((0, 10, 30)) for name in stops[first::3]} for first in range(3))
    bonus = Bonus("three", groups, draw.choice(("visited", "counted")), pays=draw.choice((0, 50)))
    return _with(problem, bonuses=(*problem.parameters.bonuses, bonus))


def _skipped_towns(draw: random.Random, problem: RouteProblem) -> RouteProblem:
    """Trains that may pass towns, on track that earns, with a bonus for stops that they may pass."""

    def passing(train: Train) -> Train:
        may_skip = train.kind == "normal" and not train.counts and train.measure == "stops"
        if not may_skip:
            return train
        return replace(train, towns="skip", town_reach=0, reach=draw.choice((2, 2, 3)))

    problem = _paid_track(draw, replace(problem, trains=tuple(map(passing, problem.trains))))
    return _with_bonus(draw, problem, "skipped", WHERES, (0,))


def _few_runs(draw: random.Random, problem: RouteProblem) -> RouteProblem:
    return _with_bonus(draw, problem, "few", WHERES, (1, 1, 2))


def _mail(draw: random.Random, problem: RouteProblem) -> RouteProblem:
    mail = Bonus("mail", (dict.fromkeys((stop.id for stop in problem.stops), 10),), runs=1)
    return _with(problem, bonuses=(*problem.parameters.bonuses, mail))


def _counted_token(draw: random.Random, problem: RouteProblem) -> RouteProblem:
    if not problem.token_stops:
        return problem
    rule = Requirement("token", problem.token_stops, "counted")
    return _with(problem, requirements=(*problem.parameters.requirements, rule))


def _required(draw: random.Random, problem: RouteProblem) -> RouteProblem:
    stops = tuple(stop.id for stop in problem.stops if draw.random() < 0.6)
    rule = Requirement("rule", stops or (problem.stops[0].id,), draw.choice(WHERES))
    rule = replace(rule, tariffs=draw.choice(((), ("fast",))))
    return _with(problem, requirements=(*problem.parameters.requirements, rule))


def _extra_towns(draw: random.Random, problem: RouteProblem) -> RouteProblem:
    def extended(train: Train) -> Train:
        if train.counts or train.measure == "hexes" or draw.random() < 0.2:
            return train
        return replace(train, towns="extra", town_reach=draw.randint(0, 2))

    return replace(problem, trains=tuple(map(extended, problem.trains)))


def _own_tokens(draw: random.Random, problem: RouteProblem) -> RouteProblem:
    trains = (
        replace(train, factor=draw.randint(1, 3), only_tokens=draw.random() < 0.6) for train in problem.trains
    )
    return replace(problem, trains=tuple(trains))


def _times_factor(draw: random.Random, problem: RouteProblem) -> RouteProblem:
    problem = _with_bonus(draw, problem, "times", WHERES, (0, 1))
    *others, bonus = problem.parameters.bonuses
    problem = _with(problem, bonuses=(*others, replace(bonus, times_factor=True)))
    trains = (replace(train, factor=draw.randint(1, 3)) for train in problem.trains)
    return replace(problem, trains=tuple(trains))


def _paid_track(draw: random.Random, problem: RouteProblem) -> RouteProblem:
    segments = (replace(segment, revenue=draw.choice((0, 0, 10, 40))) for segment in problem.segments)
    return replace(problem, segments=tuple(segments))


def _once(draw: random.Random, problem: RouteProblem) -> RouteProblem:
    return _with(problem, places_once="company")


TERMS: dict[str, Term] = {
    "ends": _ends,
    "counted": _counted,
    "visited": _visited,
    "three groups": _three_groups,
    "skipped towns": _skipped_towns,
    "few runs": _few_runs,
    "mail": _mail,
    "counted token": _counted_token,
    "required": _required,
    "extra towns": _extra_towns,
    "own tokens": _own_tokens,
    "times factor": _times_factor,
    "paid track": _paid_track,
    "once": _once,
}
