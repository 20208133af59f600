"""Decides what directors ask for: a fact that says who decided and why, then the facts to which it led."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from services.rules.kernel.commands import Undo
from services.rules.kernel.decide import LARGEST_NUMBER, Accepted, carry_out
from services.rules.kernel.directing.commands import (
    ActForSeat,
    AssignSeat,
    Correct,
    Direct,
    Direction,
    EndGame,
    Resume,
    RollBack,
    Suspend,
)
from services.rules.kernel.directing.events import DirectorDecided, GameResumed, GameSuspended, SeatTaken
from services.rules.kernel.draft import Draft
from services.rules.kernel.events import Event, GameEnded, Undone
from services.rules.kernel.fold import taken_back
from services.rules.kernel.game import Game
from services.rules.kernel.rejections import Rejected, Rejection, reject_if
from services.rules.kernel.title import Context, Title
from services.rules.kernel.titledata import TitleData
from services.rules.kernel.vocabulary import BANK, CORRECTION, ENDED_BY_DIRECTOR, RESERVED_HOLDERS

REASON_LENGTH_MAX = 500


@dataclass(frozen=True, slots=True)
class Past:
    """The state to which a roll-back leads, and all events since it. `earlier` is a new game where nothing can lead there."""

    earlier: Game = field(default_factory=Game)
    since: Iterable[Event] = ()


NO_PAST = Past()


@dataclass(frozen=True, slots=True)
class _Case:
    """One decision: the draft has the fact of it already."""

    title: Title
    context: Context
    before: Game
    draft: Draft
    author: str


def decide_direction(
    title: Title,
    data: TitleData,
    game: Game,
    author: str,
    command: Direct,
    answer: object = None,
    past: Past = NO_PAST,
) -> Accepted | Rejection:
    """Decide what a director asks for. `author`: the director's account; `answer`: as in `decide`, for a command of a seat;
    `past`: where a roll-back leads."""
    direction = command.direction
    try:
        _check_form(author, command)
        reject_if(game.finished and not isinstance(direction, RollBack), "game_finished")
        if isinstance(direction, RollBack):
            return _rolled_back(game, author, command, direction, past)
        draft = Draft(game, data)
        draft.emit(_decided(author, command))
        case = _Case(title, Context(data, answer), game, draft, author)
        _DECIDERS[type(direction)](case, direction)
    except Rejected as rejected:
        return rejected.rejection(title.reasons)
    return Accepted(tuple(draft.events), draft.game)


def _check_form(author: str, command: Direct) -> None:
    reason = command.reason.strip()
    reject_if(not reason or len(command.reason) > REASON_LENGTH_MAX, "reason_needed")
    reject_if(command.confirmed_by == author, "confirmed_by_author", detail=author)


def _decided(author: str, command: Direct) -> DirectorDecided:
    direction = command.direction
    seat = direction.seat if isinstance(direction, AssignSeat | ActForSeat) else ""
    return DirectorDecided(direction.KIND, seat, author, command.reason, command.confirmed_by)


def _rolled_back(game: Game, author: str, command: Direct, wanted: RollBack, past: Past) -> Accepted:
    reachable = 0 < wanted.to_sequence < game.sequence and past.earlier.sequence == wanted.to_sequence
    reject_if(not reachable or past.earlier.round is None, "undo_target", detail=str(wanted.to_sequence))
    decided = _decided(author, command)
    after = taken_back(past.earlier, (*past.since, decided))
    after.sequence = game.sequence + 2
    return Accepted((decided, Undone(author, wanted.to_sequence)), after)


def _assign_seat(case: _Case, wanted: AssignSeat) -> None:
    game, bearer = case.before, wanted.bearer
    reject_if(wanted.seat not in game.players, "unknown_seat", detail=wanted.seat)
    taken = game.seat_of(bearer) is not None or bearer in RESERVED_HOLDERS
    reject_if(
        not bearer or taken or bearer in case.context.data.holders(), "bearer_not_possible", detail=bearer
    )
    case.draft.emit(SeatTaken(wanted.seat, bearer, game.bearer_of(wanted.seat).account, wanted.kind))


def _suspend(case: _Case, wanted: Suspend) -> None:
    reject_if(case.before.suspended, "game_suspended")
    case.draft.emit(GameSuspended())


def _resume(case: _Case, wanted: Resume) -> None:
    reject_if(not case.before.suspended, "not_suspended")
    case.draft.emit(GameResumed())


def _act_for_seat(case: _Case, wanted: ActForSeat) -> None:
    reject_if(wanted.seat not in case.before.players, "unknown_seat", detail=wanted.seat)
    reject_if(isinstance(wanted.command, Undo), "undo_forbidden", detail="a director rolls the game back")
    carry_out(case.title, case.context, case.draft, wanted.seat, wanted.command)


def _correct(case: _Case, wanted: Correct) -> None:
    holders = {BANK, *case.before.players, *case.context.data.holders()}
    for holder in (wanted.source, wanted.target):
        reject_if(holder not in holders, "unknown_holder", detail=holder)
    reject_if(wanted.source == wanted.target, "unknown_holder", detail=f"{wanted.source} twice")
    _check_number("amount", wanted.amount, least=1)
    lacks = wanted.source != BANK and case.before.money(wanted.source) < wanted.amount
    reject_if(lacks, "not_enough_cash", detail=wanted.source)
    case.draft.pay(wanted.source, wanted.target, wanted.amount, CORRECTION, wanted.subject)
    case.title.advance(case.draft, case.context)


def _end_game(case: _Case, wanted: EndGame) -> None:
    seats = [score.player for score in wanted.scores]
    reject_if(sorted(seats) != sorted(case.before.players), "scores_incomplete")
    for score in wanted.scores:
        _check_number("value", score.value, least=-LARGEST_NUMBER)
    scores = tuple(sorted(wanted.scores, key=lambda score: -score.value))
    case.draft.emit(GameEnded(ENDED_BY_DIRECTOR, scores))


def _check_number(name: str, value: int, least: int) -> None:
    reject_if(not least <= value <= LARGEST_NUMBER, "value_out_of_range", detail=f"{name} = {value}")


_DECIDERS: Mapping[type[Direction], Callable[[_Case, Any], None]] = {
    AssignSeat: _assign_seat,
    Suspend: _suspend,
    Resume: _resume,
    ActForSeat: _act_for_seat,
    Correct: _correct,
    EndGame: _end_game,
}
