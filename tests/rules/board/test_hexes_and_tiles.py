"""Coordinates, rotation and the words of stops and track."""

import pytest
from hypothesis import given, strategies as st

from services.rules.parts.map.data import map_data
from services.rules.parts.map.hexes import EDGES, Orientation, neighbour, opposite
from services.rules.parts.map.notation import NotationError, parse_path, parse_stop
from services.rules.parts.map.tiles import EdgeEnd, Path, Stop, make_face, rotated
from tests.rules.board.boards import title_1824

KEYS = ("low", "middle", "high")


@pytest.mark.parametrize(
    ("hex_id", "orientation", "around"),
    [
        ("C12", "pointed", ("D11", "C10", "B11", "B13", "C14", "D13")),
        ("E10", "flat", ("E12", "D11", "D9", "E8", "F9", "F11")),
    ],
)
def test_neighbours_go_clockwise_from_edge_0(
    hex_id: str, orientation: Orientation, around: tuple[str, ...]
) -> None:
    """The six neighbours stand in the order of the edges."""
    assert tuple(neighbour(hex_id, edge, orientation) for edge in EDGES) == around


@given(st.sampled_from("CDEFG"), st.integers(4, 20), st.sampled_from(EDGES))
def test_going_over_an_edge_and_back_leads_home(letter: str, number: int, edge: int) -> None:
    """The neighbour's opposite edge leads back, in both orientations."""
    for orientation in ("flat", "pointed"):
        there = neighbour(f"{letter}{number}", edge, orientation)
        assert there is not None
        assert neighbour(there, opposite(edge), orientation) == f"{letter}{number}"


def test_rotation_turns_clockwise() -> None:
    """Tile 3 on A8 with rotation 4 joins edges 4 and 5, that is the hexes A10 and B9."""
    title = title_1824()
    exits = map_data(title).faces["3", 4].exits
    assert exits == {4, 5}
    assert {map_data(title).neighbours["A8"][edge] for edge in exits} == {"A10", "B9"}


def test_six_turns_are_none() -> None:
    """Every tile turned by one sixth six times shows its first face again."""
    for tile in map_data(title_1824()).tiles.values():
        turned = tile.face
        for _ in EDGES:
            turned = rotated(turned, 1)
        assert set(turned.paths) == set(tile.face.paths)


def test_lanes_meet_mirrored() -> None:
    """Lane 0 of 2 over edge 4 is lane 1 of 2 over edge 1 of the neighbour."""
    assert EdgeEnd(4, 0, 2).across() == EdgeEnd(1, 1, 2)


def test_words_of_stops_are_read() -> None:
    """Value, token spaces, values by key and areas; a key left out has the value of the one before."""
    areas = {"Port": {"low": 10, "high": 40}}
    assert parse_stop("city 40 x2", {}, KEYS) == Stop("city", 2, 40)
    assert parse_stop("mine low:10 high:40", {}, KEYS).revenue == {"low": 10, "middle": 10, "high": 40}
    assert parse_stop("offboard @Port", areas, KEYS).area == "Port"
    assert parse_stop("offboard @Port", areas, KEYS).value("middle") == 10


def test_words_of_track_are_read() -> None:
    """Edges, stops, lanes and terminal track."""
    assert parse_path("4-s0 terminal", 1) == Path((EdgeEnd(4),), 0, True)
    assert parse_path("4(1/2)-2", 0) == Path((EdgeEnd(2), EdgeEnd(4, 1, 2)))
    face = make_face("yellow", "", (), (parse_path("0-3", 0),))
    assert face.exits == {0, 3}


@pytest.mark.parametrize("words", ["0", "0-0", "s0-s1", "0-3 dead end", "6-s0", "0-s2", ""])
def test_words_that_mean_no_track_are_refused(words: str) -> None:
    """Track has two different ends, at least one of them an edge."""
    with pytest.raises(NotationError):
        parse_path(words, 2)
