from google.protobuf import struct_pb2 as _struct_pb2
from services.gen.signalbox.events.v1 import events_pb2 as _events_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class TitleSummary(_message.Message):
    __slots__ = ("title", "name", "player_counts", "options", "ruling_count", "ruling_profiles", "parts")
    TITLE_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    PLAYER_COUNTS_FIELD_NUMBER: _ClassVar[int]
    OPTIONS_FIELD_NUMBER: _ClassVar[int]
    RULING_COUNT_FIELD_NUMBER: _ClassVar[int]
    RULING_PROFILES_FIELD_NUMBER: _ClassVar[int]
    PARTS_FIELD_NUMBER: _ClassVar[int]
    title: str
    name: str
    player_counts: _containers.RepeatedScalarFieldContainer[int]
    options: _containers.RepeatedScalarFieldContainer[str]
    ruling_count: int
    ruling_profiles: _containers.RepeatedScalarFieldContainer[str]
    parts: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, title: _Optional[str] = ..., name: _Optional[str] = ..., player_counts: _Optional[_Iterable[int]] = ..., options: _Optional[_Iterable[str]] = ..., ruling_count: _Optional[int] = ..., ruling_profiles: _Optional[_Iterable[str]] = ..., parts: _Optional[_Iterable[str]] = ...) -> None: ...

class TitleView(_message.Message):
    __slots__ = ("title", "name", "currency", "chosen_options", "layout", "bank", "player_counts", "options", "rulings", "ruling_profiles", "round_names", "figures", "map", "shares", "trains", "market")
    TITLE_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    CURRENCY_FIELD_NUMBER: _ClassVar[int]
    CHOSEN_OPTIONS_FIELD_NUMBER: _ClassVar[int]
    LAYOUT_FIELD_NUMBER: _ClassVar[int]
    BANK_FIELD_NUMBER: _ClassVar[int]
    PLAYER_COUNTS_FIELD_NUMBER: _ClassVar[int]
    OPTIONS_FIELD_NUMBER: _ClassVar[int]
    RULINGS_FIELD_NUMBER: _ClassVar[int]
    RULING_PROFILES_FIELD_NUMBER: _ClassVar[int]
    ROUND_NAMES_FIELD_NUMBER: _ClassVar[int]
    FIGURES_FIELD_NUMBER: _ClassVar[int]
    MAP_FIELD_NUMBER: _ClassVar[int]
    SHARES_FIELD_NUMBER: _ClassVar[int]
    TRAINS_FIELD_NUMBER: _ClassVar[int]
    MARKET_FIELD_NUMBER: _ClassVar[int]
    title: str
    name: str
    currency: str
    chosen_options: _containers.RepeatedScalarFieldContainer[str]
    layout: str
    bank: int
    player_counts: _containers.RepeatedCompositeFieldContainer[PlayerCountFigures]
    options: _containers.RepeatedCompositeFieldContainer[OptionView]
    rulings: _containers.RepeatedCompositeFieldContainer[RulingView]
    ruling_profiles: _containers.RepeatedCompositeFieldContainer[RulingProfile]
    round_names: _containers.RepeatedCompositeFieldContainer[RoundName]
    figures: _struct_pb2.Struct
    map: PrintedMap
    shares: PrintedCompanies
    trains: PrintedTrains
    market: PrintedMarket
    def __init__(self, title: _Optional[str] = ..., name: _Optional[str] = ..., currency: _Optional[str] = ..., chosen_options: _Optional[_Iterable[str]] = ..., layout: _Optional[str] = ..., bank: _Optional[int] = ..., player_counts: _Optional[_Iterable[_Union[PlayerCountFigures, _Mapping]]] = ..., options: _Optional[_Iterable[_Union[OptionView, _Mapping]]] = ..., rulings: _Optional[_Iterable[_Union[RulingView, _Mapping]]] = ..., ruling_profiles: _Optional[_Iterable[_Union[RulingProfile, _Mapping]]] = ..., round_names: _Optional[_Iterable[_Union[RoundName, _Mapping]]] = ..., figures: _Optional[_Union[_struct_pb2.Struct, _Mapping]] = ..., map: _Optional[_Union[PrintedMap, _Mapping]] = ..., shares: _Optional[_Union[PrintedCompanies, _Mapping]] = ..., trains: _Optional[_Union[PrintedTrains, _Mapping]] = ..., market: _Optional[_Union[PrintedMarket, _Mapping]] = ...) -> None: ...

