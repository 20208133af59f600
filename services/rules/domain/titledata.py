"""The figures of a title as typed values: map, tiles, companies, trains, phases, market and limits.

A title is loaded once and shared by all its games; every lookup table is prepared at that time. Money is in
whole units, shares in percent.
"""

from typing import Literal

from msgspec import Struct, field

from services.rules.domain.hexes import Orientation
from services.rules.domain.tiles import Face
from services.rules.domain.vocabulary import ServiceKind

Terrain = dict[str, int]
MarketCell = tuple[int, int]
Step = Literal["left", "right", "up", "down", "stay"]


class DrawHints(Struct, frozen=True, forbid_unknown_fields=True):
    """For drawing only: sides without a line, the edge a stop is drawn at, whether its value is written."""

    open_edges: tuple[int, ...] = ()
    stop_edge: int | None = None
    value: bool = True


class Hex(Struct, frozen=True):
    """A hex of the map as printed. `terrain` names what the first tile costs."""

    id: str
    name: str
    face: Face
    terrain: Terrain
    draw: DrawHints


class Tile(Struct, frozen=True):
    """A kind of tile: `face` is rotation 0, `count` the number of pieces.

    `base`: the tile it is once its added stations are taken off, with which it shares its pieces. `only_at`: the hexes
    where it may lie, to which no other tile of its colour may come."""

    id: str
    count: int
    face: Face
    base: str = ""
    only_at: tuple[str, ...] = ()


class Home(Struct, frozen=True, forbid_unknown_fields=True):
    """Where a company's first token stands."""

    hex: str
    stop: int


class Exchange(Struct, frozen=True, forbid_unknown_fields=True):
    """A company is exchanged for a certificate of `percent` of one company, or of any company of a kind."""

    percent: int
    forced_by_train: str
    forced: Literal["at_once", "end_of_operating_round"]
    company: str | None = None
    kind: str | None = None
    optional_in_phases: tuple[str, ...] = ()


class Colours(Struct, frozen=True, forbid_unknown_fields=True):
    """How a company is drawn."""

    fill: str
    text: str


class Company(Struct, frozen=True, forbid_unknown_fields=True):
    """A company of any kind. Certificates are percentages from the director's on, tokens costs in order."""

    symbol: str
    name: str
    kind: str
    colours: Colours
    printed_symbol: str = ""
    number: int = 0
    home: Home | None = None
    certificates: tuple[int, ...] = ()
    tokens: tuple[int, ...] = ()
    payout: str = ""
    train_kinds: tuple[str, ...] = ()
    price: int | None = None
    price_options: tuple[int, ...] = ()
    treasury_price_less: int | None = None
    income: int = 0
    first_train: str | None = None
    exchange: Exchange | None = None
    linked: tuple[str, ...] = ()
    reserved: tuple[int, ...] = ()
    par_prices: tuple[int, ...] = ()
    float_percent: int | None = None
    max_percent: int | None = None
    capital_times_price: int = 0
    capital_times_price_unlinked: int = 0
    formed_by_train: str | None = None
    counts_for_limit: bool = True


class TradeIn(Struct, frozen=True, forbid_unknown_fields=True):
    """The price to pay when a train of the kind named is handed in."""

    train: str
    price: int


class TrainFace(Struct, frozen=True, forbid_unknown_fields=True):
    """What a train is when it runs as one kind: `name` is printed, `reach` hexes or stops, `counts` stops (0: all)."""

    name: str
    reach: int
    counts: int = 0


class TrainKind(Struct, frozen=True, forbid_unknown_fields=True):
    """A kind of train. `count` 0 means without limit; the meaning of `stops` depends on `kind`; `clause` prints it.

    `faces`: what it may run as, where its buyer chooses."""

    name: str
    kind: str
    stops: int
    count: int
    price: int
    clause: str = ""
    removed_by: tuple[str, ...] = ()
    trade_in: TradeIn | None = None
    on_sale_from: str | None = None
    faces: dict[ServiceKind, TrainFace] = {}
    free_warranties: int = 0


class Phase(Struct, frozen=True, forbid_unknown_fields=True):
    """A phase, named by the train that starts it. A kind of company without a train limit is not in play.

    `limit_of_each_kind`: the train limit holds for each kind of train by itself."""

    name: str
    tiles: tuple[str, ...]
    revenue: str
    operating_rounds: int
    train_limit: dict[str, int]
    printed: str = ""
    limit_of_each_kind: bool = False


class MarketMove(Struct, frozen=True, forbid_unknown_fields=True):
    """Where a marker goes, so many cells, and where instead when its row or column ends there."""

    to: Step
    at_the_end: Step
    cells: int = 1


class MarketMoves(Struct, frozen=True, forbid_unknown_fields=True):
    """What moves a marker."""

    dividend: MarketMove
    no_dividend: MarketMove
    sale: MarketMove
    sold_out: MarketMove


class Market(Struct, frozen=True, forbid_unknown_fields=True):
    """The price chart: prices by row (top first) and column, and named groups of (row, column) cells."""

    rows: tuple[tuple[int, ...], ...]
    moves: MarketMoves
    zones: dict[str, tuple[MarketCell, ...]]


class TitleFigures(Struct, frozen=True, forbid_unknown_fields=True):
    """Figures of the game as a whole; tables by number of players."""

    title: str
    name: str
    orientation: Orientation
    currency: str
    players: tuple[int, int]
    bank: int
    tile_colours: tuple[str, ...]
    revenue_keys: tuple[str, ...]
    fixed_colours: tuple[str, ...]
    starting_cash: dict[int, int]
    certificate_limit: dict[int, int]
    variants: tuple[str, ...] = ()
    companies_in_play: dict[str, dict[int, int]] = field(default_factory=dict)
    limits: dict[str, int] = field(default_factory=dict)
    first_purchase: dict[str, str] = field(default_factory=dict)
    emergency: dict[str, int] = field(default_factory=dict)
    tile_clauses: dict[str, str] = field(default_factory=dict)
    licences: dict[str, dict[int, int]] = field(default_factory=dict)


class TitleData(Struct, frozen=True, eq=False):
    """A title with the chosen variants and rulings. Compared by identity: it is loaded once and never copied.

    `faces` holds every tile in every rotation, `neighbours` the hex over each edge (None: no track can go
    there), `homes` the companies whose home a hex is, `company_order` the kinds in operating order.
    """

    figures: TitleFigures
    hexes: dict[str, Hex]
    tiles: dict[str, Tile]
    companies: dict[str, Company]
    trains: dict[str, TrainKind]
    phases: dict[str, Phase]
    market: Market
    areas: dict[str, dict[str, int]]
    faces: dict[tuple[str, int], Face]
    neighbours: dict[str, tuple[str | None, ...]]
    homes: dict[str, tuple[str, ...]]
    company_order: tuple[str, ...]
    variants: tuple[str, ...]
