"""The answer of a director whose company is asked for a train by a company of another director (1862/7.9-c)."""

from __future__ import annotations

from services.rules.domain import events as e
from services.rules.domain.commands import AnswerOffer
from services.rules.domain.draft import Draft
from services.rules.domain.questions import both_answers, player_asked
from services.rules.domain.title import Action, Context, Step, never_refused
from services.rules.titles.g1862.trains import buy_used


def _perform(draft: Draft, context: Context, player: str, command: AnswerOffer) -> None:
    offer = draft.game.interrupts[0]
    draft.emit(e.InterruptSettled("sell_train", offer.company, command.accept))
    if command.accept:
        seller = next(owner for owner, trains in draft.game.trains.items() if offer.subject in trains)
        buy_used(draft, context.data, offer.company, offer.subject, seller)


SELL_TRAIN = Step("answer_offer", {AnswerOffer: Action(never_refused, _perform, both_answers)}, player_asked)
