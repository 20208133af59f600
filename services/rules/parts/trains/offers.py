"""The question to a director whether a train of his company is sold to the company of another director."""

from __future__ import annotations

from collections.abc import Callable

from services.rules.kernel.commands import AnswerOffer
from services.rules.kernel.draft import Draft
from services.rules.kernel.events import InterruptRaised, InterruptSettled, OfferDeclined
from services.rules.kernel.questions import both_answers, player_asked
from services.rules.kernel.title import Action, Context, Step, never_refused
from services.rules.parts.trains.state import trains_of

SELL_TRAIN = "sell_train"


def ask_for_train(draft: Draft, director: str, buyer: str, train: str) -> None:
    """Ask `director` whether company `buyer` gets `train`."""
    draft.emit(InterruptRaised(SELL_TRAIN, director, buyer, train))


def answer_step(hand_over: Callable[[Draft, Context, str, str, str], None]) -> Step:
    """The step in which the director answers. `hand_over` carries the purchase out: buyer, train, seller."""

    def perform(draft: Draft, context: Context, player: str, command: AnswerOffer) -> None:
        offer = draft.game.interrupts[0]
        draft.emit(InterruptSettled(SELL_TRAIN, offer.company))
        if command.accept:
            owned = trains_of(draft.game).owned
            seller = next(owner for owner, trains in owned.items() if offer.subject in trains)
            hand_over(draft, context, offer.company, offer.subject, seller)
        else:
            draft.emit(OfferDeclined(offer.subject))

    return Step("answer_offer", {AnswerOffer: Action(never_refused, perform, both_answers)}, player_asked)
