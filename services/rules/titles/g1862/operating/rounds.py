"""A company's turn in an operating round of 1862, step by step, and the round around it (7.1)."""

from __future__ import annotations

from services.rules.kernel.draft import Draft
from services.rules.kernel.events import RoundEnded, RoundStarted
from services.rules.kernel.game import Game
from services.rules.kernel.title import Context
from services.rules.kernel.turnstep import TurnStep
from services.rules.parts.market.market import operating_order
from services.rules.parts.shares.companyturns import CompanyTurns
from services.rules.parts.shares.state import companies_of
from services.rules.titles.g1862.companies import is_quoted
from services.rules.titles.g1862.mergers.proposals import ACQUIRE, MERGE
from services.rules.titles.g1862.operating.building import BUILD
from services.rules.titles.g1862.operating.homes import HOME
from services.rules.titles.g1862.operating.runs import DIVIDE, RUN
from services.rules.titles.g1862.operating.stations import PLACE
from services.rules.titles.g1862.rulings import plays
from services.rules.titles.g1862.state import own
from services.rules.titles.g1862.trains.buying import BUY
from services.rules.titles.g1862.trains.redeeming import REDEEM

# The order of a turn (1862/7.1-e); the home comes before everything in a company's first one (1862/7.2-a).
STEPS: tuple[TurnStep, ...] = (HOME, MERGE, BUILD, PLACE, RUN, DIVIDE, BUY, REDEEM, ACQUIRE)
# What is left of a turn once the last great company has formed (1862/10.3-d, 10.3-f, 10.3-j).
STEPS_AFTER_MONOPOLY: tuple[TurnStep, ...] = (RUN, DIVIDE, BUY, REDEEM)


def start_round(draft: Draft, context: Context, turn: int, number: int, count: int) -> None:
    """All quoted companies by falling price, the upper marker first (1862/7.1-a, 7.1-b)."""
    quoted = [symbol for symbol in companies_of(draft.game) if is_quoted(draft.game, symbol)]
    order = tuple(operating_order(draft.game, context.data, quoted))
    draft.emit(RoundStarted("operating", turn, number, count, order))
    TURNS.start_next(draft, context)


def end_round(draft: Draft, context: Context) -> None:
    """Nothing but the end itself."""
    draft.emit(RoundEnded("operating"))


def _leaves_out(game: Game, step: TurnStep) -> bool:
    """The LNER leaves few steps (1862/10.3-d, 10.3-f)."""
    if not own(game).monopoly:
        return False
    if step is HOME:
        return not plays(game, "home_after_monopoly", "placed")
    return step not in STEPS_AFTER_MONOPOLY


def _is_over(game: Game) -> bool:
    """Whether the company at turn is through before its last step: merged away, bankrupt, or resting after a merger."""
    return "turn_over" in game.turn.actions or not is_quoted(game, game.actor)


TURNS = CompanyTurns(STEPS, is_quoted, is_over=_is_over, leaves_out=_leaves_out)
