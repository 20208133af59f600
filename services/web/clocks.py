"""The clocks of a game as pages show them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from services.gen.signalbox.events.v1.events_pb2 import BEARER_KIND_BOT
from services.gen.signalbox.lobby.v1 import game_summary_pb2, table_clock_pb2
from services.gen.signalbox.rules.v1 import rules_pb2

SECOND_MS = 1_000
MINUTE_MS = 60_000
DAY_MINUTES = 24 * 60
# What is left of a turn runs down until its end without a break where the two differ by no more than the time of the call.
EQUAL_MS = 2 * SECOND_MS


@dataclass(frozen=True, slots=True)
class Hours:
    """Times of some days of the week, 0 is Monday, in minutes of the day."""

    weekdays: Sequence[int]
    start_minute: int
    end_minute: int


@dataclass(frozen=True, slots=True)
class SeatClock:
    """The time of a seat. `left_ms`: of the turn at hand with the bank, else of the bank. `since_ms` and `ends_ms`: since when
    its clock runs and when the turn is overdue, since 1970 UTC; 0 for a clock that stands still, and where there is no end soon.
    `runs_through`: no hours without play lie before the end."""

    seat: str
    left_ms: int
    since_ms: int = 0
    ends_ms: int = 0
    runs_through: bool = False
    zone: str = ""
    hours: Sequence[Hours] = ()
    vacations: Sequence[tuple[str, str]] = ()

    @property
    def shown(self) -> tuple[object, ...]:
        """What a page cannot go on with by itself."""
        left = 0 if self.runs_through else self.left_ms // MINUTE_MS
        return left, self.since_ms, self.ends_ms, self.zone, self.hours, self.vacations


@dataclass(frozen=True, slots=True)
class GameClocks:
    """The clocks of a game in the order of its seats. `is_paused`: they all stand still. `turn_seconds` or `policy`, as JSON: by
    which of the two they run. `are_hours_shared`: the playing hours are those of the table."""

    seats: Sequence[SeatClock]
    is_paused: bool = False
    turn_seconds: int = 0
    policy: str = ""
    are_hours_shared: bool = False

    @property
    def has_hours(self) -> bool:
        """Whether somebody has hours or vacation of one's own; hours of the table are part of its policy."""
        has_hours = not self.are_hours_shared and any(each.hours for each in self.seats)
        return has_hours or any(each.vacations for each in self.seats)

    def shows_other_than(self, other: GameClocks) -> bool:
        """Whether a page with those has to be changed."""
        pairs = zip(self.seats, other.seats, strict=False)
        return (len(self.seats), self.is_paused) != (len(other.seats), other.is_paused) or any(
            one.shown != two.shown for one, two in pairs
        )

    def is_at(self, state: rules_pb2.WatchMovesResponse) -> bool:
        """Whether the clocks that run are those of the players to act."""
        if state.suspended or self.is_paused:
            return state.suspended == self.is_paused
        return {each.seat for each in self.seats if each.since_ms} == set(state.acting_players)


def clocks_of_policy(clocks: table_clock_pb2.TableClocks, now_ms: int, policy: str = "") -> GameClocks:
    """The clocks of a table that has a policy."""
    seats = tuple(_of_policy(each, now_ms) for each in clocks.seats)
    is_shared = bool(policy and json.loads(policy).get("windows"))
    return GameClocks(seats, clocks.is_paused, policy=policy, are_hours_shared=is_shared)


def clocks_of_turns(game: game_summary_pb2.GameSummary) -> GameClocks:
    """The clocks of a table whose turns have a limit and nothing else."""
    whole_ms = game.turn_seconds * SECOND_MS
    seats = []
    for each in game.clocks:
        since_ms, ends_ms = each.asked_since_time_ms, each.deadline_time_ms
        left_ms = each.turn_left_ms if since_ms else whole_ms
        seats.append(SeatClock(each.player_id, left_ms, since_ms, ends_ms, bool(ends_ms)))
    # The turn of a bot of the house has no end either.
    bots = {each.seat for each in game.status.bearers if each.kind == BEARER_KIND_BOT}
    is_held = any(each.since_ms and not each.ends_ms and each.seat not in bots for each in seats)
    return GameClocks(tuple(seats), game.status.suspended or is_held, game.turn_seconds)


def _of_policy(seat: table_clock_pb2.SeatTime, now_ms: int) -> SeatClock:
    is_asked, ends_ms = bool(seat.asked_since_time_ms), seat.deadline_time_ms
    left_ms = seat.turn_left_ms if is_asked else seat.bank_ms
    return SeatClock(
        seat=seat.seat,
        left_ms=left_ms,
        since_ms=seat.asked_since_time_ms,
        ends_ms=ends_ms,
        runs_through=bool(ends_ms) and abs(ends_ms - now_ms - left_ms) <= EQUAL_MS,
        zone=seat.zone if seat.windows else "",
        hours=tuple(hours_of(seat.windows)),
        vacations=tuple((each.first_date, each.last_date) for each in seat.vacations),
    )


def hours_of(windows: Iterable[table_clock_pb2.WeekWindow]) -> Iterable[Hours]:
    """Days of equal times together."""
    days: dict[tuple[int, int], list[int]] = {}
    for each in windows:
        days.setdefault((each.start_minute, each.end_minute), []).append(each.weekday)
    return (Hours(tuple(weekdays), *times) for times, weekdays in days.items())
