"""Buying trains from the depot and from other companies: where a train may come from, and who has to agree."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from services.rules.kernel.choice import Choice
from services.rules.kernel.draft import Draft
from services.rules.kernel.game import Game
from services.rules.kernel.rejections import reject_if
from services.rules.kernel.title import Action, Context, Step
from services.rules.kernel.titledata import TitleData
from services.rules.kernel.vocabulary import BANK
from services.rules.parts.shares.data import cards_of
from services.rules.parts.trains.commands import BuyTrain
from services.rules.parts.trains.depot import has_room, is_known, on_sale
from services.rules.parts.trains.events import TrainMoved
from services.rules.parts.trains.offers import answer_step, ask_for_train


@dataclass(frozen=True, slots=True)
class TrainClauses:
    """The clauses under which a train is refused: not on sale in the bank, not sold by its owner in this turn, not to be had
    of that company."""

    not_on_sale: str
    declined: str
    not_offered: str


@dataclass(frozen=True, slots=True)
class BuyingTerms:
    """How companies buy trains of each other.

    `check_seller` refuses a company that sells no train now, `is_offered` says whether it has this one to sell. `price`: the
    fixed price of a train at a seller. `decider`: who decides for a company; `is_free`: whether a train changes hands without
    asking the seller's. `buy` carries a purchase out."""

    clauses: TrainClauses
    check_seller: Callable[[Game, TitleData, BuyTrain], None]
    is_offered: Callable[[Game, TitleData, BuyTrain], bool]
    price: Callable[[Game, TitleData, str, str], int]
    decider: Callable[[Game, TitleData, str], str]
    is_free: Callable[[Game, BuyTrain], bool]
    buy: Callable[[Draft, Context, BuyTrain], None]


def check_known(game: Game, data: TitleData, company: str, train: str) -> None:
    """Reject a company that is not at turn, and a train of a kind that does not exist."""
    reject_if(company != game.actor, "not_your_turn", detail=company)
    reject_if(not is_known(data, train), "unknown_train", detail=train)


def check_on_sale(game: Game, data: TitleData, train: str, clause: str) -> None:
    """Reject a train that the bank does not sell now."""
    reject_if(train not in on_sale(game, data), "train_not_available", clause, train)


def check_source(game: Game, data: TitleData, command: BuyTrain, terms: BuyingTerms) -> None:
    """Reject a train that is not to be had where the command says."""
    clauses, train, seller = terms.clauses, command.train, command.seller
    if seller == BANK:
        check_on_sale(game, data, train, clauses.not_on_sale)
        return
    reject_if(seller not in cards_of(data), "unknown_company", detail=seller)
    terms.check_seller(game, data, command)
    reject_if(train in game.turn.declined, "offer_declined", clauses.declined, train)
    reject_if(not terms.is_offered(game, data, command), "train_not_available", clauses.not_offered, train)


def check_room(game: Game, data: TitleData, company: str, clause: str) -> None:
    """Reject a train that would be one too many."""
    reject_if(not has_room(game, data, company), "train_limit", clause)


def check_price(offered: int, price: int, clause: str) -> None:
    """Reject any other price than the train's."""
    reject_if(offered != price, "train_price", clause, str(price))


def train_purchase(
    check: Callable[[Game, Context, str, BuyTrain], None],
    candidates: Callable[[Game, Context, str], Iterator[Choice]],
    terms: BuyingTerms,
) -> Action:
    """The command `BuyTrain`. A director of the selling company who is not the buyer's is asked before."""

    def perform(draft: Draft, context: Context, player: str, command: BuyTrain) -> None:
        game, data = draft.game, context.data
        if command.seller != BANK and not terms.is_free(game, command):
            owner = terms.decider(game, data, command.seller)
            if owner != terms.decider(game, data, command.company):
                ask_for_train(draft, owner, command.company, command.train)
                return
        terms.buy(draft, context, command)

    return Action(check, perform, candidates)


def answer_at_fixed_price(terms: BuyingTerms) -> Step:
    """The step in which the director who is asked answers; the train then goes for its fixed price."""

    def hand_over(draft: Draft, context: Context, company: str, train: str, seller: str) -> None:
        price = terms.price(draft.game, context.data, train, seller)
        terms.buy(draft, context, BuyTrain(company, train, price, seller))

    return answer_step(hand_over)


def take_used(draft: Draft, command: BuyTrain) -> None:
    """A train goes from one company to the other for the price of the command."""
    draft.pay(command.company, command.seller, command.price, "train_bought", command.train)
    draft.emit(TrainMoved(command.train, command.seller, command.company, "bought"))


def at_price(player: str, company: str, train: str, price: int, seller: str = BANK) -> Choice:
    """The choice to buy this train for this price."""
    return Choice(player, BuyTrain(company, train, price, seller), cost=price)
