"""Interest, repayment of bonds, and dividends, company by company (dividends-a to -t, bonds-c, bonds-d, faq-d to -f)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from services.rules.kernel.choice import Choice
from services.rules.kernel.draft import Draft
from services.rules.kernel.events import ActionTaken, DebtChanged, RoundEnded, RoundStarted
from services.rules.kernel.flow import RoundRules
from services.rules.kernel.game import Game
from services.rules.kernel.payments import check_cash
from services.rules.kernel.rejections import reject_if
from services.rules.kernel.title import Action, Context, Step
from services.rules.kernel.titledata import TitleData
from services.rules.kernel.turnstep import TurnStep, optional_step
from services.rules.kernel.vocabulary import BANK, POOL
from services.rules.parts.market.data import chart_of
from services.rules.parts.market.market import price_of, shift
from services.rules.parts.shares.companyturns import CompanyTurns
from services.rules.parts.shares.shares import holders
from services.rules.titles.rotw.commands import PayDividend, RepayBonds
from services.rules.titles.rotw.control import acting_order, check_company, controller, is_controlled
from services.rules.titles.rotw.figures import figures_of
from services.rules.titles.rotw.financing import (
    Issue,
    Need,
    bonds_left,
    bonds_of,
    carry_out,
    least_issue,
    may_take_bonds,
)
from services.rules.titles.rotw.rulings import plays
from services.rules.titles.rotw.state import DELIVER, PASSED, own

DIVIDENDS: Final = "rotw.dividends"
REPAY: Final = "repay_bonds"
DIVIDEND: Final = "dividend"
# What a company's turn notes.
SETTLED = "settled"


def _pay_interest(draft: Draft, context: Context) -> None:
    """The company pays for each of its bonds, with further bonds if it must; if it cannot, it gives all it has, and counts as
    one that pays no dividend (dividends-b, -d, -e)."""
    game, data, company = draft.game, context.data, draft.game.actor
    interest = bonds_of(game, data, company) * figures_of(data).bond_interest
    issue = _issue_for_interest(game, data, Need(company, interest, game.money(company)))
    if issue is None:
        draft.pay(company, BANK, game.money(company), "rotw.interest", company)
        shift(draft, data, company, chart_of(data).moves.no_dividend, "rotw.unpaid_interest")
        draft.emit(ActionTaken(SETTLED))
        return
    carry_out(draft, company, issue)
    draft.pay(company, BANK, interest, "rotw.interest", company)


def _issue_for_interest(game: Game, data: TitleData, need: Need) -> Issue | None:
    """What the company issues for its interest: bonds, if all shares are gone that have to be, or by a ruling also shares;
    nothing when it cannot pay."""
    if plays(game, "shares_for_interest", "issued"):
        return least_issue(game, data, need)
    bonds = max(0, -(-(need.cost - need.cash) // figures_of(data).bond))
    possible = may_take_bonds(game, need.company, 0) and bonds <= bonds_left(game, data, need.company)
    return Issue(0, bonds) if possible or not bonds else None


def _check_repayment(game: Game, context: Context, player: str, command: RepayBonds) -> None:
    check_company(game, command.company)
    bond = figures_of(context.data).bond
    reject_if(
        command.amount <= 0 or command.amount % bond != 0, "rotw.amount_uneven", "rotw/bonds-d", str(bond)
    )
    too_many = command.amount > game.debts.get(command.company, 0)
    reject_if(too_many, "rotw.not_so_many_bonds", "rotw/dividends-c", command.company)
    check_cash(game, command.company, command.amount, "rotw/dividends-c")


def _repay(draft: Draft, context: Context, player: str, command: RepayBonds) -> None:
    draft.emit(DebtChanged(command.company, -command.amount, "repaid"))
    draft.pay(command.company, BANK, command.amount, "rotw.bond", command.company)


def _repayments(game: Game, context: Context, player: str) -> Iterator[Choice]:
    bond, company = figures_of(context.data).bond, game.actor
    most = min(game.debts.get(company, 0), game.money(company) // bond * bond)
    if most:
        yield Choice(player, RepayBonds(company, bond), "amount", bond, most, bond)


def may_pay(game: Game, data: TitleData, company: str) -> bool:
    """Whether the company's rounds in this turn allow it a dividend (faq-d, faq-f)."""
    actions = own(game).actions.get(company, ())
    if "passes_forbid" in game.options:
        return actions.count(PASSED) < figures_of(data).passes_without_dividend
    return DELIVER in actions or plays(game, "delivery_for_dividends", "not_needed")


