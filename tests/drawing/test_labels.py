"""Words and figures on hexes: nothing covers anything."""

from itertools import combinations
from pathlib import Path

import pytest

from services.drawing.facelayout import slot_points
from services.drawing.labels import labels_of, value_cells
from services.drawing.scene import HexScene, scenes_of
from services.rules.kernel.game import Game
from services.rules.kernel.titledata import TitleData
from services.rules.parts.map.board import LaidTile
from services.rules.parts.map.data import map_data
from services.rules.parts.map.state import map_of
from services.rules.parts.trains.data import phases_of
from services.rules.parts.trains.state import phase_of
from tests.drawing.games import RECORDED, begun, in_the_middle, recorded


def covered(data: TitleData, game: Game, scenes: dict[str, HexScene]) -> list[str]:
    """What covers what: text over text or over a token space."""
    found = []
    for hex_id, scene in scenes.items():
        labels = labels_of(data, scene, phases_of(data)[phase_of(game)].revenue)
        for one, other in combinations(labels, 2):
            if one.place.overlap(other.place) > 0.5:
                found.append(f"{hex_id} {scene.laid}: {one.words} and {other.words}")
        radius = scene.layout.slot_radius
        for number in scene.slots:
            spot = scene.layout.spots[number]
            for point in slot_points(len(scene.slots[number]), spot, radius, len(scene.face.stops) == 1):
                found += [
                    f"{hex_id} {scene.laid}: {label.words} on a token space"
                    for label in labels
                    if label.place.distance(point) < radius - 0.5
                ]
    return found


@pytest.mark.parametrize("options", [(), ("goods_time",)])
def test_nothing_is_covered_at_the_start(options: tuple[str, ...]) -> None:
    """On the printed map, of the variant too, no text lies on other text or on a token space."""
    data, game = begun(*options)
    assert covered(data, game, scenes_of(data, game)) == []


def test_nothing_is_covered_on_any_tile() -> None:
    """Every tile in every rotation, on the hex of its letter with the longest name, leaves room for all text."""
    data, game = begun("goods_time")
    hexes = {"": "B15", "T": "E26", "W": "E12", "Bu": "F17"}
    for (tile, turn), face in map_data(data).faces.items():
        hex_id = hexes[face.label]
        map_of(game).tiles = {hex_id: LaidTile(tile, turn, 0)}
        scene = scenes_of(data, game)[hex_id]
        assert covered(data, game, {hex_id: scene}) == []


@pytest.mark.parametrize("quarter", [1, 2, 3, 4])
@pytest.mark.parametrize("name", RECORDED)
def test_nothing_is_covered_in_recorded_games(shared: Path, name: str, quarter: int) -> None:
    """At four stages of every recorded game no text lies on other text or on a token space."""
    data, game = recorded(shared, name, quarter)
    assert covered(data, game, scenes_of(data, game)) == []


def test_a_hex_tells_what_a_player_must_know() -> None:
    """Coordinate, tile, name, letter and each city's value are written; terrain only until a tile is there."""
    data, game = begun()
    before = scenes_of(data, game)["E12"]
    assert sorted(label.words for label in labels_of(data, before, phases_of(data)["2"].revenue)) == sorted(
        ["E12", "Wien", "W", "20", "30", "30", "30"]
    )
    data, game = in_the_middle()
    after = scenes_of(data, game)["E12"]
    assert sorted(label.words for label in labels_of(data, after, phases_of(data)["4"].revenue)) == sorted(
        ["E12", "#491", "Wien", "W", "50", "50", "50"]
    )


def test_values_that_stay_are_told_once() -> None:
    """An area shows one value for each change: Sarajevo 10, and 50 from the brown phases on."""
    data, _ = begun()
    stop = map_data(data).hexes["J13"].face.stops[0]
    assert value_cells(stop, map_data(data).figures.revenue_keys) == [("yellow", 10), ("brown", 50)]


@pytest.mark.parametrize(("phase", "present"), [("2", "10"), ("3", "20"), ("5", "30"), ("10", "40")])
def test_the_present_value_is_marked(phase: str, present: str) -> None:
    """Of an area's values the one of the present phase stands out in bold."""
    data, game = begun()
    labels = labels_of(data, scenes_of(data, game)["B3"], phases_of(data)[phase].revenue)
    table = next(label.drawn for label in labels if label.words == "10 20 30 40")
    assert [value for value in ("10", "20", "30", "40") if f'font-weight="bold">{value}<' in table] == [
        present
    ]


def test_a_home_without_room_is_still_told() -> None:
    """A company still to come whose home city is full is named on the hex."""
    data, game = in_the_middle()
    map_of(game).tokens = {("B23", 0): ("MS",)}
    scene = scenes_of(data, game)["B23"]
    assert scene.homes == ("CL",)
    assert "CL" in [label.words for label in labels_of(data, scene, phases_of(data)["4"].revenue)]
