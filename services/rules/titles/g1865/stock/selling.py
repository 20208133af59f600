"""Selling shares in 1865: in a stock round, or to pay for a train that a company must have (4.4, 5.5-h)."""

from __future__ import annotations

from collections.abc import Iterator

from services.rules.kernel.choice import Choice
from services.rules.kernel.draft import Draft
from services.rules.kernel.game import Game
from services.rules.kernel.rejections import reject_if
from services.rules.kernel.title import Context
from services.rules.kernel.titledata import TitleData
from services.rules.kernel.vocabulary import POOL
from services.rules.parts.market.data import chart_of
from services.rules.parts.market.market import price_at, price_of, shift, target
from services.rules.parts.market.state import market_of
from services.rules.parts.shares.commands import SellCertificates
from services.rules.parts.shares.events import DirectorChanged
from services.rules.parts.shares.selling import check_numbers, hand_in, has_all, sale_choices, sale_in_turn
from services.rules.parts.shares.shares import (
    DIRECTOR,
    plain_held,
    seats_after,
    settle_director,
    shares_held,
    shares_of,
    swap_director,
)
from services.rules.parts.shares.state import companies_of
from services.rules.titles.g1865.companies import is_launched, president_of
from services.rules.titles.g1865.figures import railway_cards
from services.rules.titles.g1865.rulings import plays
from services.rules.titles.g1865.stock.dragons import room_in_pool


def check_sale(game: Game, context: Context, player: str, command: SellCertificates) -> None:
    """What every sale needs: a company that has operated, shares to sell, room in the pool, and a president (4.4)."""
    data, company, shares = context.data, command.company, command.shares
    reject_if(company not in railway_cards(data), "unknown_company", detail=company)
    check_numbers(data, command)
    reject_if(not is_launched(game, company), "company_without_price", "1865/4.4-i", company)
    owned = shares_held(game, data, player, company)
    reject_if(shares > owned, "shares_not_owned", "1865/4.4-b", company)
    if command.numbers:
        named = has_all(game, player, company, command.numbers) and DIRECTOR not in command.numbers
        fits = named and shares_of(data, company, command.numbers) == shares
        reject_if(not fits, "shares_not_owned", "1865/4.4-b", company)
    operated = companies_of(game)[company].operated
    reject_if(not operated, "1865.company_not_operated", "1865/4.4-i", company)
    full = shares > room_in_pool(game, data, company)
    reject_if(full, "1865.pool_limit", "1865/4.4-h", company)
    gives_up = needs_presidents(game, player, company, shares)
    alone = gives_up and not _successor(game, data, player, company)
    reject_if(alone, "1865.president_not_replaced", "1865/4.4-e", company)


def needs_presidents(game: Game, player: str, company: str, shares: int) -> bool:
    """Whether so many shares cannot be sold without the president's certificate."""
    return shares > len(plain_held(game, company, player))


def _successor(game: Game, data: TitleData, player: str, company: str) -> str:
    """Who becomes president when the player sells the president's certificate: the one with most shares of those who have
    enough for it, the next to the seller's left among equals (4.4-e, 4.4-f); empty where nobody does."""
    held = {each: shares_held(game, data, each, company) for each in seats_after(game, player)}
    most = max(held.values())
    is_enough = most >= shares_of(data, company, (DIRECTOR,))
    return next(each for each in held if held[each] == most) if is_enough else ""


def sell(draft: Draft, context: Context, player: str, command: SellCertificates) -> None:
    """The bank pays and the shares are in the pool; a president's sale lowers the value by a space for each (4.4-b to 4.4-g)."""
    data, company, shares = context.data, command.company, command.shares
    by_president = president_of(draft.game, company) == player
    proceeds = proceeds_of(draft.game, data, company, shares, by_president)
    if needs_presidents(draft.game, player, company, shares):
        successor = _successor(draft.game, data, player, company)
        draft.emit(DirectorChanged(company, successor))
        swap_director(draft, data, company, player, successor)
    numbers = command.numbers or plain_held(draft.game, company, player)[:shares]
    hand_in(draft, player, company, numbers, proceeds, POOL)
    if by_president:
        shift(draft, data, company, chart_of(data).moves.sale, "sale", shares)
    settle_director(draft, data, company)


def proceeds_of(game: Game, data: TitleData, company: str, shares: int, by_president: bool) -> int:
    """What so many shares bring in one sale: the value before it for each, or by ruling the value that each meets (4.4-b)."""
    if not by_president or plays(game, "sale_of_several_shares", "at_one_price"):
        return shares * price_of(game, data, company)
    cell, move = market_of(game).markers[company], chart_of(data).moves.sale
    return sum(price_at(data, target(data, cell, move, sold)) for sold in range(shares))


def sale_candidates(game: Game, context: Context, player: str) -> Iterator[Choice]:
    """Every number of shares that the player has of every company."""
    yield from sale_choices(game, context.data, player, railway_cards(context.data))


SELL = sale_in_turn(check_sale, sell, sale_candidates, "1865/4.4-a")
