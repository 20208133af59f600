"""A company's turn in an operating round of 1824, step by step, and the rounds around it (VII.1, VII.4, VII.5)."""

from __future__ import annotations

from services.rules.kernel.draft import Draft
from services.rules.kernel.events import RoundEnded, RoundStarted
from services.rules.kernel.game import Game
from services.rules.kernel.title import Context
from services.rules.kernel.titledata import TitleData
from services.rules.kernel.turnstep import TurnStep
from services.rules.kernel.vocabulary import BANK
from services.rules.parts.market.market import operating_order
from services.rules.parts.shares.companyturns import CompanyTurns
from services.rules.parts.shares.state import companies_of
from services.rules.parts.trains.data import phases_of
from services.rules.parts.trains.state import phase_of
from services.rules.titles.g1824.bond import PAY_BOND
from services.rules.titles.g1824.building import LAY, PLACE
from services.rules.titles.g1824.companies import (
    COAL,
    MAJORS,
    MOUNTAIN,
    PRE_STATE,
    REGIONAL,
    has_director,
    in_play,
    is_owned,
    of_kind,
    open_regional,
)
from services.rules.titles.g1824.construction import leaves_out
from services.rules.titles.g1824.exchanges import raise_discards
from services.rules.titles.g1824.figures import cards_of
from services.rules.titles.g1824.homes import place_home_token
from services.rules.titles.g1824.rulings import plays
from services.rules.titles.g1824.runs import DIVIDE, RUN
from services.rules.titles.g1824.state import bond_of
from services.rules.titles.g1824.states import form_states
from services.rules.titles.g1824.trains import BUY, export_train

STEPS: tuple[TurnStep, ...] = (LAY, PLACE, RUN, DIVIDE, BUY, PAY_BOND)


def start_round(draft: Draft, context: Context, turn: int, number: int, count: int) -> None:
    """Coal companies, pre-states, then open majors by price; first the mountain companies pay (VII.4)."""
    game, data = draft.game, context.data
    minors = [symbol for symbol in of_kind(data, COAL, PRE_STATE) if is_owned(game, symbol)]
    majors = [symbol for symbol in of_kind(data, *MAJORS) if companies_of(game)[symbol].opened]
    order = (*minors, *operating_order(game, data, majors))
    draft.emit(RoundStarted("operating", turn, number, count, order))
    for symbol in of_kind(data, MOUNTAIN):
        if is_owned(game, symbol) and not _income_ended(game, data, symbol):
            owner = companies_of(draft.game)[symbol].director
            draft.pay(BANK, owner, cards_of(data)[symbol].income, "company_income", symbol)
    TURNS.start_next(draft, context)


def _income_ended(game: Game, data: TitleData, symbol: str) -> bool:
    """Mountain companies pay until the first 4-train (IV.1-d), even where their exchange comes later."""
    exchange = cards_of(data)[symbol].exchange
    order = list(phases_of(data))
    return exchange is not None and order.index(phase_of(game)) >= order.index(exchange.forced_by_train)


def _begin_turn(draft: Draft, context: Context) -> None:
    """The home token comes first; that of a state without director only by ruling."""
    company = draft.game.actor
    acts = has_director(draft.game) or company == bond_of(draft.game)
    if acts or plays(draft.game, "state_without_director", "operates"):
        place_home_token(draft, context.data, company)


TURNS = CompanyTurns(STEPS, in_play, _begin_turn, leaves_out=leaves_out)


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
    raise_discards(draft, data)


def is_last_of_game(game: Game) -> bool:
    """Whether the game ends with this round: broken in a set, that set is the last; broken in a stock round, the set
    after it (IX.1-a, IX.1-c)."""
    current = game.current_round
    return bool(game.ending) and current.number >= current.count and current.turn >= game.ending_round[0]
