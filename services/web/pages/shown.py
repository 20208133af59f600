"""How templates write points and times."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, datetime

from markupsafe import Markup

UNIT = 1_000_000
SECOND_MS = 1_000
MINUTE_MS = 60 * SECOND_MS


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


FILTERS: Mapping[str, Callable[[int], str]] = {"points": points, "when": when}
