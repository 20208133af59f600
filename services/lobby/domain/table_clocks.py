"""The clocks of a table: the fold of the events in its clock stream, so that they are the same after any restart.

Times are those that rules recorded, in milliseconds since 1970 UTC. What is decided about clocks: `clock_charging.py`,
`clock_expiry.py`, `clock_requests.py`."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Literal, TypeAlias

import msgspec
from msgspec.structs import replace

from services.lobby.domain.clocks import Hold, Holds
from services.lobby.domain.time_control.bank import Asked, Bank
from services.lobby.domain.time_control.intervals import ALWAYS, Intervals
from services.lobby.domain.time_control.policy import SECOND_MS, ClockPolicy, ExpiryAction
from services.lobby.domain.time_control.weeks import PlayingHours, Vacation

CLOCK_ACCOUNT = "house-clock"
"""The author of what a clock decides about a game. Ids of registered players begin otherwise, so nobody has a token of it."""

BY_DIRECTORS = ""
"""Stands for no seat."""

TurnId: TypeAlias = tuple[str, int]
"""The seat of a turn and the sequence that identifies it."""


class ClockChosen(msgspec.Struct, frozen=True):
    """The table plays with clocks; an event of the table itself, right after it was opened."""

    policy: ClockPolicy


class TurnKey(msgspec.Struct, frozen=True):
    """Differs from one turn to the next; `actor` is the company or player whose turn it is."""

    round_kind: str = ""
    turn: int = 0
    round_number: int = 0
    actor: str = ""


class SeatClock(msgspec.Struct, frozen=True):
    """The clock of a seat; `asked` while it has to act."""

    seat: str
    bank: Bank
    asked: Asked | None = None


class PlayedTurn(msgspec.Struct, frozen=True):
    """A turn that is over: the sequence that identifies it, the playing time that it took, whether it was overdue."""

    seat: str
    sequence: int
    response_ms: int
    is_overdue: bool


class ClocksCharged(msgspec.Struct, frozen=True):
    """Turns began, ended or were suspended: all clocks as they are from event `sequence` of the game on."""

    sequence: int
    time_ms: int
    turn_key: TurnKey
    is_paused: bool
    clocks: tuple[SeatClock, ...]


class ClocksHeld(msgspec.Struct, frozen=True):
    """The ledger holds the game since this instant: nobody can move, and no clock of the table runs."""

    time_ms: int


class ClocksReleased(msgspec.Struct, frozen=True):
    """The game goes on from this instant."""

    time_ms: int


class TurnReminded(msgspec.Struct, frozen=True):
    """So many hundredths of the time of a turn have passed; `sequence` identifies the turn."""

    seat: str
    sequence: int
    hundredths: int


ExpiryOutcome = Literal["pending", "done", "moved", "refused"]


class ExpiryDecided(msgspec.Struct, frozen=True):
    """What is done about a turn that is overdue, written before rules is asked for it.

    `sequence` identifies the turn. It has effect only while the game is at `expected_sequence`; asked for again with the same
    request id, rules gives the first outcome. So the player's move has effect or this, and after a restart it is asked again."""

    seat: str
    sequence: int
    step: int
    action: ExpiryAction
    expected_sequence: int
    request_id: str
    time_ms: int
    outcome: ExpiryOutcome = "pending"


class ExpirySettled(msgspec.Struct, frozen=True):
    """What became of it: done; the game had moved on; or refused by rules with this reason code of theirs."""

    request_id: str
    outcome: ExpiryOutcome
    code: str = ""


class SeatPenalty(msgspec.Struct, frozen=True):
    """What the overdue turns of a seat cost: whole currency units, or millionths of a point, as the policy says."""

    seat: str
    amount: int


class ClocksPenalized(msgspec.Struct, frozen=True):
    """The game ended, after event `sequence` of it: what its overdue turns cost. A later end replaces it."""

    sequence: int
    penalties: tuple[SeatPenalty, ...]


class HoursChosen(msgspec.Struct, frozen=True):
    """The bearer of a seat has other playing hours, from `hours.from_date` on."""

    seat: str
    hours: PlayingHours


class VacationTaken(msgspec.Struct, frozen=True):
    """The bearer of a seat does not play on these days."""

    seat: str
    vacation: Vacation


class VacationEnded(msgspec.Struct, frozen=True):
    """A vacation that began on `first` ends after `vacation.last`, or never takes place where that is before its first day."""

    seat: str
    vacation: Vacation


