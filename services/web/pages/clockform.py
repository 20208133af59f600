"""The form for the time that players of a table have: what it begins with, and the policy that it describes.

Fields have the names under which the lobby refuses them, such as `clock.allowances[0].seconds`; a length of time has its unit
in a field of its own beside it.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from services.gen.signalbox.lobby.v1 import lobby_service_pb2 as wire
from services.web.clocks import DAY_MINUTES
from services.web.pages import fields

Form = Mapping[str, str]

UNITS: Mapping[str, int] = {"seconds": 1, "minutes": 60, "hours": 3_600, "days": 86_400}
UNIT = ".unit"
EVERY_DAY, WORKING_DAYS, WEEKEND = "every_day", "working_days", "weekend"
DAYS: Mapping[str, Sequence[int]] = {
    EVERY_DAY: range(7),
    WORKING_DAYS: range(5),
    WEEKEND: (5, 6),
    **{str(day): (day,) for day in range(7)},
}
MORE_ROWS = "more_rows"
EMPTY_ROWS: Mapping[str, int] = {"allowances": 2, "windows": 3, "on_expiry": 2}
START: Form = {
    "timing": "none",
    "turn_seconds": "24",
    "turn_seconds.unit": "hours",
    "clock.bank": "3",
    "clock.bank.unit": "days",
    "clock.grace_per_turn": "12",
    "clock.grace_per_turn.unit": "hours",
    "clock.increment": "0",
    "clock.bank_max": "0",
    "clock.penalty.type": "none",
}
_ROW = re.compile(r"clock\.(allowances|windows|on_expiry)\[([0-9]{1,3})\]\.([a-z_.]+)")


def started(rules: wire.GetClockRulesResponse) -> dict[str, str]:
    """The fields of a new form; what a policy usually has comes from the lobby."""
    usual = json.loads(rules.usual_policy)
    form = {
        **START,
        "clock.reminders": ", ".join(map(str, usual["reminders"])),
        "clock.zone": usual["zone"],
        "clock.min_hours_per_week": str(usual["min_hours_per_week"]),
        "clock.vacation_days_per_year": str(usual["vacation_days_per_year"]),
    }
    for number, step in enumerate(usual["on_expiry"]):
        name = f"clock.on_expiry[{number}]"
        form |= {f"{name}.action": step["action"], f"{name}.after_seconds": str(step["after_seconds"])}
    return form


def compacted(form: Form) -> dict[str, str]:
    """The fields without empty rows, so that rows have the numbers of what they become in the policy."""
    kept: dict[str, str] = {}
    rows: dict[tuple[str, int], dict[str, str]] = {}
    for name, value in form.items():
        found = _ROW.fullmatch(name)
        if found is None:
            kept[name] = value
        else:
            rows.setdefault((found[1], int(found[2])), {})[found[3]] = value
    numbers: Counter[str] = Counter()
    for (group, _), row in sorted(rows.items()):
        if any(value.strip() for name, value in row.items() if not name.endswith(UNIT)):
            kept |= {f"clock.{group}[{numbers[group]}].{name}": value for name, value in row.items()}
            numbers[group] += 1
    return kept


def row_counts(form: Form) -> Mapping[str, int]:
    """How many rows of each group a page shows: the filled ones, and empty ones for more."""
    factor = 2 if MORE_ROWS in form else 1
    return {group: len(_rows(form, group)) + factor * more for group, more in EMPTY_ROWS.items()}


def timing_in(form: Form) -> dict[str, Any]:
    """The fields of `CreateTableRequest` about time that a compacted form describes. What they may hold is checked by the
    lobby. Raises `ProblemError` for what is no number."""
    match form.get("timing", "none"):
        case "turn":
            return {"turn_seconds": fields.check_small("turn_seconds", _seconds(form, "turn_seconds"))}
        case "clock":
            return {"clock": json.dumps(_policy_in(form))}
        case _:
            return {}


def _policy_in(form: Form) -> dict[str, Any]:
    policy = {
        name: _seconds(form, f"clock.{name}") for name in ("bank", "bank_max", "increment", "grace_per_turn")
    }
    for name in ("min_hours_per_week", "vacation_days_per_year"):
        policy[name] = fields.whole(form, f"clock.{name}")
    return {
        **policy,
        "allowances": list(_allowances(form)),
        "reminders": list(_percents(form, "clock.reminders")),
        "zone": form.get("clock.zone", "").strip(),
        "windows": list(windows_in(form)),
        "deadline": fields.time_ms(form, "clock.deadline") // 1_000,
        "on_expiry": list(_steps(form)),
        **_penalty(form),
    }


def _rows(form: Form, group: str) -> Sequence[str]:
    """The beginnings of the names of the fields of each row."""
    numbers = {int(found[2]) for found in map(_ROW.fullmatch, form) if found and found[1] == group}
    return [f"clock.{group}[{number}]" for number in sorted(numbers)]


def _seconds(form: Form, name: str) -> int:
    unit = form.get(name + UNIT, "seconds")
    if unit not in UNITS:
        raise fields.malformed(name, f"{unit!r} is no unit of time")
    return fields.whole(form, name) * UNITS[unit]


def _percents(form: Form, name: str) -> Iterator[int]:
    for each in form.get(name, "").replace("%", "").split(","):
        if each.strip():
            yield fields.whole({name: each}, name)


def _allowances(form: Form) -> Iterator[dict[str, Any]]:
    for row in _rows(form, "allowances"):
        kinds = {name: form.get(f"{row}.{name}", "") for name in ("round_kind", "company_kind", "phase")}
        yield {"seconds": _seconds(form, f"{row}.seconds"), **kinds}


def windows_in(form: Form) -> Iterator[dict[str, int]]:
    """The windows of a compacted form: a row is one on each of its days. Raises `ProblemError`."""
    for row in _rows(form, "windows"):
        days = DAYS.get(form.get(f"{row}.days", ""))
        if days is None:
            raise fields.malformed(f"{row}.days", "choose the days of these hours")
        start, end = fields.minute_of_day(form, f"{row}.start"), fields.minute_of_day(form, f"{row}.end")
        over_midnight = DAY_MINUTES if end <= start else 0
        for day in days:
            yield {"weekday": day, "start_minute": start, "end_minute": end + over_midnight}


def _steps(form: Form) -> Iterator[dict[str, Any]]:
    for row in _rows(form, "on_expiry"):
        after = _seconds(form, f"{row}.after_seconds")
        yield {"action": form.get(f"{row}.action", ""), "after_seconds": after}


def _penalty(form: Form) -> dict[str, Any]:
    kind, amount = form.get("clock.penalty.type", "none"), "clock.penalty.amount"
    if kind == "none":
        return {}
    given = fields.millionths(form, amount) if kind == "points" else fields.whole(form, amount)
    seconds = _seconds(form, "clock.penalty.per_seconds")
    return {"penalty": {"type": kind, "amount": given, "per_seconds": seconds}}
