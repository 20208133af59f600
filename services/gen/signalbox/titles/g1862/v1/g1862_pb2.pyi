from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class CompanyOffered(_message.Message):
    __slots__ = ("company", "phase", "licence")
    COMPANY_FIELD_NUMBER: _ClassVar[int]
    PHASE_FIELD_NUMBER: _ClassVar[int]
    LICENCE_FIELD_NUMBER: _ClassVar[int]
    company: str
    phase: str
    licence: str
    def __init__(self, company: _Optional[str] = ..., phase: _Optional[str] = ..., licence: _Optional[str] = ...) -> None: ...

class LicencesSet(_message.Message):
    __slots__ = ("company", "licences")
    COMPANY_FIELD_NUMBER: _ClassVar[int]
    LICENCES_FIELD_NUMBER: _ClassVar[int]
    company: str
    licences: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, company: _Optional[str] = ..., licences: _Optional[_Iterable[str]] = ...) -> None: ...

class CharterSideSet(_message.Message):
    __slots__ = ("company", "chartered")
    COMPANY_FIELD_NUMBER: _ClassVar[int]
    CHARTERED_FIELD_NUMBER: _ClassVar[int]
    company: str
    chartered: bool
    def __init__(self, company: _Optional[str] = ..., chartered: _Optional[bool] = ...) -> None: ...

class ChartAreaSet(_message.Message):
    __slots__ = ("company", "chartered_area")
    COMPANY_FIELD_NUMBER: _ClassVar[int]
    CHARTERED_AREA_FIELD_NUMBER: _ClassVar[int]
    company: str
    chartered_area: bool
    def __init__(self, company: _Optional[str] = ..., chartered_area: _Optional[bool] = ...) -> None: ...

class ObligationTaken(_message.Message):
    __slots__ = ("player", "company")
    PLAYER_FIELD_NUMBER: _ClassVar[int]
    COMPANY_FIELD_NUMBER: _ClassVar[int]
    player: str
    company: str
    def __init__(self, player: _Optional[str] = ..., company: _Optional[str] = ...) -> None: ...

class ObligationMet(_message.Message):
    __slots__ = ("player", "company")
    PLAYER_FIELD_NUMBER: _ClassVar[int]
    COMPANY_FIELD_NUMBER: _ClassVar[int]
    player: str
    company: str
    def __init__(self, player: _Optional[str] = ..., company: _Optional[str] = ...) -> None: ...

class ObligationFailed(_message.Message):
    __slots__ = ("player", "company")
    PLAYER_FIELD_NUMBER: _ClassVar[int]
    COMPANY_FIELD_NUMBER: _ClassVar[int]
    player: str
    company: str
    def __init__(self, player: _Optional[str] = ..., company: _Optional[str] = ...) -> None: ...

class FailuresCleared(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class TrainKindChosen(_message.Message):
    __slots__ = ("train", "kind")
    TRAIN_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    train: str
    kind: str
    def __init__(self, train: _Optional[str] = ..., kind: _Optional[str] = ...) -> None: ...

class WarrantiesSet(_message.Message):
    __slots__ = ("train", "count")
    TRAIN_FIELD_NUMBER: _ClassVar[int]
    COUNT_FIELD_NUMBER: _ClassVar[int]
    train: str
    count: int
    def __init__(self, train: _Optional[str] = ..., count: _Optional[int] = ...) -> None: ...

class TrainAbandoned(_message.Message):
    __slots__ = ("train", "company")
    TRAIN_FIELD_NUMBER: _ClassVar[int]
    COMPANY_FIELD_NUMBER: _ClassVar[int]
    train: str
    company: str
    def __init__(self, train: _Optional[str] = ..., company: _Optional[str] = ...) -> None: ...

class AbandonedTrainTaken(_message.Message):
    __slots__ = ("train",)
    TRAIN_FIELD_NUMBER: _ClassVar[int]
    train: str
    def __init__(self, train: _Optional[str] = ...) -> None: ...

class StationAdded(_message.Message):
    __slots__ = ("hex", "beneath")
    HEX_FIELD_NUMBER: _ClassVar[int]
    BENEATH_FIELD_NUMBER: _ClassVar[int]
    hex: str
    beneath: LaidTile
    def __init__(self, hex: _Optional[str] = ..., beneath: _Optional[_Union[LaidTile, _Mapping]] = ...) -> None: ...

class StationsCovered(_message.Message):
    __slots__ = ("hex",)
    HEX_FIELD_NUMBER: _ClassVar[int]
    hex: str
    def __init__(self, hex: _Optional[str] = ...) -> None: ...

class ExchangeStarted(_message.Message):
    __slots__ = ("kind", "company", "other", "player", "price", "holders")
    KIND_FIELD_NUMBER: _ClassVar[int]
    COMPANY_FIELD_NUMBER: _ClassVar[int]
    OTHER_FIELD_NUMBER: _ClassVar[int]
    PLAYER_FIELD_NUMBER: _ClassVar[int]
    PRICE_FIELD_NUMBER: _ClassVar[int]
    HOLDERS_FIELD_NUMBER: _ClassVar[int]
    kind: str
    company: str
    other: str
    player: str
    price: int
    holders: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, kind: _Optional[str] = ..., company: _Optional[str] = ..., other: _Optional[str] = ..., player: _Optional[str] = ..., price: _Optional[int] = ..., holders: _Optional[_Iterable[str]] = ...) -> None: ...

