"""A company's turn in an operating round of 1862, step by step, and the round around it (7.1)."""

from __future__ import annotations

from services.rules.kernel.draft import Draft
from services.rules.kernel.events import RoundStarted, TurnStarted
from services.rules.kernel.game import Game
from services.rules.kernel.title import Context, Step
from services.rules.kernel.titledata import TitleData
from services.rules.kernel.turnstep import TurnStep, take_steps
from services.rules.parts.market.market import operating_order
from services.rules.parts.shares.dealing import end_company_turn
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
BY_NAME = {each.step.name: each for each in STEPS}


def step_of(game: Game) -> Step | None:
    """The step in which the company at turn stands."""
    found = BY_NAME.get(game.current_round.step)
    return found.step if found else None


def start_round(draft: Draft, data: TitleData, turn: int, number: int, count: int) -> None:
    """All quoted companies by falling price, the upper marker first (1862/7.1-a, 7.1-b)."""
    quoted = [symbol for symbol in companies_of(draft.game) if is_quoted(draft.game, symbol)]
    order = tuple(operating_order(draft.game, data, quoted))
    draft.emit(RoundStarted("operating", turn, number, count, order))
    next_company(draft)


def next_company(draft: Draft) -> None:
    """Give the turn to the next company still in play; past the last one the round is out of companies."""
    current = draft.game.current_round
    position = current.position + 1
    while position < len(current.order) and not is_quoted(draft.game, current.order[position]):
        position += 1
    draft.emit(TurnStarted(position))


def advance_turn(draft: Draft, context: Context) -> bool:
    """Carry the round on; true when somebody has to decide, false when no company is left."""
    while draft.game.actor:
        if take_steps(draft, context, _steps(draft.game), _is_over):
            return True
        if is_quoted(draft.game, draft.game.actor):
            end_company_turn(draft)
        next_company(draft)
    return False


def _steps(game: Game) -> tuple[TurnStep, ...]:
    """The steps of a turn; the LNER leaves few of them (1862/10.3-d, 10.3-f)."""
    if not own(game).monopoly:
        return STEPS
    placing = plays(game, "home_after_monopoly", "placed")
    return (HOME, *STEPS_AFTER_MONOPOLY) if placing else STEPS_AFTER_MONOPOLY


def _is_over(game: Game) -> bool:
    """Whether the company at turn is through before its last step: merged away, bankrupt, or resting after a merger."""
    return "turn_over" in game.turn.actions or not is_quoted(game, game.actor)
