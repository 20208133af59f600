"""A company's turn in an operating round of 1862, step by step, and the round around it (7.1)."""

from __future__ import annotations

from services.rules.domain import events as e
from services.rules.domain.draft import Draft
from services.rules.domain.game import Game
from services.rules.domain.market import operating_order
from services.rules.domain.title import Context, Step
from services.rules.domain.titledata import TitleData
from services.rules.titles.g1862.building import BUILD
from services.rules.titles.g1862.companies import is_quoted
from services.rules.titles.g1862.homes import HOME
from services.rules.titles.g1862.merging import ACQUIRE, MERGE
from services.rules.titles.g1862.redeeming import REDEEM
from services.rules.titles.g1862.rulings import plays
from services.rules.titles.g1862.runs import DIVIDE, RUN
from services.rules.titles.g1862.stations import PLACE
from services.rules.titles.g1862.trains import BUY
from services.rules.titles.g1862.turnstep import TurnStep

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
    quoted = [symbol for symbol in draft.game.companies if is_quoted(draft.game, symbol)]
    order = tuple(operating_order(draft.game, data, quoted))
    draft.emit(e.RoundStarted("operating", turn, number, count, order))
    next_company(draft)


def next_company(draft: Draft) -> None:
    """Give the turn to the next company still in play; past the last one the round is out of companies."""
    current = draft.game.current_round
    position = current.position + 1
    while position < len(current.order) and not is_quoted(draft.game, current.order[position]):
        position += 1
    draft.emit(e.TurnStarted(position))


def advance_turn(draft: Draft, context: Context) -> bool:
    """Carry the round on; true when somebody has to decide, false when no company is left."""
    while draft.game.actor:
        if draft.game.interrupts or _is_waiting(draft.game, context):
            return True
        _leave_step(draft, context)
        following = _following(draft.game)
        if following is not None:
            draft.emit(e.StepStarted(following.step.name))
            following.begin(draft, context)
            continue
        if is_quoted(draft.game, draft.game.actor):
            draft.emit(e.TurnEnded(draft.game.actor))
        next_company(draft)
    return False


def _is_waiting(game: Game, context: Context) -> bool:
    """Whether the step at hand still wants an answer."""
    name = game.current_round.step
    if not name or game.turn.passed == name or _is_over(game):
        return False
    return BY_NAME[name].is_waiting(game, context)


def _leave_step(draft: Draft, context: Context) -> None:
    here = BY_NAME.get(draft.game.current_round.step)
    if here is not None and not _is_over(draft.game):
        here.leave(draft, context)


def _following(game: Game) -> TurnStep | None:
    if _is_over(game):
        return None
    steps = _steps(game)
    name = game.current_round.step
    place = [each.step.name for each in steps].index(name) + 1 if name else 0
    return steps[place] if place < len(steps) else None


def _steps(game: Game) -> tuple[TurnStep, ...]:
    """The steps of a turn; the LNER leaves few of them (1862/10.3-d, 10.3-f)."""
    if not game.monopoly:
        return STEPS
    placing = plays(game, "home_after_monopoly", "placed")
    return (HOME, *STEPS_AFTER_MONOPOLY) if placing else STEPS_AFTER_MONOPOLY


def _is_over(game: Game) -> bool:
    """Whether the company at turn is through before its last step: merged away, bankrupt, or resting after a merger."""
    return not is_quoted(game, game.actor) or "turn_over" in game.turn.actions
