"""The board in plain shapes for the picture of a game: terrain, ridges, links in their owners' colours, cities with cubes."""

from __future__ import annotations

from typing import Final

from services.rules.kernel.game import Game
from services.rules.kernel.titledata import TitleData
from services.rules.parts.map.sketch import Sketch, SketchHex, SketchLine, SketchPlace, SketchSide
from services.rules.parts.shares.data import cards_of
from services.rules.titles.rotw.board import City, board_of
from services.rules.titles.rotw.state import own

_GROUNDS: Final = {"open": "#f1ead6", "water": "#bcdcf0", "mountain": "#c9b28f", "city": "#f1ead6"}
_COLOURS: Final = {
    "red": "#d23c3c",
    "blue": "#3a78c9",
    "yellow": "#f0c62c",
    "purple": "#8d4fb5",
    "black": "#3a3a3a",
    "grey": "#c7c7c7",
}
_RIDGE: Final = "#5b3d1d"


def sketch_of(data: TitleData, game: Game) -> Sketch:
    """The board of a game."""
    board = board_of(data)
    hexes = (
        SketchHex(each, _GROUNDS[terrain], f"{each}, {terrain}") for each, terrain in board.terrain.items()
    )
    ridges = (SketchSide(hex_id, edge, _RIDGE) for hex_id, edge in sorted(board.ridges))
    legend = [(_GROUNDS[terrain], terrain) for terrain in ("open", "water", "mountain")]
    legend.append((_RIDGE, "ridge"))
    legend += [(colour, f"city of {name} goods") for name, colour in _COLOURS.items() if name != "grey"]
    legend.append((_COLOURS["grey"], "city that takes nothing"))
    return Sketch(
        title=f"Board: {data.header.layout}",
        hexes=tuple(hexes),
        sides=tuple(ridges),
        lines=tuple(_lines(data, game)),
        places=tuple(_place(game, city) for city in board.cities.values()),
        legend=tuple(legend),
    )


def _lines(data: TitleData, game: Game) -> list[SketchLine]:
    by_hex = board_of(data).by_hex
    return [
        SketchLine(
            link.path,
            cards_of(data)[link.owner].colours.fill,
            f"link {name} of {link.owner}: {by_hex[link.path[0]].name} to {by_hex[link.path[-1]].name}",
        )
        for name, link in own(game).links.items()
    ]


def _place(game: Game, city: City) -> SketchPlace:
    cubes = own(game).goods.get(city.name, ())
    emptied = city.name in own(game).emptied
    goods = ", ".join(cubes) or ("emptied" if emptied else "no goods")
    return SketchPlace(
        hex=city.at,
        colour=_COLOURS[city.colour],
        words=city.name,
        squares=tuple(_COLOURS[cube] for cube in cubes),
        is_marked=emptied,
        name=f"{city.name}, {city.colour}, {city.exits} exits: {goods}",
    )
