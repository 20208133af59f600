"""Certificates, percentages and directors, for any title. Certificate 0 of a company is its director's."""

from __future__ import annotations

from services.rules.domain import events as e
from services.rules.domain.draft import Draft
from services.rules.domain.game import Game
from services.rules.domain.titledata import TitleData

DIRECTOR = 0
PLAIN_PERCENT = 10


def percent_of(data: TitleData, company: str, numbers: tuple[int, ...]) -> int:
    """What these certificates of `company` add up to, in percent."""
    sizes = data.companies[company].certificates
    return sum(sizes[number] for number in numbers)


def percent_held(game: Game, data: TitleData, holder: str, company: str) -> int:
    """How much of `company` a holder has, in percent."""
    held = game.holdings.get((holder, company))
    return percent_of(data, company, held) if held else 0


def for_sale(game: Game, company: str, source: str = e.BANK) -> tuple[int, ...]:
    """Certificates of `company` with `source` that are not kept for an exchange."""
    reserved = game.companies[company].reserved if source == e.BANK else ()
    return tuple(number for number in game.held(source, company) if number not in reserved)


def plain_for_sale(game: Game, company: str, source: str = e.BANK) -> tuple[int, ...]:
    """Plain certificates of `company` for sale at `source`."""
    return tuple(number for number in for_sale(game, company, source) if number != DIRECTOR)


def holders(game: Game, data: TitleData, company: str) -> dict[str, int]:
    """Players holding `company` with their percentage, in seat order."""
    found = ((player, percent_held(game, data, player, company)) for player in game.players)
    return {player: percent for player, percent in found if percent}


def seats_after(game: Game, player: str) -> tuple[str, ...]:
    """All other players clockwise, beginning left of `player`."""
    at = game.players.index(player)
    return game.players[at + 1 :] + game.players[:at]


def rightful_director(game: Game, data: TitleData, company: str) -> str:
    """Who directs `company` by its shares: the present director while nobody has more, else the biggest holder, the next
    in playing order after the old director among equals; empty when nobody could hold the director's certificate."""
    shares = holders(game, data, company)
    most = max(shares.values(), default=0)
    if most < data.companies[company].certificates[DIRECTOR]:
        return ""
    present = game.companies[company].director
    if shares.get(present, 0) == most:
        return present
    order = seats_after(game, present) if present else game.players
    return next(player for player in order if shares.get(player) == most)


def settle_director(draft: Draft, data: TitleData, company: str, swap_to: str = "") -> None:
    """Record who directs `company` now and hand him the director's certificate against plain ones of the same size.

    The certificate comes from the old director, or from the bank when there was none; the plain ones go back there, or
    to `swap_to`."""
    previous = draft.game.companies[company].director
    director = rightful_director(draft.game, data, company)
    if not director or director == previous:
        return
    draft.emit(e.DirectorChanged(company, director))
    swap_director(draft, data, company, previous or e.BANK, director, swap_to)


def swap_director(
    draft: Draft, data: TitleData, company: str, holder: str, director: str, swap_to: str = ""
) -> None:
    """Hand the director's certificate of `company`, if `holder` has it, to `director` against plain ones."""
    if holder == director or DIRECTOR not in draft.game.held(holder, company):
        return
    size = data.companies[company].certificates[DIRECTOR] // PLAIN_PERCENT
    plain = tuple(number for number in draft.game.held(director, company) if number != DIRECTOR)[:size]
    draft.move_certificates(company, plain, director, swap_to or holder, "director_swap")
    draft.move_certificates(company, (DIRECTOR,), holder, director, "director_swap")


def value_of(percent: int, price: int) -> int:
    """Market value of `percent` of a company at `price` per 10 %."""
    return percent // PLAIN_PERCENT * price
