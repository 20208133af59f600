"""Scoring systems: from a table's result to points in millionths."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import msgspec

from services.lobby.domain.tournaments.scoring.results import (
    UNIT,
    Placing,
    SeatResult,
    TableResult,
    compared_seats,
    counted_worths,
    is_empty,
    percents,
    placings,
    shares,
)

VIRTUAL_SIZE = 4


class Places(msgspec.Struct, frozen=True, tag="places", forbid_unknown_fields=True):
    """Points for each place, by the number of players. Ties share the points of their places.

    For other numbers the list for four players is stretched to the number (`interpolate`), or its first points are used and
    places beyond it get none (`first`)."""

    lists: dict[int, tuple[int, ...]]
    others: Literal["interpolate", "first"] = "interpolate"


class Share(msgspec.Struct, frozen=True, tag="share", forbid_unknown_fields=True):
    """The share of the table's worth."""


class Percent(msgspec.Struct, frozen=True, tag="percent", forbid_unknown_fields=True):
    """The part of the winner's worth."""


class Margin(msgspec.Struct, frozen=True, tag="margin", forbid_unknown_fields=True):
    """The winner gets 2 - second / winner, at most `cap`; others get their part of the winner's worth."""

    cap: int


class Wins(msgspec.Struct, frozen=True, tag="wins", forbid_unknown_fields=True):
    """One point for a win, shared by ties."""


class Duplicate(msgspec.Struct, frozen=True, tag="duplicate", forbid_unknown_fields=True):
    """All tables of a round play one game: a point for each player of the same seat with less, half for an equal one.

    Tables of another title or size are not compared: theirs was another game."""


System = Places | Share | Percent | Margin | Wins | Duplicate


class Modifiers(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """How a table's result is read before it is scored: bankrupt players last, in the order of their bankruptcies; a table of
    three as one of four, whose fourth player has the mean worth."""

    bankrupt_last: bool = True
    virtual_fourth: bool = False


def table_points(
    result: TableResult, system: System, modifiers: Modifiers, round_results: Sequence[TableResult] = ()
) -> tuple[int, ...]:
    """The points of each seat, in seat order. An empty seat gets none. `Duplicate` alone reads `round_results`."""
    if result.ending == "awarded":
        return tuple(seat.awarded for seat in result.seats)
    compared = compared_seats(result)
    seats = _with_virtual(compared) if modifiers.virtual_fourth else compared
    if isinstance(system, Duplicate):
        points = _duplicate_points(result, round_results)
    else:
        points = _points(seats, system, modifiers.bankrupt_last)
    return tuple(
        0 if is_empty(seat) else each
        for seat, each in zip(result.seats, points[: len(result.seats)], strict=True)
    )


def _with_virtual(seats: tuple[SeatResult, ...]) -> tuple[SeatResult, ...]:
    if len(seats) != VIRTUAL_SIZE - 1:
        return seats
    mean = sum(max(0, seat.worth) for seat in seats) // len(seats)
    return (*seats, SeatResult("", mean))


def _points(seats: tuple[SeatResult, ...], system: System, bankrupt_last: bool) -> tuple[int, ...]:
    worths, places = counted_worths(seats, bankrupt_last), placings(seats, bankrupt_last)
    match system:
        case Places():
            row = place_points(system, len(seats))
            return tuple(
                sum(row[each.place - 1 : each.place - 1 + each.sharing]) // each.sharing for each in places
            )
        case Share():
            return shares(worths)
        case Percent():
            return percents(worths)
        case Margin(cap):
            return _margin_points(percents(worths), places, cap)
        case _:
            return tuple(UNIT // each.sharing if each.place == 1 else 0 for each in places)


def place_points(system: Places, size: int) -> tuple[int, ...]:
    """The points for each place at a table of `size`."""
    if size in system.lists:
        return system.lists[size]
    row = system.lists[VIRTUAL_SIZE]
    if system.others == "first" or size == 1:
        return (*row[:size], *(0 for _ in range(size - len(row))))
    return tuple(_interpolated(row, place * (len(row) - 1), size - 1) for place in range(size))


def _interpolated(row: Sequence[int], numerator: int, denominator: int) -> int:
    """The value of a row at the index numerator / denominator, rounded down."""
    index, rest = divmod(numerator, denominator)
    following = row[min(index + 1, len(row) - 1)]
    return (row[index] * (denominator - rest) + following * rest) // denominator


def _margin_points(parts: tuple[int, ...], places: tuple[Placing, ...], cap: int) -> tuple[int, ...]:
    second = sorted(parts, reverse=True)[1]
    return tuple(
        min(cap, 2 * UNIT - second) if each.place == 1 else part
        for part, each in zip(parts, places, strict=True)
    )


def is_compared(result: TableResult, system: System, round_results: Sequence[TableResult]) -> bool:
    """Whether the points of a table are known: those of `Duplicate` need another table of its game whose result counts."""
    if not isinstance(system, Duplicate) or result.ending == "awarded":
        return True
    return bool(_equal_tables(result, round_results))


def _duplicate_points(result: TableResult, round_results: Sequence[TableResult]) -> tuple[int, ...]:
    points = []
    equal = [compared_seats(other) for other in _equal_tables(result, round_results)]
    for index, seat in enumerate(compared_seats(result)):
        others = [seats[index].worth for seats in equal]
        halves = sum((seat.worth > worth) + (seat.worth >= worth) for worth in others)
        points.append(halves * UNIT // 2)
    return tuple(points)


def _equal_tables(result: TableResult, round_results: Sequence[TableResult]) -> list[TableResult]:
    return [
        other
        for other in round_results
        if other.table != result.table
        and other.ending != "awarded"
        and (other.title, len(other.seats)) == (result.title, len(result.seats))
    ]
