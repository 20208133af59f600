from services.gen.signalbox.events.v1 import events_pb2 as _events_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class Command(_message.Message):
    __slots__ = ("pass_turn", "buy_company", "buy_certificate", "start_company", "sell_certificates", "exchange_company", "lay_tile", "place_token", "run_trains", "declare_dividend", "buy_train", "discard_train", "choose_token", "repay_debt", "undo", "answer_offer", "bid", "buy_tokens", "merge", "choose_survivor", "settle_option", "redeem_certificate", "raise_cash")
    PASS_TURN_FIELD_NUMBER: _ClassVar[int]
    BUY_COMPANY_FIELD_NUMBER: _ClassVar[int]
    BUY_CERTIFICATE_FIELD_NUMBER: _ClassVar[int]
    START_COMPANY_FIELD_NUMBER: _ClassVar[int]
    SELL_CERTIFICATES_FIELD_NUMBER: _ClassVar[int]
    EXCHANGE_COMPANY_FIELD_NUMBER: _ClassVar[int]
    LAY_TILE_FIELD_NUMBER: _ClassVar[int]
    PLACE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    RUN_TRAINS_FIELD_NUMBER: _ClassVar[int]
    DECLARE_DIVIDEND_FIELD_NUMBER: _ClassVar[int]
    BUY_TRAIN_FIELD_NUMBER: _ClassVar[int]
    DISCARD_TRAIN_FIELD_NUMBER: _ClassVar[int]
    CHOOSE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    REPAY_DEBT_FIELD_NUMBER: _ClassVar[int]
    UNDO_FIELD_NUMBER: _ClassVar[int]
    ANSWER_OFFER_FIELD_NUMBER: _ClassVar[int]
    BID_FIELD_NUMBER: _ClassVar[int]
    BUY_TOKENS_FIELD_NUMBER: _ClassVar[int]
    MERGE_FIELD_NUMBER: _ClassVar[int]
    CHOOSE_SURVIVOR_FIELD_NUMBER: _ClassVar[int]
    SETTLE_OPTION_FIELD_NUMBER: _ClassVar[int]
    REDEEM_CERTIFICATE_FIELD_NUMBER: _ClassVar[int]
    RAISE_CASH_FIELD_NUMBER: _ClassVar[int]
    pass_turn: Pass
    buy_company: BuyCompany
    buy_certificate: BuyCertificate
    start_company: StartCompany
    sell_certificates: SellCertificates
    exchange_company: ExchangeCompany
    lay_tile: LayTile
    place_token: PlaceToken
    run_trains: RunTrains
    declare_dividend: DeclareDividend
    buy_train: BuyTrain
    discard_train: DiscardTrain
    choose_token: ChooseToken
    repay_debt: RepayDebt
    undo: Undo
    answer_offer: AnswerOffer
    bid: Bid
    buy_tokens: BuyTokens
    merge: Merge
    choose_survivor: ChooseSurvivor
    settle_option: SettleOption
    redeem_certificate: RedeemCertificate
    raise_cash: RaiseCash
    def __init__(self, pass_turn: _Optional[_Union[Pass, _Mapping]] = ..., buy_company: _Optional[_Union[BuyCompany, _Mapping]] = ..., buy_certificate: _Optional[_Union[BuyCertificate, _Mapping]] = ..., start_company: _Optional[_Union[StartCompany, _Mapping]] = ..., sell_certificates: _Optional[_Union[SellCertificates, _Mapping]] = ..., exchange_company: _Optional[_Union[ExchangeCompany, _Mapping]] = ..., lay_tile: _Optional[_Union[LayTile, _Mapping]] = ..., place_token: _Optional[_Union[PlaceToken, _Mapping]] = ..., run_trains: _Optional[_Union[RunTrains, _Mapping]] = ..., declare_dividend: _Optional[_Union[DeclareDividend, _Mapping]] = ..., buy_train: _Optional[_Union[BuyTrain, _Mapping]] = ..., discard_train: _Optional[_Union[DiscardTrain, _Mapping]] = ..., choose_token: _Optional[_Union[ChooseToken, _Mapping]] = ..., repay_debt: _Optional[_Union[RepayDebt, _Mapping]] = ..., undo: _Optional[_Union[Undo, _Mapping]] = ..., answer_offer: _Optional[_Union[AnswerOffer, _Mapping]] = ..., bid: _Optional[_Union[Bid, _Mapping]] = ..., buy_tokens: _Optional[_Union[BuyTokens, _Mapping]] = ..., merge: _Optional[_Union[Merge, _Mapping]] = ..., choose_survivor: _Optional[_Union[ChooseSurvivor, _Mapping]] = ..., settle_option: _Optional[_Union[SettleOption, _Mapping]] = ..., redeem_certificate: _Optional[_Union[RedeemCertificate, _Mapping]] = ..., raise_cash: _Optional[_Union[RaiseCash, _Mapping]] = ...) -> None: ...

