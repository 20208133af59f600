"""What 18xx.games calls the steps, rounds, kinds of companies and cities of 1824."""

from __future__ import annotations

from collections.abc import Mapping

from services.rules.importer.names import city_count
from services.rules.kernel.game import Game
from services.rules.kernel.titledata import TitleData
from services.rules.parts.map.board import face
from services.rules.parts.map.state import map_of

STEP_NAMES: Mapping[str, str] = {
    "allotment_turn": "BuySellParSharesFirstSr",
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
    "place_bond_token": "BondToken",
}
ROUND_NAMES: Mapping[str, str] = {
    "1824.allotment": "ISR",
    "1824.initial_stock": "ISR",
    "stock": "SR",
    "operating": "OR",
}
BETWEEN_ROUNDS = "ER"
TYPE_NAMES: Mapping[str, str] = {
    "coal": "minor",
    "pre_state": "minor",
    "regional": "major",
    "national": "national",
}
CONSTRUCTION, BOND = "construction_railway", "bond_railway"
MOUNTAIN = "mountain"
SHARE_COMPANIES = ("regional", "national")
UNLIMITED_TRAINS = 20


def step_name(game: Game, step: str) -> str:
    """The file's name of a step."""
    return STEP_NAMES.get(step, step)


def place_name(data: TitleData, game: Game, stop: tuple[str, int]) -> str:
    """`HEX`, or `HEX:part` where the hex shows several stops."""
    hex_id, number = stop
    several = len(face(data, map_of(game).tiles, hex_id).stops) > 1
    return f"{hex_id}:{part_number(data, game, hex_id, number)}" if several else hex_id


def part_number(data: TitleData, game: Game, hex_id: str, stop: int) -> int:
    """The place of a stop among the parts of its tile; cities printed on one hex are two parts apart."""
    printed = hex_id not in map_of(game).tiles
    return 2 * stop if printed and city_count(data, game, hex_id) > 1 else stop
