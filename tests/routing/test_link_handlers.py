"""The questions about links as callers put them: answers by id, and invalid questions refused with a path and a code."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest
from msgspec.structs import replace

from services.routing.domain.links.problem import (
    STEPS_MAX,
    TRACK_COUNT_MAX,
    Cube,
    CubeDelivery,
    DeliveryAnswer,
    DeliveryProblem,
    GoodsCity,
    OwnedLink,
    Track,
    TrackAnswer,
    TrackHex,
    TrackProblem,
    TrackSide,
)
from services.routing.domain.links.track import STEPS, TrackSearch
from services.routing.domain.problem import ProblemError
from services.routing.link_handlers import solve_deliveries, solve_track
from tests.routing.link_networks import network_anywhere, network_on_a_map

EAST, WEST = 4, 1


def line(*costs: int) -> TrackProblem:
    """Hexes in a row between the cities A and Z, each with what track in it costs."""
    names = ["A", *(f"h{place}" for place in range(len(costs))), "Z"]
    hexes = []
    for place, name in enumerate(names):
        sides = [TrackSide() for _ in range(6)]
        if place:
            sides[WEST] = TrackSide(names[place - 1])
        if place + 1 < len(names):
            sides[EAST] = TrackSide(names[place + 1])
        is_city = name in "AZ"
        hexes.append(TrackHex(name, 0 if is_city else costs[place - 1], tuple(sides), is_city))
    return TrackProblem(tuple(hexes), "A", "Z", 3)


def changed(problem: TrackProblem, place: int, **change: Any) -> TrackProblem:
    """The same with something else about one hex."""
    hexes = [*problem.hexes]
    hexes[place] = replace(hexes[place], **change)
    return replace(problem, hexes=tuple(hexes))


def test_track_is_answered_by_id() -> None:
    """There is one way; none where a hex has no room, or the city no exit."""
    assert solve_track(line(2, 3)) == TrackAnswer((Track(5, ("A", "h0", "h1", "Z")),), True)
    for nowhere in (1, 3):
        assert solve_track(changed(line(2, 3), nowhere, is_full=True)) == TrackAnswer((), True)


def wide(width: int, height: int) -> TrackProblem:
    """As many hexes as are allowed, on which track costs nothing, with a city in two corners."""

    def side(x: int, y: int) -> TrackSide:
        return TrackSide(f"{x},{y}" if 0 <= x < width and 0 <= y < height else "")

    hexes = []
    for x, y in product(range(width), range(height)):
        beside = ((x + 1, y), (x, y + 1), (x - 1, y + 1), (x - 1, y), (x, y - 1), (x + 1, y - 1))
        is_city = (x, y) in ((0, 0), (width - 1, height - 1))
        hexes.append(TrackHex(f"{x},{y}", 0, tuple(side(*each) for each in beside), is_city))
    return TrackProblem(tuple(hexes), "0,0", f"{width - 1},{height - 1}", TRACK_COUNT_MAX)


def test_paths_that_all_cost_the_same_are_grown_for_a_moment(monkeypatch: pytest.MonkeyPatch) -> None:
    """They wind over the whole board, and each is copied to be grown: the search ends by their length, not by their number
    alone. It took a minute, in which nobody else was answered."""
    grown: list[int] = []
    next_nodes = TrackSearch.next_nodes

    def counted(search: TrackSearch, node: int) -> tuple[tuple[int, int], ...]:
        grown.append(node)
        return next_nodes(search, node)

    monkeypatch.setattr(TrackSearch, "next_nodes", counted)
    answer = solve_track(wide(60, 50))
    assert answer.tracks and not answer.proven
    assert len(grown) < STEPS / 5


NETWORK = DeliveryProblem(
    company="RED",
    cities=(GoodsCity("A", "red"), GoodsCity("B"), GoodsCity("C", "blue")),
    links=(
        OwnedLink("1", "A", "B", "RED"),
        OwnedLink("2", "B", "C", "RED"),
        OwnedLink("3", "C", "B", "BLUE"),
    ),
    cubes=(Cube("B", "red"), Cube("A", "blue"), Cube("A", "green")),
)


def test_deliveries_are_answered_by_id_the_best_first() -> None:
    """Over two own links, then over one; what nobody takes is not delivered, nor what a dearer way would bring."""
    answer = solve_deliveries(NETWORK)
    assert answer.deliveries == (
        CubeDelivery("A", "blue", 2, 0, ("1", "2"), "C"),
        CubeDelivery("B", "red", 1, 0, ("1",), "A"),
    )
    assert answer.proven and answer.own_most == 2


def test_a_search_that_nobody_waits_for_ends() -> None:
    """Before its first colour there is nothing, after it what that one has; neither is proven, but bounded."""
    asked = iter((False, True))
    assert solve_deliveries(NETWORK, lambda: True) == DeliveryAnswer((), False, own_most=2)
    answer = solve_deliveries(NETWORK, lambda: next(asked))
    assert [each.colour for each in answer.deliveries] == ["blue"] and not answer.proven


def test_a_network_that_is_too_wide_is_answered_unproven() -> None:
    """Links join any two cities, as on no map; or too few steps are given. What is found is allowed."""
    for problem in (network_anywhere(1, 60, 150, 2), replace(network_on_a_map(1, 60, 120, 2), steps=1)):
        answer = solve_deliveries(problem)
        assert answer.deliveries and not answer.proven
        assert answer.deliveries[0].own < answer.own_most < sum(link.owner == "0" for link in problem.links)


@pytest.mark.parametrize(
    ("problem", "field", "reason"),
    [
        (replace(line(1), start="h0"), "start", "unknown_id"),
        (replace(line(1), end="A"), "end", "same_city"),
        (replace(line(1), count=0), "count", "out_of_range"),
        (replace(line(1), count=51), "count", "out_of_range"),
        (replace(line(1), hexes=line(1).hexes * 1_001), "hexes", "too_many"),
        (changed(line(1), 1, cost=-1), "hexes[1].cost", "out_of_range"),
        (changed(line(1), 1, id="A"), "hexes", "duplicate_id"),
        (changed(line(1), 1, sides=()), "hexes[1].sides", "side_count"),
        (changed(line(1), 0, sides=(TrackSide("Q"),) * 6), "hexes[0].sides[0].beyond", "unknown_id"),
        (changed(line(1), 0, sides=(TrackSide(),) * 6), "hexes[1].sides[1]", "sides_differ"),
    ],
)
def test_an_invalid_question_about_track(problem: TrackProblem, field: str, reason: str) -> None:
    """The path of the field, and why."""
    with pytest.raises(ProblemError) as fault:
        solve_track(problem)
    assert (fault.value.field, fault.value.reason) == (field, reason)


@pytest.mark.parametrize(
    ("change", "field", "reason"),
    [
        ({"steps": 0}, "steps", "out_of_range"),
        ({"steps": STEPS_MAX + 1}, "steps", "out_of_range"),
        ({"links": NETWORK.links * 334}, "links", "too_many"),
        ({"cubes": NETWORK.cubes * 167}, "cubes", "too_many"),
        ({"links": (OwnedLink("1", "A", "Q", "RED"),)}, "links[0].other", "unknown_id"),
        ({"links": (OwnedLink("1", "A", "A", "RED"),)}, "links[0].other", "same_city"),
        ({"links": NETWORK.links * 2}, "links", "duplicate_id"),
        ({"cubes": (Cube("Q", "red"),)}, "cubes[0].city", "unknown_id"),
        ({"cubes": (Cube("A", ""),)}, "cubes[0].colour", "empty"),
        ({"cities": NETWORK.cities * 80}, "cities", "too_many"),
    ],
)
def test_an_invalid_question_about_deliveries(change: dict[str, Any], field: str, reason: str) -> None:
    """The path of the field, and why."""
    with pytest.raises(ProblemError) as fault:
        solve_deliveries(replace(NETWORK, **change))
    assert (fault.value.field, fault.value.reason) == (field, reason)