class PlayerCountFigures(_message.Message):
    __slots__ = ("players", "starting_cash", "certificate_limit")
    PLAYERS_FIELD_NUMBER: _ClassVar[int]
    STARTING_CASH_FIELD_NUMBER: _ClassVar[int]
    CERTIFICATE_LIMIT_FIELD_NUMBER: _ClassVar[int]
    players: int
    starting_cash: int
    certificate_limit: int
    def __init__(self, players: _Optional[int] = ..., starting_cash: _Optional[int] = ..., certificate_limit: _Optional[int] = ...) -> None: ...

class OptionView(_message.Message):
    __slots__ = ("name", "description", "clause", "player_counts", "excludes", "needs_one_of", "needed_by_players")
    NAME_FIELD_NUMBER: _ClassVar[int]
    DESCRIPTION_FIELD_NUMBER: _ClassVar[int]
    CLAUSE_FIELD_NUMBER: _ClassVar[int]
    PLAYER_COUNTS_FIELD_NUMBER: _ClassVar[int]
    EXCLUDES_FIELD_NUMBER: _ClassVar[int]
    NEEDS_ONE_OF_FIELD_NUMBER: _ClassVar[int]
    NEEDED_BY_PLAYERS_FIELD_NUMBER: _ClassVar[int]
    name: str
    description: str
    clause: str
    player_counts: _containers.RepeatedScalarFieldContainer[int]
    excludes: _containers.RepeatedScalarFieldContainer[str]
    needs_one_of: _containers.RepeatedScalarFieldContainer[str]
    needed_by_players: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, name: _Optional[str] = ..., description: _Optional[str] = ..., clause: _Optional[str] = ..., player_counts: _Optional[_Iterable[int]] = ..., excludes: _Optional[_Iterable[str]] = ..., needs_one_of: _Optional[_Iterable[str]] = ..., needed_by_players: _Optional[_Iterable[int]] = ...) -> None: ...

class RulingView(_message.Message):
    __slots__ = ("name", "question", "values", "clauses")
    NAME_FIELD_NUMBER: _ClassVar[int]
    QUESTION_FIELD_NUMBER: _ClassVar[int]
    VALUES_FIELD_NUMBER: _ClassVar[int]
    CLAUSES_FIELD_NUMBER: _ClassVar[int]
    name: str
    question: str
    values: _containers.RepeatedScalarFieldContainer[str]
    clauses: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, name: _Optional[str] = ..., question: _Optional[str] = ..., values: _Optional[_Iterable[str]] = ..., clauses: _Optional[_Iterable[str]] = ...) -> None: ...

class RulingProfile(_message.Message):
    __slots__ = ("name", "rulings")
    NAME_FIELD_NUMBER: _ClassVar[int]
    RULINGS_FIELD_NUMBER: _ClassVar[int]
    name: str
    rulings: _containers.RepeatedCompositeFieldContainer[_events_pb2.Ruling]
    def __init__(self, name: _Optional[str] = ..., rulings: _Optional[_Iterable[_Union[_events_pb2.Ruling, _Mapping]]] = ...) -> None: ...

class RoundName(_message.Message):
    __slots__ = ("kind", "name", "short_name")
    KIND_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    SHORT_NAME_FIELD_NUMBER: _ClassVar[int]
    kind: str
    name: str
    short_name: str
    def __init__(self, kind: _Optional[str] = ..., name: _Optional[str] = ..., short_name: _Optional[str] = ...) -> None: ...

