from google.protobuf import any_pb2 as _any_pb2
from services.gen.signalbox.events.v1 import events_pb2 as _events_pb2
from services.gen.signalbox.events.v1 import sentence_pb2 as _sentence_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class GameView(_message.Message):
    __slots__ = ("game_id", "sequence", "title", "rules_version", "options", "rulings", "undo_policy", "players", "companies", "holdings", "bank_cash", "market", "tiles", "tokens", "depot", "phase", "priority", "round", "turn", "acting_players", "interrupts", "last_runs", "ending", "finished", "scores", "auction", "title_state", "seats", "suspended", "decisions")
    GAME_ID_FIELD_NUMBER: _ClassVar[int]
    SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    TITLE_FIELD_NUMBER: _ClassVar[int]
    RULES_VERSION_FIELD_NUMBER: _ClassVar[int]
    OPTIONS_FIELD_NUMBER: _ClassVar[int]
    RULINGS_FIELD_NUMBER: _ClassVar[int]
    UNDO_POLICY_FIELD_NUMBER: _ClassVar[int]
    PLAYERS_FIELD_NUMBER: _ClassVar[int]
    COMPANIES_FIELD_NUMBER: _ClassVar[int]
    HOLDINGS_FIELD_NUMBER: _ClassVar[int]
    BANK_CASH_FIELD_NUMBER: _ClassVar[int]
    MARKET_FIELD_NUMBER: _ClassVar[int]
    TILES_FIELD_NUMBER: _ClassVar[int]
    TOKENS_FIELD_NUMBER: _ClassVar[int]
    DEPOT_FIELD_NUMBER: _ClassVar[int]
    PHASE_FIELD_NUMBER: _ClassVar[int]
    PRIORITY_FIELD_NUMBER: _ClassVar[int]
    ROUND_FIELD_NUMBER: _ClassVar[int]
    TURN_FIELD_NUMBER: _ClassVar[int]
    ACTING_PLAYERS_FIELD_NUMBER: _ClassVar[int]
    INTERRUPTS_FIELD_NUMBER: _ClassVar[int]
    LAST_RUNS_FIELD_NUMBER: _ClassVar[int]
    ENDING_FIELD_NUMBER: _ClassVar[int]
    FINISHED_FIELD_NUMBER: _ClassVar[int]
    SCORES_FIELD_NUMBER: _ClassVar[int]
    AUCTION_FIELD_NUMBER: _ClassVar[int]
    TITLE_STATE_FIELD_NUMBER: _ClassVar[int]
    SEATS_FIELD_NUMBER: _ClassVar[int]
    SUSPENDED_FIELD_NUMBER: _ClassVar[int]
    DECISIONS_FIELD_NUMBER: _ClassVar[int]
    game_id: str
    sequence: int
    title: str
    rules_version: int
    options: _containers.RepeatedScalarFieldContainer[str]
    rulings: _containers.RepeatedCompositeFieldContainer[_events_pb2.Ruling]
    undo_policy: _events_pb2.UndoPolicy
    players: _containers.RepeatedCompositeFieldContainer[PlayerView]
    companies: _containers.RepeatedCompositeFieldContainer[CompanyView]
    holdings: _containers.RepeatedCompositeFieldContainer[Holding]
    bank_cash: int
    market: _containers.RepeatedCompositeFieldContainer[MarketCell]
    tiles: _containers.RepeatedCompositeFieldContainer[LaidTile]
    tokens: _containers.RepeatedCompositeFieldContainer[CityTokens]
    depot: _containers.RepeatedCompositeFieldContainer[DepotTrain]
    phase: str
    priority: str
    round: RoundView
    turn: TurnView
    acting_players: _containers.RepeatedScalarFieldContainer[str]
    interrupts: _containers.RepeatedCompositeFieldContainer[Interrupt]
    last_runs: _containers.RepeatedCompositeFieldContainer[CompanyRuns]
    ending: str
    finished: bool
    scores: _containers.RepeatedCompositeFieldContainer[_events_pb2.Score]
    auction: Auction
    title_state: _any_pb2.Any
    seats: _containers.RepeatedCompositeFieldContainer[SeatView]
    suspended: bool
    decisions: _containers.RepeatedCompositeFieldContainer[DecisionView]
    def __init__(self, game_id: _Optional[str] = ..., sequence: _Optional[int] = ..., title: _Optional[str] = ..., rules_version: _Optional[int] = ..., options: _Optional[_Iterable[str]] = ..., rulings: _Optional[_Iterable[_Union[_events_pb2.Ruling, _Mapping]]] = ..., undo_policy: _Optional[_Union[_events_pb2.UndoPolicy, str]] = ..., players: _Optional[_Iterable[_Union[PlayerView, _Mapping]]] = ..., companies: _Optional[_Iterable[_Union[CompanyView, _Mapping]]] = ..., holdings: _Optional[_Iterable[_Union[Holding, _Mapping]]] = ..., bank_cash: _Optional[int] = ..., market: _Optional[_Iterable[_Union[MarketCell, _Mapping]]] = ..., tiles: _Optional[_Iterable[_Union[LaidTile, _Mapping]]] = ..., tokens: _Optional[_Iterable[_Union[CityTokens, _Mapping]]] = ..., depot: _Optional[_Iterable[_Union[DepotTrain, _Mapping]]] = ..., phase: _Optional[str] = ..., priority: _Optional[str] = ..., round: _Optional[_Union[RoundView, _Mapping]] = ..., turn: _Optional[_Union[TurnView, _Mapping]] = ..., acting_players: _Optional[_Iterable[str]] = ..., interrupts: _Optional[_Iterable[_Union[Interrupt, _Mapping]]] = ..., last_runs: _Optional[_Iterable[_Union[CompanyRuns, _Mapping]]] = ..., ending: _Optional[str] = ..., finished: _Optional[bool] = ..., scores: _Optional[_Iterable[_Union[_events_pb2.Score, _Mapping]]] = ..., auction: _Optional[_Union[Auction, _Mapping]] = ..., title_state: _Optional[_Union[_any_pb2.Any, _Mapping]] = ..., seats: _Optional[_Iterable[_Union[SeatView, _Mapping]]] = ..., suspended: _Optional[bool] = ..., decisions: _Optional[_Iterable[_Union[DecisionView, _Mapping]]] = ...) -> None: ...

