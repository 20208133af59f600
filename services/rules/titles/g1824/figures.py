"""The figures that only 1824 has: those of the game as a whole, and what its companies and trains have beside others."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, Literal

from msgspec import Struct

from services.rules.kernel.conversion import Converter
from services.rules.kernel.titlebuild import missing_counts
from services.rules.kernel.titledata import TitleData
from services.rules.kernel.values import kind_name
from services.rules.parts.map.data import map_data
from services.rules.parts.railway import railway_schema
from services.rules.parts.shares.data import PART as SHARES, CompanyCard, shares_data
from services.rules.parts.trains import data as trains
from services.rules.parts.trains.data import phases_of


class RunBonus(Struct, frozen=True, forbid_unknown_fields=True):
    """What a run earns beside its stops when it visits one of `origins` and one of `targets`, which are hexes."""

    amount: int
    origins: tuple[str, ...]
    targets: tuple[str, ...]


class ConstructionTerms(Struct, frozen=True, forbid_unknown_fields=True):
    """How two players get their private companies, and what construction companies change (X.3 to X.5).

    `drawn`: of each of these lists one company is drawn for the first stack, the others are a stack of their own;
    `beside` is one more stack. `order` and `mountain_order`: the seats, from 0, in the order in which they take
    companies. `price` of a construction company, `capital` of a state for one. `bond_cell`: where the marker of the bond
    company begins, `bond_tokens` what its tokens cost. `token_trains`: with the last train of the first kind the bond
    company gets a token, or of the next when it was exported; `token_hex` gets one in `token_colour`."""

    drawn: tuple[tuple[str, ...], ...]
    beside: tuple[str, ...]
    order: tuple[int, ...]
    mountain_order: tuple[int, ...]
    price: int
    capital: int
    bond_cell: tuple[int, int]
    bond_tokens: tuple[int, ...]
    token_trains: tuple[str, ...]
    token_hex: str
    token_colour: str


class Figures(Struct, frozen=True, forbid_unknown_fields=True):
    """Trains by kind, numbers of companies by number of players; what is in percent says so. `discard_order`: in
    which order companies over their limit give up trains, empty for that of their first trains. `sales_to`: who takes shares
    that players sell."""

    mountain_companies: dict[int, int]
    bank_percent_for_sales: int
    first_train_exported_after: str
    trains_between_companies_after: str
    interest_percent_at_once: int
    interest_percent_per_stock_round: int
    discard_order: tuple[str, ...] = ()
    sales_to: Literal["bank", "pool"] = "bank"
    construction: ConstructionTerms | None = None
    run_bonus: RunBonus | None = None


class ExchangeTerms(Struct, frozen=True, forbid_unknown_fields=True):
    """A company is exchanged for a certificate of `shares` shares of one company, or of any company of a kind."""

    shares: int
    forced_by_train: str
    company: str | None = None
    kind: str | None = None
    optional_in_phases: tuple[str, ...] = ()


class Card(CompanyCard, frozen=True, forbid_unknown_fields=True):
    """A company's card. `reserved`: how many shares each certificate kept for an exchange stands for."""

    number: int = 0
    train_kinds: tuple[str, ...] = ()
    price: int | None = None
    price_options: tuple[int, ...] = ()
    treasury_price_less: int | None = None
    income: int = 0
    first_train: str | None = None
    exchange: ExchangeTerms | None = None
    linked: tuple[str, ...] = ()
    reserved: tuple[int, ...] = ()
    max_percent: int | None = None
    capital_times_price_unlinked: int = 0
    formed_by_train: str | None = None


class TradeIn(Struct, frozen=True, forbid_unknown_fields=True):
    """The price to pay when a train of the kind named is handed in."""

    train: str
    price: int


class TrainKind(trains.TrainKind, frozen=True, forbid_unknown_fields=True):
    """A kind of train. `trade_in`: its price when another is handed in for it."""

    trade_in: TradeIn | None = None


_FIGURES: Final = Converter(Figures)
_CARD: Final = Converter(Card)
_TRAIN_KIND: Final = Converter(TrainKind)


def figures_of(data: TitleData) -> Figures:
    """The figures of the game as a whole."""
    found: Figures = data.figures
    return found


def cards_of(data: TitleData) -> dict[str, Card]:
    """The cards of all companies by symbol."""
    found: dict[str, Card] = data.sections[SHARES].companies
    return found


def kind_of(data: TitleData, train: str) -> TrainKind:
    """The printed kind of a train, from its id."""
    found: TrainKind = data.sections[trains.PART].kinds[kind_name(train)]
    return found


def _faults(data: TitleData) -> Iterator[str]:
    figures = figures_of(data)
    yield from missing_counts(data.header, "figures: mountain_companies", figures.mountain_companies)
    for train in (figures.first_train_exported_after, figures.trains_between_companies_after):
        if train not in trains.train_kinds_of(data):
            yield f"title.toml: figures: there is no train {train!r}"
    if figures.construction is not None:
        yield from _construction_faults(data, figures.construction)
    if figures.run_bonus is not None:
        yield from _bonus_faults(data, figures.run_bonus)


def _construction_faults(data: TitleData, terms: ConstructionTerms) -> Iterator[str]:
    where = "title.toml: figures: construction"
    for symbol in (*terms.beside, *(symbol for each in terms.drawn for symbol in each)):
        if symbol not in cards_of(data):
            yield f"{where}: there is no company {symbol!r}"
    for train in terms.token_trains:
        if train not in trains.train_kinds_of(data):
            yield f"{where}: token_trains: there is no train {train!r}"
    if terms.token_hex not in map_data(data).hexes:
        yield f"{where}: token_hex: there is no hex {terms.token_hex!r}"


def _bonus_faults(data: TitleData, bonus: RunBonus) -> Iterator[str]:
    for hex_id in (*bonus.origins, *bonus.targets):
        if hex_id not in map_data(data).hexes:
            yield f"title.toml: figures: run_bonus: there is no hex {hex_id!r}"


def _card_faults(data: TitleData) -> Iterator[str]:
    for symbol, card in cards_of(data).items():
        for fault in _relation_faults(card, data):
            yield f"companies.toml: companies {symbol}: {fault}"


def _relation_faults(card: Card, data: TitleData) -> Iterator[str]:
    exchange = card.exchange
    targets = (*card.linked, exchange.company if exchange else None)
    yield from (
        f"there is no company {target!r}" for target in targets if target and target not in cards_of(data)
    )
    if exchange is not None and exchange.kind is not None and exchange.kind not in shares_data(data).kinds:
        yield f"exchange: there is no kind {exchange.kind!r}"
    named = (card.first_train, card.formed_by_train, exchange.forced_by_train if exchange else None)
    kinds = trains.train_kinds_of(data)
    yield from (f"there is no train {train!r}" for train in named if train and train not in kinds)
    phases = exchange.optional_in_phases if exchange else ()
    yield from (f"exchange: there is no phase {phase!r}" for phase in phases if phase not in phases_of(data))


def _train_faults(data: TitleData) -> Iterator[str]:
    kinds: dict[str, TrainKind] = data.sections[trains.PART].kinds
    for train in kinds.values():
        if train.trade_in is not None and train.trade_in.train not in kinds:
            yield f"trains.toml: trains {train.name}: there is no train {train.trade_in.train!r}"


SCHEMA: Final = railway_schema(
    _FIGURES,
    card=_CARD,
    train_kind=_TRAIN_KIND,
    card_faults=_card_faults,
    train_faults=_train_faults,
    faults=_faults,
)
