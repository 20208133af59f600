"""Times for a page. Points in time are in UTC, which `static/times.mjs` writes in the reader's zone; it also counts down what is
left."""

from __future__ import annotations

import time
from datetime import UTC, datetime

from markupsafe import Markup

from services.web.pages.texts import Texts

NANOSECONDS = 1_000_000
MINUTE = 60
HOUR = 60 * MINUTE
DAY = 24 * HOUR


def now_ms() -> int:
    """Milliseconds since 1970 UTC."""
    return time.time_ns() // NANOSECONDS


def shown_time(milliseconds: int) -> Markup:
    """An element with a time since 1970 UTC."""
    found = datetime.fromtimestamp(milliseconds / 1000, UTC)
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
