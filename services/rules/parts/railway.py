"""What a railway share game plays with: companies, a price chart, a map and trains, and the files that describe them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final

from services.rules.kernel.conversion import Converter
from services.rules.kernel.part import Part
from services.rules.kernel.titlebuild import Schema, no_faults
from services.rules.kernel.titledata import TitleData
from services.rules.parts.map.homes import home_faults
from services.rules.parts.map.part import MAP
from services.rules.parts.map.reading import MAP_DATA
from services.rules.parts.market.data import MARKET_DATA
from services.rules.parts.market.part import MARKET
from services.rules.parts.shares.data import CompanyCard, shares_reader
from services.rules.parts.shares.part import SHARES
from services.rules.parts.trains.data import Phase, TrainKind, trains_reader
from services.rules.parts.trains.part import TRAINS

RAILWAY: tuple[Part, ...] = (SHARES, MARKET, MAP, TRAINS)

CARD: Final = Converter(CompanyCard)
TRAIN_KIND: Final = Converter(TrainKind)
PHASE: Final = Converter(Phase)

Faults = Callable[[TitleData], Iterable[str]]


def railway_schema(
    figures: Converter[Any],
    *,
    card: Converter[Any] = CARD,
    train_kind: Converter[Any] = TRAIN_KIND,
    phase: Converter[Any] = PHASE,
    card_faults: Faults = no_faults,
    train_faults: Faults = no_faults,
    faults: Faults = no_faults,
) -> Schema:
    """The schema of a title's files. A title gives converters for cards, trains and phases with more figures on them, and
    says what else may be wrong with companies, with trains, and with its own figures."""

    def company_faults(data: TitleData) -> Iterator[str]:
        yield from home_faults(data)
        yield from card_faults(data)

    sections = (
        MAP_DATA,
        shares_reader(card, company_faults),
        trains_reader(train_kind, phase, train_faults),
        MARKET_DATA,
    )
    return Schema(figures, sections, faults)
