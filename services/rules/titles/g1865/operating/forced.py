"""A train that a company must have and cannot pay in 1865: the president adds, sells shares, and borrows (5.5-f to 5.5-j)."""

from __future__ import annotations

from services.rules.kernel.draft import Draft
from services.rules.kernel.events import DebtChanged
from services.rules.kernel.game import Game
from services.rules.kernel.rejections import reject_if
from services.rules.kernel.title import Action, Context
from services.rules.kernel.titledata import TitleData
from services.rules.kernel.vocabulary import BANK, POOL
from services.rules.parts.market.market import price_of
from services.rules.parts.shares.commands import SellCertificates
from services.rules.parts.shares.shares import holders, shares_held
from services.rules.parts.trains.commands import BuyTrain
from services.rules.parts.trains.depot import on_sale
from services.rules.parts.trains.state import owned_by
from services.rules.titles.g1865.companies import president_of
from services.rules.titles.g1865.figures import figures_of, kind_of
from services.rules.titles.g1865.operating.order import follow_prices
from services.rules.titles.g1865.rulings import plays
from services.rules.titles.g1865.state import traffic_of
from services.rules.titles.g1865.stock.selling import check_sale, sale_candidates, sell


def bank_prices(game: Game, data: TitleData) -> dict[tuple[str, str], int]:
    """By train and seller, what the bank takes for its trains: those in the pool cost what is printed, the last new one of its
    kind less (5.5-a, 5.5-c)."""
    prices = {(train, BANK): new_price(data, train) for train in on_sale(game, data)}
    return prices | {(train, POOL): kind_of(data, train).price for train in owned_by(game, POOL)}


def new_price(data: TitleData, train: str) -> int:
    """The price of a new train."""
    kind = kind_of(data, train)
    is_last = train == f"{kind.name}-{kind.count - 1}"
    return kind.last_price if is_last else kind.price


def must_buy(game: Game, data: TitleData, company: str) -> bool:
    """Whether the company may not end its turn before it has a train (5.5-f, 3-m)."""
    has_duty = plays(game, "train_duty", "always") or traffic_of(game, company) > 0
    return has_duty and not owned_by(game, company)


def is_forced(game: Game, data: TitleData, company: str) -> bool:
    """Whether it must buy a train and cannot pay the cheapest one of the bank (5.5-g)."""
    return must_buy(game, data, company) and game.money(company) < min(bank_prices(game, data).values())


def check_missing(game: Game, context: Context, command: BuyTrain) -> None:
    """What the company lacks comes from its president, for a train of the bank and in a forced purchase only; he borrows when
    he has nothing more to sell and cannot pay the cheapest one either (5.5-g, 5.5-h, 5.5-j)."""
    company, missing = command.company, command.price - game.money(command.company)
    if missing <= 0:
        return
    reject_if(not is_forced(game, context.data, company), "not_enough_cash", "1865/5.5-g", str(missing))
    reject_if(command.seller not in (BANK, POOL), "1865.bank_only", "1865/5.5-g", command.seller)
    president = president_of(game, company)
    if missing <= game.money(president):
        return
    may_sell = EMERGENCY_SALE.is_open(game, context, president)
    reject_if(may_sell, "1865.sell_first", "1865/5.5-h", str(missing))
    least = min(bank_prices(game, context.data).values()) - game.money(company)
    reject_if(least <= game.money(president), "not_enough_cash", "1865/5.5-j", str(missing))


def add_missing(draft: Draft, data: TitleData, command: BuyTrain) -> None:
    """The president pays what the company lacks, with as many loans of 500 as it takes (5.5-g, 5.5-j)."""
    company, loan = command.company, figures_of(data).loan
    missing, president = max(0, command.price - draft.game.money(company)), president_of(draft.game, company)
    while draft.game.money(president) < missing:
        draft.pay(BANK, president, loan, "1865.loan_taken", company)
        draft.emit(DebtChanged(president, loan, "1865.loan"))
    draft.pay(president, company, missing, "1865.president_added", company)


def _check_sale(game: Game, context: Context, player: str, command: SellCertificates) -> None:
    """Only for a forced purchase, no more than the dearest train needs, and without a new president of the company (5.5-h,
    5.5-i)."""
    data, company = context.data, game.actor
    reject_if(not is_forced(game, data, company), "sales_forbidden", "1865/5.5-h", command.company)
    check_sale(game, context, player, command)
    if command.company == company:
        left = shares_held(game, data, player, company) - command.shares
        others = (held for holder, held in holders(game, data, company).items() if holder != player)
        reject_if(left < max(others, default=0), "director_would_change", "1865/5.5-i", company)
    missing = max(bank_prices(game, data).values()) - game.money(company) - game.money(player)
    before_last = price_of(game, data, command.company) * (command.shares - 1)
    reject_if(before_last >= missing, "sales_forbidden", "1865/5.5-h", command.company)


def _sell(draft: Draft, context: Context, player: str, command: SellCertificates) -> None:
    sell(draft, context, player, command)
    follow_prices(draft, context.data)


EMERGENCY_SALE = Action(_check_sale, _sell, sale_candidates)