class PrintedMap(_message.Message):
    __slots__ = ("orientation", "hexes", "tiles", "tile_colours", "revenue_keys", "kinds_share_pieces")
    ORIENTATION_FIELD_NUMBER: _ClassVar[int]
    HEXES_FIELD_NUMBER: _ClassVar[int]
    TILES_FIELD_NUMBER: _ClassVar[int]
    TILE_COLOURS_FIELD_NUMBER: _ClassVar[int]
    REVENUE_KEYS_FIELD_NUMBER: _ClassVar[int]
    KINDS_SHARE_PIECES_FIELD_NUMBER: _ClassVar[int]
    orientation: str
    hexes: _containers.RepeatedCompositeFieldContainer[PrintedHex]
    tiles: _containers.RepeatedCompositeFieldContainer[PrintedTile]
    tile_colours: _containers.RepeatedScalarFieldContainer[str]
    revenue_keys: _containers.RepeatedScalarFieldContainer[str]
    kinds_share_pieces: bool
    def __init__(self, orientation: _Optional[str] = ..., hexes: _Optional[_Iterable[_Union[PrintedHex, _Mapping]]] = ..., tiles: _Optional[_Iterable[_Union[PrintedTile, _Mapping]]] = ..., tile_colours: _Optional[_Iterable[str]] = ..., revenue_keys: _Optional[_Iterable[str]] = ..., kinds_share_pieces: _Optional[bool] = ...) -> None: ...

class PrintedHex(_message.Message):
    __slots__ = ("hex", "name", "face", "terrain", "neighbours", "open_edges", "stop_edge", "hides_value", "sides")
    HEX_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    FACE_FIELD_NUMBER: _ClassVar[int]
    TERRAIN_FIELD_NUMBER: _ClassVar[int]
    NEIGHBOURS_FIELD_NUMBER: _ClassVar[int]
    OPEN_EDGES_FIELD_NUMBER: _ClassVar[int]
    STOP_EDGE_FIELD_NUMBER: _ClassVar[int]
    HIDES_VALUE_FIELD_NUMBER: _ClassVar[int]
    SIDES_FIELD_NUMBER: _ClassVar[int]
    hex: str
    name: str
    face: PrintedFace
    terrain: _containers.RepeatedCompositeFieldContainer[TerrainCost]
    neighbours: _containers.RepeatedScalarFieldContainer[str]
    open_edges: _containers.RepeatedScalarFieldContainer[int]
    stop_edge: int
    hides_value: bool
    sides: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, hex: _Optional[str] = ..., name: _Optional[str] = ..., face: _Optional[_Union[PrintedFace, _Mapping]] = ..., terrain: _Optional[_Iterable[_Union[TerrainCost, _Mapping]]] = ..., neighbours: _Optional[_Iterable[str]] = ..., open_edges: _Optional[_Iterable[int]] = ..., stop_edge: _Optional[int] = ..., hides_value: _Optional[bool] = ..., sides: _Optional[_Iterable[str]] = ...) -> None: ...

class TerrainCost(_message.Message):
    __slots__ = ("terrain", "cost")
    TERRAIN_FIELD_NUMBER: _ClassVar[int]
    COST_FIELD_NUMBER: _ClassVar[int]
    terrain: str
    cost: int
    def __init__(self, terrain: _Optional[str] = ..., cost: _Optional[int] = ...) -> None: ...

class PrintedTile(_message.Message):
    __slots__ = ("tile", "count", "face", "base", "only_at")
    TILE_FIELD_NUMBER: _ClassVar[int]
    COUNT_FIELD_NUMBER: _ClassVar[int]
    FACE_FIELD_NUMBER: _ClassVar[int]
    BASE_FIELD_NUMBER: _ClassVar[int]
    ONLY_AT_FIELD_NUMBER: _ClassVar[int]
    tile: str
    count: int
    face: PrintedFace
    base: str
    only_at: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, tile: _Optional[str] = ..., count: _Optional[int] = ..., face: _Optional[_Union[PrintedFace, _Mapping]] = ..., base: _Optional[str] = ..., only_at: _Optional[_Iterable[str]] = ...) -> None: ...

