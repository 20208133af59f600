"""Directors of 1862: the biggest holder has the director's certificate, or it lies in the pool (6.3)."""

from __future__ import annotations

from services.rules.kernel.draft import Draft
from services.rules.kernel.game import Game
from services.rules.kernel.titledata import TitleData
from services.rules.kernel.vocabulary import POOL
from services.rules.parts.shares.events import DirectorChanged
from services.rules.parts.shares.shares import DIRECTOR, holders, seats_after, shares_of, swap_director
from services.rules.parts.shares.state import companies_of


def settle_director(draft: Draft, data: TitleData, symbol: str, former: str = "") -> None:
    """Give the director's certificate to whom it belongs, against plain ones (1862/6.3-b, 6.3-h, 6.3-i, 6.3-j).

    `former` is the director before a certificate that now lies in the pool; else it is who directs now. Nobody directs a
    company whose certificate stays in the pool."""
    present = companies_of(draft.game)[symbol].director
    holder = certificate_holder(draft.game, symbol)
    if holder != POOL and holder not in draft.game.players:
        return
    director = rightful_director(draft.game, data, symbol, former or present)
    if director != present:
        draft.emit(DirectorChanged(symbol, director))
    if director:
        swap_director(draft, data, symbol, holder, director)


def certificate_holder(game: Game, symbol: str) -> str:
    """Who holds the director's certificate of a company, empty when nobody does."""
    for (holder, company), numbers in game.holdings.items():
        if company == symbol and DIRECTOR in numbers:
            return holder
    return ""


def rightful_director(game: Game, data: TitleData, symbol: str, former: str) -> str:
    """Who should hold the director's certificate: its holder while nobody has more, else the biggest holder of enough
    shares, among equals the nearest clockwise to `former`; empty when nobody has enough."""
    shares = holders(game, data, symbol)
    most = max(shares.values(), default=0)
    holder = certificate_holder(game, symbol)
    if holder in shares and shares[holder] == most:
        return holder
    if most < shares_of(data, symbol, (DIRECTOR,)):
        return ""
    seats = seats_after(game, former or game.priority)
    order = seats if former else (game.priority, *seats)
    return next((player for player in order if shares.get(player) == most), former)
