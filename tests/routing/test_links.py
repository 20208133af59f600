"""Track for links, and deliveries over links: held against all possibilities on small boards, and against the plain rules."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from numpy.typing import NDArray

from services.routing.domain.budget import Budget
from services.routing.domain.links.deliveries import find_deliveries
from services.routing.domain.links.every import TooWideError, find_every
from services.routing.domain.links.grid import NOTHING_LAID, SIDES, Grid, Laid
from services.routing.domain.links.network import Delivery, Network, NetworkLink, own_most
from services.routing.domain.links.track import TrackPath, TrackSearch
from services.routing.domain.links.verify import delivery_fault, side_between, track_fault
from services.routing.domain.narrow import narrow_order, narrower_order
from services.routing.domain.solver import never_stop

NO_LIMIT = 1 << 40
STEPS = 1 << 30
ROWS, COLUMNS = 4, 5
# Steps (row, column) over each side, in even and in odd rows.
_STEPS = (
    ((1, -1), (0, -1), (-1, -1), (-1, 0), (0, 1), (1, 0)),
    ((1, 0), (0, -1), (-1, 0), (-1, 1), (0, 1), (1, 1)),
)


def grid_of(draw: Random) -> Grid:
    """A small board with random costs, some hexes missing, and four cities that lie anywhere."""
    missing = set(draw.sample(range(ROWS * COLUMNS), 2))
    beside: list[int] = []
    for row in range(ROWS):
        for column in range(COLUMNS):
            for down, across in _STEPS[row % 2]:
                to_row, to_column = row + down, column + across
                on_board = 0 <= to_row < ROWS and 0 <= to_column < COLUMNS
                number = to_row * COLUMNS + to_column if on_board else -1
                beside.append(-1 if number in missing or row * COLUMNS + column in missing else number)
    side_cost = [0] * len(beside)
    for here, beyond in enumerate(beside):
        if beyond > here // SIDES and draw.random() < 0.2:
            back = beyond * SIDES + (here % SIDES + 3) % SIDES
            side_cost[here] = side_cost[back] = draw.choice((2, 4))
    cities = frozenset(draw.sample([each for each in range(ROWS * COLUMNS) if each not in missing], 4))
    return Grid(beside, side_cost, [draw.choice((2, 3, 4)) for _ in range(ROWS * COLUMNS)], cities)


def laid_on(draw: Random, grid: Grid) -> Laid:
    """Some track: closed sides, dearer and full hexes, a city without exits."""
    closed = set()
    for here, there in enumerate(grid.beside):
        if there > here // SIDES and draw.random() < 0.15:
            closed |= {here, there * SIDES + (here % SIDES + 3) % SIDES}
    land = [each for each in range(ROWS * COLUMNS) if each not in grid.cities]
    shut = frozenset(draw.sample(sorted(grid.cities), draw.choice((0, 0, 1))))
    return Laid(
        frozenset(closed), dict.fromkeys(draw.sample(land, 4), 2), frozenset(draw.sample(land, 1)), shut
    )


def all_tracks(grid: Grid, laid: Laid, source: int) -> Iterator[TrackPath]:
    """Every track from a city, found without any cleverness."""
    waiting: list[tuple[int, ...]] = [(source,)]
    while waiting:
        hexes = waiting.pop()
        for after in set(grid.beside[hexes[-1] * SIDES : hexes[-1] * SIDES + SIDES]) - {-1, *hexes}:
            longer = (*hexes, after)
            if after in grid.cities:
                cost = _cost(grid, laid, longer)
                if not track_fault(grid, laid, TrackPath(cost, longer)):
                    yield TrackPath(cost, longer)
            else:
                waiting.append(longer)


def _cost(grid: Grid, laid: Laid, hexes: tuple[int, ...]) -> int:
    sides = (grid.side_cost[one * SIDES + side_between(grid, one, other)] for one, other in pairwise(hexes))
    return sum(grid.hex_cost[each] + laid.more.get(each, 0) for each in hexes[1:-1]) + sum(sides)


@settings(deadline=None, max_examples=25)
@given(st.integers(0, 1 << 30))
def test_the_cheapest_tracks_are_found(seed: int) -> None:
    """From one city to all others, and the ten cheapest between two, in order of cost; each is track by the plain rules."""
    draw = Random(seed)
    grid = grid_of(draw)
    laid = laid_on(draw, grid)
    source, target = sorted(grid.cities)[:2]
    every = sorted(all_tracks(grid, laid, source))
    search = TrackSearch(grid, laid)
    found, proven = search.cheapest_between(source, target, 10)
    assert proven
    assert [track_fault(grid, laid, path) for path in found] == [""] * len(found)
    costs = [path.cost for path in every if path.hexes[-1] == target]
    assert [path.cost for path in found] == costs[:10]
    assert len({path.hexes for path in found}) == len(found)
    limit = draw.choice((8, 12, NO_LIMIT))
    cheapest = {path.hexes[-1]: path.cost for path in search.cheapest_to_all(source, limit)}
    expected: dict[int, int] = {}
    for path in every:
        if path.cost <= limit:
            expected.setdefault(path.hexes[-1], path.cost)
    assert cheapest == expected


def test_a_search_that_begins_with_another_ones_moves_finds_the_same() -> None:
    """Whatever track the other one has, and whatever was asked of it."""
    for seed in range(30):
        draw = Random(seed)
        grid = grid_of(draw)
        search = TrackSearch(grid, NOTHING_LAID)
        for _ in range(4):
            laid = laid_on(draw, grid)
            search = TrackSearch(grid, laid, search)
            for source in draw.sample(sorted(grid.cities), 2):
                found = [*search.cheapest_to_all(source, NO_LIMIT)]
                assert found == [*TrackSearch(grid, laid).cheapest_to_all(source, NO_LIMIT)], seed


def test_what_was_found_for_more_answers_for_less() -> None:
    """In the same order, and as a search that was asked for nothing before."""
    for seed in range(30):
        draw = Random(seed)
        grid = grid_of(draw)
        laid = laid_on(draw, grid)
        source = min(grid.cities)
        search = TrackSearch(grid, laid)
        answers = [
            (
                [*search.cheapest_to_all(source, limit)],
                [*TrackSearch(grid, laid).cheapest_to_all(source, limit)],
            )
            for limit in (8, NO_LIMIT, 12, 8, 0)
        ]
        assert all(answer == alone for answer, alone in answers), seed
        assert len(answers[1][0]) >= len(answers[2][0]) >= len(answers[3][0])


def test_track_is_equal_in_both_directions() -> None:
    """What leads there leads back, for the same cost."""
    for seed in range(20):
        draw = Random(seed)
        grid = grid_of(draw)
        laid = laid_on(draw, grid)
        one, other = sorted(grid.cities)[:2]
        search = TrackSearch(grid, laid)
        there, back = (
            search.cheapest_between(one, other, 5).paths,
            search.cheapest_between(other, one, 5).paths,
        )
        assert [path.cost for path in there] == [path.cost for path in back]


def test_a_search_for_track_that_is_cut_short_says_so() -> None:
    """What it has found by then is track."""
    draw = Random(1)
    grid = grid_of(draw)
    one, other = sorted(grid.cities)[:2]
    search = TrackSearch(grid, NOTHING_LAID)
    cut = search.cheapest_between(one, other, 50, steps=30)
    assert not cut.proven and len(cut.paths) < len(search.cheapest_between(one, other, 50).paths)
    assert all(track_fault(grid, NOTHING_LAID, path) == "" for path in cut.paths)


def network_of(draw: Random) -> Network:
    """Up to ten cities of three colours and none, and up to eighteen links, half of them own."""
    cities = draw.randrange(4, 11)
    colours = [draw.choice((0, 1, 2, -1, -1)) for _ in range(cities)]
    links = []
    for _ in range(draw.randrange(4, 19)):
        one, other = draw.sample(range(cities), 2)
        links.append(NetworkLink(one, other, draw.random() < 0.5))
    return Network(colours, links)


def all_ways(network: Network, city: int, colour: int) -> Iterator[Delivery]:
    """Every delivery of a cube, found without any cleverness."""
    waiting: list[tuple[tuple[int, ...], tuple[int, ...]]] = [((city,), ())]
    while waiting:
        cities, links = waiting.pop()
        for number, link in enumerate(network.links):
            ends = {link.one, link.other}
            after = next(iter(ends - {cities[-1]})) if cities[-1] in ends else cities[-1]
            if after in cities:
                continue
            used = (*links, number)
            own = sum(network.links[each].is_own for each in used)
            way = Delivery(own, len(used) - own, used, after)
            if not delivery_fault(network, city, colour, way):
                yield way
            if network.colours[after] != colour:
                waiting.append(((*cities, after), used))


def best_counts(network: Network, city: int, colour: int) -> list[tuple[int, int]]:
    """Own and others' links of the deliveries that are not dominated, most own links first."""
    counts = {(way.own, way.others) for way in all_ways(network, city, colour)}
    best = [
        (own, others)
        for own, others in counts
        if not any(a >= own and b <= others and (a, b) != (own, others) for a, b in counts)
    ]
    return sorted(best, reverse=True)


