"""How play flows in 1824: stock round, set of operating rounds, and again, until the bank is broken (V, IX)."""

from __future__ import annotations

from services.rules.kernel.draft import Draft
from services.rules.kernel.events import GameEnded, GameEndTriggered, RoundStarted, TurnStarted
from services.rules.kernel.game import Game
from services.rules.kernel.standstill import stands_still
from services.rules.kernel.title import Context, Step
from services.rules.kernel.turns import clockwise_from
from services.rules.kernel.vocabulary import BANK
from services.rules.parts.trains.data import phases_of
from services.rules.parts.trains.state import phase_of
from services.rules.titles.g1824 import operating, stock
from services.rules.titles.g1824.exchanges import (
    drop_impossible_exchanges,
    raise_discards,
    raise_mountain_exchanges,
)
from services.rules.titles.g1824.interrupts import STEPS as INTERRUPT_STEPS
from services.rules.titles.g1824.rulings import plays
from services.rules.titles.g1824.scoring import scores
from services.rules.titles.g1824.states import raise_token_choices
from services.rules.titles.g1824.trains import mountain_exchange_is_due


def step_of(game: Game, context: Context) -> Step | None:
    """The step at hand: the question put to somebody, else the step of the player or company at turn."""
    if game.finished or game.round is None:
        return None
    if game.interrupts:
        return INTERRUPT_STEPS[game.interrupts[0].kind]
    if game.round.kind == "1824.initial_stock":
        return stock.INITIAL_STEP
    if game.round.kind == "stock":
        return stock.STOCK_STEP
    return operating.STEPS_BY_NAME.get(game.round.step)


def advance(draft: Draft, context: Context) -> None:
    """Carry the game on until somebody has to decide or it is over.

    It is over as well when a whole game turn asked nobody and changed nothing: none ever would again. The rulebook does
    not think of that."""
    at_last_turn: Game | None = None
    while not draft.game.finished:
        notice_broken_bank(draft)
        drop_impossible_exchanges(draft, context.data)
        if draft.game.interrupts:
            return
        current = draft.game.current_round
        if current.ended:
            if current.kind == "operating" and current.number >= current.count:
                if at_last_turn is not None and stands_still(at_last_turn, draft.game, context.data):
                    draft.emit(GameEnded("stalemate", scores(draft.game, context.data)))
                    return
                at_last_turn = draft.game.copy()
            _start_next_round(draft, context)
        elif current.kind == "operating":
            if operating.advance_turn(draft, context):
                notice_broken_bank(draft)
                return
            operating.end_round(draft, context)
            raise_discards(draft, context.data)
        else:
            if stock.advance_turn(draft, context):
                return
            stock.end_round(draft, context)


def notice_broken_bank(draft: Draft) -> None:
    """The bank has run out of money: the game ends with a set of operating rounds (IX.1)."""
    game = draft.game
    if game.ending or game.money(BANK) > 0:
        return
    lowest = 0 if plays(game, "bank_broken", "empty") else -1
    if game.money(BANK) <= lowest:
        current = game.current_round
        number = current.number if current.kind == "operating" else 0
        draft.emit(GameEndTriggered("bank", current.turn, number))


def _start_next_round(draft: Draft, context: Context) -> None:
    game, data = draft.game, context.data
    current = game.current_round
    if current.kind == "operating" and current.number < current.count:
        operating.start_round(draft, data, current.turn, current.number + 1, current.count)
    elif current.kind == "operating":
        if operating.is_last_of_game(game):
            draft.emit(GameEnded(game.ending, scores(game, data)))
            return
        draft.emit(RoundStarted("stock", current.turn + 1, 1, 1, clockwise_from(game, game.priority)))
        draft.emit(TurnStarted(0))
        if mountain_exchange_is_due(draft.game, data):
            raise_mountain_exchanges(draft, data)
    else:
        count = phases_of(data)[phase_of(game)].operating_rounds
        operating.start_round(draft, data, current.turn, 1, count)
    raise_token_choices(draft, data)
