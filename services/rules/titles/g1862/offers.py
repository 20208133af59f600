"""The answer of a director whose company is asked for a train by a company of another director (1862/7.9-c)."""

from __future__ import annotations

from services.rules.kernel.commands import AnswerOffer
from services.rules.kernel.draft import Draft
from services.rules.kernel.events import InterruptSettled, OfferDeclined
from services.rules.kernel.questions import both_answers, player_asked
from services.rules.kernel.title import Action, Context, Step, never_refused
from services.rules.parts.trains.state import trains_of
from services.rules.titles.g1862.trains.buying import buy_used


def _perform(draft: Draft, context: Context, player: str, command: AnswerOffer) -> None:
    offer = draft.game.interrupts[0]
    draft.emit(InterruptSettled("sell_train", offer.company))
    if not command.accept:
        draft.emit(OfferDeclined(offer.subject))
    else:
        seller = next(
            owner for owner, trains in trains_of(draft.game).owned.items() if offer.subject in trains
        )
        buy_used(draft, context.data, offer.company, offer.subject, seller)


SELL_TRAIN = Step("answer_offer", {AnswerOffer: Action(never_refused, _perform, both_answers)}, player_asked)