class TimeGranted(msgspec.Struct, frozen=True):
    """A director added time to the bank of a seat, and why."""

    seat: str
    seconds: int
    author: str
    reason: str


ClockEvent = (
    ClocksCharged
    | ClocksHeld
    | ClocksReleased
    | TurnReminded
    | ExpiryDecided
    | ExpirySettled
    | ClocksPenalized
    | HoursChosen
    | VacationTaken
    | VacationEnded
    | TimeGranted
)


class SeatHours(msgspec.Struct, frozen=True):
    """Playing hours that the bearers of a seat chose, in order of their first days, and their vacations."""

    seat: str
    schedule: tuple[PlayingHours, ...] = ()
    vacations: tuple[Vacation, ...] = ()


class TableClocks(msgspec.Struct, frozen=True):
    """The clocks of a table; `version` counts its events, `requests` by seat those that its bearers asked for, and under
    `BY_DIRECTORS` those of directors.

    `steps`: what was done about the turns at hand, and what rules has not answered yet. `reminded`: of the turns at hand.
    `played`: the turns that are over, also those that were undone. `late`: turns at hand that were overdue before a pause.
    `holds`: of the game by the ledger, also at a table whose turns have a time limit and nothing else."""

    version: int = 0
    requests: Mapping[str, int] = {}
    charged: ClocksCharged | None = None
    reminded: tuple[TurnReminded, ...] = ()
    steps: tuple[ExpiryDecided, ...] = ()
    penalized: ClocksPenalized | None = None
    hours: tuple[SeatHours, ...] = ()
    played: tuple[PlayedTurn, ...] = ()
    late: tuple[TurnId, ...] = ()
    holds: Holds = ()

    @property
    def is_held(self) -> bool:
        """Whether the ledger holds the game."""
        return bool(self.holds) and self.holds[-1].until_ms is None

    @property
    def hold_changed_ms(self) -> int:
        """When the game was held or released last, 0 for never."""
        if not self.holds:
            return 0
        return self.holds[-1].since_ms if self.is_held else self.holds[-1].until_ms or 0

    @property
    def is_paused(self) -> bool:
        """Whether no clock runs though seats are asked: a director suspended the game, or the ledger holds it."""
        return self.is_held or (self.charged is not None and self.charged.is_paused)

    @property
    def pending(self) -> tuple[ExpiryDecided, ...]:
        """What rules has not answered yet: to be asked again."""
        return tuple(step for step in self.steps if step.outcome == "pending")

    def costs_after(self, sequence: int) -> dict[str, int] | None:
        """What the overdue turns of each seat cost at the end of the game after event `sequence`; None while its end has not
        been charged."""
        if self.charged is None or self.charged.sequence < sequence:
            return None
        return {} if self.penalized is None else {each.seat: each.amount for each in self.penalized.penalties}

    @property
    def asked(self) -> tuple[SeatClock, ...]:
        """The clocks that run, or would without a suspension."""
        clocks = () if self.charged is None else self.charged.clocks
        return tuple(each for each in clocks if each.asked is not None)

    def hours_of(self, seat: str) -> SeatHours:
        """What the bearers of a seat chose."""
        return next((each for each in self.hours if each.seat == seat), SeatHours(seat))


class PlayingTime(msgspec.Struct, frozen=True):
    """The playing time of each seat as far as somebody needs it; of those that are not listed all time counts."""

    of_seats: dict[str, Intervals] = {}

    def of(self, seat: str) -> Intervals:
        """The playing time of a seat."""
        return self.of_seats.get(seat, ALWAYS)


def evolve_clocks(clocks: TableClocks, event: ClockEvent) -> TableClocks:
    """The clocks after an event."""
    requests = clocks.requests
    if isinstance(event, HoursChosen | VacationTaken | VacationEnded | TimeGranted):
        who = BY_DIRECTORS if isinstance(event, TimeGranted) else event.seat
        requests = {**requests, who: requests.get(who, 0) + 1}
    return replace(_changed(clocks, event), version=clocks.version + 1, requests=requests)


