"""The house layout of 1865 lies on Sardinia and Corsica as they are: places, and the coast."""

from __future__ import annotations

import math
import tomllib
from pathlib import Path

from services.rules.parts.map.data import map_data
from tests.titles.g1865.layouts import HOUSE, hex_named, layout

KM_HIGH = 22.0
KM_PER_DEGREE = (111.0, 84.0)
NORTH_WEST = (43.05, 8.10)


def _km(place: tuple[float, float]) -> complex:
    """Kilometres east and south of the corner from which the grid is laid."""
    return complex(
        (place[1] - NORTH_WEST[1]) * KM_PER_DEGREE[1], (NORTH_WEST[0] - place[0]) * KM_PER_DEGREE[0]
    )


def _centre(hex_id: str) -> complex:
    return complex((ord(hex_id[0]) - ord("A")) * KM_HIGH * math.sqrt(3) / 2, int(hex_id[1:]) * KM_HIGH / 2)


def test_places_are_where_they_are() -> None:
    """Every place is in the hex in which it lies on Earth, or in one beside it; most are in their own."""
    geography = tomllib.loads((Path(__file__).parent / "geography.toml").read_text(encoding="utf-8"))
    hexes = map_data(layout(HOUSE)).hexes
    moved = []
    for name, place in geography["places"].items():
        there = hex_named(layout(HOUSE), name)
        apart = {each: abs(_km(place) - _centre(each)) for each in hexes}
        if min(apart, key=lambda each: apart[each]) != there:
            moved.append(name)
        assert apart[there] < KM_HIGH, name
    assert len(geography["places"]) == sum(bool(each.name) for each in hexes.values())
    assert moved == ["Abbasanta", "Bacu Abis", "Mandas", "Palau"]


def test_the_coast_is_where_it_is() -> None:
    """Every hex that lies on land by its middle is on the map, and every other one is at the coast."""
    geography = tomllib.loads((Path(__file__).parent / "geography.toml").read_text(encoding="utf-8"))
    outlines = [[_km(point) for point in geography[name]["outline"]] for name in ("Corsica", "Sardinia")]
    hexes = map_data(layout(HOUSE)).hexes
    for column in range(10):
        for number in range(column % 2, 44, 2):
            hex_id = f"{chr(ord('A') + column)}{number}"
            on_land = any(_inside(outline, _centre(hex_id)) for outline in outlines)
            assert not on_land or hex_id in hexes, hex_id
            if hex_id in hexes and not on_land:
                reach = min(_distance(outline, _centre(hex_id)) for outline in outlines)
                assert reach < KM_HIGH / math.sqrt(3), hex_id


def _inside(outline: list[complex], at: complex) -> bool:
    found = False
    for one, other in zip(outline, [outline[-1], *outline], strict=False):
        if (one.imag > at.imag) != (other.imag > at.imag):
            east = one.real + (at.imag - one.imag) / (other.imag - one.imag) * (other.real - one.real)
            found ^= at.real < east
    return found


def _distance(outline: list[complex], at: complex) -> float:
    def to_side(one: complex, other: complex) -> float:
        along = other - one
        share = ((at - one) * along.conjugate()).real / abs(along) ** 2
        return abs(at - one - min(1.0, max(0.0, share)) * along)

    return min(to_side(one, other) for one, other in zip(outline, [outline[-1], *outline], strict=False))
