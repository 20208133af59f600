"""The figures that only 1865 has: those of the game as a whole, and what its companies, trains and phases have beside others."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from msgspec import Struct

from services.rules.kernel.conversion import Converter
from services.rules.kernel.game import Game
from services.rules.kernel.titlebuild import Schema
from services.rules.kernel.titledata import TitleData
from services.rules.kernel.values import kind_name
from services.rules.parts.map.data import map_data
from services.rules.parts.railway import railway_schema
from services.rules.parts.shares import data as shares
from services.rules.parts.trains import data as trains
from services.rules.parts.trains.state import phase_of
from services.rules.titles.g1865.dragontable import DRAGON_DATA
from services.rules.titles.g1865.maritime import MARITIME_DATA


class Figures(Struct, frozen=True, forbid_unknown_fields=True):
    """Amounts in lire, limits of holdings in percent of a company.

    `tile_costs`: of the tiles of a turn, in order (5.1-a, 5.1-b). `token_cost`: by kind of hexside (5.2-e). `district`: the
    mines of which a company may use `mines_of_district_most` (5.3-d). `loan`: one loan of the bank, of which a company may
    have `loans_most`. `synergy`: what a pair of tokens in one place brings in an absorption (6.3-c). `cubes`: how much
    traffic a cube of a colour stands for, the largest first (faq-b)."""

    maritime_per_player: int
    maritime_income: int
    maritime_coverage: int
    tile_costs: tuple[int, ...]
    revenue_per_traffic: int
    player_percent_most: int
    dragon_percent_most: int
    pool_percent_most: int
    major_shares: int
    major_tokens: int
    mines_of_district_most: int
    loan: int
    loans_most: int
    synergy: int
    rank_most: int
    district: tuple[str, ...]
    token_cost: dict[str, int]
    cubes: dict[str, int]


class RailwayCard(shares.CompanyCard, frozen=True, forbid_unknown_fields=True):
    """A railway. `destination`: the city to which it has to be joined to become a major (4.7-f)."""

    destination: shares.Home | None = None


class TrainKind(trains.TrainKind, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A kind of train. `number` counts for the rank (1-d), `coverage` is how much traffic it carries; the last one of the
    kind costs `last_price` (5.5-c)."""

    number: int
    coverage: int
    last_price: int


class Phase(trains.Phase, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A phase. `number`: what a port brings in it (3-h). `starting_prices`: the lowest and the highest at which a company
    starts (4.6-b); a new one `starts_major` (4.8-d), on `starting_row` of the Dragon table (4.6-g). `conversion_tokens`: how
    many more a company gets as a major (4.8-c). `mines`: the colour to which they come down (4.1-c, 4.1-d).
    `dragon_certificates`: how many the Dragons may have. `closes_maritime`: those in players' hands close (3-f)."""

    number: int
    starting_prices: tuple[int, int]
    starting_row: str
    conversion_tokens: int
    mines: str
    dragon_certificates: int
    starts_major: bool = False
    closes_maritime: bool = False


_FIGURES: Final = Converter(Figures)
_CARD: Final = Converter(RailwayCard)
_TRAIN_KIND: Final = Converter(TrainKind)
_PHASE: Final = Converter(Phase)


def figures_of(data: TitleData) -> Figures:
    """The figures of the game as a whole."""
    found: Figures = data.figures
    return found


def railway_cards(data: TitleData) -> dict[str, RailwayCard]:
    """The cards of all railways by symbol."""
    found: dict[str, RailwayCard] = data.sections[shares.PART].companies
    return found


def kind_of(data: TitleData, train: str) -> TrainKind:
    """The printed kind of a train, from its id."""
    found: TrainKind = data.sections[trains.PART].kinds[kind_name(train)]
    return found


def phases_of(data: TitleData) -> dict[str, Phase]:
    """The phases by name, the first one first."""
    found: dict[str, Phase] = data.sections[trains.PART].phases
    return found


def present_phase(game: Game, data: TitleData) -> Phase:
    """The phase at hand."""
    return phases_of(data)[phase_of(game)]


def _faults(data: TitleData) -> Iterator[str]:
    for hex_id in figures_of(data).district:
        if hex_id not in map_data(data).hexes:
            yield f"title.toml: figures: district: there is no hex {hex_id!r}"
    for phase in phases_of(data).values():
        if phase.starting_row not in phases_of(data):
            yield f"phases.toml: phases {phase.name}: starting_row: there is no row {phase.starting_row!r}"


def _card_faults(data: TitleData) -> Iterator[str]:
    for symbol, card in railway_cards(data).items():
        goal = card.destination
        if goal is None or goal.hex not in map_data(data).hexes:
            yield f"companies.toml: companies {symbol}: destination: it has none on the map"


_RAILWAY: Final = railway_schema(
    _FIGURES, card=_CARD, train_kind=_TRAIN_KIND, phase=_PHASE, card_faults=_card_faults, faults=_faults
)
SCHEMA: Final = Schema(_RAILWAY.figures, (*_RAILWAY.sections, DRAGON_DATA, MARITIME_DATA), _RAILWAY.faults)
