"""The three rounds in which companies build, deliver or pass, and the income after them (company-a to -e, income-a to -c)."""

from __future__ import annotations

from typing import Final

from services.rules.kernel.commands import Pass
from services.rules.kernel.draft import Draft
from services.rules.kernel.events import RoundEnded, RoundStarted, StepPassed
from services.rules.kernel.flow import RoundRules
from services.rules.kernel.game import Game
from services.rules.kernel.passing import pass_candidates
from services.rules.kernel.title import Action, Context, Step, never_refused
from services.rules.kernel.turnstep import TurnStep, optional_step
from services.rules.kernel.vocabulary import BANK
from services.rules.parts.shares.companyturns import CompanyTurns
from services.rules.titles.rotw.building import LINK, built_all, is_second
from services.rules.titles.rotw.commands import BuildLink, DeliverGood
from services.rules.titles.rotw.control import acting_order, controller, is_controlled
from services.rules.titles.rotw.delivering import DELIVERY
from services.rules.titles.rotw.events import ActionChosen, IncomeMarked
from services.rules.titles.rotw.figures import figures_of
from services.rules.titles.rotw.state import PASSED, own

COMPANIES: Final = "rotw.companies"
ACT: Final = "act"
SECOND_LINK: Final = "second_link"


def _pass(draft: Draft, context: Context, player: str, command: Pass) -> None:
    draft.emit(ActionChosen(draft.game.actor, PASSED))
    draft.emit(StepPassed(ACT))


def _has_not_acted(game: Game, context: Context) -> bool:
    return not game.turn.actions


def _may_build_again(game: Game, context: Context) -> bool:
    return is_second(game) and not built_all(game, context.data) and LINK.is_open(game, context, "")


_ACT = Step(
    ACT,
    {
        DeliverGood: DELIVERY,
        BuildLink: LINK,
        Pass: Action(never_refused, _pass, pass_candidates),
    },
    controller,
)
_TURNS = CompanyTurns(
    (
        TurnStep(_ACT, _has_not_acted),
        optional_step(SECOND_LINK, {BuildLink: LINK}, controller, _may_build_again),
    ),
    is_controlled,
)


def start_round(draft: Draft, context: Context, turn: int, number: int) -> None:
    """Begin a round of the companies; their order is that of their share values."""
    count = figures_of(context.data).rounds_in_turn
    draft.emit(RoundStarted(COMPANIES, turn, number, count, acting_order(draft.game, context.data)))
    _TURNS.start_next(draft, context)


def _end_round(draft: Draft, context: Context) -> None:
    """After the last round of the turn the companies get their income, once, and all markers go back to zero."""
    current = draft.game.current_round
    if current.number == current.count:
        _pay_income(draft, context)
    draft.emit(RoundEnded(COMPANIES))


def _pay_income(draft: Draft, context: Context) -> None:
    by_space = figures_of(context.data).income.by_space
    spaces = {company: space for company, space in own(draft.game).income.items() if space}
    for company, space in spaces.items():
        draft.pay(BANK, company, by_space[min(space, len(by_space) - 1)], "company_income", company)
    for company in spaces:
        draft.emit(IncomeMarked(company, 0))


ROUND: Final[RoundRules] = _TURNS.round_rules(_end_round)
