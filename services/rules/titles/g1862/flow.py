"""How play flows in 1862: parliament, stock round, set of operating rounds, and again, until the end (3.0, section 10)."""

from __future__ import annotations

from services.rules.kernel.draft import Draft
from services.rules.kernel.events import GameEnded, RoundEnded, RoundStarted, TurnStarted
from services.rules.kernel.game import Game
from services.rules.kernel.standstill import stands_still
from services.rules.kernel.title import Context, Step
from services.rules.kernel.turns import clockwise_from
from services.rules.parts.trains.state import phase_of
from services.rules.titles.g1862 import endings
from services.rules.titles.g1862.figures import phases_of
from services.rules.titles.g1862.interrupts import STEPS as INTERRUPT_STEPS
from services.rules.titles.g1862.operating import rounds as operating
from services.rules.titles.g1862.scoring import scores
from services.rules.titles.g1862.stock import parliament, rounds as stock


def step_of(game: Game, context: Context) -> Step | None:
    """The step at hand: the question put to somebody, else the step of the player or company at turn."""
    if game.finished or game.round is None:
        return None
    if game.interrupts:
        return INTERRUPT_STEPS[game.interrupts[0].kind]
    if game.round.kind == "1862.parliamentary":
        return parliament.step_of(game)
    if game.round.kind == "stock":
        return stock.STOCK_STEP
    return operating.step_of(game)


def advance(draft: Draft, context: Context) -> None:
    """Carry the game on until somebody has to decide or it is over.

    Whether the game has to end is seen whenever a decision is due or a round is over, not while things happen of
    themselves. It is over as well when a whole game turn asked nobody and changed nothing: none ever would again. The
    rulebook does not think of that."""
    at_last_turn: Game | None = None
    while not draft.game.finished:
        current = draft.game.current_round
        if not draft.game.interrupts and not current.ended and not _advance_round(draft, context):
            continue
        endings.notice(draft, context)
        if draft.game.interrupts or not current.ended:
            return
        if current.kind == "operating" and current.number >= current.count:
            if at_last_turn is not None and stands_still(at_last_turn, draft.game, context.data):
                draft.emit(GameEnded("stalemate", scores(draft.game, context.data)))
                return
            at_last_turn = draft.game.copy()
        _start_next_round(draft, context)


def _advance_round(draft: Draft, context: Context) -> bool:
    """Carry the round at hand on; true when somebody has to decide, false when it has come to its end."""
    kind = draft.game.current_round.kind
    if kind == "1862.parliamentary":
        return parliament.advance(draft, context)
    if kind == "stock":
        if stock.advance_turn(draft, context):
            return True
        stock.end_round(draft, context)
        return False
    if operating.advance_turn(draft, context):
        return True
    draft.emit(RoundEnded("operating"))
    return False


def _start_next_round(draft: Draft, context: Context) -> None:
    """The round that follows the one that ended (1862/2.4.4-i, 3.0-a, 3.0-b, 10.3-b)."""
    game, data = draft.game, context.data
    current = game.current_round
    if current.kind == "1862.parliamentary":
        if current.number < current.count:
            _start_parliament(draft, current.turn, current.number + 1, current.count)
        else:
            stock.start_round(draft, current.turn)
    elif current.kind == "stock":
        operating.start_round(draft, data, current.turn, 1, phases_of(data)[phase_of(game)].operating_rounds)
    elif endings.ends_now(game):
        draft.emit(GameEnded(game.ending, scores(game, data)))
    elif current.number < current.count:
        operating.start_round(draft, data, current.turn, current.number + 1, current.count)
    elif game.ending == endings.LAST_COMPANY:
        endings.form_monopoly(draft, context)
        stock.start_round(draft, current.turn + 1)
    else:
        _start_parliament(draft, current.turn + 1, 1, 1)


def _start_parliament(draft: Draft, turn: int, number: int, count: int) -> None:
    order = clockwise_from(draft.game, draft.game.priority)
    draft.emit(RoundStarted("1862.parliamentary", turn, number, count, order))
    draft.emit(TurnStarted(0))
