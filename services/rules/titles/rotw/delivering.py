"""Deliveries: which are allowed, what they bring, and which are listed as choices (deliver-a to -m)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from services.routing.domain.links.deliveries import find_deliveries
from services.routing.domain.links.network import Deliveries, Network, NetworkLink
from services.rules.kernel.choice import Choice
from services.rules.kernel.draft import Draft
from services.rules.kernel.events import ActionTaken
from services.rules.kernel.game import Game
from services.rules.kernel.rejections import reject_if
from services.rules.kernel.title import Action, Context
from services.rules.kernel.titledata import TitleData
from services.rules.titles.rotw.board import GOODS, Board, board_of
from services.rules.titles.rotw.commands import DeliverGood
from services.rules.titles.rotw.control import check_company
from services.rules.titles.rotw.events import ActionChosen, CityEmptied, GoodDelivered, IncomeMarked
from services.rules.titles.rotw.state import DELIVER, Link, own

# So long a cube's ways are searched for when choices are listed. Every allowed way can be sent, whether it is listed or not.
SEARCH_STEPS = 4_000


def _way_of(game: Game, board: Board, city: str, links: tuple[str, ...]) -> tuple[str, ...]:
    """The cities of a way from `city` over `links`, by name, with the first."""
    known = own(game).links
    cities = [board.cities[city].at]
    for name in links:
        ends: tuple[str, ...] = (known[name].path[0], known[name].path[-1]) if name in known else ()
        reject_if(cities[-1] not in ends, "rotw.no_such_way", "rotw/deliver-a", name)
        cities.append(ends[0] if ends[1] == cities[-1] else ends[1])
    return tuple(board.by_hex[at].name for at in cities)


def _check(game: Game, context: Context, player: str, command: DeliverGood) -> None:
    check_company(game, command.company)
    board = board_of(context.data)
    cubes = own(game).goods.get(command.city, ())
    reject_if(command.colour not in cubes, "rotw.no_such_cube", "rotw/deliver-a", command.colour)
    reject_if(not command.links, "rotw.no_such_way", "rotw/deliver-a")
    cities = _way_of(game, board, command.city, command.links)
    reject_if(len(set(cities)) < len(cities), "rotw.city_twice", "rotw/deliver-k")
    for name in cities[1:-1]:
        reject_if(board.cities[name].colour == command.colour, "rotw.stops_before", "rotw/deliver-b", name)
    target = board.cities[cities[-1]]
    reject_if(target.colour == "grey", "rotw.grey_city", "rotw/deliver-d", target.name)
    reject_if(target.colour != command.colour, "rotw.wrong_colour", "rotw/deliver-c", target.name)
    _check_links(game, command)


def _check_links(game: Game, command: DeliverGood) -> None:
    """The first link is own, and own ones are as many as the others."""
    owners = [own(game).links[name].owner for name in command.links]
    reject_if(owners[0] != command.company, "rotw.first_link_foreign", "rotw/deliver-e", command.links[0])
    own_count = owners.count(command.company)
    reject_if(own_count < len(owners) - own_count, "rotw.too_many_foreign_links", "rotw/deliver-i")


def _perform(draft: Draft, context: Context, player: str, command: DeliverGood) -> None:
    company, city = command.company, command.city
    target = _way_of(draft.game, board_of(context.data), city, command.links)[-1]
    draft.emit(ActionTaken(DELIVER))
    draft.emit(ActionChosen(company, DELIVER))
    draft.emit(GoodDelivered(company, city, command.colour, command.links, target))
    if not own(draft.game).goods[city]:
        draft.emit(CityEmptied(city))
    spaces = Counter(own(draft.game).links[name].owner for name in command.links)
    for owner, count in spaces.items():
        draft.emit(IncomeMarked(owner, own(draft.game).income.get(owner, 0) + count))


class _Numbered(NamedTuple):
    """The network of a game by number: cities by hex, links by id."""

    network: Network
    cities: list[str]
    links: list[str]


def _numbered(game: Game, data: TitleData, company: str) -> _Numbered:
    board, links = board_of(data), own(game).links
    cities = sorted({end for link in links.values() for end in (link.path[0], link.path[-1])})
    number = {at: place for place, at in enumerate(cities)}

    def as_link(link: Link) -> NetworkLink:
        return NetworkLink(number[link.path[0]], number[link.path[-1]], link.owner == company)

    colours = tuple([_colour_number(board.by_hex[at].colour) for at in cities])
    return _Numbered(Network(colours, tuple(map(as_link, links.values()))), cities, [*links])


@lru_cache(maxsize=512)
def _ways(network: Network, place: int, colour: int) -> Deliveries:
    """The best ways of a cube; they stay the same until a link is built or changes hands."""
    return find_deliveries(network, place, colour, SEARCH_STEPS)


def _colour_number(colour: str) -> int:
    return GOODS.index(colour) if colour in GOODS else -1


def _candidates(game: Game, context: Context, player: str) -> Iterator[Choice]:
    """The best ways of each cube, those that bring the company most first."""
    found = sorted(_commands(game, context.data), key=lambda each: each[0])
    yield from (Choice(player, command) for _, command in found)


def _commands(game: Game, data: TitleData) -> Iterator[tuple[tuple[int, int], DeliverGood]]:
    company, board = game.actor, board_of(data)
    numbered = _numbered(game, data, company)
    for place, at in enumerate(numbered.cities):
        city = board.by_hex[at].name
        for colour in dict.fromkeys(own(game).goods.get(city, ())):
            deliveries = _ways(numbered.network, place, _colour_number(colour))
            for way in deliveries.ways:
                links = tuple(numbered.links[number] for number in way.links)
                yield (-way.own, way.others), DeliverGood(company, city, colour, links)


DELIVERY = Action(_check, _perform, _candidates)
