"""The answer of a director whose company is asked for a train by a company of another director (1824/VII.11-t, VII.11-v)."""

from __future__ import annotations

from collections.abc import Iterator

from services.rules.domain import events as e
from services.rules.domain.choice import Choice
from services.rules.domain.commands import AnswerOffer, BuyTrain
from services.rules.domain.depot import kind_of
from services.rules.domain.draft import Draft
from services.rules.domain.game import Game
from services.rules.domain.title import Action, Context
from services.rules.titles.g1824.trains import buy

ANSWER_OFFER = "answer_offer"


def _check(game: Game, context: Context, player: str, command: AnswerOffer) -> None:
    """Both answers are open to the director asked."""


def _perform(draft: Draft, context: Context, player: str, command: AnswerOffer) -> None:
    offer = draft.game.interrupts[0]
    draft.emit(e.InterruptSettled("sell_train", offer.company, command.accept))
    if not command.accept:
        return
    seller = next(owner for owner, trains in draft.game.trains.items() if offer.subject in trains)
    price = kind_of(context.data, offer.subject).price
    buyer = draft.game.companies[offer.company].director
    buy(draft, context.data, buyer, BuyTrain(offer.company, offer.subject, price, seller))


def _candidates(game: Game, context: Context, player: str) -> Iterator[Choice]:
    yield Choice(player, AnswerOffer(True))
    yield Choice(player, AnswerOffer(False))


ANSWER = Action(_check, _perform, _candidates)
