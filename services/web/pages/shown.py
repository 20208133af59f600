"""How templates write points, times and durations."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, datetime

from markupsafe import Markup

UNIT = 1_000_000
SECOND_MS = 1_000
MINUTE_MS = 60 * SECOND_MS
HOUR_MS = 60 * MINUTE_MS
DAY_MS = 24 * HOUR_MS


def points(millionths: int) -> str:
    """Points, which the services count in millionths."""
    whole, rest = divmod(abs(millionths), UNIT)
    sign = "-" if millionths < 0 else ""
    return f"{sign}{whole}.{rest:06d}".rstrip("0").rstrip(".")


def when(time_ms: int) -> Markup:
    """A time in UTC; `times.mjs` writes it in the reader's zone."""
    moment = datetime.fromtimestamp(time_ms / SECOND_MS, UTC)
    machine, human = moment.strftime("%Y-%m-%dT%H:%M:%SZ"), moment.strftime("%Y-%m-%d %H:%M UTC")
    return Markup('<time datetime="{}">{}</time>').format(machine, human)


def duration(milliseconds: int) -> str:
    """How long something took, in its two largest units."""
    if milliseconds >= DAY_MS:
        return f"{milliseconds // DAY_MS} d {milliseconds % DAY_MS // HOUR_MS} h"
    if milliseconds >= HOUR_MS:
        return f"{milliseconds // HOUR_MS} h {milliseconds % HOUR_MS // MINUTE_MS} min"
    return f"{milliseconds // MINUTE_MS} min {milliseconds % MINUTE_MS // SECOND_MS} s"


FILTERS: Mapping[str, Callable[[int], str]] = {"points": points, "when": when, "duration": duration}
