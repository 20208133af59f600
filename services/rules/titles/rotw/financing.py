"""Shares that a company issues, and bonds that it takes, when it lacks money for track or for a merger."""

from __future__ import annotations

from typing import NamedTuple

from services.rules.kernel.draft import Draft
from services.rules.kernel.events import DebtChanged
from services.rules.kernel.game import Game
from services.rules.kernel.rejections import reject_if
from services.rules.kernel.titledata import TitleData
from services.rules.kernel.vocabulary import BANK, POOL
from services.rules.parts.market.market import price_of
from services.rules.parts.shares.shares import move_certificates
from services.rules.titles.rotw.figures import figures_of
from services.rules.titles.rotw.rulings import plays
from services.rules.titles.rotw.state import links_of

# Shares that can be auctioned are with the bank, those a company issued with the pool; its reserve is with itself.
AVAILABLE, ISSUED = BANK, POOL


class Need(NamedTuple):
    """What `company` has to pay: `cost`, with `cash` at hand. `takes_bonds`: whether bonds are taken for it."""

    company: str
    cost: int
    cash: int
    takes_bonds: bool = True


class Issue(NamedTuple):
    """What a company issues for a need."""

    shares: int
    bonds: int


def bonds_of(game: Game, data: TitleData, company: str) -> int:
    """How many bonds a company has taken and not repaid."""
    return game.debts.get(company, 0) // figures_of(data).bond


def reserve_of(game: Game, company: str) -> int:
    """How many shares a company can still issue (issue-f)."""
    return len(game.held(company, company))


def bonds_left(game: Game, data: TitleData, company: str) -> int:
    """How many more bonds a company may have: as many as links altogether (bonds-e)."""
    return len(links_of(game, company)) - bonds_of(game, data, company)


def may_take_bonds(game: Game, company: str, issued: int) -> bool:
    """Whether all shares that have to be gone before bonds are, once so many more are issued (bonds-a)."""
    if reserve_of(game, company) > issued:
        return False
    return plays(game, "shares_before_bonds", "reserve") or not game.held(AVAILABLE, company)


def check_issue(game: Game, data: TitleData, need: Need, issue: Issue) -> None:
    """Reject an issue that is not allowed, not needed, or not enough for the need."""
    company, value, bond = need.company, price_of(game, data, need.company), figures_of(data).bond
    reject_if(min(issue) < 0, "value_out_of_range", detail=str(min(issue)))
    reject_if(issue.shares > reserve_of(game, company), "rotw.no_reserve_left", "rotw/issue-f", company)
    one_less = need.cash + (issue.shares - 1) * value
    reject_if(issue.shares > 0 and one_less >= need.cost, "rotw.issue_not_needed", "rotw/issue-b", company)
    cash = need.cash + issue.shares * value
    if issue.bonds:
        reject_if(not need.takes_bonds, "rotw.bonds_not_allowed", "rotw/bonds-h", company)
        too_soon = not may_take_bonds(game, company, issue.shares)
        reject_if(too_soon, "rotw.shares_before_bonds", "rotw/bonds-a", company)
        enough = cash + (issue.bonds - 1) * bond >= need.cost
        reject_if(enough, "rotw.issue_not_needed", "rotw/bonds-h", company)
        beyond = issue.bonds > bonds_left(game, data, company)
        reject_if(beyond, "rotw.bond_limit", "rotw/bonds-e", company)
    short = cash + issue.bonds * bond < need.cost
    reject_if(short, "not_enough_cash", "rotw/money-b", str(need.cost))


def least_issue(game: Game, data: TitleData, need: Need) -> Issue | None:
    """The one issue that meets a need; nothing when none does."""
    value = price_of(game, data, need.company)
    lacking = need.cost - need.cash
    shares = min(max(0, -(-lacking // value)), reserve_of(game, need.company))
    lacking -= shares * value
    bonds = max(0, -(-lacking // figures_of(data).bond))
    if bonds == 0:
        return Issue(shares, 0)
    possible = need.takes_bonds and may_take_bonds(game, need.company, shares)
    return Issue(shares, bonds) if possible and bonds <= bonds_left(game, data, need.company) else None


def most_to_spend(game: Game, data: TitleData, company: str) -> int:
    """What a company could pay at most for track."""
    reserve = reserve_of(game, company)
    raised = game.money(company) + reserve * price_of(game, data, company)
    if may_take_bonds(game, company, reserve):
        raised += bonds_left(game, data, company) * figures_of(data).bond
    return raised


def carry_out(draft: Draft, company: str, issue: Issue) -> None:
    """Issue the shares at the present value, then take the bonds (issue-a, bonds-b)."""
    value = price_of(draft.game, draft.data, company)
    numbers = draft.game.held(company, company)[: issue.shares]
    move_certificates(draft, company, numbers, company, ISSUED, "issued")
    draft.pay(BANK, company, issue.shares * value, "rotw.share_issued", company)
    take_bonds(draft, company, issue.bonds)


def take_bonds(draft: Draft, company: str, bonds: int) -> None:
    """The bank pays for so many bonds (bonds-b)."""
    amount = bonds * figures_of(draft.data).bond
    if amount:
        draft.emit(DebtChanged(company, amount, "rotw.bond"))
        draft.pay(BANK, company, amount, "rotw.bond", company)
