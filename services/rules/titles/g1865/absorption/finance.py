"""What an absorption costs and how the absorber pays for it in 1865: cash, its own shares, loans (6.1-c, 6.2)."""

from __future__ import annotations

from services.rules.kernel.draft import Draft
from services.rules.kernel.events import DebtChanged
from services.rules.kernel.game import Game
from services.rules.kernel.titledata import TitleData
from services.rules.kernel.vocabulary import BANK, POOL
from services.rules.parts.market.data import chart_of
from services.rules.parts.market.market import price_at, price_of, shift, target
from services.rules.parts.market.state import market_of
from services.rules.parts.shares.shares import move_certificates, plain_held, shares_held
from services.rules.titles.g1865.companies import price_with_premium
from services.rules.titles.g1865.dragontable import table_of
from services.rules.titles.g1865.figures import figures_of
from services.rules.titles.g1865.rulings import plays
from services.rules.titles.g1865.stock.dragons import room_in_pool


def shareholders(game: Game, data: TitleData) -> tuple[str, ...]:
    """Those whose shares are paid out: players, the bank pool and the Dragons; not the offer (6.2-d)."""
    return (*game.players, POOL, table_of(data).holder)


def total_cost(game: Game, data: TitleData, target_company: str) -> int:
    """The value with its premium for every share that is paid out (6.2-e, 6.2-f)."""
    held = sum(shares_held(game, data, holder, target_company) for holder in shareholders(game, data))
    return held * price_with_premium(game, data, target_company)


def share_proceeds(game: Game, data: TitleData, company: str) -> tuple[int, ...]:
    """What each share brings that the company could sell from its offer to the pool, in order (6.2-b)."""
    count = min(len(plain_held(game, company, company)), room_in_pool(game, data, company))
    if plays(game, "shares_sold_to_absorb", "price_stays"):
        return (price_of(game, data, company),) * count
    cell, move = market_of(game).markers[company], chart_of(data).moves.sale
    return tuple(price_at(data, target(data, cell, move, sold)) for sold in range(count))


def loans_possible(game: Game, data: TitleData, company: str, target_company: str) -> int:
    """How many loans the company may still take; those of the target become its own (6.2-c). Below 0: it would have too many."""
    figures = figures_of(data)
    owed = game.debts.get(company, 0) + game.debts.get(target_company, 0)
    return figures.loans_most - owed // figures.loan


def means_of(game: Game, data: TitleData, company: str, target_company: str) -> int:
    """All that the absorber could pay with: both treasuries, shares, loans (6.1-c)."""
    loans = loans_possible(game, data, company, target_company) * figures_of(data).loan
    cash = game.money(company) + game.money(target_company)
    return cash + sum(share_proceeds(game, data, company)) + loans


def pay_shareholders(draft: Draft, data: TitleData, company: str, target_company: str) -> None:
    """The absorber gets the target's treasury and debts, raises what is missing, and pays for every share, which goes back to
    the target's offer (6.2)."""
    due = total_cost(draft.game, data, target_company)
    price = price_with_premium(draft.game, data, target_company)
    draft.pay(
        target_company, company, draft.game.money(target_company), "treasury_transferred", target_company
    )
    _take_over_debts(draft, company, target_company)
    _sell_shares(draft, data, company, due)
    _borrow(draft, data, company, due)
    for holder in shareholders(draft.game, data):
        amount = price * shares_held(draft.game, data, holder, target_company)
        payee = holder if holder in draft.game.players else BANK
        draft.pay(company, payee, amount, "1865.shareholder_paid", target_company)
        numbers = draft.game.held(holder, target_company)
        move_certificates(draft, target_company, numbers, holder, target_company, "returned")


def _take_over_debts(draft: Draft, company: str, target_company: str) -> None:
    owed = draft.game.debts.get(target_company, 0)
    if owed:
        draft.emit(DebtChanged(target_company, -owed, "1865.loan_taken_over"))
        draft.emit(DebtChanged(company, owed, "1865.loan_taken_over"))


def _sell_shares(draft: Draft, data: TitleData, company: str, due: int) -> None:
    """As few of its own shares as needed, from the offer to the pool."""
    for proceeds in share_proceeds(draft.game, data, company):
        if draft.game.money(company) >= due:
            return
        number = plain_held(draft.game, company, company)[0]
        move_certificates(draft, company, (number,), company, POOL, "sold")
        draft.pay(BANK, company, proceeds, "certificate_sold", company)
        if plays(draft.game, "shares_sold_to_absorb", "price_falls"):
            shift(draft, data, company, chart_of(data).moves.sale, "sale")


def _borrow(draft: Draft, data: TitleData, company: str, due: int) -> None:
    """As few loans as needed."""
    loan = figures_of(data).loan
    while draft.game.money(company) < due:
        draft.pay(BANK, company, loan, "1865.loan_taken", company)
        draft.emit(DebtChanged(company, loan, "1865.loan"))
