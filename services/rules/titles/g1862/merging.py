"""Mergers at the start of a company's turn, acquisitions at its end, and the questions they put (1862/5.1, 7.5, 7.14)."""

from __future__ import annotations

from collections.abc import Iterator

from services.rules.domain import events as e
from services.rules.domain.choice import Choice
from services.rules.domain.commands import AnswerOffer, ChooseSurvivor, ChooseToken, Merge, Pass
from services.rules.domain.draft import Draft
from services.rules.domain.game import Game
from services.rules.domain.passing import PASS
from services.rules.domain.questions import both_answers, player_asked
from services.rules.domain.rejections import refuse_if
from services.rules.domain.title import Action, Context, Step, never_refused
from services.rules.titles.g1862.absorbing import finish, removable_tokens, take_off, tokens_in_excess
from services.rules.titles.g1862.companies import decides, in_receivership, is_quoted, require_company
from services.rules.titles.g1862.exchange import start
from services.rules.titles.g1862.rulings import plays
from services.rules.titles.g1862.stations import connected
from services.rules.titles.g1862.turnstep import TurnStep

MERGE_STEP = "merge"
ACQUIRE_STEP = "acquire"
DONE: dict[str, e.TurnAction] = {MERGE_STEP: "merged", ACQUIRE_STEP: "acquired"}


def _check(game: Game, context: Context, player: str, command: Merge) -> None:
    refuse_if(command.company != game.actor, "not_your_turn", detail=command.company)
    symbol, other = game.actor, command.other
    require_company(game, context.data, other)
    refuse_if(bool(game.monopoly), "after_monopoly", "1862/10.3-f", other)
    refuse_if(other == symbol or not is_quoted(game, other), "merge_not_possible", "1862/7.5.1-a", other)
    for each in (symbol, other):
        refuse_if(in_receivership(game, each), "in_receivership", "1862/8.0-d", each)
    done = DONE[game.current_round.step] in game.turn.actions
    refuse_if(done, "merge_not_possible", "1862/7.1-e", "once in this step")
    refuse_if(other in game.turn.declined, "merge_declined", "1862/7.5.1-a", other)
    joined = connected(game, context.data, symbol, other)
    refuse_if(not joined, "merge_not_connected", "1862/7.5.2-a", other)


def _perform(draft: Draft, context: Context, player: str, command: Merge) -> None:
    other_director = draft.game.companies[command.other].director
    if other_director != player and plays(draft.game, "merger_between_directors", "asked"):
        draft.emit(e.InterruptRaised("answer_merger", other_director, command.company, command.other))
    else:
        draft.emit(e.InterruptRaised("choose_survivor", player, command.company, command.other))


def _candidates(game: Game, context: Context, player: str) -> Iterator[Choice]:
    for other in game.companies:
        yield Choice(player, Merge(game.actor, other))


def _is_waiting(game: Game, context: Context) -> bool:
    if plays(game, "idle_turns", "asked"):
        done = DONE[game.current_round.step] in game.turn.actions
        return not (done or game.monopoly or in_receivership(game, game.actor))
    return _MERGE.is_open(game, context, "")


def _perform_answer(draft: Draft, context: Context, player: str, command: AnswerOffer) -> None:
    offer = draft.game.interrupts[0]
    draft.emit(e.InterruptSettled("answer_merger", offer.company, command.accept))
    if command.accept:
        director = draft.game.companies[offer.company].director
        draft.emit(e.InterruptRaised("choose_survivor", director, offer.company, offer.subject))


def _check_survivor(game: Game, context: Context, player: str, command: ChooseSurvivor) -> None:
    merging = (game.interrupts[0].company, game.interrupts[0].subject)
    refuse_if(command.company not in merging, "merge_not_possible", "1862/5.2.1-a", command.company)


def _perform_survivor(draft: Draft, context: Context, player: str, command: ChooseSurvivor) -> None:
    """The active director has chosen; the shares are exchanged at once (1862/5.2.1-a, 7.5.1-b)."""
    question = draft.game.interrupts[0]
    kind: e.ExchangeKind = "merger" if draft.game.current_round.step == MERGE_STEP else "acquisition"
    absorbed = question.subject if command.company == question.company else question.company
    draft.emit(e.InterruptSettled("choose_survivor", question.company))
    start(draft, context, kind, command.company, absorbed, player)


def _survivor_candidates(game: Game, context: Context, player: str) -> Iterator[Choice]:
    yield Choice(player, ChooseSurvivor(game.interrupts[0].company))
    yield Choice(player, ChooseSurvivor(game.interrupts[0].subject))


def _check_token(game: Game, context: Context, player: str, command: ChooseToken) -> None:
    due = game.interrupts[0].company
    refuse_if(command.company != due, "interrupt_first", "1862/7.5.6-e", due)
    places = [city for _, city in removable_tokens(game, context.data)]
    refuse_if((command.hex, command.city) not in places, "token_choice", "1862/7.5.6-e", command.hex)


def _perform_token(draft: Draft, context: Context, player: str, command: ChooseToken) -> None:
    chosen = (command.hex, command.city)
    owners = (symbol for symbol, city in removable_tokens(draft.game, context.data) if city == chosen)
    take_off(draft, next(owners), chosen)
    if not tokens_in_excess(draft.game, context.data):
        draft.emit(e.InterruptSettled("remove_token", command.company))
        finish(draft, context.data)


def _token_candidates(game: Game, context: Context, player: str) -> Iterator[Choice]:
    for _, (hex_id, city) in removable_tokens(game, context.data):
        yield Choice(player, ChooseToken(game.interrupts[0].company, hex_id, city))


_MERGE = Action(_check, _perform, _candidates)
MERGE = TurnStep(Step(MERGE_STEP, {Merge: _MERGE, Pass: PASS}, decides), _is_waiting)
ACQUIRE = TurnStep(Step(ACQUIRE_STEP, {Merge: _MERGE, Pass: PASS}, decides), _is_waiting)
ANSWER_MERGER = Step(
    "answer_merger", {AnswerOffer: Action(never_refused, _perform_answer, both_answers)}, player_asked
)
CHOOSE_SURVIVOR = Step(
    "choose_survivor",
    {ChooseSurvivor: Action(_check_survivor, _perform_survivor, _survivor_candidates)},
    player_asked,
)
REMOVE_TOKEN = Step(
    "remove_token", {ChooseToken: Action(_check_token, _perform_token, _token_candidates)}, player_asked
)
