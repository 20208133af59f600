"""Hours of the week as people write them, in UTC: `mon 18-22, sat 10-18`."""

from __future__ import annotations

import re

DAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
DAY_HOURS = 24
_PART = re.compile(r"([a-z]{3}) ([0-9]{1,2})-([0-9]{1,2})")


def read_week_hours(text: str) -> tuple[int, ...]:
    """The hours of the week in a text, 0 being Monday 0:00 to 1:00; none of an empty one. Raises ValueError."""
    hours = set[int]()
    for part in filter(None, (each.strip().lower() for each in text.split(","))):
        found = _PART.fullmatch(part)
        day = DAYS.index(found[1]) if found is not None and found[1] in DAYS else None
        if found is None or day is None or not int(found[2]) < int(found[3]) <= DAY_HOURS:
            raise ValueError(f"{part!r} is not a time such as `mon 18-22`, in UTC")
        hours |= {DAY_HOURS * day + hour for hour in range(int(found[2]), int(found[3]))}
    return tuple(sorted(hours))
