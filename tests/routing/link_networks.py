"""Networks of links as they grow in play, of any size: cities of six colours, companies whose links hang together, and cubes."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from random import Random

from services.routing.domain.links.problem import Cube, DeliveryProblem, GoodsCity, OwnedLink

COLOURS = ("red", "blue", "yellow", "black", "violet")
# Grey cities take nothing.
CITY_COLOURS = (*COLOURS, "")
CUBES_OF_A_CITY = (1, 2, 2, 3)
NEAREST, CROSSING_CHANCE = 0.07, 0.15
# A hex has so many sides, and only one link leaves a city by each.
EXITS = 6

Point = tuple[float, float]
Pair = tuple[int, int]


def network_on_a_map(
    seed: int, cities: int, links: int, companies: int, exits: int = EXITS
) -> DeliveryProblem:
    """Cities on a map, links between such as are near each other, in any order as far as there are exits; few of them cross."""
    draw = Random(seed)
    points: list[Point] = []
    while len(points) < cities:
        point = (1.4 * draw.random(), draw.random())
        if all(math.dist(point, other) > NEAREST for other in points):
            points.append(point)
    near = sorted(
        combinations(range(cities), 2), key=lambda pair: math.dist(points[pair[0]], points[pair[1]])
    )
    chosen: list[Pair] = []
    for pair in near:
        crossings = sum(_cross([points[end] for end in (*pair, *other)]) for other in chosen)
        if crossings == 0 or (crossings == 1 and draw.random() < CROSSING_CHANCE):
            chosen.append(pair)
    ends: Counter[int] = Counter()
    built: list[Pair] = []
    for pair in draw.sample(chosen, len(chosen)):
        if len(built) < links and all(ends[end] < exits for end in pair):
            built.append(pair)
            ends.update(pair)
    return _problem(draw, cities, built, companies)


def network_anywhere(seed: int, cities: int, links: int, companies: int) -> DeliveryProblem:
    """Links between any two cities, which no map has."""
    draw = Random(seed)
    return _problem(draw, cities, draw.sample([*combinations(range(cities), 2)], links), companies)


def _cross(points: Sequence[Point]) -> bool:
    """Whether the line between the first two crosses that between the others; lines that meet in a city do not."""
    one, other, two, another = points
    if len({*points}) < len(points):
        return False
    return _turn(one, other, two) != _turn(one, other, another) and _turn(two, another, one) != _turn(
        two, another, other
    )


def _turn(one: Point, other: Point, third: Point) -> bool:
    across, up = other[0] - one[0], other[1] - one[1]
    return across * (third[1] - one[1]) - up * (third[0] - one[0]) > 0


def _problem(draw: Random, cities: int, links: list[Pair], companies: int) -> DeliveryProblem:
    colours = [draw.choice(CITY_COLOURS) for _ in range(cities)]
    cubes = sorted(
        {(city, draw.choice(COLOURS)) for city in range(cities) for _ in range(draw.choice(CUBES_OF_A_CITY))}
    )
    owners = _owners(draw, links, companies)
    return DeliveryProblem(
        company="0",
        cities=tuple(GoodsCity(f"{city:03}", colour) for city, colour in enumerate(colours)),
        links=tuple(
            OwnedLink(f"{number:03}", f"{one:03}", f"{other:03}", str(owner))
            for number, ((one, other), owner) in enumerate(zip(links, owners, strict=True))
        ),
        cubes=tuple(Cube(f"{city:03}", colour) for city, colour in cubes),
    )


def _owners(draw: Random, links: list[Pair], companies: int) -> list[int]:
    """Companies build in turn, each at its own links where it can, else anywhere."""
    owners = dict[int, int]()
    reached: list[set[int]] = [set() for _ in range(companies)]
    for turn in range(len(links)):
        company = turn % companies
        free = [number for number in range(len(links)) if number not in owners]
        joined = [number for number in free if reached[company] & {*links[number]}]
        number = draw.choice(joined or free)
        owners[number] = company
        reached[company] |= {*links[number]}
    return [owners[number] for number in range(len(links))]