class SeatView(_message.Message):
    __slots__ = ("seat", "bearer", "kind")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    BEARER_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    seat: str
    bearer: str
    kind: _events_pb2.BearerKind
    def __init__(self, seat: _Optional[str] = ..., bearer: _Optional[str] = ..., kind: _Optional[_Union[_events_pb2.BearerKind, str]] = ...) -> None: ...

class DecisionView(_message.Message):
    __slots__ = ("kind", "seat", "author", "reason", "confirmed_by", "sentence", "sentence_parts")
    KIND_FIELD_NUMBER: _ClassVar[int]
    SEAT_FIELD_NUMBER: _ClassVar[int]
    AUTHOR_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    CONFIRMED_BY_FIELD_NUMBER: _ClassVar[int]
    SENTENCE_FIELD_NUMBER: _ClassVar[int]
    SENTENCE_PARTS_FIELD_NUMBER: _ClassVar[int]
    kind: _events_pb2.DecisionKind
    seat: str
    author: str
    reason: str
    confirmed_by: str
    sentence: str
    sentence_parts: _sentence_pb2.Sentence
    def __init__(self, kind: _Optional[_Union[_events_pb2.DecisionKind, str]] = ..., seat: _Optional[str] = ..., author: _Optional[str] = ..., reason: _Optional[str] = ..., confirmed_by: _Optional[str] = ..., sentence: _Optional[str] = ..., sentence_parts: _Optional[_Union[_sentence_pb2.Sentence, _Mapping]] = ...) -> None: ...

class PlayerView(_message.Message):
    __slots__ = ("player", "cash", "debt", "certificate_count", "certificate_limit", "value")
    PLAYER_FIELD_NUMBER: _ClassVar[int]
    CASH_FIELD_NUMBER: _ClassVar[int]
    DEBT_FIELD_NUMBER: _ClassVar[int]
    CERTIFICATE_COUNT_FIELD_NUMBER: _ClassVar[int]
    CERTIFICATE_LIMIT_FIELD_NUMBER: _ClassVar[int]
    VALUE_FIELD_NUMBER: _ClassVar[int]
    player: str
    cash: int
    debt: int
    certificate_count: int
    certificate_limit: int
    value: int
    def __init__(self, player: _Optional[str] = ..., cash: _Optional[int] = ..., debt: _Optional[int] = ..., certificate_count: _Optional[int] = ..., certificate_limit: _Optional[int] = ..., value: _Optional[int] = ...) -> None: ...

