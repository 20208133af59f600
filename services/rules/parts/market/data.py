"""The printed price chart."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, Final, Literal

from msgspec import Struct

from services.rules.kernel.conversion import Converter
from services.rules.kernel.titlebuild import Documents, Reader, SectionReader
from services.rules.kernel.titledata import Header, Section, TitleData

PART = "market"

MarketCell = tuple[int, int]
Direction = Literal["left", "right", "up", "down", "stay"]


class MarketMove(Struct, frozen=True, forbid_unknown_fields=True):
    """Where a marker goes, so many cells, and where instead when its row or column ends there."""

    to: Direction
    at_the_end: Direction
    cells: int = 1


class MarketMoves(Struct, frozen=True, forbid_unknown_fields=True):
    """What moves a marker. `sale` and `sold_out`: nothing, unless the title says so."""

    dividend: MarketMove
    no_dividend: MarketMove
    sale: MarketMove = MarketMove("stay", "stay")
    sold_out: MarketMove = MarketMove("stay", "stay")


class Chart(Section, frozen=True, eq=False, forbid_unknown_fields=True):
    """The price chart: prices by row (top first) and column, and named groups of (row, column) cells."""

    PART: ClassVar[str] = PART

    rows: tuple[tuple[int, ...], ...]
    moves: MarketMoves
    zones: dict[str, tuple[MarketCell, ...]]


_CHART: Final = Converter(Chart)


def has_market(data: TitleData) -> bool:
    """Whether the title has a price chart."""
    return PART in data.sections


def chart_of(data: TitleData) -> Chart:
    """The price chart of a title that has one."""
    found: Chart = data.sections[PART]
    return found


def _read(reader: Reader, documents: Documents, header: Header) -> Chart | None:
    return reader.convert(documents["market"], _CHART, "market.toml")


def _faults(data: TitleData) -> Iterator[str]:
    chart = chart_of(data)
    for zone, cells in chart.zones.items():
        for row, column in cells:
            if not (0 <= row < len(chart.rows) and 0 <= column < len(chart.rows[row])):
                yield f"market.toml: zones {zone}: there is no cell [{row}, {column}]"


MARKET_DATA = SectionReader(PART, ("market",), _read, _faults)