class PrintedFace(_message.Message):
    __slots__ = ("colour", "label", "stops", "track")
    COLOUR_FIELD_NUMBER: _ClassVar[int]
    LABEL_FIELD_NUMBER: _ClassVar[int]
    STOPS_FIELD_NUMBER: _ClassVar[int]
    TRACK_FIELD_NUMBER: _ClassVar[int]
    colour: str
    label: str
    stops: _containers.RepeatedCompositeFieldContainer[PrintedStop]
    track: _containers.RepeatedCompositeFieldContainer[PrintedTrack]
    def __init__(self, colour: _Optional[str] = ..., label: _Optional[str] = ..., stops: _Optional[_Iterable[_Union[PrintedStop, _Mapping]]] = ..., track: _Optional[_Iterable[_Union[PrintedTrack, _Mapping]]] = ...) -> None: ...

class PrintedStop(_message.Message):
    __slots__ = ("kind", "slots", "revenue", "area")
    KIND_FIELD_NUMBER: _ClassVar[int]
    SLOTS_FIELD_NUMBER: _ClassVar[int]
    REVENUE_FIELD_NUMBER: _ClassVar[int]
    AREA_FIELD_NUMBER: _ClassVar[int]
    kind: str
    slots: int
    revenue: _containers.RepeatedCompositeFieldContainer[RevenueAt]
    area: str
    def __init__(self, kind: _Optional[str] = ..., slots: _Optional[int] = ..., revenue: _Optional[_Iterable[_Union[RevenueAt, _Mapping]]] = ..., area: _Optional[str] = ...) -> None: ...

class RevenueAt(_message.Message):
    __slots__ = ("key", "amount")
    KEY_FIELD_NUMBER: _ClassVar[int]
    AMOUNT_FIELD_NUMBER: _ClassVar[int]
    key: str
    amount: int
    def __init__(self, key: _Optional[str] = ..., amount: _Optional[int] = ...) -> None: ...

class PrintedTrack(_message.Message):
    __slots__ = ("edges", "stop", "terminal")
    EDGES_FIELD_NUMBER: _ClassVar[int]
    STOP_FIELD_NUMBER: _ClassVar[int]
    TERMINAL_FIELD_NUMBER: _ClassVar[int]
    edges: _containers.RepeatedCompositeFieldContainer[TrackEnd]
    stop: int
    terminal: bool
    def __init__(self, edges: _Optional[_Iterable[_Union[TrackEnd, _Mapping]]] = ..., stop: _Optional[int] = ..., terminal: _Optional[bool] = ...) -> None: ...

class TrackEnd(_message.Message):
    __slots__ = ("edge", "lane", "lanes")
    EDGE_FIELD_NUMBER: _ClassVar[int]
    LANE_FIELD_NUMBER: _ClassVar[int]
    LANES_FIELD_NUMBER: _ClassVar[int]
    edge: int
    lane: int
    lanes: int
    def __init__(self, edge: _Optional[int] = ..., lane: _Optional[int] = ..., lanes: _Optional[int] = ...) -> None: ...

class PrintedCompanies(_message.Message):
    __slots__ = ("kinds", "companies")
    KINDS_FIELD_NUMBER: _ClassVar[int]
    COMPANIES_FIELD_NUMBER: _ClassVar[int]
    kinds: _containers.RepeatedScalarFieldContainer[str]
    companies: _containers.RepeatedCompositeFieldContainer[PrintedCompany]
    def __init__(self, kinds: _Optional[_Iterable[str]] = ..., companies: _Optional[_Iterable[_Union[PrintedCompany, _Mapping]]] = ...) -> None: ...

