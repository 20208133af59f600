"""What 18xx.games calls the steps, rounds, trains and places of 1862."""

from __future__ import annotations

from collections.abc import Mapping

from services.rules.kernel.game import Game
from services.rules.kernel.titledata import TitleData
from services.rules.parts.map.board import face
from services.rules.parts.map.state import map_of
from services.rules.titles.g1862.figures import kind_of
from services.rules.titles.g1862.state import ServiceKind, own

STEP_NAMES: Mapping[str, str] = {
    "open_auction": "CharterAuction",
    "bid": "CharterAuction",
    "open_company": "CharterAuction",
    "buy_more_shares": "CharterAuction",
    "stock_turn": "BuySellParShares",
    "buy_tokens": "BuyTokens",
    "pay_fine": "ForcedSales",
    "upgrade_home": "HomeUpgrade",
    "settle_option": "OptionShare",
    "remove_token": "RemoveTokens",
    "merge": "Merge",
    "lay_track": "Track",
    "place_token": "Token",
    "run_trains": "Route",
    "declare_dividend": "Dividend",
    "buy_trains": "BuyTrain",
    "redeem_share": "RedeemShare",
    "acquire": "Acquire",
}
ROUND_NAMES: Mapping[str, str] = {"1862.parliamentary": "PAR", "stock": "SR", "operating": "OR"}
OPTIONS: Mapping[str, str] = {
    "short_length": "short_game",
    "long_length": "long_game",
    "eight_tokens": "eight_stations",
}
# What contradicts itself in the rulebook is played there as it comes.
OPTIONS_TOGETHER: Mapping[frozenset[str], str] = {frozenset(("short_game", "long_game")): "mixed_length"}
# The peer always adds the extra companies when so many play.
OPTIONS_BY_PLAYERS: Mapping[int, tuple[str, ...]] = {7: ("extra_companies",), 8: ("extra_companies",)}
SERVICES: Mapping[str, ServiceKind] = {"F": "freight", "L": "local", "E": "express"}
WARRANTY = "*"
# The link spaces of London among the parts of their hexes; a second area of a hex is two parts from the first.
LINKS: Mapping[tuple[str, int], int] = {("B15", 1): 3, ("D15", 1): 4}
AREAS_APART = 2


def step_name(game: Game, step: str) -> str:
    """The survivor of two companies is chosen within the step in which they merge."""
    return STEP_NAMES.get(game.current_round.step if step == "choose_survivor" else step, step)


def part_number(data: TitleData, game: Game, hex_id: str, stop: int) -> int:
    """The place of a stop among the parts of its tile."""
    if hex_id in map_of(game).tiles:
        return stop
    return LINKS.get((hex_id, stop), AREAS_APART * stop)


def place_name(data: TitleData, game: Game, stop: tuple[str, int]) -> str:
    """`HEX`, or `HEX:part` where a run can call at several stops; the link spaces are none."""
    hex_id, number = stop
    several = sum(not each.slots for each in face(data, map_of(game).tiles, hex_id).stops) > 1
    return f"{hex_id}:{part_number(data, game, hex_id, number)}" if several else hex_id


def train_name(data: TitleData, game: Game, train: str) -> str:
    """What a train runs as, with a star for every warranty left."""
    kind, service = kind_of(data, train), own(game).train_kinds.get(train)
    name = kind.faces[service].name if service else kind.name
    return name + WARRANTY * own(game).warranties.get(train, 0)


def service_of(variant: str) -> ServiceKind | None:
    """What a face is, from its name; None when that says nothing."""
    return SERVICES.get(variant.rstrip(WARRANTY)[-1:])
