"""The sea companies as printed, and who has them in a game."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, Final

from msgspec import Struct

from services.rules.kernel.conversion import Converter
from services.rules.kernel.titlebuild import Documents, Reader, SectionReader
from services.rules.kernel.titledata import Header, Section, TitleData
from services.rules.parts.map.data import map_data

PART = "maritime"


class MaritimeCompany(Struct, frozen=True, forbid_unknown_fields=True):
    """A sea company. `ports`: a token in any one of these hexes is one at its location (1865/3-k)."""

    name: str
    title: str
    ports: tuple[str, ...]


class MaritimeData(Section, frozen=True, eq=False):
    """All sea companies by name."""

    PART: ClassVar[str] = PART

    companies: dict[str, MaritimeCompany]


_COMPANY: Final = Converter(MaritimeCompany)


def maritime_cards(data: TitleData) -> dict[str, MaritimeCompany]:
    """The sea companies by name."""
    found: MaritimeData = data.sections[PART]
    return found.companies


def _read(reader: Reader, documents: Documents, header: Header) -> MaritimeData:
    return MaritimeData(reader.entries(documents[PART], PART, PART, "name", _COMPANY))


def _faults(data: TitleData) -> Iterator[str]:
    for card in maritime_cards(data).values():
        for hex_id in card.ports:
            if hex_id not in map_data(data).hexes:
                yield f"{PART}.toml: {PART} {card.name}: there is no hex {hex_id!r}"


MARITIME_DATA: Final = SectionReader(PART, (PART,), _read, _faults, {PART: (PART,)})