class PrintedCompany(_message.Message):
    __slots__ = ("symbol", "name", "kind", "fill_colour", "text_colour", "home_hex", "home_stop", "certificates", "divided_into", "tokens", "par_prices", "float_shares", "capital_times_price", "counts_for_limit", "own")
    SYMBOL_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    FILL_COLOUR_FIELD_NUMBER: _ClassVar[int]
    TEXT_COLOUR_FIELD_NUMBER: _ClassVar[int]
    HOME_HEX_FIELD_NUMBER: _ClassVar[int]
    HOME_STOP_FIELD_NUMBER: _ClassVar[int]
    CERTIFICATES_FIELD_NUMBER: _ClassVar[int]
    DIVIDED_INTO_FIELD_NUMBER: _ClassVar[int]
    TOKENS_FIELD_NUMBER: _ClassVar[int]
    PAR_PRICES_FIELD_NUMBER: _ClassVar[int]
    FLOAT_SHARES_FIELD_NUMBER: _ClassVar[int]
    CAPITAL_TIMES_PRICE_FIELD_NUMBER: _ClassVar[int]
    COUNTS_FOR_LIMIT_FIELD_NUMBER: _ClassVar[int]
    OWN_FIELD_NUMBER: _ClassVar[int]
    symbol: str
    name: str
    kind: str
    fill_colour: str
    text_colour: str
    home_hex: str
    home_stop: int
    certificates: _containers.RepeatedScalarFieldContainer[int]
    divided_into: _containers.RepeatedScalarFieldContainer[int]
    tokens: _containers.RepeatedScalarFieldContainer[int]
    par_prices: _containers.RepeatedScalarFieldContainer[int]
    float_shares: int
    capital_times_price: int
    counts_for_limit: bool
    own: _struct_pb2.Struct
    def __init__(self, symbol: _Optional[str] = ..., name: _Optional[str] = ..., kind: _Optional[str] = ..., fill_colour: _Optional[str] = ..., text_colour: _Optional[str] = ..., home_hex: _Optional[str] = ..., home_stop: _Optional[int] = ..., certificates: _Optional[_Iterable[int]] = ..., divided_into: _Optional[_Iterable[int]] = ..., tokens: _Optional[_Iterable[int]] = ..., par_prices: _Optional[_Iterable[int]] = ..., float_shares: _Optional[int] = ..., capital_times_price: _Optional[int] = ..., counts_for_limit: _Optional[bool] = ..., own: _Optional[_Union[_struct_pb2.Struct, _Mapping]] = ...) -> None: ...

class PrintedTrains(_message.Message):
    __slots__ = ("trains", "phases")
    TRAINS_FIELD_NUMBER: _ClassVar[int]
    PHASES_FIELD_NUMBER: _ClassVar[int]
    trains: _containers.RepeatedCompositeFieldContainer[PrintedTrain]
    phases: _containers.RepeatedCompositeFieldContainer[PrintedPhase]
    def __init__(self, trains: _Optional[_Iterable[_Union[PrintedTrain, _Mapping]]] = ..., phases: _Optional[_Iterable[_Union[PrintedPhase, _Mapping]]] = ...) -> None: ...

class PrintedTrain(_message.Message):
    __slots__ = ("name", "kind", "stops", "count", "price", "clause", "removed_by", "on_sale_from", "own")
    NAME_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    STOPS_FIELD_NUMBER: _ClassVar[int]
    COUNT_FIELD_NUMBER: _ClassVar[int]
    PRICE_FIELD_NUMBER: _ClassVar[int]
    CLAUSE_FIELD_NUMBER: _ClassVar[int]
    REMOVED_BY_FIELD_NUMBER: _ClassVar[int]
    ON_SALE_FROM_FIELD_NUMBER: _ClassVar[int]
    OWN_FIELD_NUMBER: _ClassVar[int]
    name: str
    kind: str
    stops: int
    count: int
    price: int
    clause: str
    removed_by: _containers.RepeatedScalarFieldContainer[str]
    on_sale_from: str
    own: _struct_pb2.Struct
    def __init__(self, name: _Optional[str] = ..., kind: _Optional[str] = ..., stops: _Optional[int] = ..., count: _Optional[int] = ..., price: _Optional[int] = ..., clause: _Optional[str] = ..., removed_by: _Optional[_Iterable[str]] = ..., on_sale_from: _Optional[str] = ..., own: _Optional[_Union[_struct_pb2.Struct, _Mapping]] = ...) -> None: ...

