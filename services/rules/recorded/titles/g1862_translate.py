"""From a recorded action of 1862 to its command, where the title has words of its own."""

from __future__ import annotations

from collections.abc import Mapping

from services.rules.domain import commands as c, events as e
from services.rules.domain.game import Interrupt
from services.rules.domain.rejections import Refused
from services.rules.recorded import actions as a
from services.rules.recorded.spelling import Scene, Translator
from services.rules.recorded.titles.g1862_names import part_number, service_of
from services.rules.recorded.translate import (
    city_of,
    divided,
    hops_of,
    one_certificate,
    seller_of,
    sold,
    started,
    tile_laid,
)
from services.rules.titles.g1862.companies import has_train
from services.rules.titles.g1862.forced import is_short, way_without_choice

DIVIDEND_KINDS: dict[str, e.DividendKind] = {"payout": "pay", "withhold": "withhold", "hudson": "hudson"}
TOKENS_MOST = 100


def _pass(action: a.Pass, scene: Scene) -> c.Command:
    """Passing without train and without the money for one accepts whatever way is left to raise it."""
    game, symbol = scene.game, scene.game.actor
    buying = not game.interrupts and game.current_round.step == "buy_trains"
    if buying and not has_train(game, symbol) and is_short(game, scene.data, symbol):
        return c.RaiseCash(str(action.entity), way_without_choice(game, scene.data, symbol))
    return c.Pass()


def _convert(action: a.Convert, scene: Scene) -> c.Command:
    return c.RaiseCash(str(action.entity), "refinancing")


def _bid(action: a.Bid, scene: Scene) -> c.Command:
    return c.Bid(action.corporation or "", action.price)


def _buy_shares(action: a.BuyShares, scene: Scene) -> c.Command:
    """A company redeems; a player buys where the certificate lies."""
    company, number = one_certificate(action, scene.data)
    if action.entity_type != "player":
        return c.RedeemCertificate(company)
    sources = (e.POOL, company)
    source = next((each for each in sources if number in scene.game.held(each, company)), e.BANK)
    return c.BuyCertificate(company, source, number)


def _place_token(action: a.PlaceToken, scene: Scene) -> c.Command:
    """The peer takes the first free slot whatever the file says."""
    hex_id, stop = city_of(action.city, scene.game, scene.data, part_number)
    return c.PlaceToken(str(action.entity), hex_id, stop)


def _remove_token(action: a.RemoveToken, scene: Scene) -> c.Command:
    hex_id, stop = city_of(action.city, scene.game, scene.data, part_number)
    return c.ChooseToken(str(action.entity), hex_id, stop)


def _ran(action: a.RunRoutes, scene: Scene) -> c.Command:
    """A run of one hop goes the way its hop is written: where runs close a ring the peer counts where the first begins."""
    runs = tuple(c.TrainRun(route.train, _hops(route)) for route in action.routes)
    return c.RunTrains(str(action.entity), runs)


def _hops(route: a.Route) -> tuple[c.Hop, ...]:
    return (c.Hop(route.connections[0]),) if len(route.connections) == 1 else hops_of(route)


def _dividend(action: a.Dividend, scene: Scene) -> c.Command:
    return divided(action, DIVIDEND_KINDS)


def _buy_train(action: a.BuyTrain, scene: Scene) -> c.Command:
    """The face is named for a train from the bank alone."""
    seller = seller_of(action.train, scene.game)
    service = service_of(action.variant or "")
    if seller == e.BANK and service is None:
        raise Refused("train_kind_not_chosen", detail=action.variant or action.train)
    kind = service if service and seller == e.BANK else ""
    return c.BuyTrain(
        str(action.entity), action.train, action.price, seller, kind=kind, warranties=action.warranties or 0
    )


def _merge(action: a.Merge, scene: Scene) -> c.Command:
    return c.Merge(str(action.entity), action.corporation)


def _choose(action: a.Choose, scene: Scene) -> c.Command:
    """The answer to whatever is asked: a number of tokens, which company goes on, what becomes of an option."""
    asked = next(iter(scene.game.interrupts), None)
    match asked:
        case Interrupt(kind="buy_tokens"):
            return c.BuyTokens(asked.company, _count(action.choice))
        case Interrupt(kind="choose_survivor"):
            answers = {"first": asked.company, "last": asked.subject}
            if action.choice in answers:
                return c.ChooseSurvivor(answers[str(action.choice)])
        case Interrupt(kind="settle_option"):
            if action.choice in ("redeem", "sell"):
                return c.SettleOption(action.choice == "redeem")
        case _:
            raise Refused("wrong_step", detail="nothing is to be chosen")
    raise Refused("value_out_of_range", detail=str(action.choice))


def _count(choice: str | int) -> int:
    text = str(choice)
    if not text.isdecimal() or len(text) > len(str(TOKENS_MOST)):
        raise Refused("value_out_of_range", detail=text)
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
