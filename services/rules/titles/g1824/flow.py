"""How play flows in 1824: stock round, set of operating rounds, and again, until the bank is broken (V, IX)."""

from __future__ import annotations

from services.rules.kernel.draft import Draft
from services.rules.kernel.events import GameEnded, GameEndTriggered
from services.rules.kernel.flow import Flow, RoundRules
from services.rules.kernel.game import Game
from services.rules.kernel.payments import least_in_bank
from services.rules.kernel.scoring import ranked
from services.rules.kernel.title import Context
from services.rules.parts.shares.companyturns import closes_set, operating_round
from services.rules.parts.shares.stockround import start_stock_round
from services.rules.parts.trains.depot import operating_rounds
from services.rules.titles.g1824 import operating, stacks, stock
from services.rules.titles.g1824.bond import raise_token_in_wien
from services.rules.titles.g1824.exchanges import drop_impossible_exchanges, raise_mountain_exchanges
from services.rules.titles.g1824.interrupts import STEPS as QUESTIONS
from services.rules.titles.g1824.rulings import plays
from services.rules.titles.g1824.scoring import player_value
from services.rules.titles.g1824.setup import start_initial_round
from services.rules.titles.g1824.states import raise_token_choices
from services.rules.titles.g1824.trains import mountain_exchange_is_due


def _notice_broken_bank(draft: Draft, context: Context) -> None:
    """The bank has run out of money, if only for a moment of a decision: the game ends with a set of operating rounds (IX.1)."""
    game = draft.game
    lowest = 0 if plays(game, "bank_broken", "empty") else -1
    if not game.ending and least_in_bank(draft) <= lowest:
        draft.emit(GameEndTriggered("bank", *_broken_in(game)))


def _broken_in(game: Game) -> tuple[int, int]:
    """The turn and the operating round; what the end of a set does may count for the next turn by ruling."""
    turn, number = operating_round(game)
    is_after_set = closes_set(game) and game.current_round.ended
    if is_after_set and plays(game, "bank_broken_between_rounds", "next_set"):
        return turn + 1, 0
    return turn, number


def _settle(draft: Draft, context: Context) -> None:
    _notice_broken_bank(draft, context)
    drop_impossible_exchanges(draft, context.data)
    raise_token_in_wien(draft, context.data)


def _start_next_round(draft: Draft, context: Context) -> None:
    game, data = draft.game, context.data
    current = game.current_round
    if current.kind == stacks.ALLOTMENT:
        start_initial_round(draft, game.players)
    elif current.kind == "operating" and current.number < current.count:
        operating.start_round(draft, context, current.turn, current.number + 1, current.count)
    elif current.kind == "operating":
        if operating.is_last_of_game(game):
            draft.emit(GameEnded(game.ending, ranked(game, data, player_value)))
            return
        start_stock_round(draft, current.turn + 1)
        if mountain_exchange_is_due(draft.game, data):
            raise_mountain_exchanges(draft, data)
    else:
        operating.start_round(draft, context, current.turn, 1, operating_rounds(game, data))
    raise_token_choices(draft, data)


FLOW = Flow(
    rounds={
        stacks.ALLOTMENT: RoundRules(lambda game: stacks.STEP, stacks.advance, stacks.end_allotment),
        "1824.initial_stock": RoundRules(
            lambda game: stock.INITIAL_STEP, stock.advance_turn, stock.end_round
        ),
        "stock": RoundRules(lambda game: stock.STOCK_STEP, stock.advance_turn, stock.end_round),
        "operating": operating.TURNS.round_rules(operating.end_round),
    },
    questions=QUESTIONS,
    start_next=_start_next_round,
    player_value=player_value,
    closes_turn=closes_set,
    settle=_settle,
    notice=_notice_broken_bank,
)
