"""The figures that only 1862 has: those of the game as a whole, and what its trains and phases have beside others."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from msgspec import Struct, field

from services.rules.kernel.conversion import Converter
from services.rules.kernel.titlebuild import Schema, missing_counts
from services.rules.kernel.titledata import TitleData
from services.rules.parts.map.homes import home_faults
from services.rules.parts.map.reading import MAP_DATA
from services.rules.parts.market.data import MARKET_DATA, chart_of
from services.rules.parts.shares.data import CompanyCard, cards_of, shares_reader
from services.rules.parts.trains import data as trains
from services.rules.parts.trains.data import trains_reader


class Figures(Struct, frozen=True, forbid_unknown_fields=True):
    """Amounts in pounds; tables by number of players.

    `companies_from`: how many companies can be opened from a phase on (2.4.1), `extra_companies` how many more from the
    start (2.4.2); `licences` how many of each kind are in the draw. `spaces_most`: the most spaces a dividend lifts the
    price (7.8.5-f). `shares_ignored`: how many shares sold at once by others than the director leave the price alone, by
    zone of the chart (6.4.2-c, -d)."""

    director_shares: int
    companies_from: dict[str, dict[int, int]]
    extra_companies: dict[int, int]
    licences: dict[str, dict[int, int]]
    bid_step: int
    cash_above_bid: int
    obligation_fine_times_par: int
    chartered_tokens: int
    chartered_token_cost: int
    token_cost: int
    tokens_least: int
    tokens_most: int
    tokens_most_with_eight_stations: int
    freight_bonus_per_hex: int
    freight_bonus_per_hex_port: int
    subsidy_per_hex: int
    warranty_cost: int
    warranties_most: int
    hudson_step: int
    spaces_most: int
    refinancing_times_marker: int
    refinancing_most: int
    yellow_tiles_most: int
    opening_parliaments: int
    shares_ignored: dict[str, int]


class TrainFace(Struct, frozen=True, forbid_unknown_fields=True):
    """What a train is when it runs as one kind: `name` is printed, `reach` hexes or stops, `counts` stops (0: all)."""

    name: str
    reach: int
    counts: int = 0


class TrainKind(trains.TrainKind, frozen=True, forbid_unknown_fields=True):
    """A kind of train. `faces`: what it may run as, its buyer chooses."""

    faces: dict[str, TrainFace] = field(default_factory=dict)
    free_warranties: int = 0


class Phase(trains.Phase, frozen=True, forbid_unknown_fields=True):
    """A phase. `limit_of_each_kind`: the train limit holds for each kind of train by itself."""

    limit_of_each_kind: bool = False


_FIGURES: Final = Converter(Figures)
_CARD: Final = Converter(CompanyCard)
_TRAIN_KIND: Final = Converter(TrainKind)
_PHASE: Final = Converter(Phase)


def figures_of(data: TitleData) -> Figures:
    """The figures of the game as a whole."""
    found: Figures = data.figures
    return found


def director_shares(data: TitleData) -> int:
    """How many shares a director's certificate stands for (1862/2.1-a)."""
    return figures_of(data).director_shares


def kind_of(data: TitleData, train: str) -> TrainKind:
    """The printed kind of a train, from its id."""
    found: TrainKind = data.sections[trains.PART].kinds[train.rsplit("-", 1)[0]]
    return found


def phases_of(data: TitleData) -> dict[str, Phase]:
    """The phases by name."""
    found: dict[str, Phase] = data.sections[trains.PART].phases
    return found


def _faults(data: TitleData) -> Iterator[str]:
    figures = figures_of(data)
    yield from missing_counts(data.header, "figures: extra_companies", figures.extra_companies)
    tables = {f"companies_from {phase}": table for phase, table in figures.companies_from.items()}
    tables |= {f"licences {kind}": table for kind, table in figures.licences.items()}
    for name, table in tables.items():
        yield from missing_counts(data.header, f"figures: {name}", table)
    with_extra = tuple(players for players, count in sorted(figures.extra_companies.items()) if count)
    for option in data.header.options:
        if option.name == "extra_companies" and option.player_counts != with_extra:
            yield f"title.toml: options extra_companies: player_counts: there are some with {list(with_extra)}"
    for phase in figures.companies_from:
        if phase not in phases_of(data):
            yield f"title.toml: figures: companies_from: there is no phase {phase!r}"
    for zone in figures.shares_ignored:
        if zone not in chart_of(data).zones:
            yield f"title.toml: figures: shares_ignored: there is no zone {zone!r}"


def _card_faults(data: TitleData) -> Iterator[str]:
    yield from home_faults(data)
    shares = figures_of(data).director_shares
    for symbol, card in cards_of(data).items():
        if card.certificates[0] != shares:
            yield f"companies.toml: companies {symbol}: the director's certificate is not {shares} shares"


SCHEMA: Final = Schema(
    _FIGURES,
    (
        MAP_DATA,
        shares_reader(_CARD, _card_faults),
        trains_reader(_TRAIN_KIND, _PHASE),
        MARKET_DATA,
    ),
    _faults,
)
