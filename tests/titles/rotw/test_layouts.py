"""The house layouts allow every clause to be exercised (facts/README-1865-rotw.md, one test for each requirement)."""

from __future__ import annotations

import itertools
from collections import Counter
from statistics import mean

import pytest

from services.routing.domain.links.grid import NOTHING_LAID
from services.routing.domain.links.track import TrackSearch
from services.rules.kernel.titledata import TitleData
from services.rules.parts.map.hexes import axial
from services.rules.parts.shares.data import cards_of
from services.rules.titles.rotw.board import GOODS, ORIENTATION, board_of
from services.rules.titles.rotw.building import numbered_board
from services.rules.titles.rotw.figures import figures_of, railroad
from services.rules.titles.rotw.title import TITLE

NAMED = {
    "New York": "red",
    "Philadelphia": "blue",
    "Chicago": "red",
    **dict.fromkeys(
        ("Boston", "Providence", "New Haven", "Baltimore", "Washington", "Richmond", "Raleigh", "Atlanta"), ""
    ),
    **dict.fromkeys(("Charleston", "Mobile", "Pittsburgh", "Louisville", "Des Moines"), ""),
}


def distance(one: str, other: str) -> int:
    """How many steps apart two hexes are."""
    q, r = (a - b for a, b in zip(axial(one, ORIENTATION), axial(other, ORIENTATION), strict=True))
    return max(abs(q), abs(r), abs(q + r))


def eastern() -> TitleData:
    """The data of a table for four on the large layout."""
    return TITLE.load((), {}, 4)


def cheapest(data: TitleData, one: str, other: str) -> tuple[int, tuple[str, ...]]:
    """The cheapest track between two cities by name, on an empty board: its cost and hexes."""
    numbered, cities = numbered_board(board_of(data), figures_of(data).track), board_of(data).cities
    ends = numbered.numbers[cities[one].at], numbered.numbers[cities[other].at]
    found = TrackSearch(numbered.grid, NOTHING_LAID).cheapest_between(*ends, 1).paths[0]
    return found.cost, tuple(numbered.names[each] for each in found.hexes)


@pytest.mark.parametrize("options", [(), ("small_map",)])
def test_every_layout_says_what_it_is(options: tuple[str, ...]) -> None:
    """The label goes to every client."""
    assert "house layout" in TITLE.load(options, {}, 3).header.layout
    assert "not " in TITLE.load(options, {}, 3).header.layout


def test_cities_and_cubes() -> None:
    """Requirement 1: 24 cities and more with 1 to 5 cubes, 125 together at most, about 3 each; 16 can be emptied."""
    cities = board_of(eastern()).cities
    cubes = [city.cubes for city in cities.values()]
    assert len(cities) >= 24 and len(cities) > figures_of(eastern()).empty_cities
    assert min(cubes) >= 1 and max(cubes) <= 5 and sum(cubes) <= 125 and 2.5 <= mean(cubes) <= 3.5
    assert figures_of(eastern()).cubes_of_each_colour * len(GOODS) == 125


def test_the_known_names() -> None:
    """All 16 are there, with the colours that are known."""
    cities = board_of(eastern()).cities
    assert cities.keys() >= NAMED.keys() and len(NAMED) == 16
    assert {name: cities[name].colour for name, colour in NAMED.items() if colour} == {
        name: colour for name, colour in NAMED.items() if colour
    }


def test_colours() -> None:
    """Requirement 2: several cities of each of the five colours, some grey; a grey one amid lines; two of one colour in line."""
    data = eastern()
    colours = Counter(city.colour for city in board_of(data).cities.values())
    assert all(colours[good] > 1 for good in GOODS) and colours["grey"] > 1
    neighbours = [
        distance(board_of(data).cities["Roanoke"].at, city.at) for city in board_of(data).cities.values()
    ]
    assert board_of(data).cities["Roanoke"].colour == "grey" and sum(each <= 4 for each in neighbours) >= 4
    line = ("New York", "Philadelphia", "Baltimore", "Washington")
    assert [board_of(data).cities[name].colour for name in line].count("red") == 2
    for one, other in itertools.pairwise(line):
        assert cheapest(data, one, other)[0] <= 12000


def test_spacing_and_exits() -> None:
    """Requirement 3: cities three to four hexes apart as a rule, never side by side; 2, 4 or 6 exits."""
    cities = board_of(eastern()).cities.values()
    nearest = [min(distance(city.at, other.at) for other in cities if other is not city) for city in cities]
    assert min(nearest) >= 2 and 3 <= mean(nearest) <= 4
    assert {city.exits for city in cities} == {2, 4, 6}


def test_the_known_link() -> None:
    """New York to Philadelphia costs 2,000: one open hex."""
    assert cheapest(eastern(), "New York", "Philadelphia")[0] == 2000


def test_terrain_and_ridges() -> None:
    """Requirement 4: three kinds of terrain, ridges within links and at cities, detours that are cheaper, room to cross."""
    data = eastern()
    board = board_of(data)
    kinds = Counter(board.terrain.values())
    assert min(kinds["open"], kinds["water"], kinds["mountain"]) >= 40
    at_city = {
        hex_id in board.by_hex or board.neighbours[hex_id][edge] in board.by_hex
        for hex_id, edge in board.ridges
    }
    assert at_city == {True, False}
    detours = [
        (one, other)
        for one in board.cities
        for other in board.cities
        if one < other and 2 < distance(board.cities[one].at, board.cities[other].at) <= 5
        if len(cheapest(data, one, other)[1]) > distance(board.cities[one].at, board.cities[other].at) + 1
    ]
    assert detours


def test_long_lines() -> None:
    """Requirement 5: six links in a row that a company could build, each for 16,000 at most."""
    line = (
        "Boston",
        "New Haven",
        "New York",
        "Philadelphia",
        "Baltimore",
        "Washington",
        "Richmond",
        "Raleigh",
    )
    assert all(cheapest(eastern(), one, other)[0] <= 16000 for one, other in itertools.pairwise(line))


def test_networks_that_touch_and_that_do_not() -> None:
    """Requirement 6: two lines that meet in Cincinnati alone, and two that share no city."""
    data = eastern()
    west, east, south = ("Indianapolis", "Cincinnati"), ("Cincinnati", "Cleveland"), ("Atlanta", "Birmingham")
    assert len({*west} & {*east}) == 1 and not {*west, *east} & {*south}
    assert all(cheapest(data, *line)[0] <= 20000 for line in (west, east, south))


def test_companies() -> None:
    """Requirement 7: six with starting values from 3 to 8, so that 20,000 buy several shares."""
    data = eastern()
    values = [railroad(data, symbol).start_value for symbol in cards_of(data)]
    assert sorted(values) == [3000, 4000, 5000, 6000, 7000, 8000]


def test_income_readings() -> None:
    """Requirement 8: both tables can be chosen."""
    printed = figures_of(TITLE.load((), {"income_reading": "printed"}, 4)).income.by_space
    plain = figures_of(TITLE.load((), {"income_reading": "spaces"}, 4)).income.by_space
    assert printed[5] == 7000 and plain[5] == 5000
