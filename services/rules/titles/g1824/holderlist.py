"""The list of holders that 18xx.games keeps beside the certificates, and who directs a company by it.

Purchases, sales and exchanges change the list, swaps of certificates do not. The biggest holder by the list directs the
company, with the director's certificate or without. Where office and certificate are apart a sale of the certificate may leave
the list with shares that nobody holds, and certificates may change hands for nothing. The state keeps only by how much the
list and the certificates differ."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from services.rules.kernel.draft import Draft
from services.rules.kernel.game import Game
from services.rules.kernel.titledata import TitleData
from services.rules.kernel.vocabulary import BANK
from services.rules.parts.shares.events import DirectorChanged
from services.rules.parts.shares.shares import (
    DIRECTOR,
    move_certificates,
    seats_after,
    shares_held,
    shares_of,
)
from services.rules.parts.shares.state import companies_of
from services.rules.titles.g1824.events import DirectorLost, ListedSharesChanged
from services.rules.titles.g1824.figures import cards_of, figures_of
from services.rules.titles.g1824.rulings import plays
from services.rules.titles.g1824.state import State


@dataclass(frozen=True, slots=True)
class Trade:
    """Certificates that went from `source` to `target`. `kept`: shares of them that the seller was not paid for."""

    company: str
    numbers: tuple[int, ...]
    source: str
    target: str
    kept: int = 0


def goes_by_list(game: Game) -> bool:
    """Whether the table finds directors by the list of holders."""
    return plays(game, "holders_counted", "by_list")


def listed_shares(game: Game, data: TitleData, company: str) -> dict[str, int]:
    """The shares that each player has by the list, in the order in which they first had any."""
    listed = State.of(game).listed
    return {
        holder: shares_held(game, data, holder, company) + listed.get((holder, company), 0)
        for holder, symbol in game.holdings
        if symbol == company and holder in game.players
    }


def last_director(game: Game, company: str) -> str:
    """The director of a company, or who it was when a company fell into receivership; empty where there was none."""
    return companies_of(game)[company].director or State.of(game).last_directors.get(company, "")


def most_of_others(game: Game, data: TitleData, company: str, player: str) -> int:
    """The most that another player has by the list."""
    listed = listed_shares(game, data, company)
    return max((shares for holder, shares in listed.items() if holder != player), default=0)


def first_director(game: Game, data: TitleData, company: str, owner: str) -> str:
    """Who directs a company when its director's certificate comes to `owner`: he himself unless others have more, among
    these the first on the list."""
    listed = listed_shares(game, data, company)
    most = max(listed.values())
    return owner if listed[owner] == most else next(each for each in listed if listed[each] == most)


def settle_by_list(draft: Draft, data: TitleData, trade: Trade, may_change: bool) -> None:
    """Find the director after a trade, swap certificates where that follows, and record how the list differs now."""
    listed = listed_shares(draft.game, data, trade.company)
    if trade.source in listed:
        listed[trade.source] += trade.kept
    if may_change:
        before = last_director(draft.game, trade.company)
        director = _new_director(draft.game, data, trade.company, listed, before)
        if director:
            _swap(draft, data, trade, before, director)
        _record_director(draft, data, trade.company, director or before, listed)
    for player, shares in listed.items():
        beyond = shares - shares_held(draft.game, data, player, trade.company)
        if beyond != State.of(draft.game).listed.get((player, trade.company), 0):
            draft.emit(ListedSharesChanged(trade.company, player, beyond))


def _new_director(game: Game, data: TitleData, company: str, listed: Mapping[str, int], before: str) -> str:
    """Who takes the office over: of those who lead the list, and hold what the director's certificate stands for, the
    next clockwise after the old director, without one the first on the list; nobody while he leads it himself."""
    leading = [player for player, shares in listed.items() if shares == max(listed.values())]
    if before in leading:
        return ""
    size = shares_of(data, company, (DIRECTOR,))
    able = [player for player in leading if shares_held(game, data, player, company) >= size]
    order = seats_after(game, before) if before else able
    return next((player for player in order if player in able), "")


def _swap(draft: Draft, data: TitleData, trade: Trade, before: str, director: str) -> None:
    """Hand the director's certificate over against the first two certificates of the new director.

    They go to the old director, or to the bank when he has less than the certificate stands for. Without an old director
    there is nobody to swap with but the stock of the bank, which sold a plain certificate; and none is swapped when the
    certificate is with neither of them."""
    company, traded = trade.company, DIRECTOR in trade.numbers
    partner = before or (BANK if trade.source == BANK and not traded else "")
    keeper = trade.target if traded else partner
    if not partner or trade.source == director or DIRECTOR not in draft.game.held(keeper, company):
        return
    taker, size = figures_of(data).sales_to, shares_of(data, company, (DIRECTOR,))
    receiver = partner if shares_held(draft.game, data, partner, company) >= size else taker
    given = draft.game.held(director, company)[:size]
    move_certificates(draft, company, given, director, receiver, "director_swap")
    keeper = receiver if DIRECTOR in given else keeper
    if keeper != director:
        move_certificates(draft, company, (DIRECTOR,), keeper, director, "director_swap")
    if trade.kept:
        back = draft.game.held(taker, company)[: trade.kept]
        move_certificates(draft, company, back, taker, trade.source, "director_swap")


def _record_director(
    draft: Draft, data: TitleData, company: str, director: str, listed: Mapping[str, int]
) -> None:
    """Record the director; an open company of which nobody has enough by the list is in receivership and has none."""
    state = companies_of(draft.game)[company]
    enough = max(listed.values(), default=0) >= cards_of(data)[company].certificates[DIRECTOR]
    if state.opened and not enough and state.director:
        draft.emit(DirectorLost(company, director))
        draft.emit(DirectorChanged(company, ""))
    elif (enough or not state.opened) and director != state.director:
        draft.emit(DirectorChanged(company, director))
