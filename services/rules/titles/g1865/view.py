"""What players see of a game of 1865 beside what every title shows."""

from __future__ import annotations

from msgspec import Struct

from services.rules.kernel.game import Game
from services.rules.kernel.titledata import TitleData
from services.rules.titles.g1865.companies import is_launched, is_major, price_with_premium, rank_of, zone_of
from services.rules.titles.g1865.dragontable import table_of
from services.rules.titles.g1865.figures import railway_cards
from services.rules.titles.g1865.revenue import coverage_of
from services.rules.titles.g1865.state import own, traffic_of


class Railway(Struct, frozen=True):
    """What a railway has beside what every title shows: traffic and its coverage, and once it is launched its row, rank and
    zone on the Dragon table with the price of a Dragon share. `absorbed`: it can be launched anew."""

    company: str
    major: bool
    absorbed: bool
    traffic: int
    coverage: int
    row: str
    rank: int
    zone: str
    premium_price: int


class Maritime(Struct, frozen=True):
    """A sea company in play, the player or railway that has it, and whether its port has brought its traffic."""

    name: str
    owner: str
    used: bool


class DragonShares(Struct, frozen=True):
    """The certificates of a company that the Dragons hold."""

    company: str
    numbers: tuple[int, ...]


class View(Struct, frozen=True):
    """`dragons` lists the companies of which the Dragons hold something."""

    railways: tuple[Railway, ...]
    maritime: tuple[Maritime, ...]
    dragons: tuple[DragonShares, ...]


def view(game: Game, data: TitleData) -> View:
    """The view of a game."""
    state, holder = own(game), table_of(data).holder
    held = ((company, game.held(holder, company)) for company in railway_cards(data))
    return View(
        railways=tuple(_railway(game, data, company) for company in railway_cards(data)),
        maritime=tuple(Maritime(name, owner, name in state.ports) for name, owner in state.maritime.items()),
        dragons=tuple(DragonShares(company, numbers) for company, numbers in held if numbers),
    )


def _railway(game: Game, data: TitleData, company: str) -> Railway:
    launched = is_launched(game, company)
    return Railway(
        company=company,
        major=is_major(game, data, company),
        absorbed=company in own(game).absorbed,
        traffic=traffic_of(game, company),
        coverage=coverage_of(game, data, company),
        row=own(game).rows.get(company, ""),
        rank=rank_of(game, data, company),
        zone=zone_of(game, data, company) if launched else "",
        premium_price=price_with_premium(game, data, company) if launched else 0,
    )
