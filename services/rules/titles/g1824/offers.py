"""The answer of a director whose company is asked for a train by a company of another director (1824/VII.11-t, VII.11-v)."""

from __future__ import annotations

from services.rules.domain import events as e
from services.rules.domain.commands import AnswerOffer, BuyTrain
from services.rules.domain.depot import kind_of
from services.rules.domain.draft import Draft
from services.rules.domain.questions import both_answers
from services.rules.domain.title import Action, Context, never_refused
from services.rules.titles.g1824.trains import buy

ANSWER_OFFER = "answer_offer"


def _perform(draft: Draft, context: Context, player: str, command: AnswerOffer) -> None:
    offer = draft.game.interrupts[0]
    draft.emit(e.InterruptSettled("sell_train", offer.company, command.accept))
    if not command.accept:
        return
    seller = next(owner for owner, trains in draft.game.trains.items() if offer.subject in trains)
    price = kind_of(context.data, offer.subject).price
    buyer = draft.game.companies[offer.company].director
    buy(draft, context.data, buyer, BuyTrain(offer.company, offer.subject, price, seller))


ANSWER = Action(never_refused, _perform, both_answers)