class Pass(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class BuyCompany(_message.Message):
    __slots__ = ("company", "price")
    COMPANY_FIELD_NUMBER: _ClassVar[int]
    PRICE_FIELD_NUMBER: _ClassVar[int]
    company: str
    price: int
    def __init__(self, company: _Optional[str] = ..., price: _Optional[int] = ...) -> None: ...

class BuyCertificate(_message.Message):
    __slots__ = ("company", "source", "number")
    COMPANY_FIELD_NUMBER: _ClassVar[int]
    SOURCE_FIELD_NUMBER: _ClassVar[int]
    NUMBER_FIELD_NUMBER: _ClassVar[int]
    company: str
    source: str
    number: int
    def __init__(self, company: _Optional[str] = ..., source: _Optional[str] = ..., number: _Optional[int] = ...) -> None: ...

class StartCompany(_message.Message):
    __slots__ = ("company", "price")
    COMPANY_FIELD_NUMBER: _ClassVar[int]
    PRICE_FIELD_NUMBER: _ClassVar[int]
    company: str
    price: int
    def __init__(self, company: _Optional[str] = ..., price: _Optional[int] = ...) -> None: ...

class SellCertificates(_message.Message):
    __slots__ = ("company", "percent", "numbers")
    COMPANY_FIELD_NUMBER: _ClassVar[int]
    PERCENT_FIELD_NUMBER: _ClassVar[int]
    NUMBERS_FIELD_NUMBER: _ClassVar[int]
    company: str
    percent: int
    numbers: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, company: _Optional[str] = ..., percent: _Optional[int] = ..., numbers: _Optional[_Iterable[int]] = ...) -> None: ...

class ExchangeCompany(_message.Message):
    __slots__ = ("company", "target", "number")
    COMPANY_FIELD_NUMBER: _ClassVar[int]
    TARGET_FIELD_NUMBER: _ClassVar[int]
    NUMBER_FIELD_NUMBER: _ClassVar[int]
    company: str
    target: str
    number: int
    def __init__(self, company: _Optional[str] = ..., target: _Optional[str] = ..., number: _Optional[int] = ...) -> None: ...

class LayTile(_message.Message):
    __slots__ = ("company", "hex", "tile", "rotation", "copy")
    COMPANY_FIELD_NUMBER: _ClassVar[int]
    HEX_FIELD_NUMBER: _ClassVar[int]
    TILE_FIELD_NUMBER: _ClassVar[int]
    ROTATION_FIELD_NUMBER: _ClassVar[int]
    COPY_FIELD_NUMBER: _ClassVar[int]
    company: str
    hex: str
    tile: str
    rotation: int
    copy: int
    def __init__(self, company: _Optional[str] = ..., hex: _Optional[str] = ..., tile: _Optional[str] = ..., rotation: _Optional[int] = ..., copy: _Optional[int] = ...) -> None: ...

class PlaceToken(_message.Message):
    __slots__ = ("company", "hex", "city", "slot")
    COMPANY_FIELD_NUMBER: _ClassVar[int]
    HEX_FIELD_NUMBER: _ClassVar[int]
    CITY_FIELD_NUMBER: _ClassVar[int]
    SLOT_FIELD_NUMBER: _ClassVar[int]
    company: str
    hex: str
    city: int
    slot: int
    def __init__(self, company: _Optional[str] = ..., hex: _Optional[str] = ..., city: _Optional[int] = ..., slot: _Optional[int] = ...) -> None: ...

class Hop(_message.Message):
    __slots__ = ("hexes",)
    HEXES_FIELD_NUMBER: _ClassVar[int]
    hexes: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, hexes: _Optional[_Iterable[str]] = ...) -> None: ...

class TrainRun(_message.Message):
    __slots__ = ("train", "hops")
    TRAIN_FIELD_NUMBER: _ClassVar[int]
    HOPS_FIELD_NUMBER: _ClassVar[int]
    train: str
    hops: _containers.RepeatedCompositeFieldContainer[Hop]
    def __init__(self, train: _Optional[str] = ..., hops: _Optional[_Iterable[_Union[Hop, _Mapping]]] = ...) -> None: ...

class RunTrains(_message.Message):
    __slots__ = ("company", "runs")
    COMPANY_FIELD_NUMBER: _ClassVar[int]
    RUNS_FIELD_NUMBER: _ClassVar[int]
    company: str
    runs: _containers.RepeatedCompositeFieldContainer[TrainRun]
    def __init__(self, company: _Optional[str] = ..., runs: _Optional[_Iterable[_Union[TrainRun, _Mapping]]] = ...) -> None: ...

