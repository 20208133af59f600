from google.protobuf import any_pb2 as _any_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class Command(_message.Message):
    __slots__ = ("pass_turn", "answer_offer", "undo", "buy_certificate", "start_company", "sell_certificates", "lay_tile", "place_token", "choose_token", "run_trains", "declare_dividend", "buy_train", "bid", "title_command")
    PASS_TURN_FIELD_NUMBER: _ClassVar[int]
    ANSWER_OFFER_FIELD_NUMBER: _ClassVar[int]
    UNDO_FIELD_NUMBER: _ClassVar[int]
    BUY_CERTIFICATE_FIELD_NUMBER: _ClassVar[int]
    START_COMPANY_FIELD_NUMBER: _ClassVar[int]
    SELL_CERTIFICATES_FIELD_NUMBER: _ClassVar[int]
    LAY_TILE_FIELD_NUMBER: _ClassVar[int]
    PLACE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    CHOOSE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    RUN_TRAINS_FIELD_NUMBER: _ClassVar[int]
    DECLARE_DIVIDEND_FIELD_NUMBER: _ClassVar[int]
    BUY_TRAIN_FIELD_NUMBER: _ClassVar[int]
    BID_FIELD_NUMBER: _ClassVar[int]
    TITLE_COMMAND_FIELD_NUMBER: _ClassVar[int]
    pass_turn: Pass
    answer_offer: AnswerOffer
    undo: Undo
    buy_certificate: BuyCertificate
    start_company: StartCompany
    sell_certificates: SellCertificates
    lay_tile: LayTile
    place_token: PlaceToken
    choose_token: ChooseToken
    run_trains: RunTrains
    declare_dividend: DeclareDividend
    buy_train: BuyTrain
    bid: Bid
    title_command: _any_pb2.Any
    def __init__(self, pass_turn: _Optional[_Union[Pass, _Mapping]] = ..., answer_offer: _Optional[_Union[AnswerOffer, _Mapping]] = ..., undo: _Optional[_Union[Undo, _Mapping]] = ..., buy_certificate: _Optional[_Union[BuyCertificate, _Mapping]] = ..., start_company: _Optional[_Union[StartCompany, _Mapping]] = ..., sell_certificates: _Optional[_Union[SellCertificates, _Mapping]] = ..., lay_tile: _Optional[_Union[LayTile, _Mapping]] = ..., place_token: _Optional[_Union[PlaceToken, _Mapping]] = ..., choose_token: _Optional[_Union[ChooseToken, _Mapping]] = ..., run_trains: _Optional[_Union[RunTrains, _Mapping]] = ..., declare_dividend: _Optional[_Union[DeclareDividend, _Mapping]] = ..., buy_train: _Optional[_Union[BuyTrain, _Mapping]] = ..., bid: _Optional[_Union[Bid, _Mapping]] = ..., title_command: _Optional[_Union[_any_pb2.Any, _Mapping]] = ...) -> None: ...

class Pass(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class AnswerOffer(_message.Message):
    __slots__ = ("accept",)
    ACCEPT_FIELD_NUMBER: _ClassVar[int]
    accept: bool
    def __init__(self, accept: _Optional[bool] = ...) -> None: ...

class Undo(_message.Message):
    __slots__ = ("to_sequence",)
    TO_SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    to_sequence: int
    def __init__(self, to_sequence: _Optional[int] = ...) -> None: ...

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
    __slots__ = ("company", "shares", "numbers")
    COMPANY_FIELD_NUMBER: _ClassVar[int]
    SHARES_FIELD_NUMBER: _ClassVar[int]
    NUMBERS_FIELD_NUMBER: _ClassVar[int]
    company: str
    shares: int
    numbers: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, company: _Optional[str] = ..., shares: _Optional[int] = ..., numbers: _Optional[_Iterable[int]] = ...) -> None: ...

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

class ChooseToken(_message.Message):
    __slots__ = ("company", "hex", "city")
    COMPANY_FIELD_NUMBER: _ClassVar[int]
    HEX_FIELD_NUMBER: _ClassVar[int]
    CITY_FIELD_NUMBER: _ClassVar[int]
    company: str
    hex: str
    city: int
    def __init__(self, company: _Optional[str] = ..., hex: _Optional[str] = ..., city: _Optional[int] = ...) -> None: ...

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
    kind: str
    def __init__(self, company: _Optional[str] = ..., kind: _Optional[str] = ...) -> None: ...

class BuyTrain(_message.Message):
    __slots__ = ("company", "train", "price", "seller")
    COMPANY_FIELD_NUMBER: _ClassVar[int]
    TRAIN_FIELD_NUMBER: _ClassVar[int]
    PRICE_FIELD_NUMBER: _ClassVar[int]
    SELLER_FIELD_NUMBER: _ClassVar[int]
    company: str
    train: str
    price: int
    seller: str
    def __init__(self, company: _Optional[str] = ..., train: _Optional[str] = ..., price: _Optional[int] = ..., seller: _Optional[str] = ...) -> None: ...

class Bid(_message.Message):
    __slots__ = ("company", "price")
    COMPANY_FIELD_NUMBER: _ClassVar[int]
    PRICE_FIELD_NUMBER: _ClassVar[int]
    company: str
    price: int
    def __init__(self, company: _Optional[str] = ..., price: _Optional[int] = ...) -> None: ...
