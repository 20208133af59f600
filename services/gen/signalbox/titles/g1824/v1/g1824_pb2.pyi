from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class CertificatesReserved(_message.Message):
    __slots__ = ("company", "numbers")
    COMPANY_FIELD_NUMBER: _ClassVar[int]
    NUMBERS_FIELD_NUMBER: _ClassVar[int]
    company: str
    numbers: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, company: _Optional[str] = ..., numbers: _Optional[_Iterable[int]] = ...) -> None: ...

class StacksLaid(_message.Message):
    __slots__ = ("stacks",)
    STACKS_FIELD_NUMBER: _ClassVar[int]
    stacks: _containers.RepeatedCompositeFieldContainer[Stack]
    def __init__(self, stacks: _Optional[_Iterable[_Union[Stack, _Mapping]]] = ...) -> None: ...

class Stack(_message.Message):
    __slots__ = ("companies",)
    COMPANIES_FIELD_NUMBER: _ClassVar[int]
    companies: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, companies: _Optional[_Iterable[str]] = ...) -> None: ...

class BondCompanyBegun(_message.Message):
    __slots__ = ("company",)
    COMPANY_FIELD_NUMBER: _ClassVar[int]
    company: str
    def __init__(self, company: _Optional[str] = ...) -> None: ...

class TokenTrainChanged(_message.Message):
    __slots__ = ("kind",)
    KIND_FIELD_NUMBER: _ClassVar[int]
    kind: str
    def __init__(self, kind: _Optional[str] = ...) -> None: ...

class HomeSpaceChanged(_message.Message):
    __slots__ = ("state", "slot")
    STATE_FIELD_NUMBER: _ClassVar[int]
    SLOT_FIELD_NUMBER: _ClassVar[int]
    state: str
    slot: int
    def __init__(self, state: _Optional[str] = ..., slot: _Optional[int] = ...) -> None: ...

class ListedSharesChanged(_message.Message):
    __slots__ = ("company", "player", "shares")
    COMPANY_FIELD_NUMBER: _ClassVar[int]
    PLAYER_FIELD_NUMBER: _ClassVar[int]
    SHARES_FIELD_NUMBER: _ClassVar[int]
    company: str
    player: str
    shares: int
    def __init__(self, company: _Optional[str] = ..., player: _Optional[str] = ..., shares: _Optional[int] = ...) -> None: ...

class DirectorLost(_message.Message):
    __slots__ = ("company", "player")
    COMPANY_FIELD_NUMBER: _ClassVar[int]
    PLAYER_FIELD_NUMBER: _ClassVar[int]
    company: str
    player: str
    def __init__(self, company: _Optional[str] = ..., player: _Optional[str] = ...) -> None: ...

class BuyCompany(_message.Message):
    __slots__ = ("company", "price")
    COMPANY_FIELD_NUMBER: _ClassVar[int]
    PRICE_FIELD_NUMBER: _ClassVar[int]
    company: str
    price: int
    def __init__(self, company: _Optional[str] = ..., price: _Optional[int] = ...) -> None: ...

class ExchangeCompany(_message.Message):
    __slots__ = ("company", "target", "number")
    COMPANY_FIELD_NUMBER: _ClassVar[int]
    TARGET_FIELD_NUMBER: _ClassVar[int]
    NUMBER_FIELD_NUMBER: _ClassVar[int]
    company: str
    target: str
    number: int
    def __init__(self, company: _Optional[str] = ..., target: _Optional[str] = ..., number: _Optional[int] = ...) -> None: ...

class TradeInTrain(_message.Message):
    __slots__ = ("company", "train", "price", "trade_in")
    COMPANY_FIELD_NUMBER: _ClassVar[int]
    TRAIN_FIELD_NUMBER: _ClassVar[int]
    PRICE_FIELD_NUMBER: _ClassVar[int]
    TRADE_IN_FIELD_NUMBER: _ClassVar[int]
    company: str
    train: str
    price: int
    trade_in: str
    def __init__(self, company: _Optional[str] = ..., train: _Optional[str] = ..., price: _Optional[int] = ..., trade_in: _Optional[str] = ...) -> None: ...

class DiscardTrain(_message.Message):
    __slots__ = ("company", "train")
    COMPANY_FIELD_NUMBER: _ClassVar[int]
    TRAIN_FIELD_NUMBER: _ClassVar[int]
    company: str
    train: str
    def __init__(self, company: _Optional[str] = ..., train: _Optional[str] = ...) -> None: ...

class RepayDebt(_message.Message):
    __slots__ = ("amount",)
    AMOUNT_FIELD_NUMBER: _ClassVar[int]
    amount: int
    def __init__(self, amount: _Optional[int] = ...) -> None: ...

class View(_message.Message):
    __slots__ = ("reserved", "stacks", "bond")
    RESERVED_FIELD_NUMBER: _ClassVar[int]
    STACKS_FIELD_NUMBER: _ClassVar[int]
    BOND_FIELD_NUMBER: _ClassVar[int]
    reserved: _containers.RepeatedCompositeFieldContainer[Reserved]
    stacks: _containers.RepeatedCompositeFieldContainer[Stack]
    bond: str
    def __init__(self, reserved: _Optional[_Iterable[_Union[Reserved, _Mapping]]] = ..., stacks: _Optional[_Iterable[_Union[Stack, _Mapping]]] = ..., bond: _Optional[str] = ...) -> None: ...

class Reserved(_message.Message):
    __slots__ = ("company", "numbers")
    COMPANY_FIELD_NUMBER: _ClassVar[int]
    NUMBERS_FIELD_NUMBER: _ClassVar[int]
    company: str
    numbers: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, company: _Optional[str] = ..., numbers: _Optional[_Iterable[int]] = ...) -> None: ...
