"""Shares, certificates and directors, for any title. Certificate 0 of a company is its director's."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from itertools import accumulate

from services.rules.kernel.draft import Draft
from services.rules.kernel.events import CertificatesMoved
from services.rules.kernel.game import Game
from services.rules.kernel.titledata import TitleData
from services.rules.kernel.vocabulary import BANK
from services.rules.parts.shares.data import cards_of
from services.rules.parts.shares.events import CompanyAdded, DirectorChanged, SharesDivided
from services.rules.parts.shares.state import companies_of

DIRECTOR = 0


def add_company(draft: Draft, company: str) -> None:
    """A company of this game, with its first certificates in the bank."""
    draft.emit(CompanyAdded(company))
    divide_shares(draft, company, cards_of(draft.data)[company].divided_into[0], BANK)


def divide_shares(draft: Draft, company: str, shares: int, holder: str) -> None:
    """Divide `company` into so many shares; `holder` gets the certificates that are issued with it."""
    issued = companies_of(draft.game)[company].shares
    sums = accumulate(cards_of(draft.data)[company].certificates)
    numbers = tuple(number for number, total in enumerate(sums) if issued < total <= shares)
    draft.emit(SharesDivided(company, shares))
    move_certificates(draft, company, numbers, "", holder, "issued")


def move_certificates(
    draft: Draft, company: str, numbers: tuple[int, ...], source: str, target: str, reason: str
) -> None:
    """Move certificates; nothing is recorded for none."""
    if numbers:
        shares = shares_of(draft.data, company, numbers)
        draft.emit(CertificatesMoved(company, numbers, source, target, reason, shares))


@lru_cache(maxsize=1 << 14)
def shares_of(data: TitleData, company: str, numbers: tuple[int, ...]) -> int:
    """How many shares these certificates of `company` stand for."""
    sizes = cards_of(data)[company].certificates
    return sum([sizes[number] for number in numbers])


def shares_held(game: Game, data: TitleData, holder: str, company: str) -> int:
    """How many shares of `company` a holder has."""
    held = game.holdings.get((holder, company))
    return shares_of(data, company, held) if held else 0


def is_at_least(game: Game, company: str, shares: int, percent: int) -> bool:
    """Whether so many shares of `company` are `percent` of it or more."""
    return shares * 100 >= percent * companies_of(game)[company].shares


def is_more_than(game: Game, company: str, shares: int, percent: int) -> bool:
    """Whether so many shares of `company` are more than `percent` of it."""
    return shares * 100 > percent * companies_of(game)[company].shares


def percent_text(game: Game, company: str, shares: int) -> str:
    """So many shares of `company` as people read them: `20 %`; empty for none."""
    return f"{shares * 100 / companies_of(game)[company].shares:.3g} %" if shares else ""


def plain_held(game: Game, company: str, holder: str) -> tuple[int, ...]:
    """Plain certificates of `company` with `holder`, in the order they came."""
    return tuple(number for number in game.held(holder, company) if number != DIRECTOR)


def holders(game: Game, data: TitleData, company: str) -> dict[str, int]:
    """Players holding `company` with their shares, in seat order."""
    found = ((player, shares_held(game, data, player, company)) for player in game.players)
    return {player: shares for player, shares in found if shares}


def seats_after(game: Game, player: str) -> tuple[str, ...]:
    """All other players clockwise, beginning left of `player`."""
    at = game.players.index(player)
    return game.players[at + 1 :] + game.players[:at]


def rightful_director(game: Game, data: TitleData, company: str) -> str:
    """Who directs `company` by its shares: the present director while nobody has more, else the biggest holder, the next
    in playing order after the old director among equals; empty when nobody could hold the director's certificate."""
    shares = holders(game, data, company)
    most = max(shares.values(), default=0)
    if most < cards_of(data)[company].certificates[DIRECTOR]:
        return ""
    present = companies_of(game)[company].director
    if shares.get(present, 0) == most:
        return present
    order = seats_after(game, present) if present else game.players
    return next(player for player in order if shares.get(player) == most)


def settle_director(draft: Draft, data: TitleData, company: str, swap_to: str = "") -> None:
    """Record who directs `company` now and hand him the director's certificate against plain ones of the same size.

    The certificate comes from the old director, or from the bank when there was none; the plain ones go back there, or
    to `swap_to`."""
    previous = companies_of(draft.game)[company].director
    director = rightful_director(draft.game, data, company)
    if not director or director == previous:
        return
    draft.emit(DirectorChanged(company, director))
    swap_director(draft, data, company, previous or BANK, director, swap_to)


def swap_director(
    draft: Draft, data: TitleData, company: str, holder: str, director: str, swap_to: str = ""
) -> None:
    """Hand the director's certificate of `company`, if `holder` has it, to `director` against plain ones."""
    if holder == director or DIRECTOR not in draft.game.held(holder, company):
        return
    size = cards_of(data)[company].certificates[DIRECTOR]
    plain = tuple(number for number in draft.game.held(director, company) if number != DIRECTOR)[:size]
    move_certificates(draft, company, plain, director, swap_to or holder, "director_swap")
    move_certificates(draft, company, (DIRECTOR,), holder, director, "director_swap")


def pay_holders(draft: Draft, data: TitleData, company: str, per_share: int, receivers: Iterable[str]) -> int:
    """Pay `per_share` for every share of `company` that one of `receivers` holds; returns how many shares were paid."""
    share_count = 0
    for holder in receivers:
        shares = shares_held(draft.game, data, holder, company)
        draft.pay(BANK, holder, per_share * shares, "dividend", company)
        share_count += shares
    return share_count
