"""How 18xx.games spells what this project names otherwise: players, steps, rounds, cities."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from services.rules.domain.board import face
from services.rules.domain.game import Game
from services.rules.domain.titledata import TitleData

STEP_NAMES: Mapping[str, str] = {
    "initial_stock_turn": "BuySellParSharesFirstSr",
    "stock_turn": "BuySellParExchangeShares",
    "lay_track": "Track",
    "place_token": "Token",
    "run_trains": "Route",
    "declare_dividend": "Dividend",
    "buy_trains": "BuyTrain",
    "discard_train": "DiscardTrain",
    "exchange_mountain": "ForcedMountainRailwayExchange",
    "choose_token": "KkTokenChoice",
}
ROUND_NAMES: Mapping[str, str] = {"initial_stock": "ISR", "stock": "SR", "operating": "OR"}
BETWEEN_ROUNDS = "ER"
TYPE_NAMES: Mapping[str, str] = {
    "coal": "minor",
    "pre_state": "minor",
    "regional": "major",
    "national": "national",
}
BLOCKER = "B"
UNLIMITED_TRAINS = 20


@dataclass(frozen=True, slots=True)
class Names:
    """The players of one recorded game: `spelled` gives the file's id for ours."""

    spelled: Mapping[str, int | str] = field(default_factory=dict)

    def of(self, name: str) -> int | str:
        """A player as the file spells him; anything else as it is."""
        return self.spelled.get(name, name)

    def maybe(self, name: str) -> int | str | None:
        """As `of`, and nothing for nobody."""
        return self.of(name) if name else None


def names_of(players: tuple[int | str, ...]) -> Names:
    """The spelling of these players."""
    return Names({str(player): player for player in players})


def city_count(data: TitleData, game: Game, hex_id: str) -> int:
    """How many cities (mines and red areas with a token space among them) the hex shows now."""
    return sum(stop.slots > 0 for stop in face(data, game.tiles, hex_id).stops)


def part_number(data: TitleData, game: Game, hex_id: str, stop: int) -> int:
    """The place of a stop among the parts of its tile; cities printed on one hex are two parts apart."""
    printed = hex_id not in game.tiles
    return 2 * stop if printed and city_count(data, game, hex_id) > 1 else stop


def stop_number(data: TitleData, game: Game, hex_id: str, part: int) -> int:
    """The stop meant by a part number; -1 when there is none."""
    stops = range(len(face(data, game.tiles, hex_id).stops))
    return next((stop for stop in stops if part_number(data, game, hex_id, stop) == part), -1)
