"""The parts of a trace line about players and companies that all titles have in common: certificates, trains, tokens."""

from __future__ import annotations

from collections.abc import Callable, Collection

from services.rules.importer.names import PartOf, city_count
from services.rules.kernel.game import Game
from services.rules.kernel.titledata import TitleData
from services.rules.parts.map.state import map_of
from services.rules.parts.shares.data import cards_of
from services.rules.parts.shares.shares import shares_of
from services.rules.parts.shares.state import companies_of, stock_round, stock_turn

Held = list[tuple[str, tuple[int, ...]]]


def held_by(data: TitleData, game: Game, holder: str, left_out: Collection[str] = ()) -> Held:
    """The certificates of a holder by company, without those of the kinds left out."""
    return [
        (company, numbers)
        for (each, company), numbers in game.holdings.items()
        if each == holder and numbers and cards_of(data)[company].kind not in left_out
    ]


def in_percent(game: Game, company: str, shares: int) -> int:
    """So many shares of a company as the peer counts them: in whole percent of it."""
    return 100 * shares // companies_of(game)[company].shares if shares else 0


def percent_of(game: Game, data: TitleData, company: str, numbers: tuple[int, ...]) -> int:
    """What certificates of a company stand for, in whole percent of it."""
    return in_percent(game, company, shares_of(data, company, numbers))


def percents_of(game: Game, data: TitleData, held: Held) -> dict[str, int]:
    """Percentages by company."""
    return {company: percent_of(game, data, company, numbers) for company, numbers in held}


def sizes_of(game: Game, data: TitleData, company: str) -> list[int]:
    """The percentages of a company's certificates."""
    return [in_percent(game, company, shares) for shares in cards_of(data)[company].certificates]


def tokens_on_map(data: TitleData, game: Game, symbol: str, part_of: PartOf) -> list[str]:
    """`HEX`, or `HEX:part` where the hex shows several cities, in the order of the dialect."""
    cities = [city for city, slots in map_of(game).tokens.items() if symbol in slots]
    return sorted(
        f"{hex_id}:{part_of(data, game, hex_id, stop)}" if city_count(data, game, hex_id) > 1 else hex_id
        for hex_id, stop in cities
    )


def certificate_fields(
    game: Game, holder_name: Callable[[str, str], str], has_certificates: Callable[[str], bool]
) -> dict[str, dict[str, list[int]]]:
    """Certificate numbers by holder, who may go by another name, of companies that have certificates."""
    found: dict[str, dict[str, list[int]]] = {}
    for (holder, company), numbers in game.holdings.items():
        if numbers and has_certificates(company):
            found.setdefault(holder_name(holder, company), {})[company] = sorted(numbers)
    return found


def sold_in_round(game: Game) -> dict[str, dict[str, str]]:
    """Sales of a stock round by player and company: `now` in the turn at hand, else `prev`."""
    current = game.current_round
    found: dict[str, dict[str, str]] = {}
    if current.kind == "stock" and not current.ended:
        for player, company in stock_round(game).sold:
            now = player == game.actor and company in stock_turn(game).sold
            found.setdefault(player, {})[company] = "now" if now else "prev"
    return found
