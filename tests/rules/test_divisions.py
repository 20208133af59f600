"""How many shares a company is divided into: limits in percent are compared without rounding, and what is shown."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, strategies as st

from services.rules.kernel.game import Game
from services.rules.parts.shares.events import CompanyAdded, CompanyReset, DirectorChanged, SharesDivided
from services.rules.parts.shares.shares import is_at_least, is_more_than, percent_text
from services.rules.parts.shares.state import Company, companies_of


def divided(shares: int) -> Game:
    """A game with one company of so many shares."""
    game = Game()
    CompanyAdded("A").write(game)
    SharesDivided("A", shares).write(game)
    return game


@given(st.integers(1, 40), st.integers(0, 40), st.integers(0, 100))
def test_limits_in_percent_are_exact(count: int, shares: int, percent: int) -> None:
    """Whatever a company is divided into."""
    game, part = divided(count), Fraction(shares, count)
    assert is_at_least(game, "A", shares, percent) == (part >= Fraction(percent, 100))
    assert is_more_than(game, "A", shares, percent) == (part > Fraction(percent, 100))


@pytest.mark.parametrize(
    ("count", "shares", "text"),
    [(10, 2, "20 %"), (5, 2, "40 %"), (8, 3, "37.5 %"), (3, 1, "33.3 %"), (1, 1, "100 %"), (10, 0, "")],
)
def test_percent_is_shown_as_people_read_it(count: int, shares: int, text: str) -> None:
    """Without digits that say nothing; nothing for no share."""
    assert percent_text(divided(count), "A", shares) == text


def test_a_company_that_is_reset_stays_divided() -> None:
    """Everything else about it is as at the start."""
    game = divided(5)
    DirectorChanged("A", "ann").write(game)
    SharesDivided("A", 10).write(game)
    CompanyReset("A").write(game)
    assert companies_of(game)["A"] == Company(shares=10)
