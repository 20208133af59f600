"""What one holder does in an exchange of shares 2 for 1, up to the option that may be left to him (1862/5.2.4).

Certificates of one kind are worth the same; which of them move is not for the holder to say: those that came last go first,
of the absorbed company those that came first."""

from __future__ import annotations

from itertools import groupby

from services.rules.kernel.draft import Draft
from services.rules.kernel.game import Game
from services.rules.kernel.titledata import TitleData
from services.rules.kernel.vocabulary import BANK, POOL
from services.rules.parts.shares.shares import (
    DIRECTOR,
    move_certificates,
    shares_held,
    shares_of,
)
from services.rules.titles.g1862.events import OptionMarked, OptionSettled
from services.rules.titles.g1862.figures import director_shares
from services.rules.titles.g1862.rulings import plays
from services.rules.titles.g1862.state import Exchange, Option, own

Share = tuple[str, int]


def under_way(game: Game) -> Exchange:
    """The exchange of shares that is under way."""
    exchange = own(game).exchange
    if exchange is None:
        raise ValueError("no exchange of shares is under way")
    return exchange


def companies_in(exchange: Exchange) -> tuple[str, ...]:
    """The companies whose shares are exchanged, the one that goes on first."""
    return (exchange.company, exchange.other) if exchange.other else (exchange.company,)


def shares_concerned(game: Game, data: TitleData, holder: str) -> int:
    """The shares a holder has of the companies concerned, added up (1862/5.2.4-c)."""
    companies = companies_in(under_way(game))
    return sum(shares_held(game, data, holder, company) for company in companies)


def option_of(game: Game, holder: str) -> Option | None:
    """The option a holder has to settle."""
    return next((option for option in under_way(game).options if option.holder == holder), None)


def _shares_to_direct(data: TitleData) -> int:
    """Who has so many shares is left with a director's certificate when half of them are returned (1862/5.2.4-p)."""
    return 2 * director_shares(data)


def convert(draft: Draft, data: TitleData, holder: str) -> None:
    """Steps 1 to 3 for one holder: return half, swap what is absorbed, sell what cannot be swapped."""
    held = shares_concerned(draft.game, data, holder)
    directed = _directed(draft.game, holder)
    too_few = held < _shares_to_direct(data)
    if directed and too_few and not _change_director(draft, data, holder, directed):
        _keep_director_as_option(draft, data, holder, directed, held)
        return
    kept = _return_half(draft, data, holder, held)
    for share in reversed(kept):
        if share[0] == under_way(draft.game).other:
            _swap_or_sell(draft, holder, share)


def _directed(game: Game, holder: str) -> str:
    """The company of the director's certificate a holder has, empty without one."""
    companies = companies_in(under_way(game))
    return next((company for company in companies if DIRECTOR in game.held(holder, company)), "")


def _plain(game: Game, holder: str, company: str) -> tuple[int, ...]:
    return tuple(number for number in game.held(holder, company) if number != DIRECTOR)


def _move(draft: Draft, shares: list[Share], source: str, target: str) -> None:
    for company, group in groupby(shares, key=lambda share: share[0]):
        numbers = tuple(number for _, number in group)
        move_certificates(draft, company, numbers, source, target, "1862.merged")


def _plain_in_pool(game: Game) -> list[Share]:
    """Plain shares of the companies concerned in the pool, those of the company that goes on first (1862/5.2.4-p)."""
    return [
        (company, number)
        for company in companies_in(under_way(game))
        for number in reversed(_plain(game, POOL, company))
    ]


def _change_director(draft: Draft, data: TitleData, holder: str, company: str) -> bool:
    """A director with less than 60 % changes his certificate into plain shares of the pool, if it has three (5.2.4-p)."""
    change = _plain_in_pool(draft.game)[: director_shares(data)]
    if len(change) < director_shares(data):
        return False
    _move(draft, change, POOL, holder)
    move_certificates(draft, company, (DIRECTOR,), holder, POOL, "1862.merged")
    return True


