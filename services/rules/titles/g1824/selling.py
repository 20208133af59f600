"""Selling shares to the bank, in a stock round (1824/VI.8) or to pay for a forced train purchase (VII.12)."""

from __future__ import annotations

from collections.abc import Iterator

from services.rules.kernel.choice import Choice
from services.rules.kernel.draft import Draft
from services.rules.kernel.game import Game
from services.rules.kernel.rejections import reject_if
from services.rules.kernel.title import Context, printed_limit
from services.rules.kernel.titledata import TitleData
from services.rules.kernel.vocabulary import BANK, POOL
from services.rules.parts.market.data import chart_of
from services.rules.parts.market.market import price_of, shift
from services.rules.parts.market.state import market_of
from services.rules.parts.shares.commands import SellCertificates
from services.rules.parts.shares.events import DirectorChanged
from services.rules.parts.shares.limits import certificate_count
from services.rules.parts.shares.selling import check_numbers, hand_in, has_all, sale_choices, sale_in_turn
from services.rules.parts.shares.shares import (
    DIRECTOR,
    holders,
    is_at_least,
    is_more_than,
    move_certificates,
    plain_held,
    seats_after,
    shares_held,
    shares_of,
    swap_director,
)
from services.rules.parts.shares.state import companies_of, stock_turn
from services.rules.titles.g1824.companies import (
    MAJORS,
    NEVER_SOLD,
    of_kind,
    plain_for_sale,
    require_company,
    shares_traded,
)
from services.rules.titles.g1824.figures import cards_of, figures_of
from services.rules.titles.g1824.holderlist import Trade, goes_by_list, most_of_others
from services.rules.titles.g1824.rulings import plays
from services.rules.titles.g1824.state import bond_of


def certificates_sold(game: Game, data: TitleData, player: str, command: SellCertificates) -> tuple[int, ...]:
    """The certificates handed in: those named, else plain ones first and the director's only when it is needed."""
    if command.numbers:
        return command.numbers
    chosen: list[int] = []
    for number in sorted(
        game.held(player, command.company), key=lambda number: (number == DIRECTOR, -number)
    ):
        if shares_of(data, command.company, tuple(chosen)) >= command.shares:
            break
        chosen.append(number)
    return tuple(chosen)


def check_sale(game: Game, context: Context, player: str, command: SellCertificates) -> None:
    """What every sale needs: a company that operates, a seller who may, room in the bank."""
    _require_major(game, context.data, command.company)
    state = companies_of(game)[command.company]
    operational = state.operated if plays(game, "sale_needs", "operated") else state.opened
    reject_if(not operational, "1824.company_not_operated", "1824/VI.8-a", command.company)
    check_owner_may_sell(game, context, player, command)
    reject_if(
        _is_over_bank_limit(game, context.data, command), "1824.bank_limit", "1824/VI.8-b", command.company
    )


def _is_over_bank_limit(game: Game, data: TitleData, command: SellCertificates) -> bool:
    """Whether the bank would have too much of the company after the sale, or by ruling has as much as it may before it."""
    limit, symbol = figures_of(data).bank_percent_for_sales, command.company
    in_bank = sum(shares_held(game, data, holder, symbol) for holder in (BANK, POOL))
    if plays(game, "bank_limit_for_sales", "after_sale"):
        return is_more_than(game, symbol, in_bank + command.shares, limit)
    return is_at_least(game, symbol, in_bank, limit)


def _require_major(game: Game, data: TitleData, symbol: str) -> None:
    kind = cards_of(data)[symbol].kind if symbol in cards_of(data) else ""
    require_company(game, data, symbol, *MAJORS, clause=NEVER_SOLD.get(kind, ""))


