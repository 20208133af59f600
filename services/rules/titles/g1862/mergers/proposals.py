"""Mergers at the start of a company's turn, acquisitions at its end, and the questions they put (1862/5.1, 7.5, 7.14)."""

from __future__ import annotations

from collections.abc import Iterator

from services.rules.kernel.choice import Choice
from services.rules.kernel.commands import AnswerOffer
from services.rules.kernel.draft import Draft
from services.rules.kernel.events import InterruptRaised, InterruptSettled, OfferDeclined
from services.rules.kernel.game import Game
from services.rules.kernel.questions import both_answers, player_asked
from services.rules.kernel.rejections import reject_if
from services.rules.kernel.title import Action, Context, Step, never_refused
from services.rules.kernel.titledata import TitleData
from services.rules.kernel.turnstep import TurnStep, optional_step
from services.rules.parts.map.board import CityId
from services.rules.parts.map.commands import ChooseToken
from services.rules.parts.map.placing import choice_of_token
from services.rules.parts.shares.state import companies_of
from services.rules.titles.g1862.commands import ChooseSurvivor, Merge
from services.rules.titles.g1862.companies import decides, in_receivership, is_quoted, require_company
from services.rules.titles.g1862.mergers.absorption import (
    finish,
    removable_tokens,
    take_off,
    tokens_in_excess,
)
from services.rules.titles.g1862.mergers.shareexchange import start
from services.rules.titles.g1862.operating.stations import connected
from services.rules.titles.g1862.rulings import plays
from services.rules.titles.g1862.state import own

MERGE_STEP = "merge"
ACQUIRE_STEP = "acquire"


def _perform(draft: Draft, context: Context, player: str, command: Merge) -> None:
    other_director = companies_of(draft.game)[command.other].director
    if other_director != player and plays(draft.game, "merger_between_directors", "asked"):
        draft.emit(InterruptRaised("1862.answer_merger", other_director, command.company, command.other))
    else:
        draft.emit(InterruptRaised("1862.choose_survivor", player, command.company, command.other))


def _candidates(game: Game, context: Context, player: str) -> Iterator[Choice]:
    for other in companies_of(game):
        yield Choice(player, Merge(game.actor, other))


def _merging(name: str, done: str) -> TurnStep:
    """A step in which a company may swallow or join another, once; the action `done` says that it has."""

    def check(game: Game, context: Context, player: str, command: Merge) -> None:
        reject_if(command.company != game.actor, "not_your_turn", detail=command.company)
        symbol, other = game.actor, command.other
        require_company(game, context.data, other)
        reject_if(bool(own(game).monopoly), "1862.after_monopoly", "1862/10.3-f", other)
        itself = other == symbol or not is_quoted(game, other)
        reject_if(itself, "1862.merge_not_possible", "1862/7.5.1-a", other)
        for each in (symbol, other):
            reject_if(in_receivership(game, each), "1862.in_receivership", "1862/8.0-d", each)
        again = done in game.turn.actions
        reject_if(again, "1862.merge_not_possible", "1862/7.1-e", "once in this step")
        reject_if(other in game.turn.declined, "1862.merge_declined", "1862/7.5.1-a", other)
        joined = connected(game, context.data, symbol, other)
        reject_if(not joined, "1862.merge_not_connected", "1862/7.5.2-a", other)

    def asked_in_vain(game: Game, context: Context) -> bool:
        """By one ruling a director is asked once, though there may be nobody to merge with."""
        may_merge = not (done in game.turn.actions or own(game).monopoly or in_receivership(game, game.actor))
        return may_merge and plays(game, "idle_turns", "asked")

    merge = Action(check, _perform, _candidates)
    return optional_step(name, {Merge: merge}, decides, asked_in_vain=asked_in_vain)


def _perform_answer(draft: Draft, context: Context, player: str, command: AnswerOffer) -> None:
    offer = draft.game.interrupts[0]
    draft.emit(InterruptSettled("1862.answer_merger", offer.company))
    if not command.accept:
        draft.emit(OfferDeclined(offer.subject))
    else:
        director = companies_of(draft.game)[offer.company].director
        draft.emit(InterruptRaised("1862.choose_survivor", director, offer.company, offer.subject))


def _check_survivor(game: Game, context: Context, player: str, command: ChooseSurvivor) -> None:
    merging = (game.interrupts[0].company, game.interrupts[0].subject)
    reject_if(command.company not in merging, "1862.merge_not_possible", "1862/5.2.1-a", command.company)


def _perform_survivor(draft: Draft, context: Context, player: str, command: ChooseSurvivor) -> None:
    """The active director has chosen; the shares are exchanged at once (1862/5.2.1-a, 7.5.1-b)."""
    question = draft.game.interrupts[0]
    kind: str = "merger" if draft.game.current_round.step == MERGE_STEP else "acquisition"
    absorbed = question.subject if command.company == question.company else question.company
    draft.emit(InterruptSettled("1862.choose_survivor", question.company))
    start(draft, context, kind, command.company, absorbed, player)


def _survivor_candidates(game: Game, context: Context, player: str) -> Iterator[Choice]:
    yield Choice(player, ChooseSurvivor(game.interrupts[0].company))
    yield Choice(player, ChooseSurvivor(game.interrupts[0].subject))


def _perform_token(draft: Draft, context: Context, player: str, command: ChooseToken) -> None:
    chosen = (command.hex, command.city)
    owners = (symbol for symbol, city in removable_tokens(draft.game, context.data) if city == chosen)
    take_off(draft, next(owners), chosen)
    if not tokens_in_excess(draft.game, context.data):
        draft.emit(InterruptSettled("1862.remove_token", command.company))
        finish(draft, context.data)


def _removable_places(game: Game, data: TitleData, company: str) -> tuple[CityId, ...]:
    return tuple(city for _, city in removable_tokens(game, data))


MERGE = _merging(MERGE_STEP, "merged")
ACQUIRE = _merging(ACQUIRE_STEP, "acquired")
ANSWER_MERGER = Step(
    "answer_merger", {AnswerOffer: Action(never_refused, _perform_answer, both_answers)}, player_asked
)
CHOOSE_SURVIVOR = Step(
    "choose_survivor",
    {ChooseSurvivor: Action(_check_survivor, _perform_survivor, _survivor_candidates)},
    player_asked,
)
REMOVE_TOKEN = Step(
    "remove_token",
    {ChooseToken: choice_of_token(_removable_places, _perform_token, "1862/7.5.6-e")},
    player_asked,
)
