"""The clock policy of a table or an event."""

from __future__ import annotations

from typing import Literal

import msgspec

from services.lobby.domain.time_control.weeks import Window

SECOND_MS = 1000
PERCENT = 100
DEADLINE_MAX = 10_000_000_000
"""Seconds since 1970 UTC, in the year 2286: as far as a number in a charter reaches."""


class Allowance(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """Additional time for a turn of a kind; an empty field fits every turn. Of several that fit the first counts."""

    seconds: int
    round_kind: str = ""
    company_kind: str = ""
    phase: str = ""


class Turn(msgspec.Struct, frozen=True, omit_defaults=True):
    """What kind of turn a player is asked for."""

    round_kind: str = ""
    company_kind: str = ""
    phase: str = ""


ExpiryAction = Literal["standing_policy_pass", "standing_policy_least", "director", "substitute", "forfeit"]


class ExpiryStep(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What happens once a turn has been overdue for this much playing time."""

    action: ExpiryAction
    after_seconds: int = 0


class NoPenalty(msgspec.Struct, frozen=True, tag="none", forbid_unknown_fields=True):
    """Overdue time costs nothing."""


class MoneyPenalty(msgspec.Struct, frozen=True, tag="money", forbid_unknown_fields=True):
    """Each started unit of overdue time costs money, taken from the worth after the end of the game."""

    amount: int
    per_seconds: int


class PointsPenalty(msgspec.Struct, frozen=True, tag="points", forbid_unknown_fields=True):
    """Each started unit of overdue time costs points of the event, in millionths."""

    amount: int
    per_seconds: int


Penalty = NoPenalty | MoneyPenalty | PointsPenalty


class ClockPolicy(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """How much time players have, all in seconds of playing time.

    Playing time is the `windows` of each week in `zone`; without windows all time, less the hours that players choose where
    `min_hours_per_week` is above 0. `deadline`: seconds since 1970 UTC at which every turn is overdue, 0 for none.

    A turn has its grace and its allowance first, then it uses the bank. A completed turn adds the increment to the bank, up to
    `bank_max` (0: no limit). `reminders` are percents of a turn's time."""

    bank: int
    bank_max: int = 0
    increment: int = 0
    grace_per_turn: int = 0
    allowances: tuple[Allowance, ...] = ()
    reminders: tuple[int, ...] = (50, 90)
    on_expiry: tuple[ExpiryStep, ...] = (ExpiryStep("director"),)
    penalty: Penalty = NoPenalty()
    zone: str = "UTC"
    windows: tuple[Window, ...] = ()
    min_hours_per_week: int = 0
    vacation_days_per_year: int = 0
    vacation_in_finals: bool = False
    deadline: int = 0


def free_ms(policy: ClockPolicy, turn: Turn) -> int:
    """The time of a turn that does not use the bank: grace and the first allowance that fits."""
    for each in policy.allowances:
        if all(
            wanted in ("", actual)
            for wanted, actual in (
                (each.round_kind, turn.round_kind),
                (each.company_kind, turn.company_kind),
                (each.phase, turn.phase),
            )
        ):
            return (policy.grace_per_turn + each.seconds) * SECOND_MS
    return policy.grace_per_turn * SECOND_MS