def _keep_director_as_option(draft: Draft, data: TitleData, holder: str, company: str, held: int) -> None:
    """He puts his plain shares into the pool; his certificate is an option, redeemed for what he lacks to 60 % and given up
    for what he had, at half the price each, rounded down (1862/5.2.4-q to 5.2.4-t)."""
    exchange = under_way(draft.game)
    for each in companies_in(exchange):
        move_certificates(
            draft, each, tuple(reversed(_plain(draft.game, holder, each))), holder, POOL, "1862.merged"
        )
    lacking = _shares_to_direct(data) - held
    redeem_price, give_up_price = exchange.price * lacking // 2, exchange.price * held // 2
    draft.emit(OptionMarked(holder, company, DIRECTOR, redeem_price, give_up_price))
    if company != exchange.other:
        return
    donor = next(
        (each for each in _donors(draft.game, holder) if DIRECTOR in draft.game.held(each, exchange.company)),
        "",
    )
    if donor:
        _trade(draft, holder, (exchange.other, DIRECTOR), donor, DIRECTOR)
        draft.emit(OptionMarked(holder, exchange.company, DIRECTOR, redeem_price, give_up_price))
    else:
        give_up(draft, holder, give_up_price)


def _return_half(draft: Draft, data: TitleData, holder: str, held: int) -> list[Share]:
    """Return half, rounded down, the absorbed company's shares first; what stays, with the option in front if the number
    was odd (1862/5.2.4-c to 5.2.4-e)."""
    order = _order_of_return(draft.game, holder)
    due = held // 2
    count = returned = 0
    while returned < due:
        company, number = order[count]
        returned += shares_of(data, company, (number,))
        count += 1
    _move(draft, order[:count], holder, POOL)
    kept = order[count:]
    if held != 2 * due:
        _mark(draft, holder, kept[0])
    return kept


def _order_of_return(game: Game, holder: str) -> list[Share]:
    """The absorbed company's director's certificate first, that of the company that goes on last."""
    exchange = under_way(game)
    going, staying = game.held(holder, exchange.other), game.held(holder, exchange.company)
    latest_first = staying[::-1]
    absorbed = sorted(going, key=lambda number: number != DIRECTOR)
    own = sorted(latest_first, key=lambda number: number == DIRECTOR)
    return [(exchange.other, number) for number in absorbed] + [(exchange.company, number) for number in own]


def _mark(draft: Draft, holder: str, share: Share) -> None:
    """A plain share becomes an option, worth half the price rounded down (1862/5.2.4-l)."""
    value = under_way(draft.game).price // 2
    draft.emit(OptionMarked(holder, share[0], share[1], value, value))


def _donors(game: Game, holder: str) -> tuple[str, ...]:
    """Where a share may be swapped: the pool, then the holders clockwise who have not returned shares (1862/5.2.4-g)."""
    holders = under_way(game).holders
    return (POOL, *holders[holders.index(holder) + 1 :])


def _trade(draft: Draft, holder: str, share: Share, donor: str, number: int) -> None:
    """The donor gets the absorbed share for one of the company that goes on (1862/5.2.4-h)."""
    move_certificates(draft, share[0], (share[1],), holder, donor, "1862.merged")
    move_certificates(draft, under_way(draft.game).company, (number,), donor, holder, "1862.merged")


def _swap_or_sell(draft: Draft, holder: str, share: Share) -> None:
    """Swap an absorbed share, which stays an option if it was one, or sell it (1862/5.2.4-g to 5.2.4-k)."""
    game, exchange = draft.game, under_way(draft.game)
    option = option_of(game, holder)
    is_option = option is not None and (option.company, option.number) == share
    for donor in _donors(game, holder):
        plain = _plain(game, donor, exchange.company)
        if plain:
            _trade(draft, holder, share, donor, plain[0])
            if is_option:
                _mark(draft, holder, (exchange.company, plain[0]))
            return
    if is_option:
        up = plays(game, "unswapped_option", "rounded_up")
        give_up(draft, holder, -(-exchange.price // 2) if up else exchange.price // 2)
        return
    draft.pay(BANK, holder, exchange.price, "certificate_sold", share[0])
    move_certificates(draft, share[0], (share[1],), holder, POOL, "1862.merged")


def give_up(draft: Draft, holder: str, amount: int) -> None:
    """The holder gives up his option for this amount; the share goes to the pool (1862/5.2.4-k, 5.2.4-n)."""
    option = option_of(draft.game, holder)
    if option is None:
        raise ValueError(f"{holder} has no option")
    draft.pay(BANK, holder, amount, "1862.option_sold", option.company)
    move_certificates(draft, option.company, (option.number,), holder, POOL, "1862.merged")
    draft.emit(OptionSettled(holder, option.company, option.number, redeemed=False))
