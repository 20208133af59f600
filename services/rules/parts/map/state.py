"""What is on the map of a game, and what was built in the turn at hand.

`tiles` and `tokens` are never changed in place but replaced, so that what was worked out about a map can be kept with it."""

from __future__ import annotations

from typing import Any, ClassVar

from msgspec import Struct

from services.rules.kernel.game import Game, PartNote, PartState
from services.rules.kernel.titledata import TitleData
from services.rules.parts.map.board import LaidTile

PART = "map"


class CityTokens(Struct, frozen=True):
    """The tokens in the slots of one city, empty text for a free slot."""

    city: int
    slots: tuple[str, ...]


class MapState(PartState):
    """`tiles` by hex. Keys of `tokens` are (hex, city), its values the slots (empty text: free). `placements`: (hex, company)
    of every token on the map, first placed first. `unplaced`: the costs of a company's unplaced tokens, cheapest first."""

    PART: ClassVar[str] = PART

    tiles: dict[str, LaidTile] = {}
    tokens: dict[tuple[str, int], tuple[str, ...]] = {}
    placements: tuple[tuple[str, str], ...] = ()
    unplaced: dict[str, tuple[int, ...]] = {}

    def copy(self) -> MapState:
        """An independent copy."""
        return MapState(self.tiles, self.tokens, self.placements, self.unplaced.copy())

    def position(self, data: TitleData) -> object:
        """Tiles and tokens."""
        return self.tiles, self.tokens, self.unplaced


class TrackTurn(PartNote, frozen=True):
    """`laid`: hexes where a tile was laid in this turn; `upgraded`: one of these replaced track."""

    PART: ClassVar[str] = PART

    laid: tuple[str, ...] = ()
    upgraded: bool = False


def map_of(game: Game) -> MapState:
    """The map of a game, to be read."""
    try:
        found: Any = game.parts[PART]
    except KeyError:
        return MapState()
    board: MapState = found
    return board


def unplaced_tokens(game: Game, company: str) -> tuple[int, ...]:
    """The costs of the tokens left to a company, cheapest first."""
    return map_of(game).unplaced.get(company, ())


def track_turn(game: Game) -> TrackTurn:
    """What was built in the turn at hand."""
    return TrackTurn.of_turn(game)
