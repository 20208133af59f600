"""Raising cash for a train that a company must have: treasury shares sold, or a refinancing (1862/7.11)."""

from __future__ import annotations

from collections.abc import Iterator

from services.rules.kernel.choice import Choice
from services.rules.kernel.draft import Draft
from services.rules.kernel.events import ActionTaken
from services.rules.kernel.game import Game
from services.rules.kernel.rejections import reject_if
from services.rules.kernel.title import Action, Context
from services.rules.kernel.titledata import TitleData
from services.rules.kernel.vocabulary import BANK, POOL
from services.rules.parts.market.market import price_of
from services.rules.parts.shares.data import cards_of
from services.rules.parts.shares.shares import move_certificates, plain_held
from services.rules.parts.trains.state import trains_of
from services.rules.titles.g1862.commands import RaiseCash
from services.rules.titles.g1862.companies import decider, has_train, in_receivership, kinds_in_play
from services.rules.titles.g1862.mergers.newprice import refinancing_brings
from services.rules.titles.g1862.mergers.refinancing import refinance
from services.rules.titles.g1862.rulings import plays
from services.rules.titles.g1862.state import own
from services.rules.titles.g1862.stock.selling import fall, price_falls
from services.rules.titles.g1862.trains.bankruptcy import go_bankrupt
from services.rules.titles.g1862.trains.depots import (
    bank_price,
    has_room,
    is_obsolete,
    last_letter,
    price_beside,
)

RAISED: tuple[str, ...] = ("sold_treasury_shares", "refinanced")
TREASURY_SHARES, REFINANCING = "treasury_shares", "refinancing"


def is_short(game: Game, data: TitleData, symbol: str) -> bool:
    """Whether a company cannot pay for the train in the bank."""
    return missing_for_train(game, data, symbol) > 0


def has_raised(game: Game) -> bool:
    """Whether the company at turn has raised cash and not bought the train for it yet (1862/7.11-c, 7.11-d)."""
    return any(way in game.turn.actions for way in RAISED) and not has_train(game, game.actor)


def has_tried(game: Game, data: TitleData, symbol: str) -> bool:
    """Whether the company has raised cash and may not raise any more: by one ruling it may when an option that it redeemed
    in its refinancing left it short again, for it has a share to sell then."""
    again = is_short(game, data, symbol) and plays(game, "only_way_of_raising_cash", "taken")
    return has_raised(game) and not (again and shares_to_sell(game, data, symbol))


def used_offers(game: Game, data: TitleData, symbol: str) -> tuple[tuple[str, str], ...]:
    """(train, company) of every train of others that this company has the room and the money for (1862/7.9-c, 8.0-e)."""
    if own(game).monopoly or has_raised(game):
        return ()
    with_room = [kind for kind in kinds_in_play(game.options) if has_room(game, data, symbol, kind)]
    if not with_room:
        return ()
    last, kinds, cash = last_letter(game, data), own(game).train_kinds, game.money(symbol)
    return tuple(
        (train, seller)
        for train, seller in (*_owned(game, data), *abandoned_on_sale(game, data))
        if seller != symbol
        and kinds[train] in with_room
        and price_beside(data, train, last) <= cash
        and train not in game.turn.declined
        and not in_receivership(game, seller)
    )


def _owned(game: Game, data: TitleData) -> Iterator[tuple[str, str]]:
    for owner, trains in trains_of(game).owned.items():
        if owner in cards_of(data):
            yield from ((train, owner) for train in trains)


def abandoned_on_sale(game: Game, data: TitleData) -> Iterator[tuple[str, str]]:
    """(train, company) of what bankrupt companies left and, by one ruling, still sell: trains not obsolete, or under warranty."""
    if plays(game, "trains_of_bankrupt_companies", "on_sale"):
        for train, owner in own(game).abandoned.items():
            if own(game).warranties.get(train) or not is_obsolete(game, data, train):
                yield train, owner


def missing_for_train(game: Game, data: TitleData, symbol: str) -> int:
    """What a company lacks for the train in the bank."""
    return bank_price(game, data) - game.money(symbol)


