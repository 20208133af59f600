"""A company's turn in an operating round of 1824, step by step, and the rounds around it (VII.1, VII.4, VII.5)."""

from __future__ import annotations

from services.rules.kernel.draft import Draft
from services.rules.kernel.events import RoundEnded, RoundStarted, StepStarted, TurnStarted
from services.rules.kernel.game import Game
from services.rules.kernel.title import Context, Step
from services.rules.kernel.titledata import TitleData
from services.rules.kernel.vocabulary import BANK
from services.rules.parts.map.boardview import view_of
from services.rules.parts.map.placing import TOKEN_PLACED
from services.rules.parts.map.state import track_turn
from services.rules.parts.market.market import operating_order
from services.rules.parts.shares.dealing import end_company_turn
from services.rules.parts.shares.state import companies_of
from services.rules.parts.trains.data import phases_of
from services.rules.parts.trains.state import phase_of, train_turn, trains_of
from services.rules.titles.g1824.building import (
    LAY_STEP,
    TOKEN_STEP,
    may_place_token,
    place_home_token,
)
from services.rules.titles.g1824.companies import (
    COAL,
    MAJORS,
    MINORS,
    MOUNTAIN,
    PRE_STATE,
    REGIONAL,
    decider,
    in_play,
    is_owned,
    of_kind,
    open_regional,
)
from services.rules.titles.g1824.figures import cards_of
from services.rules.titles.g1824.rulings import plays
from services.rules.titles.g1824.runs import DIVIDEND_STEP, RUN_STEP, divide
from services.rules.titles.g1824.states import form_states, idle_state_falls
from services.rules.titles.g1824.trains import STEP as BUY_STEP, export_train, has_something_to_decide

STEPS: tuple[Step, ...] = (LAY_STEP, TOKEN_STEP, RUN_STEP, DIVIDEND_STEP, BUY_STEP)
STEPS_BY_NAME = {step.name: step for step in STEPS}


def start_round(draft: Draft, data: TitleData, turn: int, number: int, count: int) -> None:
    """Coal companies, pre-states, then open majors by price; first the mountain companies pay (VII.4)."""
    game = draft.game
    minors = [symbol for symbol in of_kind(data, COAL, PRE_STATE) if is_owned(game, symbol)]
    majors = [symbol for symbol in of_kind(data, *MAJORS) if companies_of(game)[symbol].opened]
    order = (*minors, *operating_order(game, data, majors))
    draft.emit(RoundStarted("operating", turn, number, count, order))
    for symbol in of_kind(data, MOUNTAIN):
        if is_owned(game, symbol) and not _income_ended(game, data, symbol):
            owner = companies_of(draft.game)[symbol].director
            draft.pay(BANK, owner, cards_of(data)[symbol].income, "company_income", symbol)
    next_company(draft, data)


def _income_ended(game: Game, data: TitleData, symbol: str) -> bool:
    """Mountain companies pay until the first 4-train (IV.1-d), even where their exchange comes later."""
    exchange = cards_of(data)[symbol].exchange
    order = list(phases_of(data))
    return exchange is not None and order.index(phase_of(game)) >= order.index(exchange.forced_by_train)


def next_company(draft: Draft, data: TitleData) -> None:
    """Give the turn to the next company still in play; past the last one the round is out of companies."""
    current = draft.game.current_round
    position = current.position + 1
    while position < len(current.order) and not in_play(draft.game, current.order[position]):
        position += 1
    draft.emit(TurnStarted(position))
    if position < len(current.order):
        company = current.order[position]
        if companies_of(draft.game)[company].director or plays(
            draft.game, "state_without_director", "places_tokens"
        ):
            place_home_token(draft, data, company)


def advance_turn(draft: Draft, context: Context) -> bool:
    """Carry the round on; true when somebody has to decide, false when no company is left."""
    while draft.game.actor:
        if _is_waiting(draft.game, context):
            return True
        step = _next_step(draft, context)
        if step is not None:
            draft.emit(StepStarted(step.name))
            return True
        end_company_turn(draft)
        next_company(draft, context.data)
    return False


def _is_waiting(game: Game, context: Context) -> bool:
    """Whether the step at hand still wants an answer."""
    step, turn = game.current_round.step, game.turn
    run = train_turn(game)
    if not step or turn.passed == step:
        return False
    if step == LAY_STEP.name:
        return not track_turn(game).laid
    if step == TOKEN_STEP.name:
        return TOKEN_PLACED not in turn.actions
    if step == RUN_STEP.name:
        return not run.ran
    if step == DIVIDEND_STEP.name:
        return not run.dividend
    return has_something_to_decide(game, context, game.actor)


def _next_step(draft: Draft, context: Context) -> Step | None:
    """The next step in which the company has something to decide; automatic steps before it are done."""
    names = [step.name for step in STEPS]
    current = draft.game.current_round.step
    for step in STEPS[names.index(current) + 1 if current else 0 :]:
        if not companies_of(draft.game)[draft.game.actor].director:
            if (
                step is TOKEN_STEP
                and _idle_places_tokens(draft.game)
                and may_place_token(draft.game, context)
            ):
                return step
            if step is DIVIDEND_STEP:
                idle_state_falls(draft, context.data, draft.game.actor)
            continue
        if step is DIVIDEND_STEP and _divides_by_itself(draft, context.data):
            continue
        if _wants_answer(draft.game, context, step):
            return step
    return None


def _idle_places_tokens(game: Game) -> bool:
    """Under that ruling from its second turn on, if anybody holds a share."""
    if not companies_of(game)[game.actor].operated or not decider(game, game.actor):
        return False
    return plays(game, "state_without_director", "places_tokens")


def _divides_by_itself(draft: Draft, data: TitleData) -> bool:
    """Minors always split, and nothing earned is nothing to decide (IV.2-j, IV.3-k, VII.10-h)."""
    company = draft.game.actor
    minor = cards_of(data)[company].kind in MINORS
    if train_turn(draft.game).revenue > 0 and not minor:
        return False
    divide(draft, data, company, "half" if minor else "withhold")
    return True


def _wants_answer(game: Game, context: Context, step: Step) -> bool:
    if step is LAY_STEP:
        return True
    if step is TOKEN_STEP:
        return may_place_token(game, context)
    if step is RUN_STEP:
        return bool(trains_of(game).owned.get(game.actor)) and view_of(context.data, game).route_exists(
            game.actor
        )
    if step is DIVIDEND_STEP:
        return True
    return has_something_to_decide(game, context, game.actor)


def end_round(draft: Draft, context: Context) -> None:
    """States form; after the last round of a set a train is exported, and states form again (VII.15, IV.4.4-c). Regionals
    that a forced coal exchange made ready open (IV.2-p).

    After the last set of the game nothing is exported."""
    data, current = context.data, draft.game.current_round
    last = is_last_of_game(draft.game)
    if not last or plays(draft.game, "states_at_game_end", "form"):
        form_states(draft, data)
    if current.number >= current.count and not last:
        export_train(draft, data)
        form_states(draft, data)
    if plays(draft.game, "forced_coal_exchange_opening", "end_of_round"):
        for symbol in of_kind(data, REGIONAL):
            open_regional(draft, data, symbol)
    draft.emit(RoundEnded("operating"))


def is_last_of_game(game: Game) -> bool:
    """Whether the game ends with this round: broken in a set, that set is the last; broken in a stock round, the set
    after it (IX.1-a, IX.1-c)."""
    current = game.current_round
    return bool(game.ending) and current.number >= current.count and current.turn >= game.ending_round[0]
