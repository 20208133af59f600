"""Hours of the week as people write them."""

from __future__ import annotations

import pytest

from services.common.week_hours import read_week_hours


def test_days_and_hours() -> None:
    """Monday begins the week; times may overlap; an empty text has none."""
    assert read_week_hours("Mon 0-2, mon 1-3, sun 23-24") == (0, 1, 2, 167)
    assert read_week_hours("  ") == ()


@pytest.mark.parametrize("text", ["mon", "mon 18-18", "mon 22-18", "mon 20-25", "day 1-2", "mon 1-2 tue 3-4"])
def test_what_is_no_time_is_named(text: str) -> None:
    """In the words that were given."""
    with pytest.raises(ValueError, match=text):
        read_week_hours(text)