@settings(deadline=None, max_examples=50)
@given(st.integers(0, 1 << 30))
def test_deliveries_that_are_not_dominated_are_found(seed: int) -> None:
    """All of them by their counts, most own links first, and nothing else; each is a delivery by the plain rules."""
    draw = Random(seed)
    network = network_of(draw)
    city, colour = draw.randrange(len(network.colours)), draw.randrange(3)
    found = find_deliveries(network, city, colour, STEPS)
    assert found.proven
    assert [delivery_fault(network, city, colour, way) for way in found.ways] == [""] * len(found.ways)
    assert [(way.own, way.others) for way in found.ways] == best_counts(network, city, colour)


@settings(deadline=None, max_examples=50)
@given(st.integers(0, 1 << 30))
def test_a_sweep_finds_the_deliveries_of_all_cities(seed: int) -> None:
    """For every city and colour the same counts as among all possibilities; each is a delivery by the plain rules."""
    draw = Random(seed)
    network = network_of(draw)
    cities = range(len(network.colours))
    for colour in range(3):
        every = find_every(network, colour, cities, Budget(STEPS, never_stop))
        for city, ways in zip(cities, every, strict=True):
            assert [delivery_fault(network, city, colour, way) for way in ways] == [""] * len(ways)
            assert [(way.own, way.others) for way in ways] == best_counts(network, city, colour)
            assert all(way.own <= own_most(network, colour) for way in ways)