def shares_to_sell(game: Game, data: TitleData, symbol: str) -> int:
    """The fewest treasury shares whose price, not halved, is enough; 0 when even all are not (1862/7.11.1-a, 7.11.1-c)."""
    needed = -(-missing_for_train(game, data, symbol) // price_of(game, data, symbol))
    return needed if needed <= len(plain_held(game, symbol, symbol)) else 0


def refinancing_suffices(game: Game, data: TitleData, symbol: str) -> bool:
    """Whether what a refinancing brings is enough for the train in the bank (1862/7.11.2-b)."""
    return refinancing_brings(game, data, symbol) >= missing_for_train(game, data, symbol)


def way_without_choice(game: Game, data: TitleData, symbol: str) -> str:
    """How a company raises cash whose director leaves it to the order of the rules: shares first, if they suffice."""
    return TREASURY_SHARES if shares_to_sell(game, data, symbol) else REFINANCING


def takes_only_way(game: Game, data: TitleData, symbol: str) -> bool:
    """Whether a company that is short has nothing to choose from: no other train to buy, and one way alone that would do."""
    if has_train(game, symbol) or not is_short(game, data, symbol) or has_raised(game):
        return False
    if used_offers(game, data, symbol):
        return False
    return not (shares_to_sell(game, data, symbol) and refinancing_suffices(game, data, symbol))


def raise_the_only_way(draft: Draft, context: Context, symbol: str) -> None:
    """Raise cash in the way that is left, or go bankrupt."""
    player = decider(draft.game, context.data, symbol)
    _perform(draft, context, player, RaiseCash(symbol, way_without_choice(draft.game, context.data, symbol)))


def _check(game: Game, context: Context, player: str, command: RaiseCash) -> None:
    data, symbol = context.data, command.company
    reject_if(symbol != game.actor, "not_your_turn", detail=symbol)
    unknown = command.source not in (TREASURY_SHARES, REFINANCING)
    reject_if(unknown, "1862.cash_not_raised_so", "1862/7.11-c", command.source)
    reject_if(has_train(game, symbol), "1862.cash_not_raised_so", "1862/7.11-b", "the company has a train")
    reject_if(
        has_tried(game, data, symbol),
        "1862.cash_not_raised_so",
        "1862/7.11-c",
        "one way of raising cash only",
    )
    reject_if(not is_short(game, data, symbol), "1862.cash_not_raised_so", "1862/7.11-b", "the cash suffices")
    if plays(game, "forced_purchase", "any_train"):
        elsewhere = bool(used_offers(game, data, symbol))
        reject_if(elsewhere, "1862.cash_not_raised_so", "1862/7.11-b", "another company's train can be paid")
    enough_shares = bool(shares_to_sell(game, data, symbol))
    if command.source == TREASURY_SHARES:
        reject_if(not enough_shares, "1862.cash_not_raised_so", "1862/7.11.1-c")
    elif plays(game, "refinancing_too_small", "bankrupt"):
        idle = enough_shares and not refinancing_suffices(game, data, symbol)
        reject_if(idle, "1862.cash_not_raised_so", "1862/7.11.2-c", "the refinancing would not suffice")


def _perform(draft: Draft, context: Context, player: str, command: RaiseCash) -> None:
    if command.source == TREASURY_SHARES:
        _sell_treasury_shares(draft, context, command.company)
        return
    at_once = plays(draft.game, "refinancing_too_small", "bankrupt")
    if at_once and not refinancing_suffices(draft.game, context.data, command.company):
        go_bankrupt(draft, context, command.company, "train")
        return
    draft.emit(ActionTaken("refinanced"))
    refinance(draft, context, command.company, player)


def _sell_treasury_shares(draft: Draft, context: Context, symbol: str) -> None:
    """As few as needed, at the price before it falls, as if the director sold them (1862/7.11.1-a, 7.11.1-b)."""
    data = context.data
    count = shares_to_sell(draft.game, data, symbol)
    numbers = plain_held(draft.game, symbol, symbol)[:count]
    draft.emit(ActionTaken("sold_treasury_shares"))
    move_certificates(draft, symbol, numbers, symbol, POOL, "sold")
    amount = count * price_of(draft.game, data, symbol)
    draft.pay(BANK, symbol, amount, "certificate_sold", symbol)
    if own(draft.game).monopoly and plays(draft.game, "treasury_sales_after_monopoly", "price_falls"):
        fall(draft, context, symbol, count, True)
    else:
        price_falls(draft, context, symbol, count, True)


def _candidates(game: Game, context: Context, player: str) -> Iterator[Choice]:
    if has_train(game, game.actor):
        return
    yield Choice(player, RaiseCash(game.actor, TREASURY_SHARES))
    yield Choice(player, RaiseCash(game.actor, REFINANCING))


RAISE_CASH = Action(_check, _perform, _candidates)