class OptionMarked(_message.Message):
    __slots__ = ("holder", "company", "number", "redeem_price", "give_up_price")
    HOLDER_FIELD_NUMBER: _ClassVar[int]
    COMPANY_FIELD_NUMBER: _ClassVar[int]
    NUMBER_FIELD_NUMBER: _ClassVar[int]
    REDEEM_PRICE_FIELD_NUMBER: _ClassVar[int]
    GIVE_UP_PRICE_FIELD_NUMBER: _ClassVar[int]
    holder: str
    company: str
    number: int
    redeem_price: int
    give_up_price: int
    def __init__(self, holder: _Optional[str] = ..., company: _Optional[str] = ..., number: _Optional[int] = ..., redeem_price: _Optional[int] = ..., give_up_price: _Optional[int] = ...) -> None: ...

class OptionSettled(_message.Message):
    __slots__ = ("holder", "company", "number", "redeemed")
    HOLDER_FIELD_NUMBER: _ClassVar[int]
    COMPANY_FIELD_NUMBER: _ClassVar[int]
    NUMBER_FIELD_NUMBER: _ClassVar[int]
    REDEEMED_FIELD_NUMBER: _ClassVar[int]
    holder: str
    company: str
    number: int
    redeemed: bool
    def __init__(self, holder: _Optional[str] = ..., company: _Optional[str] = ..., number: _Optional[int] = ..., redeemed: _Optional[bool] = ...) -> None: ...

class HolderSettled(_message.Message):
    __slots__ = ("holder",)
    HOLDER_FIELD_NUMBER: _ClassVar[int]
    holder: str
    def __init__(self, holder: _Optional[str] = ...) -> None: ...

class ExchangeEnded(_message.Message):
    __slots__ = ("company",)
    COMPANY_FIELD_NUMBER: _ClassVar[int]
    company: str
    def __init__(self, company: _Optional[str] = ...) -> None: ...

class MonopolyFormed(_message.Message):
    __slots__ = ("name", "certificate_limit")
    NAME_FIELD_NUMBER: _ClassVar[int]
    CERTIFICATE_LIMIT_FIELD_NUMBER: _ClassVar[int]
    name: str
    certificate_limit: int
    def __init__(self, name: _Optional[str] = ..., certificate_limit: _Optional[int] = ...) -> None: ...

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

class BuyNewTrain(_message.Message):
    __slots__ = ("company", "train", "price", "kind", "warranties")
    COMPANY_FIELD_NUMBER: _ClassVar[int]
    TRAIN_FIELD_NUMBER: _ClassVar[int]
    PRICE_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    WARRANTIES_FIELD_NUMBER: _ClassVar[int]
    company: str
    train: str
    price: int
    kind: str
    warranties: int
    def __init__(self, company: _Optional[str] = ..., train: _Optional[str] = ..., price: _Optional[int] = ..., kind: _Optional[str] = ..., warranties: _Optional[int] = ...) -> None: ...

class RaiseCash(_message.Message):
    __slots__ = ("company", "source")
    COMPANY_FIELD_NUMBER: _ClassVar[int]
    SOURCE_FIELD_NUMBER: _ClassVar[int]
    company: str
    source: str
    def __init__(self, company: _Optional[str] = ..., source: _Optional[str] = ...) -> None: ...

class View(_message.Message):
    __slots__ = ("charters", "obligations", "exchange", "train_terms", "beneath", "monopoly")
    CHARTERS_FIELD_NUMBER: _ClassVar[int]
    OBLIGATIONS_FIELD_NUMBER: _ClassVar[int]
    EXCHANGE_FIELD_NUMBER: _ClassVar[int]
    TRAIN_TERMS_FIELD_NUMBER: _ClassVar[int]
    BENEATH_FIELD_NUMBER: _ClassVar[int]
    MONOPOLY_FIELD_NUMBER: _ClassVar[int]
    charters: _containers.RepeatedCompositeFieldContainer[Charter]
    obligations: _containers.RepeatedCompositeFieldContainer[Obligation]
    exchange: _containers.RepeatedCompositeFieldContainer[Exchange]
    train_terms: _containers.RepeatedCompositeFieldContainer[TrainTerms]
    beneath: _containers.RepeatedCompositeFieldContainer[Beneath]
    monopoly: str
    def __init__(self, charters: _Optional[_Iterable[_Union[Charter, _Mapping]]] = ..., obligations: _Optional[_Iterable[_Union[Obligation, _Mapping]]] = ..., exchange: _Optional[_Iterable[_Union[Exchange, _Mapping]]] = ..., train_terms: _Optional[_Iterable[_Union[TrainTerms, _Mapping]]] = ..., beneath: _Optional[_Iterable[_Union[Beneath, _Mapping]]] = ..., monopoly: _Optional[str] = ...) -> None: ...

