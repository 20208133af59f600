"""The answer of a director whose company is asked for a train by a company of another director (1824/VII.11-t, VII.11-v)."""

from __future__ import annotations

from services.rules.kernel.commands import AnswerOffer
from services.rules.kernel.draft import Draft
from services.rules.kernel.events import InterruptSettled, OfferDeclined
from services.rules.kernel.questions import both_answers
from services.rules.kernel.title import Action, Context, never_refused
from services.rules.parts.shares.state import companies_of
from services.rules.parts.trains.commands import BuyTrain
from services.rules.parts.trains.state import trains_of
from services.rules.titles.g1824.figures import kind_of
from services.rules.titles.g1824.trains import buy

ANSWER_OFFER = "answer_offer"


def _perform(draft: Draft, context: Context, player: str, command: AnswerOffer) -> None:
    offer = draft.game.interrupts[0]
    draft.emit(InterruptSettled("sell_train", offer.company))
    if not command.accept:
        draft.emit(OfferDeclined(offer.subject))
        return
    seller = next(owner for owner, trains in trains_of(draft.game).owned.items() if offer.subject in trains)
    price = kind_of(context.data, offer.subject).price
    buyer = companies_of(draft.game)[offer.company].director
    buy(draft, context.data, buyer, BuyTrain(offer.company, offer.subject, price, seller))


ANSWER = Action(never_refused, _perform, both_answers)
