"""How play flows in 1862: parliament, stock round, set of operating rounds, and again, until the end (3.0, section 10)."""

from __future__ import annotations

from services.rules.kernel.draft import Draft
from services.rules.kernel.events import GameEnded, RoundStarted, TurnStarted
from services.rules.kernel.flow import Flow, RoundRules
from services.rules.kernel.game import Game
from services.rules.kernel.scoring import ranked
from services.rules.kernel.title import Context
from services.rules.kernel.turns import clockwise_from
from services.rules.parts.trains.state import phase_of
from services.rules.titles.g1862 import endings
from services.rules.titles.g1862.figures import phases_of
from services.rules.titles.g1862.interrupts import STEPS as QUESTIONS
from services.rules.titles.g1862.operating import rounds as operating
from services.rules.titles.g1862.scoring import player_value
from services.rules.titles.g1862.stock import parliament, rounds as stock


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
        operating.start_round(
            draft, context, current.turn, 1, phases_of(data)[phase_of(game)].operating_rounds
        )
    elif endings.ends_now(game):
        draft.emit(GameEnded(game.ending, ranked(game, data, player_value)))
    elif current.number < current.count:
        operating.start_round(draft, context, current.turn, current.number + 1, current.count)
    elif game.ending == endings.LAST_COMPANY:
        endings.form_monopoly(draft, context)
        stock.start_round(draft, current.turn + 1)
    else:
        _start_parliament(draft, current.turn + 1, 1, 1)


def _start_parliament(draft: Draft, turn: int, number: int, count: int) -> None:
    order = clockwise_from(draft.game, draft.game.priority)
    draft.emit(RoundStarted("1862.parliamentary", turn, number, count, order))
    draft.emit(TurnStarted(0))


def _closes_turn(game: Game) -> bool:
    current = game.current_round
    return current.kind == "operating" and current.number >= current.count


# Whether the game has to end is seen whenever a decision is due or a round is over, not while things happen of themselves.
FLOW = Flow(
    rounds={
        "1862.parliamentary": RoundRules(parliament.step_of, parliament.advance, parliament.end_round),
        "stock": RoundRules(lambda game: stock.STOCK_STEP, stock.advance_turn, stock.end_round),
        "operating": RoundRules(operating.TURNS.step_of, operating.TURNS.advance, operating.end_round),
    },
    questions=QUESTIONS,
    start_next=_start_next_round,
    player_value=player_value,
    closes_turn=_closes_turn,
    notice=endings.notice,
)
