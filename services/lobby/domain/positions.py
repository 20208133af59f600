"""The position of a game, as far as directors and players decide by it: what everybody is worth, and what companies last paid."""

from __future__ import annotations

import msgspec


class SeatWorth(msgspec.Struct, frozen=True):
    """What a seat is worth by the title's own count, in whole currency units."""

    seat: str
    worth: int


class SharesHeld(msgspec.Struct, frozen=True):
    """How many shares of a company a seat holds."""

    seat: str
    company: str
    count: int


class LastDividend(msgspec.Struct, frozen=True):
    """What a company decided about its latest revenue: `kind` is the title's word, `per_share` in whole currency units."""

    company: str
    kind: str
    revenue: int
    per_share: int
    sequence: int


class Position(msgspec.Struct, frozen=True):
    """A game after event `sequence`; seats in their order, dividends by company, of those that were not undone."""

    sequence: int
    seats: tuple[SeatWorth, ...]
    shares: tuple[SharesHeld, ...] = ()
    dividends: tuple[LastDividend, ...] = ()


class MoneyTransfer(msgspec.Struct, frozen=True):
    """Money that a correction moves between holders of the game; `subject`: what it is about, may be empty."""

    source: str = ""
    target: str = ""
    amount: int = 0
    subject: str = ""


NO_TRANSFER = MoneyTransfer()


class GameRuling(msgspec.Struct, frozen=True):
    """A director changed the position of a game: who, why, and how. `confirmed_by` is empty where no second person was needed;
    `sequence`: of the position for which it was decided.

    One of these says how: `to_sequence`, to which the game was rolled back; `transfer`, of a correction; `worths` by seat, with
    which the game ended."""

    sequence: int
    author: str
    reason: str
    confirmed_by: str
    to_sequence: int = 0
    transfer: MoneyTransfer = NO_TRANSFER
    worths: tuple[SeatWorth, ...] = ()


def forecast(position: Position, times: int) -> dict[str, int]:
    """What each seat would be worth if every company ran as it last did, and divided it so, `times` times.

    Shares stay where they are and prices as they are."""
    per_share = {each.company: each.per_share for each in position.dividends}
    worths = {each.seat: each.worth for each in position.seats}
    for held in position.shares:
        worths[held.seat] += times * held.count * per_share.get(held.company, 0)
    return worths


def does_order_change(before: dict[str, int], after: dict[str, int]) -> bool:
    """Whether somebody is ahead of another player after who was not before, or the other way round; a tie is an order too."""
    seats = sorted(before)
    return any(
        _sign(before[one] - before[other]) != _sign(after[one] - after[other])
        for place, one in enumerate(seats)
        for other in seats[place + 1 :]
    )


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)
