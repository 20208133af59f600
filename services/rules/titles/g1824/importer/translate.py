"""From a recorded action of 1824 to its command, where the title has words of its own."""

from __future__ import annotations

from collections.abc import Mapping

import services.rules.importer.actions as a
from services.rules.importer.dialect import Scene, Translator
from services.rules.importer.translate import (
    city_of,
    divided,
    one_certificate,
    owner_of,
    passed,
    ran,
    sold,
    started,
    tile_laid,
)
from services.rules.kernel.commands import Command
from services.rules.kernel.rejections import Rejected
from services.rules.kernel.vocabulary import BANK, POOL
from services.rules.parts.map.commands import ChooseToken, PlaceToken
from services.rules.parts.map.state import map_of
from services.rules.parts.shares.commands import BuyCertificate
from services.rules.parts.shares.data import Home, shares_data
from services.rules.parts.shares.state import companies_of
from services.rules.parts.trains.commands import BuyTrain
from services.rules.titles.g1824.bond import PLACE_BOND_TOKEN
from services.rules.titles.g1824.commands import (
    BuyCompany,
    DiscardTrain,
    ExchangeCompany,
    RepayDebt,
    TradeInTrain,
)
from services.rules.titles.g1824.figures import cards_of
from services.rules.titles.g1824.importer.names import part_number
from services.rules.titles.g1824.state import bond_of

DIVIDEND_KINDS: dict[str, str] = {"payout": "pay", "withhold": "withhold", "half": "half"}
FIRST_TOKEN = "Return one token"
OTHER_TOKEN = "Return the other token"


def _buy_company(action: a.BuyCompany, scene: Scene) -> Command:
    return BuyCompany(action.company, action.price)


def _buy_shares(action: a.BuyShares, scene: Scene) -> Command:
    company, number = one_certificate(action, scene.data)
    if action.entity_type == "company":
        return ExchangeCompany(str(action.entity), company, number)
    pooled = number in scene.game.held(POOL, company)
    return BuyCertificate(company, POOL if pooled else BANK, number)


def _special_buy(action: a.SpecialBuy, scene: Scene) -> Command:
    card = cards_of(scene.data).get(action.description)
    if card is None:
        raise Rejected("unknown_company", detail=action.description)
    if card.exchange is None or card.exchange.company is None:
        raise Rejected("1824.exchange_not_possible", detail=action.description)
    return ExchangeCompany(card.symbol, card.exchange.company)


def _place_token(action: a.PlaceToken, scene: Scene) -> Command:
    """The peer takes the first free slot whatever the file says, but for one kept for a company at home there."""
    hex_id, stop = city_of(action.city, scene.game, scene.data, part_number)
    if scene.game.interrupts and scene.game.interrupts[0].kind == PLACE_BOND_TOKEN:
        return PlaceToken(bond_of(scene.game), hex_id, stop)
    slot = action.slot if _is_kept(scene, hex_id, stop) else -1
    return PlaceToken(str(action.entity), hex_id, stop, slot)


def _is_kept(scene: Scene, hex_id: str, stop: int) -> bool:
    game, data = scene.game, scene.data
    homes = (
        symbol
        for symbol in shares_data(data).homes.get(hex_id, ())
        if cards_of(data)[symbol].home == Home(hex_id, stop)
    )
    on_map = {symbol for slots in map_of(game).tokens.values() for symbol in slots}
    return any(symbol not in on_map and not companies_of(game)[symbol].closed for symbol in homes)


def _dividend(action: a.Dividend, scene: Scene) -> Command:
    return divided(action, DIVIDEND_KINDS)


def _buy_train(action: a.BuyTrain, scene: Scene) -> Command:
    """A train is handed in to the bank alone."""
    company = str(action.entity)
    if action.exchange:
        return TradeInTrain(company, action.train, action.price, action.exchange)
    return BuyTrain(company, action.train, action.price, owner_of(action.train, scene.game))


def _choose(action: a.Choose, scene: Scene) -> Command:
    """The first token is the one that was taken over first."""
    asked = next((each for each in scene.game.interrupts if each.kind == "1824.choose_token"), None)
    if asked is None:
        raise Rejected("wrong_step", detail="no token is to be chosen")
    tokens = [event for event in scene.inherited if event.successor == asked.company]
    if action.choice not in (FIRST_TOKEN, OTHER_TOKEN) or len(tokens) < 2:
        raise Rejected("token_choice", detail=str(action.choice))
    chosen = tokens[0 if action.choice == FIRST_TOKEN else 1]
    return ChooseToken(asked.company, chosen.hex, chosen.city)


def _pay_off(action: a.PayOffDebt, scene: Scene) -> Command:
    return RepayDebt(_most_to_repay(str(action.entity), scene))


def _pay_off_part(action: a.PayOffDebtPart, scene: Scene) -> Command:
    """The peer takes no more than the player has and owes, whatever the file says."""
    return RepayDebt(min(action.amount, _most_to_repay(str(action.entity), scene)))


def _most_to_repay(player: str, scene: Scene) -> int:
    return min(max(scene.game.money(player), 0), scene.game.debts.get(player, 0))


def _discard_train(action: a.DiscardTrain, scene: Scene) -> Command:
    return DiscardTrain(str(action.entity), action.train)


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
    a.DiscardTrain: _discard_train,
    a.Choose: _choose,
    a.PayOffDebt: _pay_off,
    a.PayOffDebtPart: _pay_off_part,
}
