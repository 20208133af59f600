"""Events of the map: tiles and tokens."""

from __future__ import annotations

from msgspec.structs import replace

from services.rules.kernel.events import Event
from services.rules.kernel.game import Game
from services.rules.parts.map.board import LaidTile
from services.rules.parts.map.state import CityTokens, MapState, TrackTurn


class TileLaid(Event, frozen=True):
    """`company` laid copy `copy` of `tile` turned by `rotation` sixths on `hex`; `upgrade` when it replaced track."""

    company: str
    hex: str
    tile: str
    rotation: int
    copy: int
    upgrade: bool

    def write(self, game: Game) -> None:
        """The tile replaces what was there."""
        board, turn = MapState.to_write(game), TrackTurn.of_turn(game)
        board.tiles = {**board.tiles, self.hex: LaidTile(self.tile, self.rotation, self.copy)}
        laid, upgraded = (*turn.laid, self.hex), turn.upgraded or self.upgrade
        replace(turn, laid=laid, upgraded=upgraded).note_turn(game)


class TokensArranged(Event, frozen=True):
    """After a tile was laid, the cities of `hex` hold these tokens."""

    hex: str
    cities: tuple[CityTokens, ...]

    def write(self, game: Game) -> None:
        """All cities of the hex are replaced."""
        board = MapState.to_write(game)
        tokens = {key: slots for key, slots in board.tokens.items() if key[0] != self.hex}
        tokens.update(((self.hex, city.city), city.slots) for city in self.cities)
        board.tokens = tokens


class TokenPlaced(Event, frozen=True):
    """`company`'s token is in slot `slot` of city `city` of `hex`, a city with `slots` spaces from now on."""

    company: str
    hex: str
    city: int
    slot: int
    reason: str
    slots: int

    def write(self, game: Game) -> None:
        """The token is on the map, the last one placed."""
        board = MapState.to_write(game)
        _set_slot(board, (self.hex, self.city), self.slot, self.company, self.slots)
        board.placements = (*board.placements, (self.hex, self.company))


class TokenReplaced(Event, frozen=True):
    """The token of `company` in this slot became one of `successor` (empty: taken off the map)."""

    company: str
    hex: str
    city: int
    slot: int
    successor: str
    reason: str

    def write(self, game: Game) -> None:
        """The successor's token counts as placed when the old one was."""
        board = MapState.to_write(game)
        _set_slot(board, (self.hex, self.city), self.slot, self.successor, 0)
        placements = list(board.placements)
        if (self.hex, self.company) in placements:
            placements[placements.index((self.hex, self.company))] = (self.hex, self.successor)
        board.placements = tuple(each for each in placements if each[1])


class CharterTokensSet(Event, frozen=True):
    """The tokens left on the charter of `company`, by their cost, cheapest first."""

    company: str
    costs: tuple[int, ...]

    def write(self, game: Game) -> None:
        """The tokens are replaced."""
        MapState.to_write(game).unplaced[self.company] = self.costs


def _set_slot(board: MapState, city: tuple[str, int], slot: int, symbol: str, spaces: int) -> None:
    held = board.tokens.get(city, ())
    slots = [*held, *("",) * (spaces - len(held))]
    slots[slot] = symbol
    board.tokens = {**board.tokens, city: tuple(slots)}


EVENTS: tuple[type[Event], ...] = (TileLaid, TokensArranged, TokenPlaced, TokenReplaced, CharterTokensSet)