def check_owner_may_sell(game: Game, context: Context, player: str, command: SellCertificates) -> None:
    """What a sale needs on the seller's side: shares owned, and somebody to become director if he gives that up; where the
    list of holders decides, if he gives the director's certificate up."""
    data, symbol, shares = context.data, command.company, command.shares
    _require_major(game, data, symbol)
    check_numbers(data, command)
    reject_if(symbol not in market_of(game).markers, "company_without_price", "1824/VI.1-b", symbol)
    numbers = certificates_sold(game, data, player, command)
    _check_owned(game, data, player, symbol, numbers, shares)
    size = shares_of(data, symbol, (DIRECTOR,))
    if goes_by_list(game):
        given_up = DIRECTOR in numbers and symbol != bond_of(game)
        nobody = given_up and most_of_others(game, data, symbol, player) < size
        reject_if(nobody, "1824.director_not_replaced", "1824/VI.6-e", symbol)
    elif companies_of(game)[symbol].director == player:
        left = shares_held(game, data, player, symbol) - shares
        replaced = most_of_others(game, data, symbol, player) >= size
        reject_if(left < size and not replaced, "1824.director_not_replaced", "1824/VI.6-e", symbol)


def _check_owned(
    game: Game, data: TitleData, player: str, symbol: str, numbers: tuple[int, ...], shares: int
) -> None:
    reject_if(not has_all(game, player, symbol, numbers), "shares_not_owned", "1824/VI.1-a", symbol)
    total = shares_of(data, symbol, numbers)
    if symbol == bond_of(game):
        reject_if(total != shares, "shares_not_owned", "1824/X.4-j", symbol)
        return
    part_of_director = DIRECTOR in numbers and total - shares == 1
    reject_if(total != shares and not part_of_director, "shares_not_owned", "1824/VI.8-c", symbol)
    plain = shares_of(data, symbol, plain_held(game, symbol, player))
    detail = f"{symbol}: plain certificates go first"
    reject_if(DIRECTOR in numbers and shares <= plain, "1824.director_not_replaced", "1824/VI.8-c", detail)


def sell(draft: Draft, context: Context, player: str, command: SellCertificates) -> None:
    """Hand the shares to the bank at the present price; the marker falls one cell, whatever the number (VIII.3-a)."""
    data, symbol, shares = context.data, command.company, command.shares
    numbers = certificates_sold(draft.game, data, player, command)
    proceeds, taker = price_of(draft.game, data, symbol) * shares, figures_of(data).sales_to
    excess = shares_of(data, symbol, numbers) - shares
    hand_in(draft, player, symbol, numbers, proceeds, taker)
    gives_up = DIRECTOR in numbers and companies_of(draft.game)[symbol].director == player
    if gives_up and not goes_by_list(draft.game):
        _replace_director(draft, data, player, symbol, excess)
    else:
        shares_traded(draft, data, Trade(symbol, numbers, player, taker, excess))
    repeated = symbol in stock_turn(draft.game).sold
    if not repeated or plays(draft.game, "repeated_sales_in_one_turn", "each_moves"):
        shift(draft, data, symbol, chart_of(data).moves.sale, "sale")


def _replace_director(draft: Draft, data: TitleData, player: str, symbol: str, excess: int) -> None:
    """The director's certificate went with the sale: the next director takes it for plain ones (VI.6-c, VI.8-c)."""
    shares = holders(draft.game, data, symbol)
    most = max(share for holder, share in shares.items() if holder != player)
    director = next(holder for holder in seats_after(draft.game, player) if shares.get(holder) == most)
    draft.emit(DirectorChanged(symbol, director))
    taker = figures_of(data).sales_to
    swap_director(draft, data, symbol, taker, director)
    if excess:
        back = plain_for_sale(draft.game, symbol, taker)[:1]
        move_certificates(draft, symbol, back, taker, player, "director_swap")


def sale_candidates(game: Game, context: Context, player: str) -> Iterator[Choice]:
    """Every company and every number of shares the player has."""
    yield from sale_choices(game, context.data, player, of_kind(context.data, *MAJORS))
    bond = bond_of(game)
    if bond and DIRECTOR in game.held(player, bond):
        yield Choice(player, SellCertificates(bond, shares_of(context.data, bond, (DIRECTOR,)), (DIRECTOR,)))


def must_sell(game: Game, context: Context, player: str) -> bool:
    """Over the certificate limit, and able to do something about it (VI.7-c)."""
    over = certificate_count(game, context.data, player) > printed_limit(game, context.data)
    return over and not stock_turn(game).bought


SELL = sale_in_turn(check_sale, sell, sale_candidates, "1824/VI.1-c")