class CompanyView(_message.Message):
    __slots__ = ("company", "name", "kind", "bought", "opened", "closed", "operated", "director", "par", "price", "price_paid", "cash", "trains", "charter_tokens", "shares", "debt")
    COMPANY_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    BOUGHT_FIELD_NUMBER: _ClassVar[int]
    OPENED_FIELD_NUMBER: _ClassVar[int]
    CLOSED_FIELD_NUMBER: _ClassVar[int]
    OPERATED_FIELD_NUMBER: _ClassVar[int]
    DIRECTOR_FIELD_NUMBER: _ClassVar[int]
    PAR_FIELD_NUMBER: _ClassVar[int]
    PRICE_FIELD_NUMBER: _ClassVar[int]
    PRICE_PAID_FIELD_NUMBER: _ClassVar[int]
    CASH_FIELD_NUMBER: _ClassVar[int]
    TRAINS_FIELD_NUMBER: _ClassVar[int]
    CHARTER_TOKENS_FIELD_NUMBER: _ClassVar[int]
    SHARES_FIELD_NUMBER: _ClassVar[int]
    DEBT_FIELD_NUMBER: _ClassVar[int]
    company: str
    name: str
    kind: str
    bought: bool
    opened: bool
    closed: bool
    operated: bool
    director: str
    par: int
    price: int
    price_paid: int
    cash: int
    trains: _containers.RepeatedScalarFieldContainer[str]
    charter_tokens: _containers.RepeatedScalarFieldContainer[int]
    shares: int
    debt: int
    def __init__(self, company: _Optional[str] = ..., name: _Optional[str] = ..., kind: _Optional[str] = ..., bought: _Optional[bool] = ..., opened: _Optional[bool] = ..., closed: _Optional[bool] = ..., operated: _Optional[bool] = ..., director: _Optional[str] = ..., par: _Optional[int] = ..., price: _Optional[int] = ..., price_paid: _Optional[int] = ..., cash: _Optional[int] = ..., trains: _Optional[_Iterable[str]] = ..., charter_tokens: _Optional[_Iterable[int]] = ..., shares: _Optional[int] = ..., debt: _Optional[int] = ...) -> None: ...

class Holding(_message.Message):
    __slots__ = ("holder", "company", "numbers", "shares")
    HOLDER_FIELD_NUMBER: _ClassVar[int]
    COMPANY_FIELD_NUMBER: _ClassVar[int]
    NUMBERS_FIELD_NUMBER: _ClassVar[int]
    SHARES_FIELD_NUMBER: _ClassVar[int]
    holder: str
    company: str
    numbers: _containers.RepeatedScalarFieldContainer[int]
    shares: int
    def __init__(self, holder: _Optional[str] = ..., company: _Optional[str] = ..., numbers: _Optional[_Iterable[int]] = ..., shares: _Optional[int] = ...) -> None: ...

class MarketCell(_message.Message):
    __slots__ = ("row", "column", "price", "companies")
    ROW_FIELD_NUMBER: _ClassVar[int]
    COLUMN_FIELD_NUMBER: _ClassVar[int]
    PRICE_FIELD_NUMBER: _ClassVar[int]
    COMPANIES_FIELD_NUMBER: _ClassVar[int]
    row: int
    column: int
    price: int
    companies: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, row: _Optional[int] = ..., column: _Optional[int] = ..., price: _Optional[int] = ..., companies: _Optional[_Iterable[str]] = ...) -> None: ...

class LaidTile(_message.Message):
    __slots__ = ("hex", "tile", "rotation", "copy")
    HEX_FIELD_NUMBER: _ClassVar[int]
    TILE_FIELD_NUMBER: _ClassVar[int]
    ROTATION_FIELD_NUMBER: _ClassVar[int]
    COPY_FIELD_NUMBER: _ClassVar[int]
    hex: str
    tile: str
    rotation: int
    copy: int
    def __init__(self, hex: _Optional[str] = ..., tile: _Optional[str] = ..., rotation: _Optional[int] = ..., copy: _Optional[int] = ...) -> None: ...

class CityTokens(_message.Message):
    __slots__ = ("hex", "city", "slots")
    HEX_FIELD_NUMBER: _ClassVar[int]
    CITY_FIELD_NUMBER: _ClassVar[int]
    SLOTS_FIELD_NUMBER: _ClassVar[int]
    hex: str
    city: int
    slots: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, hex: _Optional[str] = ..., city: _Optional[int] = ..., slots: _Optional[_Iterable[str]] = ...) -> None: ...

class DepotTrain(_message.Message):
    __slots__ = ("train", "price", "left_count")
    TRAIN_FIELD_NUMBER: _ClassVar[int]
    PRICE_FIELD_NUMBER: _ClassVar[int]
    LEFT_COUNT_FIELD_NUMBER: _ClassVar[int]
    train: str
    price: int
    left_count: int
    def __init__(self, train: _Optional[str] = ..., price: _Optional[int] = ..., left_count: _Optional[int] = ...) -> None: ...

class Auction(_message.Message):
    __slots__ = ("company", "bidders", "leader", "price", "won")
    COMPANY_FIELD_NUMBER: _ClassVar[int]
    BIDDERS_FIELD_NUMBER: _ClassVar[int]
    LEADER_FIELD_NUMBER: _ClassVar[int]
    PRICE_FIELD_NUMBER: _ClassVar[int]
    WON_FIELD_NUMBER: _ClassVar[int]
    company: str
    bidders: _containers.RepeatedScalarFieldContainer[str]
    leader: str
    price: int
    won: bool
    def __init__(self, company: _Optional[str] = ..., bidders: _Optional[_Iterable[str]] = ..., leader: _Optional[str] = ..., price: _Optional[int] = ..., won: _Optional[bool] = ...) -> None: ...