def test_a_sweep_and_a_search_find_the_same_on_larger_networks() -> None:
    """Twenty cities, thirty links: each method holds the other."""
    for seed in range(10):
        draw = Random(seed)
        pairs = draw.sample([(a, b) for a in range(20) for b in range(a)], 30)
        network = Network(
            [draw.choice((0, 1, 2, -1)) for _ in range(20)],
            [NetworkLink(a, b, draw.random() < 0.6) for a, b in pairs],
        )
        every = find_every(network, 0, range(20), Budget(STEPS, never_stop))
        for city, ways in enumerate(every):
            found = find_deliveries(network, city, 0, STEPS)
            assert found.proven
            assert [(way.own, way.others) for way in ways] == [(way.own, way.others) for way in found.ways]


def test_an_order_is_only_made_narrower() -> None:
    """It holds every node once, and its cost, counted the plain way, is not above that of the order it came from;
    most get narrower."""
    better = 0
    for seed in range(10):
        draw = Random(seed)
        linked = np.zeros((30, 30), np.bool_)
        for _ in range(60):
            one, other = draw.sample(range(30), 2)
            linked[one, other] = linked[other, one] = True
        order, cost = narrow_order(linked, 0)
        narrower = narrower_order(linked, order, 500)
        assert sorted(narrower) == list(range(30))
        assert plain_cost(linked, order) == cost
        assert plain_cost(linked, narrower) <= cost
        better += plain_cost(linked, narrower) < cost
    assert better >= 5


def plain_cost(linked: NDArray[np.bool_], order: NDArray[np.int64]) -> float:
    """Three to the number of open nodes, after each node of an order."""
    opened = (
        linked[np.ix_(order[: place + 1], order[place + 1 :])].any(axis=1) for place in range(len(order))
    )
    return float(sum(3.0 ** each.sum() for each in opened))


def test_a_network_that_is_too_wide_is_not_swept() -> None:
    """In which every city is linked to every other one; a search is what is left."""
    links = [NetworkLink(a, b, True) for a in range(14) for b in range(a)]
    network = Network([0] + [-1] * 13, links)
    with pytest.raises(TooWideError):
        find_every(network, 0, [5], Budget(STEPS, never_stop))


def test_a_search_that_is_cut_short_says_so() -> None:
    """What it has found by then is allowed; the same number of steps gives the same answer."""
    draw = Random(4)
    links = [NetworkLink(a, b, (a + b) % 2 == 0) for a in range(12) for b in range(a) if draw.random() < 0.6]
    network = Network([-1] * 11 + [0], links)
    cut = find_deliveries(network, 0, 0, 50)
    assert not cut.proven and cut.steps == 50
    assert cut == find_deliveries(network, 0, 0, 50)
    assert all(delivery_fault(network, 0, 0, way) == "" for way in cut.ways)


def test_the_rules_refuse_what_is_wrong() -> None:
    """Each of the plain rules, on a line of three cities of which the last takes the colour."""
    network = Network(
        [-1, -1, 0], [NetworkLink(0, 1, True), NetworkLink(1, 2, False), NetworkLink(0, 2, False)]
    )
    assert delivery_fault(network, 0, 0, Delivery(1, 1, (0, 1), 2)) == ""
    for way in (
        Delivery(1, 1, (1, 0), 2),
        Delivery(2, 0, (0, 0), 2),
        Delivery(1, 0, (0,), 1),
        Delivery(0, 1, (2,), 2),
        Delivery(2, 0, (0, 1), 2),
        Delivery(0, 0, (), 0),
    ):
        assert delivery_fault(network, 0, 0, way) != ""
