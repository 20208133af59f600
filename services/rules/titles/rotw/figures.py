"""The figures that only this title has, and what else of its files is read."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from msgspec import Struct

from services.rules.kernel.conversion import Converter
from services.rules.kernel.titlebuild import Schema, missing_counts, no_faults
from services.rules.kernel.titledata import TitleData
from services.rules.parts.market.data import MARKET_DATA, MarketMove, chart_of
from services.rules.parts.shares.data import CompanyCard, cards_of, shares_reader
from services.rules.titles.rotw.board import BOARD_DATA


class TrackCosts(Struct, frozen=True, forbid_unknown_fields=True):
    """What a hex costs by its terrain, in dollars, and what comes on top: a ridge between two hexes or between a hex and a
    city, a track that lies in the hex already, and each hex of the second link of an action."""

    open: int
    water: int
    mountain: int
    ridge: int
    ridge_at_city: int
    crossing: int
    tracks_in_hex_most: int
    second_link_per_hex: int


class Income(Struct, frozen=True, forbid_unknown_fields=True):
    """What a company gets for its space of the income track, from space 0 on; beyond the last, as for the last."""

    by_space: tuple[int, ...]


class Figures(Struct, frozen=True, forbid_unknown_fields=True):
    """Amounts in dollars; tables by number of players. `shares_available`: how many shares of a company are auctioned, the rest
    is its reserve. `dividend_unit`: what one share gets is a multiple of it. `small_dividend`: how the marker moves for a
    dividend of half the value or less; `outstanding_bond`: for each bond at the end of the game.
    `passes_without_dividend`: so many passes in a turn forbid a dividend in variant 2. `cubes_fewer`: by how many cubes
    fewer than printed a city gets, but `cubes_least` at least."""

    shares_available: int
    banknote: int
    raise_least: int
    rounds_in_turn: int
    links_in_build: int
    bond: int
    bond_interest: int
    dividend_times_value_most: int
    dividend_unit: int
    player_income: int
    merger_premium: int
    passes_without_dividend: int
    empty_cities: int
    cubes_of_each_colour: int
    cubes_fewer: dict[int, int]
    cubes_least: int
    idle_turns: int
    small_dividend: MarketMove
    outstanding_bond: MarketMove
    track: TrackCosts
    income: Income


class Railroad(CompanyCard, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A company's card with its first share value, in dollars."""

    start_value: int


def figures_of(data: TitleData) -> Figures:
    """The figures of the table."""
    figures: Figures = data.figures
    return figures


def railroad(data: TitleData, symbol: str) -> Railroad:
    """A company's card."""
    card = cards_of(data)[symbol]
    assert isinstance(card, Railroad)
    return card


def start_column(data: TitleData, symbol: str) -> int:
    """Where on the track of share values a company starts."""
    return chart_of(data).rows[0].index(railroad(data, symbol).start_value)


def _faults(data: TitleData) -> Iterator[str]:
    for symbol in cards_of(data):
        if railroad(data, symbol).start_value not in chart_of(data).rows[0]:
            yield f"companies.toml: companies {symbol}: start_value is not on the track of share values"
    figures = figures_of(data)
    yield from missing_counts(data.header, "figures cubes_fewer", figures.cubes_fewer)
    if not figures.income.by_space:
        yield "title.toml: figures income: by_space is empty"


SCHEMA: Final = Schema(
    Converter(Figures),
    (shares_reader(Converter(Railroad), no_faults), MARKET_DATA, BOARD_DATA),
    _faults,
)
