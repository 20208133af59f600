"""Which clock policies tables can have."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import NamedTuple

import msgspec

from services.lobby.domain.rejections import Rejection, RejectionReason
from services.lobby.domain.time_control.policy import (
    DEADLINE_MAX,
    PERCENT,
    ClockPolicy,
    ExpiryAction,
    MoneyPenalty,
    PointsPenalty,
)
from services.lobby.domain.time_control.weeks import DAY_MINUTES, WEEK_DAYS, Window, weekly_minutes
from services.lobby.domain.tournaments.rejections import TournamentRejected

SECONDS_MAX = 366 * 24 * 3600
PARTS_MAX = 50
WINDOWS_MAX = 28
DAYS_MAX = 366
WEEK_HOURS = 168
AMOUNT_MAX = 1_000_000_000

FIELD = "clock"

_decoder = msgspec.json.Decoder(ClockPolicy)
# Where msgspec found the fault.
_PATH = re.compile(r" - at `\$(.*)`$")


class ClockRules(msgspec.Struct, frozen=True):
    """What this host can do for clocks. `zones`: all IANA zones; `check_zone` raises TournamentRejected for any other."""

    possible_steps: Collection[ExpiryAction]
    zones: Sequence[str]
    check_zone: Callable[[str], object]


class Fault(NamedTuple):
    """What is wrong with a policy. `key`: at which of its keys, such as `allowances[0].seconds`."""

    key: str
    sentence: str


class Timing(msgspec.Struct, frozen=True):
    """How much time the players of a table have: for each turn (0: no limit), or by a clock policy."""

    turn_seconds: int = 0
    policy: ClockPolicy | None = None


def read_policy(text: str) -> ClockPolicy | Rejection:
    """The policy in a JSON document, or what is wrong with it and where."""
    try:
        return _decoder.decode(text)
    except (msgspec.DecodeError, UnicodeError) as error:
        found = _PATH.search(str(error))
        return _malformed(Fault("" if found is None else found[1].removeprefix("."), str(error)))


def usual_policy() -> str:
    """What a policy has where it names nothing else, as JSON. Policies are kept without it, so it never changes."""
    usual = {
        each.encode_name: each.default
        for each in msgspec.structs.fields(ClockPolicy)
        if each.default is not msgspec.NODEFAULT
    }
    return msgspec.json.encode(usual).decode()


def reject_policy(policy: ClockPolicy, rules: ClockRules) -> Rejection | None:
    """Why a table cannot have this policy, None if it can."""
    fault = next(_faults(policy), None)
    if fault is not None:
        return _malformed(fault)
    try:
        rules.check_zone(policy.zone)
    except TournamentRejected as rejected:
        return Rejection(RejectionReason.ZONE_UNKNOWN, f"{rejected.sentence}.", field=_field("zone"))
    for number, step in enumerate(policy.on_expiry):
        if step.action not in rules.possible_steps:
            return Rejection(
                RejectionReason.CLOCK_STEP_NOT_POSSIBLE,
                f"Overdue turns can have the steps {', '.join(rules.possible_steps)} here, not {step.action}.",
                field=_field(f"on_expiry[{number}].action"),
            )
    return None


def reject_timing(timing: Timing, rules: ClockRules) -> Rejection | None:
    """Why a table cannot have these times, None if it can."""
    if timing.policy is None:
        return None
    if timing.turn_seconds:
        return _malformed(Fault("", "turn_seconds stands beside it"))
    return reject_policy(timing.policy, rules)


def window_fault(windows: Collection[Window]) -> str:
    """What is wrong with windows of a week, empty if nothing is."""
    if len(windows) > WINDOWS_MAX:
        return f"there are more than {WINDOWS_MAX} windows"
    for each in windows:
        starts, ends = 0 <= each.start_minute < DAY_MINUTES, each.end_minute <= 2 * DAY_MINUTES
        if not (0 <= each.weekday < WEEK_DAYS and starts and each.start_minute < each.end_minute and ends):
            return f"{each} is no time of a week"
    return ""


def _malformed(fault: Fault) -> Rejection:
    sentence = f"The clock policy cannot be used: {fault.sentence}."
    return Rejection(RejectionReason.CLOCK_MALFORMED, sentence, field=_field(fault.key))


def _field(key: str) -> str:
    """A key of the policy as one of the request."""
    return f"{FIELD}.{key}" if key else FIELD


def _faults(policy: ClockPolicy) -> Iterator[Fault]:
    yield from _faults_of_times(policy)
    for name, parts in (
        ("allowances", policy.allowances),
        ("reminders", policy.reminders),
        ("on_expiry", policy.on_expiry),
    ):
        if len(parts) > PARTS_MAX:
            yield Fault(name, f"{name} are more than {PARTS_MAX}")
    if not policy.bank + policy.grace_per_turn:
        yield Fault("bank", "bank and grace_per_turn are both 0")
    if any(not 0 < percent < PERCENT for percent in policy.reminders):
        yield Fault("reminders", f"reminders are not between 0 and {PERCENT} percent")
    if not 0 <= policy.vacation_days_per_year <= DAYS_MAX:
        yield Fault("vacation_days_per_year", f"vacation_days_per_year is not 0 to {DAYS_MAX}")
    if not 0 <= policy.deadline <= DEADLINE_MAX:
        yield Fault("deadline", f"deadline is not 0 to {DEADLINE_MAX} seconds since 1970")
    yield from _faults_of_hours(policy)
    match policy.penalty:
        case MoneyPenalty(amount, per_seconds) | PointsPenalty(amount, per_seconds):
            if not 0 < amount <= AMOUNT_MAX:
                yield Fault("penalty.amount", f"penalty.amount is not 1 to {AMOUNT_MAX}")
            if not 0 < per_seconds <= SECONDS_MAX:
                yield Fault("penalty.per_seconds", f"penalty.per_seconds is not 1 to {SECONDS_MAX}")


def _faults_of_times(policy: ClockPolicy) -> Iterator[Fault]:
    seconds = {
        "bank": policy.bank,
        "bank_max": policy.bank_max,
        "increment": policy.increment,
        "grace_per_turn": policy.grace_per_turn,
        **{f"allowances[{number}].seconds": each.seconds for number, each in enumerate(policy.allowances)},
        **{
            f"on_expiry[{number}].after_seconds": each.after_seconds
            for number, each in enumerate(policy.on_expiry)
        },
    }
    for key, value in seconds.items():
        if not 0 <= value <= SECONDS_MAX:
            yield Fault(key, f"{key} is not 0 to {SECONDS_MAX} seconds")


def _faults_of_hours(policy: ClockPolicy) -> Iterator[Fault]:
    fault = window_fault(policy.windows)
    if fault:
        yield Fault("windows", f"windows: {fault}")
    if not 0 <= policy.min_hours_per_week <= WEEK_HOURS:
        yield Fault("min_hours_per_week", f"min_hours_per_week is not 0 to {WEEK_HOURS}")
    if policy.windows and policy.min_hours_per_week:
        sentence = "players choose hours (min_hours_per_week) or the table has them (windows), not both"
        yield Fault("min_hours_per_week", sentence)
    if policy.windows and not weekly_minutes(policy.windows):
        yield Fault("windows", "windows have no playing time")
