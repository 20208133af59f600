"""What each player gets from each table."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

import msgspec

from services.lobby.domain.tournaments.scoring.policy import ScoringPolicy
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
    substitutes_of,
)
from services.lobby.domain.tournaments.scoring.systems import is_compared, table_points


class Performance(msgspec.Struct, frozen=True):
    """One player at one table. `points` are weighted by title; shares, percents and points are in millionths.

    `lead` is the share of the table's worth less the best share of another. Opponents are the original players."""

    player: str
    table: str
    round: int
    title: str
    points: int
    placing: Placing
    percent: int
    share: int
    lead: int
    seat: int
    size: int
    clock_ms: int
    opponents: tuple[str, ...]
    ahead_of: tuple[str, ...]


def performances_of(results: Iterable[TableResult], policy: ScoringPolicy) -> dict[str, list[Performance]]:
    """All performances by player, in order of round and table; none at a table whose points are not known."""
    ordered = sorted(results, key=lambda result: (result.round, result.table))
    by_round = _by_round(ordered)
    found: defaultdict[str, list[Performance]] = defaultdict(list)
    for result in ordered:
        if not is_compared(result, policy.system, by_round[result.round]):
            continue
        for performance in _of_table(result, policy, by_round):
            found[performance.player].append(performance)
    return dict(found)


def uncompared_points(results: Sequence[TableResult], policy: ScoringPolicy) -> dict[str, list[int]]:
    """By player, the points of each table that nothing can be compared with: those of a bye, for those to whom the points of the
    seat go. Nobody has a place there."""
    by_round = _by_round(results)
    found: defaultdict[str, list[int]] = defaultdict(list)
    for result in results:
        if is_compared(result, policy.system, by_round[result.round]):
            continue
        for seat in result.seats:
            points = 0 if is_empty(seat) else policy.bye_points
            for player, credited in _credits(seat, points, policy.bye_points, policy):
                found[player].append(credited)
    return dict(found)


def _by_round(results: Iterable[TableResult]) -> Mapping[int, list[TableResult]]:
    found: defaultdict[int, list[TableResult]] = defaultdict(list)
    for result in results:
        found[result.round].append(result)
    return found


def _of_table(
    result: TableResult, policy: ScoringPolicy, by_round: Mapping[int, list[TableResult]]
) -> Iterator[Performance]:
    points = table_points(result, policy.system, policy.modifiers, by_round[result.round])
    weight = policy.title_weights.get(result.title, UNIT)
    compared = compared_seats(result)
    worths = counted_worths(compared, policy.modifiers.bankrupt_last)
    places = placings(compared, policy.modifiers.bankrupt_last)
    all_shares, all_percents = shares(worths), percents(worths)
    mean = sum(points) // len(points)
    for index, seat in enumerate(compared):
        others = [other for number, other in enumerate(result.seats) if number != index]
        is_played = not is_empty(seat)
        best_other = max(share for number, share in enumerate(all_shares) if number != index)
        for player, credited in _credits(seat, points[index], mean, policy):
            yield Performance(
                player=player,
                table=result.table,
                round=result.round,
                title=result.title,
                points=credited * weight // UNIT,
                placing=places[index],
                percent=all_percents[index] if is_played else 0,
                share=all_shares[index] if is_played else 0,
                lead=(all_shares[index] if is_played else 0) - best_other,
                seat=index + 1,
                size=len(result.seats),
                clock_ms=seat.clock_ms,
                opponents=tuple(other.player for other in others),
                ahead_of=tuple(
                    other.player
                    for number, other in enumerate(result.seats)
                    if places[number].place > places[index].place and is_played
                ),
            )


def _credits(seat: SeatResult, points: int, mean: int, policy: ScoringPolicy) -> Iterator[tuple[str, int]]:
    """Who gets how many points for a seat. Who did not show up gets none of what a substitute made of the seat.

    Several substitutes share what is theirs by their turns; the last one has what is left of that."""
    substitutes = substitutes_of(seat)
    if not substitutes or (policy.credit == "original" and not seat.is_no_show):
        yield seat.player, points
    elif policy.credit == "substitute":
        *earlier, last = substitutes
        whole = max(1, sum(each.turns for each in substitutes))
        parts = [(each.player_id, points * each.turns // whole) for each in earlier]
        yield from parts
        yield last.player_id, points - sum(part for _, part in parts)
    elif policy.credit == "split":
        parts = [(each.player_id, points * each.turns // max(1, seat.turns)) for each in substitutes]
        yield seat.player, 0 if seat.is_no_show else points - sum(part for _, part in parts)
        yield from parts
    else:
        yield seat.player, 0 if seat.is_no_show else mean


def counted(performances: Iterable[Performance], policy: ScoringPolicy) -> tuple[Performance, ...]:
    """The performances that count: the best ones, as far as the policy limits their number and that of one title."""
    chosen: list[Performance] = []
    titles: defaultdict[str, int] = defaultdict(int)
    for each in sorted(performances, key=lambda each: (-each.points, each.round, each.table)):
        is_full = policy.best_of and len(chosen) == policy.best_of
        if not is_full and not (policy.per_title_max and titles[each.title] == policy.per_title_max):
            chosen.append(each)
            titles[each.title] += 1
    return tuple(chosen)
