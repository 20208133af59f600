"""Buying trains in 1865: new ones, used ones of the bank pool, and those of other companies at any price (5.5)."""

from __future__ import annotations

from collections.abc import Iterator

from services.rules.kernel.choice import Choice
from services.rules.kernel.draft import Draft
from services.rules.kernel.events import ActionTaken
from services.rules.kernel.game import Game
from services.rules.kernel.passing import pass_unless
from services.rules.kernel.rejections import reject_if
from services.rules.kernel.title import Action, Context
from services.rules.kernel.titledata import TitleData
from services.rules.kernel.vocabulary import BANK, POOL
from services.rules.parts.market.data import chart_of
from services.rules.parts.market.market import shift
from services.rules.parts.shares.commands import SellCertificates
from services.rules.parts.trains.buying import at_price, check_known, check_price, check_room, take_used
from services.rules.parts.trains.commands import BuyTrain
from services.rules.parts.trains.depot import leave_depot
from services.rules.parts.trains.events import TrainMoved
from services.rules.parts.trains.offers import answer_step, ask_for_train
from services.rules.parts.trains.state import owned_by
from services.rules.titles.g1865.companies import president_of
from services.rules.titles.g1865.events import TrainPriceOffered
from services.rules.titles.g1865.figures import railway_cards
from services.rules.titles.g1865.operating.forced import (
    EMERGENCY_SALE,
    add_missing,
    bank_prices,
    check_missing,
    must_buy,
)
from services.rules.titles.g1865.operating.phases import begin_phase
from services.rules.titles.g1865.operating.turns import railway_step
from services.rules.titles.g1865.state import own

NEW_TRAIN = "1865.new_train"


def _check(game: Game, context: Context, player: str, command: BuyTrain) -> None:
    data, company, train = context.data, command.company, command.train
    check_known(game, data, company, train)
    if command.seller in (BANK, POOL):
        price = bank_prices(game, data).get((train, command.seller))
        reject_if(price is None, "train_not_available", "1865/5.5-a", train)
        check_price(command.price, price or 0, "1865/5.5-c")
    else:
        _check_seller(game, data, command)
    check_room(game, data, company, "1865/5.5-d")
    check_missing(game, context, command)


def _check_seller(game: Game, data: TitleData, command: BuyTrain) -> None:
    """Another company sells at any price of at least 1, if its president agrees (5.5-b)."""
    seller, train = command.seller, command.train
    reject_if(seller not in railway_cards(data), "unknown_company", detail=seller)
    has_it = seller != command.company and train in owned_by(game, seller)
    reject_if(not has_it, "train_not_available", "1865/5.5-b", train)
    reject_if(train in game.turn.declined, "offer_declined", "1865/5.5-b", train)
    reject_if(command.price < 1, "train_price", "1865/5.5-b", str(command.price))


def _buy(draft: Draft, context: Context, player: str, command: BuyTrain) -> None:
    """Pay and take the train; the president of another company is asked before."""
    game, company, seller = draft.game, command.company, command.seller
    if seller not in (BANK, POOL):
        if president_of(game, seller) == president_of(game, company):
            take_used(draft, command)
        else:
            draft.emit(TrainPriceOffered(command.price))
            ask_for_train(draft, president_of(game, seller), company, command.train)
        return
    add_missing(draft, context.data, command)
    draft.pay(company, BANK, command.price, "train_bought", command.train)
    if seller == POOL:
        draft.emit(TrainMoved(command.train, POOL, company, "bought"))
    else:
        _take_new(draft, context.data, company, command.train)


def _take_new(draft: Draft, data: TitleData, company: str, train: str) -> None:
    """A new train may begin a phase, and the first one of a turn lifts the value of the company by a space (5.5-k, 4.9-b)."""
    if leave_depot(draft, data, train, company, "bought"):
        begin_phase(draft, data)
    if NEW_TRAIN not in draft.game.turn.actions:
        draft.emit(ActionTaken(NEW_TRAIN))
        shift(draft, data, company, chart_of(data).moves.dividend, "1865.train_bought")


def _hand_over(draft: Draft, context: Context, buyer: str, train: str, seller: str) -> None:
    take_used(draft, BuyTrain(buyer, train, own(draft.game).offered_price, seller))


def _candidates(game: Game, context: Context, player: str) -> Iterator[Choice]:
    data, company = context.data, game.actor
    for (train, seller), price in bank_prices(game, data).items():
        yield at_price(player, company, train, price, seller)
    for seller in railway_cards(data):
        for train in owned_by(game, seller):
            command = BuyTrain(company, train, 1, seller)
            yield Choice(player, command, "price", 1, game.money(company), cost=1)


def _has_to(game: Game, context: Context) -> bool:
    return must_buy(game, context.data, game.actor)


ANSWER = answer_step(_hand_over)
BUY_TRAINS = railway_step(
    "buy_trains",
    {BuyTrain: Action(_check, _buy, _candidates), SellCertificates: EMERGENCY_SALE},
    passing=pass_unless(_has_to, "1865/5.5-f"),
)
