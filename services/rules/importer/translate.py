"""From a recorded action to the command of this project and the player who gives it.

Whether it is legal is not asked here: `decide` does that. What has no counterpart raises `Rejected`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from services.rules.importer import actions as a
from services.rules.importer.dialect import Dialect, Scene
from services.rules.importer.names import PartOf, stop_number
from services.rules.kernel.commands import Command, Pass
from services.rules.kernel.game import Game
from services.rules.kernel.rejections import Rejected
from services.rules.kernel.titledata import TitleData
from services.rules.kernel.vocabulary import BANK
from services.rules.parts.map.commands import LayTile
from services.rules.parts.map.data import map_data
from services.rules.parts.map.state import map_of
from services.rules.parts.shares.commands import SellCertificates, StartCompany
from services.rules.parts.shares.data import cards_of
from services.rules.parts.shares.state import companies_of
from services.rules.parts.trains.commands import DeclareDividend, Hop, RunTrains, TrainRun
from services.rules.parts.trains.state import trains_of


class Order(NamedTuple):
    """A command and the player who gives it."""

    player: str
    command: Command


def translate(dialect: Dialect, action: a.Action, scene: Scene) -> Order | None:
    """What `action` asks for, None when it records a choice that does not exist here. Companies act through their directors."""
    translator = dialect.translators.get(type(action))
    if translator is None:
        raise Rejected("recorded_action_unknown", detail=str(action.__struct_config__.tag))
    player = actor_of(action, scene)
    command = translator(action, scene)
    return None if command is None else Order(player, command)


def actor_of(action: a.Action, scene: Scene) -> str:
    """The player behind an action: himself, who directs the company, or while nobody does, who is asked."""
    entity = str(action.entity)
    if action.entity_type == "player":
        return entity
    if entity not in cards_of(scene.data):
        raise Rejected("unknown_company", detail=entity)
    state = companies_of(scene.game).get(entity)
    return (state.director if state else "") or scene.asked


def passed(action: a.Pass, scene: Scene) -> Command:
    """Nothing, or nothing more."""
    return Pass()


def _certificate(share: str, data: TitleData) -> tuple[str, int]:
    company, _, number = share.rpartition("_")
    if company not in cards_of(data):
        raise Rejected("unknown_company", detail=share)
    if not number.isdecimal() or int(number) >= len(cards_of(data)[company].certificates):
        raise Rejected("unknown_certificate", detail=share)
    return company, int(number)


def certificates(shares: tuple[str, ...], data: TitleData) -> tuple[str, tuple[int, ...]]:
    """The company and the numbers of certificates written `SYM_n`, all of one company."""
    found = [_certificate(share, data) for share in shares]
    companies = {company for company, _ in found}
    if len(companies) != 1:
        raise Rejected(
            "unknown_certificate", detail="certificates of one company" if not shares else " ".join(shares)
        )
    return companies.pop(), tuple(number for _, number in found)


def one_certificate(action: a.BuyShares, data: TitleData) -> tuple[str, int]:
    """The company and the number of the only certificate bought."""
    company, numbers = certificates(action.shares, data)
    if len(numbers) > 1:
        raise Rejected("already_bought", detail=" ".join(action.shares))
    return company, numbers[0]


def sold(action: a.SellShares, scene: Scene) -> Command:
    """Certificates sold, by their numbers; so much percent of a company is a number of its shares, or is refused."""
    company, numbers = certificates(action.shares, scene.data)
    shares, rest = divmod(action.percent * companies_of(scene.game)[company].shares, 100)
    if rest:
        raise Rejected("value_out_of_range", detail=f"percent = {action.percent}")
    return SellCertificates(company, shares, numbers)


def started(action: a.Par, scene: Scene) -> Command:
    """A company started at the price of a cell."""
    price = action.share_price.split(",")[0]
    if not (price.isdecimal() and len(price) < 10):
        raise Rejected("price_not_offered", detail=action.share_price)
    return StartCompany(action.corporation, int(price))


def tile_laid(action: a.LayTile, scene: Scene) -> Command:
    """A tile laid, by its copy."""
    tile, _, copy = action.tile.rpartition("-")
    if not tile or not (copy.isdecimal() and len(copy) < 10):
        raise Rejected("unknown_tile", detail=action.tile)
    return LayTile(str(action.entity), action.hex, tile, action.rotation, int(copy))


def city_of(city: str, game: Game, data: TitleData, part_of: PartOf) -> tuple[str, int]:
    """Hex and stop of a city written `tile-copy-part`, where a printed hex stands as `hex-copy-part`."""
    parts = city.rsplit("-", 2)
    if len(parts) != 3 or not all(part.isdecimal() and len(part) < 10 for part in parts[1:]):
        raise Rejected("unknown_city", detail=city)
    name, copy, part = parts[0], int(parts[1]), int(parts[2])
    laid = (hex_id for hex_id, tile in map_of(game).tiles.items() if (tile.tile, tile.copy) == (name, copy))
    printed = name if name in map_data(data).hexes and name not in map_of(game).tiles else ""
    hex_id = next(laid, printed)
    stop = stop_number(data, game, hex_id, part, part_of) if hex_id else -1
    if stop < 0:
        raise Rejected("unknown_city", detail=city)
    return hex_id, stop


def ran(action: a.RunRoutes, scene: Scene) -> Command:
    """The runs, hop by hop; what the file says they earned is left out."""
    runs = tuple(TrainRun(route.train, hops_of(route)) for route in action.routes)
    return RunTrains(str(action.entity), runs)


def hops_of(route: a.Route) -> tuple[Hop, ...]:
    """The hops in the order of the stops, each from its first stop to its second."""
    hops = []
    for start, hexes in zip(route.hexes, route.connections, strict=False):
        hops.append(Hop(hexes if not hexes or hexes[0] == start else hexes[::-1]))
    hops.extend(Hop(hexes) for hexes in route.connections[len(route.hexes) :])
    return tuple(hops)


def divided(action: a.Dividend, kinds: Mapping[str, str]) -> Command:
    """What becomes of the revenue, by the file's words for the kinds that a title knows."""
    kind = kinds.get(action.kind)
    if kind is None:
        raise Rejected("dividend_kind", detail=action.kind)
    return DeclareDividend(str(action.entity), kind)


def owner_of(train: str, game: Game, otherwise: str = BANK) -> str:
    """The company that has the train; `otherwise` if none has it."""
    return next((company for company, trains in trains_of(game).owned.items() if train in trains), otherwise)
