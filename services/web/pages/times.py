"""Points in time for a page: in UTC, which `static/times.mjs` writes in the reader's zone."""

from __future__ import annotations

from datetime import UTC, datetime

from markupsafe import Markup


def shown_time(milliseconds: int) -> Markup:
    """An element with a time since 1970 UTC."""
    found = datetime.fromtimestamp(milliseconds / 1000, UTC)
    return Markup('<time datetime="{}">{:%Y-%m-%d %H:%M} UTC</time>').format(
        found.isoformat(timespec="seconds"), found
    )
