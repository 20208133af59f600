"""Companies as printed, in their wire form: messages of the same names have the same fields."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from services.rules.kernel.printed import own_figures
from services.rules.kernel.titledata import TitleData
from services.rules.parts.shares.data import CompanyCard, shares_data

# In percent.
WHOLE = 100


class PrintedCompany(Struct, frozen=True):
    """A company's card. `certificates`: how many shares each stands for, from the director's on; `divided_into`: how many
    shares the company has at the start, and after each new division; `float_shares`: how many of those at the start must be
    sold before it opens. `tokens` are costs in order; `own`: what the title
    prints on its cards beyond these."""

    symbol: str
    name: str
    kind: str
    fill_colour: str
    text_colour: str
    home_hex: str
    home_stop: int | None
    certificates: tuple[int, ...]
    divided_into: tuple[int, ...]
    tokens: tuple[int, ...]
    par_prices: tuple[int, ...]
    float_shares: int | None
    capital_times_price: int
    counts_for_limit: bool
    own: dict[str, Any]


class PrintedCompanies(Struct, frozen=True):
    """All companies; `kinds` in operating order."""

    kinds: tuple[str, ...]
    companies: tuple[PrintedCompany, ...]


def printed(data: TitleData) -> PrintedCompanies:
    """The companies of a title that has shares."""
    shares = shares_data(data)
    return PrintedCompanies(shares.kinds, tuple(map(_company, shares.companies.values())))


def _company(card: CompanyCard) -> PrintedCompany:
    return PrintedCompany(
        symbol=card.symbol,
        name=card.name,
        kind=card.kind,
        fill_colour=card.colours.fill,
        text_colour=card.colours.text,
        home_hex=card.home.hex if card.home else "",
        home_stop=card.home.stop if card.home else None,
        certificates=card.certificates,
        divided_into=card.divided_into,
        tokens=card.tokens,
        par_prices=card.par_prices,
        float_shares=_float_shares(card),
        capital_times_price=card.capital_times_price,
        counts_for_limit=card.counts_for_limit,
        own=own_figures(card, CompanyCard),
    )


def _float_shares(card: CompanyCard) -> int | None:
    if card.float_percent is None:
        return None
    return -(-card.divided_into[0] * card.float_percent // WHOLE)
