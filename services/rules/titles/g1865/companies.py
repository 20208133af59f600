"""What a railway of 1865 is at the moment: minor or major, its home, its rank, its zone, and what its shares cost."""

from __future__ import annotations

from services.rules.kernel.game import Game
from services.rules.kernel.titledata import TitleData
from services.rules.parts.map.board import CityId, token_cities
from services.rules.parts.map.boardview import home_city
from services.rules.parts.map.state import map_of
from services.rules.parts.market.data import chart_of
from services.rules.parts.market.state import market_of
from services.rules.parts.shares.state import companies_of
from services.rules.parts.trains.state import owned_by
from services.rules.titles.g1865.dragontable import Zone, table_of, zone_in
from services.rules.titles.g1865.figures import figures_of, kind_of, railway_cards
from services.rules.titles.g1865.rulings import plays
from services.rules.titles.g1865.state import own


def is_launched(game: Game, company: str) -> bool:
    """Whether its president's certificate was bought, so that it has a price."""
    return company in market_of(game).markers


def is_major(game: Game, data: TitleData, company: str) -> bool:
    """Whether it is divided into the shares of a major (1865/1-l)."""
    return companies_of(game)[company].shares >= figures_of(data).major_shares


def president_of(game: Game, company: str) -> str:
    """Who decides for it."""
    return companies_of(game)[company].director


def home_of(game: Game, data: TitleData, company: str) -> CityId:
    """The city in which its first token is: the printed one, or the one chosen when it was launched anew (1865/6.3-g)."""
    chosen, tiles = own(game).homes.get(company), map_of(game).tiles
    if chosen is not None:
        return chosen
    home = railway_cards(data)[company].home
    assert home is not None
    return home.hex, home_city(data, tiles, home.hex, home.stop)


def destination_of(game: Game, data: TitleData, company: str) -> CityId:
    """The city with its logo (1865/4.7-f)."""
    goal = railway_cards(data)[company].destination
    assert goal is not None
    return goal.hex, home_city(data, map_of(game).tiles, goal.hex, goal.stop)


def rank_of(game: Game, data: TitleData, company: str) -> int:
    """The sum of its trains' numbers and of its tokens on the map, as far as the table goes (1865/1-d, 1-e)."""
    trains = sum(kind_of(data, train).number for train in owned_by(game, company))
    rank = trains + len(token_cities(map_of(game).tokens, company))
    capped = plays(game, "rank_above_the_table", "capped")
    return min(rank, figures_of(data).rank_most) if capped else rank


def zone_of(game: Game, data: TitleData, company: str) -> Zone:
    """The zone of its rank on its row of the Dragon table (1865/1-f)."""
    return zone_at(game, data, company, rank_of(game, data, company))


def zone_at(game: Game, data: TitleData, company: str, rank: int) -> Zone:
    """The zone of such a rank on the company's row of the Dragon table."""
    name = own(game).rows[company]
    return zone_in(next(row for row in table_of(data).rows if row.name == name), rank)


def price_with_premium(game: Game, data: TitleData, company: str) -> int:
    """The price of a share with the premium of the company's zone, none in the red one (1865/4.4-m, 4.4-n, 6.2-e, 6.2-f)."""
    prices = table_of(data).premium_prices.get(zone_of(game, data, company), chart_of(data).rows[0])
    return prices[market_of(game).markers[company][1]]