class PrintedPhase(_message.Message):
    __slots__ = ("name", "tiles", "revenue", "operating_rounds", "train_limits", "printed", "own")
    NAME_FIELD_NUMBER: _ClassVar[int]
    TILES_FIELD_NUMBER: _ClassVar[int]
    REVENUE_FIELD_NUMBER: _ClassVar[int]
    OPERATING_ROUNDS_FIELD_NUMBER: _ClassVar[int]
    TRAIN_LIMITS_FIELD_NUMBER: _ClassVar[int]
    PRINTED_FIELD_NUMBER: _ClassVar[int]
    OWN_FIELD_NUMBER: _ClassVar[int]
    name: str
    tiles: _containers.RepeatedScalarFieldContainer[str]
    revenue: str
    operating_rounds: int
    train_limits: _containers.RepeatedCompositeFieldContainer[TrainLimit]
    printed: str
    own: _struct_pb2.Struct
    def __init__(self, name: _Optional[str] = ..., tiles: _Optional[_Iterable[str]] = ..., revenue: _Optional[str] = ..., operating_rounds: _Optional[int] = ..., train_limits: _Optional[_Iterable[_Union[TrainLimit, _Mapping]]] = ..., printed: _Optional[str] = ..., own: _Optional[_Union[_struct_pb2.Struct, _Mapping]] = ...) -> None: ...

class TrainLimit(_message.Message):
    __slots__ = ("company_kind", "limit")
    COMPANY_KIND_FIELD_NUMBER: _ClassVar[int]
    LIMIT_FIELD_NUMBER: _ClassVar[int]
    company_kind: str
    limit: int
    def __init__(self, company_kind: _Optional[str] = ..., limit: _Optional[int] = ...) -> None: ...

class PrintedMarket(_message.Message):
    __slots__ = ("rows", "zones", "moves")
    ROWS_FIELD_NUMBER: _ClassVar[int]
    ZONES_FIELD_NUMBER: _ClassVar[int]
    MOVES_FIELD_NUMBER: _ClassVar[int]
    rows: _containers.RepeatedCompositeFieldContainer[MarketRow]
    zones: _containers.RepeatedCompositeFieldContainer[MarketZone]
    moves: _containers.RepeatedCompositeFieldContainer[MarkerMove]
    def __init__(self, rows: _Optional[_Iterable[_Union[MarketRow, _Mapping]]] = ..., zones: _Optional[_Iterable[_Union[MarketZone, _Mapping]]] = ..., moves: _Optional[_Iterable[_Union[MarkerMove, _Mapping]]] = ...) -> None: ...

class MarketRow(_message.Message):
    __slots__ = ("prices",)
    PRICES_FIELD_NUMBER: _ClassVar[int]
    prices: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, prices: _Optional[_Iterable[int]] = ...) -> None: ...

class MarketZone(_message.Message):
    __slots__ = ("name", "cells")
    NAME_FIELD_NUMBER: _ClassVar[int]
    CELLS_FIELD_NUMBER: _ClassVar[int]
    name: str
    cells: _containers.RepeatedCompositeFieldContainer[MarketPosition]
    def __init__(self, name: _Optional[str] = ..., cells: _Optional[_Iterable[_Union[MarketPosition, _Mapping]]] = ...) -> None: ...

class MarketPosition(_message.Message):
    __slots__ = ("row", "column")
    ROW_FIELD_NUMBER: _ClassVar[int]
    COLUMN_FIELD_NUMBER: _ClassVar[int]
    row: int
    column: int
    def __init__(self, row: _Optional[int] = ..., column: _Optional[int] = ...) -> None: ...

class MarkerMove(_message.Message):
    __slots__ = ("cause", "to", "cells", "at_the_end")
    CAUSE_FIELD_NUMBER: _ClassVar[int]
    TO_FIELD_NUMBER: _ClassVar[int]
    CELLS_FIELD_NUMBER: _ClassVar[int]
    AT_THE_END_FIELD_NUMBER: _ClassVar[int]
    cause: str
    to: str
    cells: int
    at_the_end: str
    def __init__(self, cause: _Optional[str] = ..., to: _Optional[str] = ..., cells: _Optional[int] = ..., at_the_end: _Optional[str] = ...) -> None: ...
