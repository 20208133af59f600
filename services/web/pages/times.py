"""Times for a page. Points in time are in UTC, which `static/times.mjs` writes in the reader's zone; it also counts down what is
left."""

from __future__ import annotations

import time
from datetime import UTC, datetime

from markupsafe import Markup

from services.web.pages.texts import Texts

NANOSECONDS = 1_000_000
# 9999-12-31: later years cannot be written as a date.
TIME_MS_MAX = 253_402_214_400_000
MINUTE = 60
HOUR = 60 * MINUTE
DAY = 24 * HOUR


def now_ms() -> int:
    """Milliseconds since 1970 UTC."""
    return time.time_ns() // NANOSECONDS


def moment_of(milliseconds: int) -> datetime:
    """A time since 1970 UTC; one that cannot be written is the nearest that can."""
    return datetime.fromtimestamp(min(max(0, milliseconds), TIME_MS_MAX) / 1000, UTC)


def shown_time(milliseconds: int) -> Markup:
    """An element with a time since 1970 UTC."""
    found = moment_of(milliseconds)
    return Markup('<time datetime="{}">{:%Y-%m-%d %H:%M} UTC</time>').format(
        found.isoformat(timespec="seconds"), found
    )


def shown_minute(minute: int) -> str:
    """A minute of the day; one of the day after is shown as on that day."""
    hours, minutes = divmod(minute, MINUTE)
    return f"{hours % 24:02}:{minutes:02}"


def shown_left(texts: Texts, milliseconds: int) -> str:
    """A time that is left, by its two largest units."""
    seconds = max(0, milliseconds) // 1000
    if seconds >= DAY:
        return texts("clock.days", days=seconds // DAY, hours=seconds % DAY // HOUR)
    if seconds >= HOUR:
        return texts("clock.hours", hours=seconds // HOUR, minutes=seconds % HOUR // MINUTE)
    return texts("clock.minutes", minutes=seconds // MINUTE, seconds=seconds % MINUTE)
