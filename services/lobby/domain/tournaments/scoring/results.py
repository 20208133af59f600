"""What happened at a table, and who placed where."""

from __future__ import annotations

from typing import Literal

import msgspec
from msgspec.structs import replace

UNIT = 1_000_000
"""Points, shares and means are integers in millionths."""

Ending = Literal["played", "external", "awarded", "ruled"]


class SubstituteTurns(msgspec.Struct, frozen=True):
    """How many turns of a seat one of several substitutes played."""

    player_id: str
    turns: int


class SeatResult(msgspec.Struct, frozen=True, omit_defaults=True):
    """A seat at the end: its player, and the worth in whole currency units.

    `bankrupt_order` is 1 for the first to go bankrupt, 0 for solvent players. `clock_ms` is the thinking time used. A
    `substitute` played `substitute_turns` of the seat's `turns`. `awarded` are the points of a ruling. What the overdue turns
    of the seat cost: `overdue_money` in whole currency units, `overdue_points` in millionths.

    Where several took the seat, `all_substitutes` has each of them in their order, and `substitute` is the last."""

    player: str
    worth: int
    bankrupt_order: int = 0
    clock_ms: int = 0
    is_no_show: bool = False
    substitute: str = ""
    substitute_turns: int = 0
    turns: int = 0
    awarded: int = 0
    overdue_money: int = 0
    overdue_points: int = 0
    all_substitutes: tuple[SubstituteTurns, ...] = ()


class TableResult(msgspec.Struct, frozen=True, omit_defaults=True):
    """A table's result, seats in their order. External tables were played elsewhere and are not verified here; the points of an
    awarded one are a ruling's, and the game of a ruled one was ended by a director."""

    table: str
    round: int
    title: str
    seats: tuple[SeatResult, ...]
    ending: Ending = "played"


class Placing(msgspec.Struct, frozen=True):
    """The best place that a seat shares (1 is first), and how many share it."""

    place: int
    sharing: int


def compared_seats(result: TableResult) -> tuple[SeatResult, ...]:
    """The seats of a table as they are compared with each other: with the worth less what overdue turns cost; the points that a
    ruling awards stand for the worth."""
    if result.ending != "awarded":
        return tuple(
            replace(seat, worth=seat.worth - seat.overdue_money) if seat.overdue_money else seat
            for seat in result.seats
        )
    return tuple(
        replace(seat, worth=seat.awarded, bankrupt_order=0, is_no_show=False) for seat in result.seats
    )


def substitutes_of(seat: SeatResult) -> tuple[SubstituteTurns, ...]:
    """Who took the seat, and for how many turns."""
    last = (SubstituteTurns(seat.substitute, seat.substitute_turns),) if seat.substitute else ()
    return seat.all_substitutes or last


def is_empty(seat: SeatResult) -> bool:
    """Whether nobody played the seat: its player did not show up, and had no substitute."""
    return seat.is_no_show and not seat.substitute


def placings(seats: tuple[SeatResult, ...], bankrupt_last: bool) -> tuple[Placing, ...]:
    """The places of seats by worth. With `bankrupt_last`, bankrupt players are behind all others, the first of them last.

    Behind them are seats whose player did not show up, whatever became of them: an absence wins nothing."""

    def strength(seat: SeatResult) -> tuple[int, int]:
        if is_empty(seat):
            return -2, 0
        if bankrupt_last and seat.bankrupt_order:
            return -1, seat.bankrupt_order
        return 0, seat.worth

    strengths = [strength(seat) for seat in seats]
    return tuple(
        Placing(1 + sum(other > own for other in strengths), strengths.count(own)) for own in strengths
    )


def counted_worths(seats: tuple[SeatResult, ...], bankrupt_last: bool) -> tuple[int, ...]:
    """The worths of which parts and shares are taken: nothing for seats that are behind all others whatever they are worth."""
    return tuple(
        0 if is_empty(seat) or (bankrupt_last and seat.bankrupt_order) else seat.worth for seat in seats
    )


def shares(worths: tuple[int, ...]) -> tuple[int, ...]:
    """Each worth's share of the sum, in millionths; equal shares if nobody has anything. Debts count as nothing."""
    owned = [max(0, worth) for worth in worths]
    total = sum(owned)
    return tuple(worth * UNIT // total if total else UNIT // len(owned) for worth in owned)


def percents(worths: tuple[int, ...]) -> tuple[int, ...]:
    """Each worth as a part of the highest, in millionths. Debts count as nothing; all have the whole where all have nothing."""
    owned = [max(0, worth) for worth in worths]
    highest = max(owned)
    return tuple(worth * UNIT // highest if highest else UNIT for worth in owned)
