"""Ports and red areas distinguished by where they are entered from, in route problems that measure distances."""

from itertools import product

import pytest

from services.routing.domain.problem import LockedRun
from services.routing.domain.validation import validate_problem
from services.rules.loading import load_title
from services.rules.parts.map.board import LaidTile
from services.rules.parts.map.boardview import board_view
from services.rules.parts.map.hexes import EDGES, Orientation, axial, neighbour
from services.rules.parts.trains.entries import claim_with_entries, entry, plain, with_entries
from services.rules.parts.trains.routes import RunTerms, network_of, problem_on_terms
from services.rules.titles.g1862.figures import SCHEMA
from tests.rules.board.boards import FOLDER_1824

TITLE = load_title(FOLDER_1824.parent / "g1862", SCHEMA)
# Wisbech with ways into the Midlands over A4 and A6, and March with one over A6.
TILES = {"B5": LaidTile("15", 0, 0), "B7": LaidTile("57", 2, 0)}
TERMS = RunTerms(family="one_network")


def apart(one: tuple[int, int], other: tuple[int, int]) -> int:
    """How far two hexes lie from each other, by their axial coordinates."""
    q, r = one[0] - other[0], one[1] - other[1]
    return max(abs(q), abs(r), abs(q + r))


@pytest.mark.parametrize("orientation", ["flat", "pointed"])
def test_neighbours_are_one_hex_apart(orientation: Orientation) -> None:
    """In axial coordinates all six neighbours are at distance 1, and so is each from the next one round the hex."""
    for hex_id in ("F11", "G12", "H7"):
        ring = [neighbour(hex_id, edge, orientation) or "" for edge in EDGES]
        places = [axial(each, orientation) for each in ring]
        assert {apart(axial(hex_id, orientation), place) for place in places} == {1}
        assert {apart(one, other) for one, other in zip(places, places[1:] + places[:1], strict=True)} == {1}
        assert max(apart(one, other) for one, other in product(places, places)) == 2


def test_an_area_has_one_stop_for_each_way_in() -> None:
    """A6 entered from Wisbech and from March are two stops of one place with one value, each where it is entered from."""
    view = board_view(TITLE, TILES, {("B5", 0): ("L&E", ""), ("B7", 0): ("L&E",)})
    problem = problem_on_terms(view, "L&E", (), "A", TERMS)
    validate_problem(problem)
    stops = {stop.id: stop for stop in problem.stops}
    assert set(stops) == {"B5.0", "B7.0", "A4.0@B5", "A6.0@B5", "A6.0@B7"}
    from_wisbech, from_march = stops["A6.0@B5"], stops["A6.0@B7"]
    assert (from_wisbech.place, from_wisbech.revenue) == (from_march.place, from_march.revenue)
    assert (from_wisbech.position, from_wisbech.beyond) == (axial("B5", "flat"), 1)
    assert (from_march.position, from_march.beyond) == (axial("B7", "flat"), 1)
    assert (stops["B5.0"].position, stops["B5.0"].beyond) == (axial("B5", "flat"), 0)


def test_closed_stops_are_left_out() -> None:
    """What is closed to a company is in no problem of it, neither as a place to go nor as a place with a token."""
    view = board_view(TITLE, TILES, {("B5", 0): ("L&E", ""), ("B7", 0): ("L&E",)})
    terms = RunTerms(family="one_network", closed=frozenset(("A6.0", "B7.0")))
    problem = problem_on_terms(view, "L&E", (), "A", terms)
    assert {stop.id for stop in problem.stops} == {"B5.0", "A4.0@B5"}
    assert problem.token_stops == ("B5.0",)


def test_a_claim_gets_the_ways_in() -> None:
    """The ends of a claim get the entry of the track by which it comes there; without entries it is as before."""
    network = network_of(TITLE, TILES)
    (way,) = [each for each in network.segments if (each.a, each.b) == ("A6.0", "B7.0")]
    (entered,) = with_entries(TITLE, TILES, (way,))
    claim = LockedRun("A-0", ("B7.0", "A6.0"), (way.id,))
    found = claim_with_entries(claim, {entered.id: entered})
    assert found.stops == ("B7.0", "A6.0@B7")
    assert tuple(plain(stop) for stop in found.stops) == claim.stops
    assert [entry(stop) for stop in found.stops] == ["", "B7"]
    assert claim_with_entries(LockedRun("A-0", (), ()), {}) == LockedRun("A-0", (), ())