class RoundView(_message.Message):
    __slots__ = ("kind", "turn", "number", "count", "order", "actor", "step", "passed", "ended", "won")
    KIND_FIELD_NUMBER: _ClassVar[int]
    TURN_FIELD_NUMBER: _ClassVar[int]
    NUMBER_FIELD_NUMBER: _ClassVar[int]
    COUNT_FIELD_NUMBER: _ClassVar[int]
    ORDER_FIELD_NUMBER: _ClassVar[int]
    ACTOR_FIELD_NUMBER: _ClassVar[int]
    STEP_FIELD_NUMBER: _ClassVar[int]
    PASSED_FIELD_NUMBER: _ClassVar[int]
    ENDED_FIELD_NUMBER: _ClassVar[int]
    WON_FIELD_NUMBER: _ClassVar[int]
    kind: str
    turn: int
    number: int
    count: int
    order: _containers.RepeatedScalarFieldContainer[str]
    actor: str
    step: str
    passed: _containers.RepeatedScalarFieldContainer[str]
    ended: bool
    won: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, kind: _Optional[str] = ..., turn: _Optional[int] = ..., number: _Optional[int] = ..., count: _Optional[int] = ..., order: _Optional[_Iterable[str]] = ..., actor: _Optional[str] = ..., step: _Optional[str] = ..., passed: _Optional[_Iterable[str]] = ..., ended: _Optional[bool] = ..., won: _Optional[_Iterable[str]] = ...) -> None: ...

class TurnView(_message.Message):
    __slots__ = ("acted", "bought", "sold", "laid", "upgraded", "declined", "ran", "dividend", "passed", "revenue", "treasury_income", "actions")
    ACTED_FIELD_NUMBER: _ClassVar[int]
    BOUGHT_FIELD_NUMBER: _ClassVar[int]
    SOLD_FIELD_NUMBER: _ClassVar[int]
    LAID_FIELD_NUMBER: _ClassVar[int]
    UPGRADED_FIELD_NUMBER: _ClassVar[int]
    DECLINED_FIELD_NUMBER: _ClassVar[int]
    RAN_FIELD_NUMBER: _ClassVar[int]
    DIVIDEND_FIELD_NUMBER: _ClassVar[int]
    PASSED_FIELD_NUMBER: _ClassVar[int]
    REVENUE_FIELD_NUMBER: _ClassVar[int]
    TREASURY_INCOME_FIELD_NUMBER: _ClassVar[int]
    ACTIONS_FIELD_NUMBER: _ClassVar[int]
    acted: bool
    bought: str
    sold: _containers.RepeatedScalarFieldContainer[str]
    laid: _containers.RepeatedScalarFieldContainer[str]
    upgraded: bool
    declined: _containers.RepeatedScalarFieldContainer[str]
    ran: bool
    dividend: str
    passed: str
    revenue: int
    treasury_income: int
    actions: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, acted: _Optional[bool] = ..., bought: _Optional[str] = ..., sold: _Optional[_Iterable[str]] = ..., laid: _Optional[_Iterable[str]] = ..., upgraded: _Optional[bool] = ..., declined: _Optional[_Iterable[str]] = ..., ran: _Optional[bool] = ..., dividend: _Optional[str] = ..., passed: _Optional[str] = ..., revenue: _Optional[int] = ..., treasury_income: _Optional[int] = ..., actions: _Optional[_Iterable[str]] = ...) -> None: ...

class Interrupt(_message.Message):
    __slots__ = ("kind", "player", "company", "subject")
    KIND_FIELD_NUMBER: _ClassVar[int]
    PLAYER_FIELD_NUMBER: _ClassVar[int]
    COMPANY_FIELD_NUMBER: _ClassVar[int]
    SUBJECT_FIELD_NUMBER: _ClassVar[int]
    kind: str
    player: str
    company: str
    subject: str
    def __init__(self, kind: _Optional[str] = ..., player: _Optional[str] = ..., company: _Optional[str] = ..., subject: _Optional[str] = ...) -> None: ...

class CompanyRuns(_message.Message):
    __slots__ = ("company", "runs")
    COMPANY_FIELD_NUMBER: _ClassVar[int]
    RUNS_FIELD_NUMBER: _ClassVar[int]
    company: str
    runs: _containers.RepeatedCompositeFieldContainer[_events_pb2.Run]
    def __init__(self, company: _Optional[str] = ..., runs: _Optional[_Iterable[_Union[_events_pb2.Run, _Mapping]]] = ...) -> None: ...
