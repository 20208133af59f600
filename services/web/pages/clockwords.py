"""How much time players have, in words."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from markupsafe import Markup, escape

from services.gen.signalbox.lobby.v1 import table_clock_pb2
from services.web.calls import Caller
from services.web.clocks import Hours, hours_of
from services.web.pages.backend import Backend
from services.web.pages.clockform import DAYS, EVERY_DAY, UNITS, WEEKEND, WORKING_DAYS
from services.web.pages.phrases import plain
from services.web.pages.shown import SECOND_MS, points
from services.web.pages.texts import Texts
from services.web.pages.times import shown_minute, shown_time

MONEY, POINTS = "money", "points"
SPOKEN = (EVERY_DAY, WORKING_DAYS, WEEKEND)
LARGEST_FIRST = sorted(UNITS, key=lambda each: -UNITS[each])


def span(texts: Texts, seconds: int) -> str:
    """A length of time in the largest unit of which it is a whole number."""
    if not seconds:
        return texts("span.seconds", count=0)
    unit = next(each for each in LARGEST_FIRST if not seconds % UNITS[each] and seconds >= UNITS[each])
    count = seconds // UNITS[unit]
    return texts(f"span.{unit}", count=count)


def shown_hours(texts: Texts, hours: Iterable[Hours]) -> str:
    """Times of the week."""
    return "; ".join(
        _days(texts, each.weekdays)
        + " "
        + texts("clock.from_to", start=shown_minute(each.start_minute), end=shown_minute(each.end_minute))
        for each in hours
    )


def _days(texts: Texts, weekdays: Sequence[int]) -> str:
    group = next((name for name in SPOKEN if tuple(weekdays) == tuple(DAYS[name])), "")
    return texts(f"days.{group}") if group else ", ".join(texts(f"weekday.{day}") for day in weekdays)


async def time_rules_of(
    backend: Backend, texts: Texts, caller: Caller, turn_seconds: int, policy: str
) -> Sequence[str]:
    """See `time_rules`; what policies usually have is asked for. Raises `ProblemError`."""
    usual = await backend.usual_policy(caller) if policy else ""
    return time_rules(texts, turn_seconds, policy, usual)


def time_rules(texts: Texts, turn_seconds: int, policy: str, usual: str) -> Sequence[str]:
    """Sentences about the time of the players of a table: for each turn, by a policy, or as much as they like. `usual`: what
    a policy has that does not say otherwise; both are JSON."""
    if policy:
        return list(_sentences(texts, json.loads(usual) | json.loads(policy)))
    if turn_seconds:
        return [texts("time_rule.turn", time=span(texts, turn_seconds))]
    return [texts("time_rule.none")]


def _sentences(texts: Texts, policy: Mapping[str, Any]) -> Iterator[str]:
    grace, bank = policy["grace_per_turn"], policy["bank"]
    if grace:
        yield texts("time_rule.grace", time=span(texts, grace))
    for each in policy["allowances"]:
        yield _allowance(texts, each)
    is_later = grace or policy["allowances"]
    name = ("bank" if is_later else "bank_at_once") if bank else "no_bank"
    yield texts(f"time_rule.{name}", time=span(texts, bank))
    if policy["increment"]:
        name = "increment_up_to" if policy["bank_max"] else "increment"
        most = span(texts, policy["bank_max"])
        yield texts(f"time_rule.{name}", time=span(texts, policy["increment"]), most=most)
    yield _hours(texts, policy)
    if policy["vacation_days_per_year"]:
        yield texts("time_rule.vacation", days=policy["vacation_days_per_year"])
    if policy["deadline"]:
        moment = shown_time(policy["deadline"] * SECOND_MS)
        yield Markup(escape(texts("time_rule.deadline", time="{time}"))).format(time=moment)
    if policy["reminders"]:
        percents = ", ".join(f"{each} %" for each in policy["reminders"])
        yield texts("time_rule.reminders", percents=percents)
    yield from _steps(texts, policy["on_expiry"])
    yield from _penalty(texts, policy["penalty"])


def _allowance(texts: Texts, allowance: Mapping[str, Any]) -> str:
    time = span(texts, allowance["seconds"])
    kinds = {name: str(allowance.get(name, "")) for name in ("company_kind", "phase")}
    rounds = allowance.get("round_kind", "")
    fits = [_round(texts, rounds)] if rounds else []
    fits += [
        texts(f"allowance.{name}", value=texts.said(plain(kind))) for name, kind in kinds.items() if kind
    ]
    if not fits:
        return texts("time_rule.allowance_always", time=time)
    return texts("time_rule.allowance", time=time, fits=", ".join(fits))


def _round(texts: Texts, kind: str) -> str:
    """A kind of round; one that only one title has stands behind the name of the title."""
    own = texts("allowance.own_round", name=texts.said(plain(kind)))
    return texts.found("round_kind", kind) or own


def _hours(texts: Texts, policy: Mapping[str, Any]) -> str:
    if policy["windows"]:
        windows = [table_clock_pb2.WeekWindow(**each) for each in policy["windows"]]
        hours = shown_hours(texts, hours_of(windows))
        return texts("time_rule.windows", hours=hours, zone=policy["zone"])
    if policy["min_hours_per_week"]:
        return texts("time_rule.own_hours", hours=policy["min_hours_per_week"])
    return texts("time_rule.always")


def _steps(texts: Texts, steps: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    if not steps:
        yield texts("time_rule.no_step")
    for each in steps:
        what = texts.found("expiry_action", each["action"]) or texts.said(plain(each["action"]))
        after = each.get("after_seconds", 0)
        name = "step_after" if after else "step"
        yield texts(f"time_rule.{name}", what=what, time=span(texts, after))


def _penalty(texts: Texts, penalty: Mapping[str, Any]) -> Iterator[str]:
    if penalty["type"] in (MONEY, POINTS):
        per, amount = span(texts, penalty["per_seconds"]), penalty["amount"]
        given = points(amount) if penalty["type"] == POINTS else amount
        yield texts(f"time_rule.{penalty['type']}", amount=given, time=per)
