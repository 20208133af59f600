"""Pictures of 1862: flat-topped hexes, red and blue areas, London's spaces, small stations, barriers, a ladder of prices."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

import pytest

from services.drawing.scene import scenes_of
from services.rules.parts.map.state import map_of
from services.rules.parts.trains.state import owned_by
from services.rules.titles.g1862.presentation import train_name
from services.rules.titles.g1862.state import State
from tests.drawing.games import SVG, drawn_board, of_class, parsed, texts
from tests.drawing.traces import begun, traced

NAMES = ("46925", "p2-s215", "p5-s111", "p8-s128")


def named(root: ElementTree.Element, class_: str) -> list[str]:
    """The names of all elements of a class."""
    return [element.findtext(SVG + "title", "") for element in of_class(root, class_)]


def test_the_map_shows_homes_areas_and_barriers() -> None:
    """Before play every home is kept, areas tell their three values, and the sides that no track passes are drawn."""
    data, game = begun()
    root = parsed(drawn_board(data, game))
    assert len(of_class(root, "hex")) == 60
    assert len(named(root, "home")) == 20
    assert "home of ECR Eastern Counties Railway" in named(root, "home")
    assert named(root, "values").count("values 100 150 200") == 1
    assert named(root, "barrier") == ["no track can pass here"]
    assert len(of_class(root, "slot")) >= 4


def test_a_map_without_barriers_has_no_mark_for_them() -> None:
    """Sides at the end of the map are no barriers: each side drawn lies between two hexes of the map."""
    data, game = begun()
    barrier = of_class(parsed(drawn_board(data, game)), "barrier")[0]
    assert barrier.get("d", "").count("M") == 2 * len((("E14", "F13"), ("F11", "F13"), ("F13", "G12")))


def test_a_ladder_of_prices_is_drawn_as_a_zigzag() -> None:
    """All 67 prices stand on the page, each in the other row than the price before it."""
    data, game = begun()
    root = parsed(drawn_board(data, game))
    cells = of_class(root, "price")
    assert len(cells) == 67
    places = [cell.get("transform", "translate(0 0)")[10:-1].split() for cell in cells]
    corners = [
        (float(x), float(y)) if rest else (float(x), 0.0) for x, *rest in places for y in (rest or ["0"])
    ]
    assert max(x for x, _ in corners) < 1300
    assert all(one[1] != other[1] for one, other in pairwise(corners))


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("share", [0.4, 1.0])
def test_recorded_positions_are_drawn_with_all_they_hold(shared: Path, name: str, share: float) -> None:
    """Every token, London's among them, and every small station of a recorded position is on the picture."""
    data, game = traced(shared, name, share)
    root = parsed(drawn_board(data, game))
    on_map = next(element for element in of_class(root, "stops"))
    tokens = [symbol for slots in map_of(game).tokens.values() for symbol in slots if symbol]
    assert sorted(each.split()[0] for each in named(on_map, "token")) == sorted(tokens)
    towns = [
        stop for scene in scenes_of(data, game).values() for stop in scene.face.stops if stop.kind == "town"
    ]
    assert len(of_class(on_map, "town")) == len(towns)


def test_trains_go_by_what_they_run_as(shared: Path) -> None:
    """A train is called by its face, with a star for every warranty left."""
    data, game = traced(shared, "46925")
    trains = owned_by(game, "ECR")
    assert [train_name(data, game, train) for train in trains] == ["4/5E", "8F", "9F"]
    State.to_write(game).warranties = {trains[0]: 2}
    assert train_name(data, game, trains[0]) == "4/5E**"
    said = texts(parsed(drawn_board(data, game)))
    assert "4/5E**, 8F, 9F" in said
    assert "5F 4L 4E" in said