class Charter(_message.Message):
    __slots__ = ("company", "offered_from", "licence", "licences", "chartered")
    COMPANY_FIELD_NUMBER: _ClassVar[int]
    OFFERED_FROM_FIELD_NUMBER: _ClassVar[int]
    LICENCE_FIELD_NUMBER: _ClassVar[int]
    LICENCES_FIELD_NUMBER: _ClassVar[int]
    CHARTERED_FIELD_NUMBER: _ClassVar[int]
    company: str
    offered_from: str
    licence: str
    licences: _containers.RepeatedScalarFieldContainer[str]
    chartered: bool
    def __init__(self, company: _Optional[str] = ..., offered_from: _Optional[str] = ..., licence: _Optional[str] = ..., licences: _Optional[_Iterable[str]] = ..., chartered: _Optional[bool] = ...) -> None: ...

class Obligation(_message.Message):
    __slots__ = ("player", "company")
    PLAYER_FIELD_NUMBER: _ClassVar[int]
    COMPANY_FIELD_NUMBER: _ClassVar[int]
    player: str
    company: str
    def __init__(self, player: _Optional[str] = ..., company: _Optional[str] = ...) -> None: ...

class Exchange(_message.Message):
    __slots__ = ("kind", "company", "other", "player", "price", "holders", "options")
    KIND_FIELD_NUMBER: _ClassVar[int]
    COMPANY_FIELD_NUMBER: _ClassVar[int]
    OTHER_FIELD_NUMBER: _ClassVar[int]
    PLAYER_FIELD_NUMBER: _ClassVar[int]
    PRICE_FIELD_NUMBER: _ClassVar[int]
    HOLDERS_FIELD_NUMBER: _ClassVar[int]
    OPTIONS_FIELD_NUMBER: _ClassVar[int]
    kind: str
    company: str
    other: str
    player: str
    price: int
    holders: _containers.RepeatedScalarFieldContainer[str]
    options: _containers.RepeatedCompositeFieldContainer[Option]
    def __init__(self, kind: _Optional[str] = ..., company: _Optional[str] = ..., other: _Optional[str] = ..., player: _Optional[str] = ..., price: _Optional[int] = ..., holders: _Optional[_Iterable[str]] = ..., options: _Optional[_Iterable[_Union[Option, _Mapping]]] = ...) -> None: ...

class Option(_message.Message):
    __slots__ = ("holder", "company", "number", "redeem_price", "give_up_price")
    HOLDER_FIELD_NUMBER: _ClassVar[int]
    COMPANY_FIELD_NUMBER: _ClassVar[int]
    NUMBER_FIELD_NUMBER: _ClassVar[int]
    REDEEM_PRICE_FIELD_NUMBER: _ClassVar[int]
    GIVE_UP_PRICE_FIELD_NUMBER: _ClassVar[int]
    holder: str
    company: str
    number: int
    redeem_price: int
    give_up_price: int
    def __init__(self, holder: _Optional[str] = ..., company: _Optional[str] = ..., number: _Optional[int] = ..., redeem_price: _Optional[int] = ..., give_up_price: _Optional[int] = ...) -> None: ...

class TrainTerms(_message.Message):
    __slots__ = ("train", "kind", "warranties")
    TRAIN_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    WARRANTIES_FIELD_NUMBER: _ClassVar[int]
    train: str
    kind: str
    warranties: int
    def __init__(self, train: _Optional[str] = ..., kind: _Optional[str] = ..., warranties: _Optional[int] = ...) -> None: ...

class Beneath(_message.Message):
    __slots__ = ("hex", "piece")
    HEX_FIELD_NUMBER: _ClassVar[int]
    PIECE_FIELD_NUMBER: _ClassVar[int]
    hex: str
    piece: LaidTile
    def __init__(self, hex: _Optional[str] = ..., piece: _Optional[_Union[LaidTile, _Mapping]] = ...) -> None: ...

class LaidTile(_message.Message):
    __slots__ = ("tile", "rotation", "copy")
    TILE_FIELD_NUMBER: _ClassVar[int]
    ROTATION_FIELD_NUMBER: _ClassVar[int]
    COPY_FIELD_NUMBER: _ClassVar[int]
    tile: str
    rotation: int
    copy: int
    def __init__(self, tile: _Optional[str] = ..., rotation: _Optional[int] = ..., copy: _Optional[int] = ...) -> None: ...