def most_to_pay(game: Game, data: TitleData, company: str) -> int:
    """The highest dividend: three times the value, in whole banknotes out of the treasury (dividends-f, -g)."""
    if not may_pay(game, data, company):
        return 0
    figures = figures_of(data)
    highest = figures.dividend_times_value_most * price_of(game, data, company)
    return min(highest, game.money(company) // figures.banknote * figures.banknote)


def _check_dividend(game: Game, context: Context, player: str, command: PayDividend) -> None:
    data, company, amount = context.data, command.company, command.amount
    check_company(game, company)
    figures = figures_of(data)
    reject_if(amount < 0, "value_out_of_range", detail=str(amount))
    reject_if(amount % figures.banknote != 0, "rotw.amount_uneven", "rotw/dividends-f", str(figures.banknote))
    forbidden = amount > 0 and not may_pay(game, data, company)
    clause = "rotw/faq-f" if "passes_forbid" in game.options else "rotw/faq-d"
    reject_if(forbidden, "rotw.dividend_not_earned", clause, company)
    highest = figures.dividend_times_value_most * price_of(game, data, company)
    reject_if(amount > highest, "rotw.dividend_too_high", "rotw/dividends-g", str(highest))
    check_cash(game, company, amount, "rotw/dividends-f")


def _dividend(draft: Draft, context: Context, player: str, command: PayDividend) -> None:
    _settle(draft, context.data, command.company, command.amount)


def _settle(draft: Draft, data: TitleData, company: str, amount: int) -> None:
    """Share the dividend out; what cannot be shared out evenly is the bank's; then the value moves (dividends-h to -o)."""
    draft.emit(ActionTaken(SETTLED))
    game = draft.game
    shares = holders(game, data, company)
    issued = len(game.held(POOL, company))
    per_share = _per_share(game, data, company, amount)
    for player, count in shares.items():
        draft.pay(company, player, per_share * count, "dividend", company)
    rest = amount - per_share * sum(shares.values())
    draft.pay(company, BANK, per_share * issued, "dividend", company)
    draft.pay(company, BANK, rest - per_share * issued, "rotw.remainder", company)
    _move_value(draft, data, company, amount)


def _per_share(game: Game, data: TitleData, company: str, amount: int) -> int:
    """What each share of players and of the issued board gets (dividends-m)."""
    unit, shares = figures_of(data).dividend_unit, sum(holders(game, data, company).values())
    return amount // (shares + len(game.held(POOL, company))) // unit * unit


def _move_value(draft: Draft, data: TitleData, company: str, amount: int) -> None:
    """The dividend chart (dividends-t)."""
    value, moves = price_of(draft.game, data, company), chart_of(data).moves
    if amount == 0:
        shift(draft, data, company, moves.no_dividend, "withheld")
    elif amount + amount <= value:
        shift(draft, data, company, figures_of(data).small_dividend, "rotw.small_dividend")
    elif amount >= value:
        shift(draft, data, company, moves.dividend, "dividend", amount // value)


def full_dividend(game: Game, data: TitleData, choice: Choice) -> int:
    """The highest dividend of a choice, without what would be the bank's alone: the least amount that brings every share as
    much, and in the dividend chart as much for the value."""
    company, value = game.actor, price_of(game, data, game.actor)

    def brings(amount: int) -> tuple[int, bool, bool, int]:
        each = _per_share(game, data, company, amount)
        return each, amount > 0, amount + amount > value, amount // value

    amount, most = choice.maximum, brings(choice.maximum)
    while amount and brings(amount - choice.step) == most:
        amount -= choice.step
    return amount


def _settle_without_choice(draft: Draft, context: Context) -> None:
    """A company that cannot pay anything pays no dividend; nobody is asked."""
    company = draft.game.actor
    if SETTLED not in draft.game.turn.actions and not most_to_pay(draft.game, context.data, company):
        _settle(draft, context.data, company, 0)


def _dividends(game: Game, context: Context, player: str) -> Iterator[Choice]:
    company, step = game.actor, figures_of(context.data).banknote
    most = most_to_pay(game, context.data, company)
    yield Choice(player, PayDividend(company, 0), "amount", 0, most, step)


def _is_unsettled(game: Game, context: Context) -> bool:
    return SETTLED not in game.turn.actions


_REPAYMENT = Action(_check_repayment, _repay, _repayments)


_TURNS = CompanyTurns(
    (
        optional_step(REPAY, {RepayBonds: _REPAYMENT}, controller, begin=_pay_interest),
        TurnStep(
            Step(DIVIDEND, {PayDividend: Action(_check_dividend, _dividend, _dividends)}, controller),
            _is_unsettled,
            begin=_settle_without_choice,
        ),
    ),
    is_controlled,
)


def start_round(draft: Draft, context: Context, turn: int) -> None:
    """Begin the dividends; the order is that of the values now, however they move meanwhile (dividends-a)."""
    draft.emit(RoundStarted(DIVIDENDS, turn, 1, 1, acting_order(draft.game, context.data)))
    _TURNS.start_next(draft, context)


def _end_round(draft: Draft, context: Context) -> None:
    """Every player gets money from the bank (dividends-r)."""
    for player in draft.game.players:
        draft.pay(BANK, player, figures_of(context.data).player_income, "rotw.player_income")
    draft.emit(RoundEnded(DIVIDENDS))


ROUND: Final[RoundRules] = _TURNS.round_rules(_end_round)