class DeclareDividend(_message.Message):
    __slots__ = ("company", "kind")
    COMPANY_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    company: str
    kind: _events_pb2.DividendKind
    def __init__(self, company: _Optional[str] = ..., kind: _Optional[_Union[_events_pb2.DividendKind, str]] = ...) -> None: ...

class AnswerOffer(_message.Message):
    __slots__ = ("accept",)
    ACCEPT_FIELD_NUMBER: _ClassVar[int]
    accept: bool
    def __init__(self, accept: _Optional[bool] = ...) -> None: ...

class BuyTrain(_message.Message):
    __slots__ = ("company", "train", "price", "seller", "trade_in", "kind", "warranties")
    COMPANY_FIELD_NUMBER: _ClassVar[int]
    TRAIN_FIELD_NUMBER: _ClassVar[int]
    PRICE_FIELD_NUMBER: _ClassVar[int]
    SELLER_FIELD_NUMBER: _ClassVar[int]
    TRADE_IN_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    WARRANTIES_FIELD_NUMBER: _ClassVar[int]
    company: str
    train: str
    price: int
    seller: str
    trade_in: str
    kind: _events_pb2.ServiceKind
    warranties: int
    def __init__(self, company: _Optional[str] = ..., train: _Optional[str] = ..., price: _Optional[int] = ..., seller: _Optional[str] = ..., trade_in: _Optional[str] = ..., kind: _Optional[_Union[_events_pb2.ServiceKind, str]] = ..., warranties: _Optional[int] = ...) -> None: ...

class DiscardTrain(_message.Message):
    __slots__ = ("company", "train")
    COMPANY_FIELD_NUMBER: _ClassVar[int]
    TRAIN_FIELD_NUMBER: _ClassVar[int]
    company: str
    train: str
    def __init__(self, company: _Optional[str] = ..., train: _Optional[str] = ...) -> None: ...

class ChooseToken(_message.Message):
    __slots__ = ("company", "hex", "city")
    COMPANY_FIELD_NUMBER: _ClassVar[int]
    HEX_FIELD_NUMBER: _ClassVar[int]
    CITY_FIELD_NUMBER: _ClassVar[int]
    company: str
    hex: str
    city: int
    def __init__(self, company: _Optional[str] = ..., hex: _Optional[str] = ..., city: _Optional[int] = ...) -> None: ...

class RepayDebt(_message.Message):
    __slots__ = ("amount",)
    AMOUNT_FIELD_NUMBER: _ClassVar[int]
    amount: int
    def __init__(self, amount: _Optional[int] = ...) -> None: ...

class Bid(_message.Message):
    __slots__ = ("company", "price")
    COMPANY_FIELD_NUMBER: _ClassVar[int]
    PRICE_FIELD_NUMBER: _ClassVar[int]
    company: str
    price: int
    def __init__(self, company: _Optional[str] = ..., price: _Optional[int] = ...) -> None: ...

class BuyTokens(_message.Message):
    __slots__ = ("company", "count")
    COMPANY_FIELD_NUMBER: _ClassVar[int]
    COUNT_FIELD_NUMBER: _ClassVar[int]
    company: str
    count: int
    def __init__(self, company: _Optional[str] = ..., count: _Optional[int] = ...) -> None: ...

class Merge(_message.Message):
    __slots__ = ("company", "other")
    COMPANY_FIELD_NUMBER: _ClassVar[int]
    OTHER_FIELD_NUMBER: _ClassVar[int]
    company: str
    other: str
    def __init__(self, company: _Optional[str] = ..., other: _Optional[str] = ...) -> None: ...

class ChooseSurvivor(_message.Message):
    __slots__ = ("company",)
    COMPANY_FIELD_NUMBER: _ClassVar[int]
    company: str
    def __init__(self, company: _Optional[str] = ...) -> None: ...

class SettleOption(_message.Message):
    __slots__ = ("redeem",)
    REDEEM_FIELD_NUMBER: _ClassVar[int]
    redeem: bool
    def __init__(self, redeem: _Optional[bool] = ...) -> None: ...

class RedeemCertificate(_message.Message):
    __slots__ = ("company",)
    COMPANY_FIELD_NUMBER: _ClassVar[int]
    company: str
    def __init__(self, company: _Optional[str] = ...) -> None: ...

class RaiseCash(_message.Message):
    __slots__ = ("company", "source")
    COMPANY_FIELD_NUMBER: _ClassVar[int]
    SOURCE_FIELD_NUMBER: _ClassVar[int]
    company: str
    source: _events_pb2.CashSource
    def __init__(self, company: _Optional[str] = ..., source: _Optional[_Union[_events_pb2.CashSource, str]] = ...) -> None: ...

class Undo(_message.Message):
    __slots__ = ("to_sequence",)
    TO_SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    to_sequence: int
    def __init__(self, to_sequence: _Optional[int] = ...) -> None: ...
