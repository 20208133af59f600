"""The answer of a director whose company is asked for a train by a company of another director (1862/7.9-c)."""

from __future__ import annotations

from collections.abc import Iterator

from services.rules.domain import events as e
from services.rules.domain.choice import Choice
from services.rules.domain.commands import AnswerOffer
from services.rules.domain.draft import Draft
from services.rules.domain.game import Game
from services.rules.domain.title import Action, Context, Step
from services.rules.titles.g1862.trains import buy_used


def _check(game: Game, context: Context, player: str, command: AnswerOffer) -> None:
    """Both answers are open to the director asked."""


def _perform(draft: Draft, context: Context, player: str, command: AnswerOffer) -> None:
    offer = draft.game.interrupts[0]
    draft.emit(e.InterruptSettled("sell_train", offer.company, command.accept))
    if command.accept:
        seller = next(owner for owner, trains in draft.game.trains.items() if offer.subject in trains)
        buy_used(draft, context.data, offer.company, offer.subject, seller)


def _candidates(game: Game, context: Context, player: str) -> Iterator[Choice]:
    yield Choice(player, AnswerOffer(True))
    yield Choice(player, AnswerOffer(False))


def _asked(game: Game, context: Context) -> tuple[str, ...]:
    return (game.interrupts[0].player,)


SELL_TRAIN = Step("answer_offer", {AnswerOffer: Action(_check, _perform, _candidates)}, _asked)
