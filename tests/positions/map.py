"""What lies and stands on the map."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from services.rules.kernel.events import Event
from services.rules.parts.map.board import CityId, face
from services.rules.parts.map.events import (
    CharterTokensSet,
    TileLaid,
    TokenPlaced,
    TokenReplaced,
    TokensArranged,
)
from services.rules.parts.map.state import CityTokens, map_of, unplaced_tokens
from services.rules.parts.shares.data import cards_of
from tests.positions.reading import Events, facts
from tests.positions.written import WrittenGame

Lines = tuple[tuple[str, str, int], ...]


class MapFacts(WrittenGame):
    """Tiles and tokens."""

    __slots__ = ()

    def tile_lies(self, hex_id: str, tile: str, rotation: int) -> None:
        """The tile is on the map, the lowest piece that is not out yet. In a turn it counts as laid in it."""
        copy = sum(laid.tile == tile for laid in map_of(self.game).tiles.values())
        upgrade = hex_id in map_of(self.game).tiles
        self.write(TileLaid("", hex_id, tile, rotation, copy, upgrade))

    def tiles_lie(self, lines: Lines) -> None:
        """These tiles are on the map, each as hex, tile and rotation."""
        for line in lines:
            self.tile_lies(*line)

    def token_stands(self, company: str, hex_id: str, city: int = 0, slot: int | None = None) -> None:
        """A token of the company, the cheapest of its charter, is in the first free slot unless one is given."""
        slots = face(self.data, map_of(self.game).tiles, hex_id).stops[city].slots
        taken = map_of(self.game).tokens.get((hex_id, city)) or ("",) * slots
        charter = unplaced_tokens(self.game, company)
        place = taken.index("") if slot is None else slot
        self.write(TokenPlaced(company, hex_id, city, place, "home", slots))
        self.charter_has_tokens(company, *charter[1:])

    def token_is_removed(self, company: str, hex_id: str, city: int = 0, slot: int = 0) -> None:
        """The slot in which the company had a token is free."""
        self.write(TokenReplaced(company, hex_id, city, slot, "", "removed"))

    def home_tokens_stand(self, *companies: str) -> None:
        """The home tokens of these companies are placed."""
        for company in companies:
            home = cards_of(self.data)[company].home
            assert home is not None
            self.token_stands(company, home.hex, home.stop)

    def charter_has_tokens(self, company: str, *costs: int) -> None:
        """The company has these tokens left, by what they cost."""
        self.write(CharterTokensSet(company, costs))

    def slots_are(self, hex_id: str, city: int, *slots: str) -> None:
        """These companies, or nobody, have the slots of a city, and no other city of the hex has tokens."""
        self.write(TokensArranged(hex_id, (CityTokens(city, slots),)))

    def tokens(self, company: str) -> dict[CityId, tuple[str, ...]]:
        """The cities with a token of the company."""
        return {city: slots for city, slots in map_of(self.game).tokens.items() if company in slots}


class TokenChange(NamedTuple):
    """What became of a slot with a token of the company: one of the successor, or nothing."""

    company: str
    hex: str
    city: int
    slot: int
    successor: str
    reason: str


def placed_tokens(events: Events) -> list[tuple[str, str, int, int, str]]:
    """(company, hex, city, slot, reason) of tokens that were placed."""
    return [
        (each.company, each.hex, each.city, each.slot, each.reason) for each in facts(events, TokenPlaced)
    ]


def token_changes(events: Events) -> list[TokenChange]:
    """The tokens on the map that gave way to others, or to nothing."""
    return [
        TokenChange(each.company, each.hex, each.city, each.slot, each.successor, each.reason)
        for each in facts(events, TokenReplaced)
    ]


def charters(events: Events) -> list[tuple[str, tuple[int, ...]]]:
    """(company, costs) where the tokens on a charter changed."""
    return [(each.company, each.costs) for each in facts(events, CharterTokensSet)]


def charters_of(events: Events, company: str) -> list[tuple[int, ...]]:
    """What the tokens on the charter of the company cost, whenever they changed."""
    return [costs for each, costs in charters(events) if each == company]


def laid_tiles(events: Events) -> list[tuple[str, str, str, int]]:
    """(company, hex, tile, rotation) of tiles that were laid."""
    return [(each.company, each.hex, each.tile, each.rotation) for each in facts(events, TileLaid)]


def upgraded_hexes(events: Events) -> list[str]:
    """The hexes of tiles that replaced track."""
    return [each.hex for each in facts(events, TileLaid) if each.upgrade]


def before_last_charter(events: Sequence[Event]) -> Sequence[Event]:
    """What happened until the tokens on a charter changed last; they must have."""
    return events[: max(place for place, each in enumerate(events) if isinstance(each, CharterTokensSet))]
