"""The Dragon table as printed: the zones of ranks by row, and what Dragon shares cost."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import ClassVar, Final, Literal

from msgspec import Struct

from services.rules.kernel.conversion import Converter
from services.rules.kernel.titlebuild import Documents, Reader, SectionReader
from services.rules.kernel.titledata import Header, Section, TitleData
from services.rules.parts.market.data import chart_of
from services.rules.parts.trains.data import phases_of

PART = "dragons"

Zone = Literal["red", "white", "green"]
ZONES: Final[tuple[Zone, ...]] = ("red", "white", "green")


class TableRow(Struct, frozen=True, forbid_unknown_fields=True):
    """The row of a phase: the highest rank in its red and in its white zone; those above are green."""

    name: str
    red_most: int
    white_most: int


class DragonTable(Section, frozen=True, eq=False, forbid_unknown_fields=True):
    """`holder`: the name under which the Dragons hold shares. `premium_prices`: by zone, what a Dragon share costs at each
    value of the share line; a zone that is not named has the plain values."""

    PART: ClassVar[str] = PART

    holder: str
    rows: tuple[TableRow, ...]
    premium_prices: dict[Zone, tuple[int, ...]]

    def holders(self) -> Iterable[str]:
        """The Dragons hold shares."""
        return (self.holder,)


_TABLE: Final = Converter(DragonTable)


def table_of(data: TitleData) -> DragonTable:
    """The Dragon table."""
    found: DragonTable = data.sections[PART]
    return found


def zone_in(row: TableRow, rank: int) -> Zone:
    """The zone of a rank on a row (1865/1-f)."""
    red, white, green = ZONES
    if rank <= row.red_most:
        return red
    return white if rank <= row.white_most else green


def _read(reader: Reader, documents: Documents, header: Header) -> DragonTable | None:
    return reader.convert(documents[PART], _TABLE, f"{PART}.toml")


def _faults(data: TitleData) -> Iterator[str]:
    table = table_of(data)
    if [row.name for row in table.rows] != list(phases_of(data)):
        yield f"{PART}.toml: rows: there is not one for each phase, in order"
    for zone, prices in table.premium_prices.items():
        if len(prices) != len(chart_of(data).rows[0]):
            yield f"{PART}.toml: premium_prices {zone}: there is not one for each value of the share line"


DRAGON_DATA: Final = SectionReader(PART, (PART,), _read, _faults)
