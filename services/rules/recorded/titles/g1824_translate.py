"""From a recorded action of 1824 to its command, where the title has words of its own."""

from __future__ import annotations

from collections.abc import Mapping

from services.rules.domain import commands as c, events as e
from services.rules.domain.rejections import Refused
from services.rules.domain.titledata import Home
from services.rules.recorded import actions as a
from services.rules.recorded.spelling import Scene, Translator
from services.rules.recorded.titles.g1824_names import part_number
from services.rules.recorded.translate import (
    city_of,
    discarded,
    divided,
    one_certificate,
    passed,
    ran,
    seller_of,
    sold,
    started,
    tile_laid,
)

DIVIDEND_KINDS: dict[str, e.DividendKind] = {"payout": "pay", "withhold": "withhold", "half": "half"}
FIRST_TOKEN = "Return one token"
OTHER_TOKEN = "Return the other token"


def _buy_company(action: a.BuyCompany, scene: Scene) -> c.Command:
    return c.BuyCompany(action.company, action.price)


def _buy_shares(action: a.BuyShares, scene: Scene) -> c.Command:
    company, number = one_certificate(action, scene.data)
    if action.entity_type == "company":
        return c.ExchangeCompany(str(action.entity), company, number)
    pooled = number in scene.game.held(e.POOL, company)
    return c.BuyCertificate(company, e.POOL if pooled else e.BANK, number)


def _special_buy(action: a.SpecialBuy, scene: Scene) -> c.Command:
    card = scene.data.companies.get(action.description)
    if card is None:
        raise Refused("unknown_company", detail=action.description)
    if card.exchange is None or card.exchange.company is None:
        raise Refused("exchange_not_possible", detail=action.description)
    return c.ExchangeCompany(card.symbol, card.exchange.company)


def _place_token(action: a.PlaceToken, scene: Scene) -> c.Command:
    """The peer takes the first free slot whatever the file says, but for one kept for a company at home there."""
    hex_id, stop = city_of(action.city, scene.game, scene.data, part_number)
    slot = action.slot if _is_kept(scene, hex_id, stop) else -1
    return c.PlaceToken(str(action.entity), hex_id, stop, slot)


def _is_kept(scene: Scene, hex_id: str, stop: int) -> bool:
    game, data = scene.game, scene.data
    homes = (
        symbol for symbol in data.homes.get(hex_id, ()) if data.companies[symbol].home == Home(hex_id, stop)
    )
    on_map = {symbol for slots in game.tokens.values() for symbol in slots}
    return any(symbol not in on_map and not game.companies[symbol].closed for symbol in homes)


def _dividend(action: a.Dividend, scene: Scene) -> c.Command:
    return divided(action, DIVIDEND_KINDS)


def _buy_train(action: a.BuyTrain, scene: Scene) -> c.Command:
    seller = seller_of(action.train, scene.game)
    return c.BuyTrain(str(action.entity), action.train, action.price, seller, action.exchange or "")


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


TRANSLATORS: Mapping[type[a.Action], Translator] = {
    a.Pass: passed,
    a.BuyCompany: _buy_company,
    a.BuyShares: _buy_shares,
    a.SellShares: sold,
    a.Par: started,
    a.SpecialBuy: _special_buy,
    a.LayTile: tile_laid,
    a.PlaceToken: _place_token,
    a.RunRoutes: ran,
    a.Dividend: _dividend,
    a.BuyTrain: _buy_train,
    a.DiscardTrain: discarded,
    a.Choose: _choose,
    a.PayOffDebt: _pay_off,
    a.PayOffDebtPart: _pay_off_part,
}
