"""What players see of a game beside what every title shows."""

from __future__ import annotations

from msgspec import Struct

from services.rules.kernel.game import Game
from services.rules.kernel.titledata import TitleData
from services.rules.titles.rotw.board import board_of
from services.rules.titles.rotw.control import acting_order
from services.rules.titles.rotw.figures import figures_of
from services.rules.titles.rotw.financing import bonds_left, bonds_of
from services.rules.titles.rotw.state import own


class CityView(Struct, frozen=True):
    """A city with the cubes in it; `is_emptied`: it has an Empty City marker."""

    name: str
    hex: str
    colour: str
    exits: int
    cubes: tuple[str, ...]
    is_emptied: bool


class LinkView(Struct, frozen=True):
    """A completed link between two cities, with the hexes of its track."""

    link: str
    owner: str
    one: str
    other: str
    path: tuple[str, ...]


class RailroadView(Struct, frozen=True):
    """What a company has beside shares and money: its space on the income track, its bonds, how many more it may have, and
    what it chose in the rounds of this turn."""

    company: str
    income_space: int
    bonds: int
    bonds_left: int
    actions: tuple[str, ...]


class MergerView(Struct, frozen=True):
    """A merger that is voted on, whose shareholders vote, and who of them has voted."""

    company: str
    target: str
    voting: str
    voted: tuple[str, ...]


class View(Struct, frozen=True):
    """`acting_order`: the companies that somebody controls, by falling share value. `merger` has one entry or none.
    `auctioned_from`: where the share comes from that is auctioned, empty if none is. `rows` and `ridges` are the board as
    the file of its layout has it."""

    cities: tuple[CityView, ...]
    links: tuple[LinkView, ...]
    railroads: tuple[RailroadView, ...]
    acting_order: tuple[str, ...]
    emptied_to_end: int
    auctioned_from: str
    merger: tuple[MergerView, ...]
    rows: tuple[str, ...]
    ridges: tuple[str, ...]


def view(game: Game, data: TitleData) -> View:
    """The view of a game."""
    state = own(game)
    return View(
        cities=_cities(game, data),
        links=_links(game, data),
        railroads=_railroads(game, data),
        acting_order=acting_order(game, data),
        emptied_to_end=figures_of(data).empty_cities,
        auctioned_from=state.named.source if state.named is not None else "",
        merger=_mergers(game),
        rows=board_of(data).layout.rows,
        ridges=board_of(data).layout.ridges,
    )


def _cities(game: Game, data: TitleData) -> tuple[CityView, ...]:
    state = own(game)
    return tuple(
        CityView(
            city.name,
            city.at,
            city.colour,
            city.exits,
            state.goods.get(city.name, ()),
            city.name in state.emptied,
        )
        for city in board_of(data).cities.values()
    )


def _links(game: Game, data: TitleData) -> tuple[LinkView, ...]:
    by_hex = board_of(data).by_hex
    return tuple(
        LinkView(name, link.owner, by_hex[link.path[0]].name, by_hex[link.path[-1]].name, link.path)
        for name, link in own(game).links.items()
    )


def _railroads(game: Game, data: TitleData) -> tuple[RailroadView, ...]:
    state = own(game)
    return tuple(
        RailroadView(
            company,
            state.income.get(company, 0),
            bonds_of(game, data, company),
            bonds_left(game, data, company),
            state.actions.get(company, ()),
        )
        for company in acting_order(game, data)
    )


def _mergers(game: Game) -> tuple[MergerView, ...]:
    merger = own(game).merger
    if merger is None:
        return ()
    voted = tuple(vote.player for vote in merger.votes)
    return (MergerView(merger.company, merger.target, merger.voting, voted),)
