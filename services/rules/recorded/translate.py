"""From a recorded action to the command of this project and the player who gives it.

Whether it is legal is not asked here: `decide` does that. What has no counterpart raises `Refused`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from services.rules.domain import commands as c, events as e
from services.rules.domain.game import Game
from services.rules.domain.rejections import Refused
from services.rules.domain.titledata import Home, TitleData
from services.rules.recorded import actions as a
from services.rules.recorded.names import stop_number

DIVIDEND_KINDS: dict[str, e.DividendKind] = {"payout": "pay", "withhold": "withhold", "half": "half"}
FIRST_TOKEN = "Return one token"
OTHER_TOKEN = "Return the other token"


class Order(NamedTuple):
    """A command and the player who gives it."""

    player: str
    command: c.Command


class Scene(NamedTuple):
    """Where an action is asked for: the state, the title's data, the player asked first (empty: nobody), and
    the tokens that were taken over last, in the order in which that happened."""

    game: Game
    data: TitleData
    asked: str = ""
    inherited: tuple[e.TokenReplaced, ...] = ()


def translate(action: a.Action, scene: Scene) -> Order:
    """What `action` asks for. Companies act through their directors."""
    translator = TRANSLATORS.get(type(action))
    if translator is None:
        raise Refused("recorded_action_unknown", detail=str(action.__struct_config__.tag))
    return Order(actor_of(action, scene), translator(action, scene))


def actor_of(action: a.Action, scene: Scene) -> str:
    """The player behind an action: himself, who directs the company, or while nobody does, who is asked."""
    entity = str(action.entity)
    if action.entity_type == "player":
        return entity
    if entity not in scene.data.companies:
        raise Refused("unknown_company", detail=entity)
    state = scene.game.companies.get(entity)
    return (state.director if state else "") or scene.asked


def _pass(action: a.Pass, scene: Scene) -> c.Command:
    return c.Pass()


def _buy_company(action: a.BuyCompany, scene: Scene) -> c.Command:
    return c.BuyCompany(action.company, action.price)


def _certificate(share: str, data: TitleData) -> tuple[str, int]:
    company, _, number = share.rpartition("_")
    if company not in data.companies:
        raise Refused("unknown_company", detail=share)
    if not number.isdecimal() or int(number) >= len(data.companies[company].certificates):
        raise Refused("unknown_certificate", detail=share)
    return company, int(number)


def _certificates(shares: tuple[str, ...], data: TitleData) -> tuple[str, tuple[int, ...]]:
    found = [_certificate(share, data) for share in shares]
    companies = {company for company, _ in found}
    if len(companies) != 1:
        raise Refused(
            "unknown_certificate", detail="certificates of one company" if not shares else " ".join(shares)
        )
    return companies.pop(), tuple(number for _, number in found)


def _buy_shares(action: a.BuyShares, scene: Scene) -> c.Command:
    company, numbers = _certificates(action.shares, scene.data)
    if len(numbers) > 1:
        raise Refused("already_bought", detail=" ".join(action.shares))
    if action.entity_type == "company":
        return c.ExchangeCompany(str(action.entity), company, numbers[0])
    pooled = numbers[0] in scene.game.held(e.POOL, company)
    return c.BuyCertificate(company, e.POOL if pooled else e.BANK, numbers[0])


def _sell_shares(action: a.SellShares, scene: Scene) -> c.Command:
    company, numbers = _certificates(action.shares, scene.data)
    return c.SellCertificates(company, action.percent, numbers)


def _par(action: a.Par, scene: Scene) -> c.Command:
    price = action.share_price.split(",")[0]
    if not (price.isdecimal() and len(price) < 10):
        raise Refused("price_not_offered", detail=action.share_price)
    return c.StartCompany(action.corporation, int(price))


def _special_buy(action: a.SpecialBuy, scene: Scene) -> c.Command:
    card = scene.data.companies.get(action.description)
    if card is None:
        raise Refused("unknown_company", detail=action.description)
    if card.exchange is None or card.exchange.company is None:
        raise Refused("exchange_not_possible", detail=action.description)
    return c.ExchangeCompany(card.symbol, card.exchange.company)


def _lay_tile(action: a.LayTile, scene: Scene) -> c.Command:
    tile, _, copy = action.tile.rpartition("-")
    if not tile or not (copy.isdecimal() and len(copy) < 10):
        raise Refused("unknown_tile", detail=action.tile)
    return c.LayTile(str(action.entity), action.hex, tile, action.rotation, int(copy))


def _place_token(action: a.PlaceToken, scene: Scene) -> c.Command:
    """The peer takes the first free slot whatever the file says, but for one kept for a company at home there."""
    hex_id, stop = city_of(action.city, scene.game, scene.data)
    slot = action.slot if _is_kept(scene, hex_id, stop) else -1
    return c.PlaceToken(str(action.entity), hex_id, stop, slot)


def _is_kept(scene: Scene, hex_id: str, stop: int) -> bool:
    game, data = scene.game, scene.data
    homes = (
        symbol for symbol in data.homes.get(hex_id, ()) if data.companies[symbol].home == Home(hex_id, stop)
    )
    on_map = {symbol for slots in game.tokens.values() for symbol in slots}
    return any(symbol not in on_map and not game.companies[symbol].closed for symbol in homes)


def city_of(city: str, game: Game, data: TitleData) -> tuple[str, int]:
    """Hex and stop of a city written `tile-copy-part`, where a printed hex stands as `hex-copy-part`."""
    parts = city.rsplit("-", 2)
    if len(parts) != 3 or not all(part.isdecimal() and len(part) < 10 for part in parts[1:]):
        raise Refused("unknown_city", detail=city)
    name, copy, part = parts[0], int(parts[1]), int(parts[2])
    laid = (hex_id for hex_id, tile in game.tiles.items() if (tile.tile, tile.copy) == (name, copy))
    printed = name if name in data.hexes and name not in game.tiles else ""
    hex_id = next(laid, printed)
    stop = stop_number(data, game, hex_id, part) if hex_id else -1
    if stop < 0:
        raise Refused("unknown_city", detail=city)
    return hex_id, stop


def _run_routes(action: a.RunRoutes, scene: Scene) -> c.Command:
    runs = tuple(c.TrainRun(route.train, _hops(route)) for route in action.routes)
    return c.RunTrains(str(action.entity), runs)


def _hops(route: a.Route) -> tuple[c.Hop, ...]:
    """The hops in the order of the stops, each from its first stop to its second."""
    hops = []
    for start, hexes in zip(route.hexes, route.connections, strict=False):
        hops.append(c.Hop(hexes if not hexes or hexes[0] == start else hexes[::-1]))
    hops.extend(c.Hop(hexes) for hexes in route.connections[len(route.hexes) :])
    return tuple(hops)


def _dividend(action: a.Dividend, scene: Scene) -> c.Command:
    kind = DIVIDEND_KINDS.get(action.kind)
    if kind is None:
        raise Refused("dividend_kind", detail=action.kind)
    return c.DeclareDividend(str(action.entity), kind)


def _buy_train(action: a.BuyTrain, scene: Scene) -> c.Command:
    seller = next(
        (company for company, trains in scene.game.trains.items() if action.train in trains), e.BANK
    )
    return c.BuyTrain(str(action.entity), action.train, action.price, seller, action.exchange or "")


def _discard_train(action: a.DiscardTrain, scene: Scene) -> c.Command:
    return c.DiscardTrain(str(action.entity), action.train)


def _choose(action: a.Choose, scene: Scene) -> c.Command:
    """The first token is the one that was taken over first."""
    asked = next((each for each in scene.game.interrupts if each.kind == "choose_token"), None)
    if asked is None:
        raise Refused("wrong_step", detail="no token is to be chosen")
    tokens = [event for event in scene.inherited if event.successor == asked.company]
    if action.choice not in (FIRST_TOKEN, OTHER_TOKEN) or len(tokens) < 2:
        raise Refused("token_choice", detail=str(action.choice))
    chosen = tokens[0 if action.choice == FIRST_TOKEN else 1]
    return c.ChooseToken(asked.company, chosen.hex, chosen.city)


def _pay_off(action: a.PayOffDebt, scene: Scene) -> c.Command:
    player = str(action.entity)
    return c.RepayDebt(min(max(scene.game.money(player), 0), scene.game.debts.get(player, 0)))


def _pay_off_part(action: a.PayOffDebtPart, scene: Scene) -> c.Command:
    return c.RepayDebt(action.amount)


TRANSLATORS: dict[type[a.Action], Callable[[Any, Scene], c.Command]] = {
    a.Pass: _pass,
    a.BuyCompany: _buy_company,
    a.BuyShares: _buy_shares,
    a.SellShares: _sell_shares,
    a.Par: _par,
    a.SpecialBuy: _special_buy,
    a.LayTile: _lay_tile,
    a.PlaceToken: _place_token,
    a.RunRoutes: _run_routes,
    a.Dividend: _dividend,
    a.BuyTrain: _buy_train,
    a.DiscardTrain: _discard_train,
    a.Choose: _choose,
    a.PayOffDebt: _pay_off,
    a.PayOffDebtPart: _pay_off_part,
}
