"""From a recorded action of 1862 to its command, where the title has words of its own."""

from __future__ import annotations

from collections.abc import Mapping

import services.rules.importer.actions as a
from services.rules.importer.dialect import Scene, Translator
from services.rules.importer.translate import (
    city_of,
    divided,
    hops_of,
    one_certificate,
    owner_of,
    sold,
    started,
    tile_laid,
)
from services.rules.kernel.commands import Command, Pass
from services.rules.kernel.game import Interrupt
from services.rules.kernel.rejections import Rejected, reject_if
from services.rules.kernel.vocabulary import BANK, POOL
from services.rules.parts.auctions.commands import Bid
from services.rules.parts.map.commands import ChooseToken, PlaceToken
from services.rules.parts.shares.commands import BuyCertificate
from services.rules.parts.trains.commands import BuyTrain, Hop, RunTrains, TrainRun
from services.rules.titles.g1862.commands import (
    BuyNewTrain,
    BuyTokens,
    ChooseSurvivor,
    Merge,
    RaiseCash,
    RedeemCertificate,
    SettleOption,
)
from services.rules.titles.g1862.companies import has_train
from services.rules.titles.g1862.importer.names import part_number, service_of
from services.rules.titles.g1862.state import own
from services.rules.titles.g1862.trains.forced import is_short, way_without_choice

DIVIDEND_KINDS: dict[str, str] = {"payout": "pay", "withhold": "withhold", "hudson": "1862.hudson"}
TOKENS_MOST = 100


def _pass(action: a.Pass, scene: Scene) -> Command:
    """Passing without train and without the money for one accepts whatever way is left to raise it."""
    game, symbol = scene.game, scene.game.actor
    buying = not game.interrupts and game.current_round.step == "buy_trains"
    if buying and not has_train(game, symbol) and is_short(game, scene.data, symbol):
        return RaiseCash(str(action.entity), way_without_choice(game, scene.data, symbol))
    return Pass()


def _convert(action: a.Convert, scene: Scene) -> Command:
    return RaiseCash(str(action.entity), "refinancing")


def _bid(action: a.Bid, scene: Scene) -> Command:
    return Bid(action.corporation or "", action.price)


def _buy_shares(action: a.BuyShares, scene: Scene) -> Command:
    """A company redeems; a player buys where the certificate lies."""
    company, number = one_certificate(action, scene.data)
    if action.entity_type != "player":
        return RedeemCertificate(company)
    sources = (POOL, company)
    source = next((each for each in sources if number in scene.game.held(each, company)), BANK)
    return BuyCertificate(company, source, number)


def _place_token(action: a.PlaceToken, scene: Scene) -> Command:
    """The peer takes the first free slot whatever the file says."""
    hex_id, stop = city_of(action.city, scene.game, scene.data, part_number)
    return PlaceToken(str(action.entity), hex_id, stop)


def _remove_token(action: a.RemoveToken, scene: Scene) -> Command:
    hex_id, stop = city_of(action.city, scene.game, scene.data, part_number)
    return ChooseToken(str(action.entity), hex_id, stop)


def _ran(action: a.RunRoutes, scene: Scene) -> Command:
    """A run of one hop goes the way its hop is written: where runs close a ring the peer counts where the first begins."""
    runs = tuple(TrainRun(route.train, _hops(route)) for route in action.routes)
    return RunTrains(str(action.entity), runs)


def _hops(route: a.Route) -> tuple[Hop, ...]:
    return (Hop(route.connections[0]),) if len(route.connections) == 1 else hops_of(route)


def _dividend(action: a.Dividend, scene: Scene) -> Command:
    return divided(action, DIVIDEND_KINDS)


def _buy_train(action: a.BuyTrain, scene: Scene) -> Command:
    """The face is named for a train from the bank alone."""
    company, train = str(action.entity), action.train
    left_by = own(scene.game).abandoned.get(train, BANK)
    seller = owner_of(train, scene.game, left_by)
    if seller != BANK:
        reject_if(bool(action.warranties), "1862.warranty_limit", "1862/7.10-a", seller)
        return BuyTrain(company, train, action.price, seller)
    service = service_of(action.variant or "")
    if service is None:
        raise Rejected("1862.train_kind_not_chosen", detail=action.variant or train)
    return BuyNewTrain(company, train, action.price, service, action.warranties or 0)


def _merge(action: a.Merge, scene: Scene) -> Command:
    return Merge(str(action.entity), action.corporation)


def _choose(action: a.Choose, scene: Scene) -> Command:
    """The answer to whatever is asked: a number of tokens, which company goes on, what becomes of an option."""
    asked = next(iter(scene.game.interrupts), None)
    match asked:
        case Interrupt(kind="1862.buy_tokens"):
            return BuyTokens(asked.company, _count(action.choice))
        case Interrupt(kind="1862.choose_survivor"):
            answers = {"first": asked.company, "last": asked.subject}
            if action.choice in answers:
                return ChooseSurvivor(answers[str(action.choice)])
        case Interrupt(kind="1862.settle_option"):
            if action.choice in ("redeem", "sell"):
                return SettleOption(action.choice == "redeem")
        case _:
            raise Rejected("wrong_step", detail="nothing is to be chosen")
    raise Rejected("value_out_of_range", detail=str(action.choice))


def _count(choice: str | int) -> int:
    text = str(choice)
    if not text.isdecimal() or len(text) > len(str(TOKENS_MOST)):
        raise Rejected("value_out_of_range", detail=text)
    return int(text)


TRANSLATORS: Mapping[type[a.Action], Translator] = {
    a.Pass: _pass,
    a.Convert: _convert,
    a.Bid: _bid,
    a.Par: started,
    a.BuyShares: _buy_shares,
    a.SellShares: sold,
    a.Choose: _choose,
    a.Merge: _merge,
    a.LayTile: tile_laid,
    a.PlaceToken: _place_token,
    a.RemoveToken: _remove_token,
    a.RunRoutes: _ran,
    a.Dividend: _dividend,
    a.BuyTrain: _buy_train,
}