def _changed(clocks: TableClocks, event: ClockEvent) -> TableClocks:
    match event:
        case ClocksCharged():
            return _charged(clocks, event)
        case ClocksHeld(time_ms):
            return replace(clocks, holds=(*clocks.holds, Hold(time_ms)))
        case ClocksReleased(time_ms):
            return replace(clocks, holds=(*clocks.holds[:-1], Hold(clocks.holds[-1].since_ms, time_ms)))
        case TurnReminded():
            return replace(clocks, reminded=(*clocks.reminded, event))
        case ExpiryDecided():
            return replace(clocks, steps=(*clocks.steps, event))
        case ExpirySettled():
            return _settled(clocks, event)
        case ClocksPenalized():
            return replace(clocks, penalized=event)
        case TimeGranted(seat, seconds):
            return _granted(clocks, seat, seconds)
        case HoursChosen(seat, hours):
            known = clocks.hours_of(seat)
            earlier = tuple(each for each in known.schedule if each.from_date < hours.from_date)
            return _with_hours(clocks, replace(known, schedule=(*earlier, hours)))
        case VacationTaken(seat, vacation):
            known = clocks.hours_of(seat)
            return _with_hours(clocks, replace(known, vacations=(*known.vacations, vacation)))
        case VacationEnded(seat, vacation):
            known = clocks.hours_of(seat)
            others = tuple(each for each in known.vacations if each.first != vacation.first)
            ended = (vacation,) if vacation.last >= vacation.first else ()
            return _with_hours(clocks, replace(known, vacations=(*others, *ended)))


def _settled(clocks: TableClocks, event: ExpirySettled) -> TableClocks:
    """What rules has done may have ended the turn, and been charged, before its answer is known."""
    settled = [step for step in clocks.steps if step.request_id == event.request_id]
    done = {(step.seat, step.sequence) for step in settled if event.outcome == "done"}
    return replace(
        clocks,
        steps=tuple(
            replace(step, outcome=event.outcome) if step in settled else step for step in clocks.steps
        ),
        played=tuple(
            replace(turn, is_overdue=True) if (turn.seat, turn.sequence) in done else turn
            for turn in clocks.played
        ),
    )


def _charged(clocks: TableClocks, event: ClocksCharged) -> TableClocks:
    """Steps and reminders of turns that are over go, but for those that rules has not answered yet."""
    at_hand = {(each.seat, each.asked.sequence) for each in event.clocks if each.asked is not None}
    steps = tuple(
        step for step in clocks.steps if step.outcome == "pending" or (step.seat, step.sequence) in at_hand
    )
    reminded = tuple(each for each in clocks.reminded if (each.seat, each.sequence) in at_hand)
    late = _late(clocks, event)
    played = (*clocks.played, *_played(clocks, event, late))
    late = tuple(turn for turn in late if turn in at_hand)
    return replace(clocks, charged=event, steps=steps, reminded=reminded, played=played, late=late)


def _late(clocks: TableClocks, event: ClocksCharged) -> tuple[TurnId, ...]:
    """The turns at hand until this event that were overdue then, or before a pause."""
    overdue_ms = {each.seat: each.bank.overdue_ms for each in event.clocks}
    # Where the turn's time ended outside the playing time, it may be overdue for no playing time at all.
    expired = {(step.seat, step.sequence) for step in clocks.steps if step.outcome == "done"}
    turns = [(each, (each.seat, each.asked.sequence)) for each in clocks.asked if each.asked is not None]
    return tuple(
        turn
        for before, turn in turns
        if turn in clocks.late or turn in expired or overdue_ms.get(before.seat, 0) > before.bank.overdue_ms
    )


def _played(clocks: TableClocks, event: ClocksCharged, late: Collection[TurnId]) -> Iterator[PlayedTurn]:
    """The turns that ended with this event."""
    after = {each.seat: each for each in event.clocks}
    for before in clocks.asked:
        asked, later = before.asked, after.get(before.seat)
        if asked is None or later is None or (later.asked and later.asked.sequence == asked.sequence):
            continue
        is_overdue = (before.seat, asked.sequence) in late
        yield PlayedTurn(before.seat, asked.sequence, later.bank.used_ms - before.bank.used_ms, is_overdue)


def _granted(clocks: TableClocks, seat: str, seconds: int) -> TableClocks:
    if clocks.charged is None:
        return clocks
    changed = tuple(
        replace(each, bank=replace(each.bank, left_ms=each.bank.left_ms + seconds * SECOND_MS))
        if each.seat == seat
        else each
        for each in clocks.charged.clocks
    )
    return replace(clocks, charged=replace(clocks.charged, clocks=changed))


def _with_hours(clocks: TableClocks, hours: SeatHours) -> TableClocks:
    others = tuple(each for each in clocks.hours if each.seat != hours.seat)
    return replace(clocks, hours=(*others, hours))
