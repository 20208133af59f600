from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class MaritimeTaken(_message.Message):
    __slots__ = ("maritime", "owner")
    MARITIME_FIELD_NUMBER: _ClassVar[int]
    OWNER_FIELD_NUMBER: _ClassVar[int]
    maritime: str
    owner: str
    def __init__(self, maritime: _Optional[str] = ..., owner: _Optional[str] = ...) -> None: ...

class MaritimeClosed(_message.Message):
    __slots__ = ("maritime", "player")
    MARITIME_FIELD_NUMBER: _ClassVar[int]
    PLAYER_FIELD_NUMBER: _ClassVar[int]
    maritime: str
    player: str
    def __init__(self, maritime: _Optional[str] = ..., player: _Optional[str] = ...) -> None: ...

class PortUsed(_message.Message):
    __slots__ = ("maritime", "company")
    MARITIME_FIELD_NUMBER: _ClassVar[int]
    COMPANY_FIELD_NUMBER: _ClassVar[int]
    maritime: str
    company: str
    def __init__(self, maritime: _Optional[str] = ..., company: _Optional[str] = ...) -> None: ...

class TrafficChanged(_message.Message):
    __slots__ = ("company", "amount", "reason", "subject")
    COMPANY_FIELD_NUMBER: _ClassVar[int]
    AMOUNT_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    SUBJECT_FIELD_NUMBER: _ClassVar[int]
    company: str
    amount: int
    reason: str
    subject: str
    def __init__(self, company: _Optional[str] = ..., amount: _Optional[int] = ..., reason: _Optional[str] = ..., subject: _Optional[str] = ...) -> None: ...

class TableRowSet(_message.Message):
    __slots__ = ("company", "row")
    COMPANY_FIELD_NUMBER: _ClassVar[int]
    ROW_FIELD_NUMBER: _ClassVar[int]
    company: str
    row: str
    def __init__(self, company: _Optional[str] = ..., row: _Optional[str] = ...) -> None: ...

class TableRowLeft(_message.Message):
    __slots__ = ("company",)
    COMPANY_FIELD_NUMBER: _ClassVar[int]
    company: str
    def __init__(self, company: _Optional[str] = ...) -> None: ...

class DragonCandidate(_message.Message):
    __slots__ = ("company", "source", "held", "rank", "price", "place")
    COMPANY_FIELD_NUMBER: _ClassVar[int]
    SOURCE_FIELD_NUMBER: _ClassVar[int]
    HELD_FIELD_NUMBER: _ClassVar[int]
    RANK_FIELD_NUMBER: _ClassVar[int]
    PRICE_FIELD_NUMBER: _ClassVar[int]
    PLACE_FIELD_NUMBER: _ClassVar[int]
    company: str
    source: str
    held: int
    rank: int
    price: int
    place: int
    def __init__(self, company: _Optional[str] = ..., source: _Optional[str] = ..., held: _Optional[int] = ..., rank: _Optional[int] = ..., price: _Optional[int] = ..., place: _Optional[int] = ...) -> None: ...

class DragonsChose(_message.Message):
    __slots__ = ("company", "source", "candidates")
    COMPANY_FIELD_NUMBER: _ClassVar[int]
    SOURCE_FIELD_NUMBER: _ClassVar[int]
    CANDIDATES_FIELD_NUMBER: _ClassVar[int]
    company: str
    source: str
    candidates: _containers.RepeatedCompositeFieldContainer[DragonCandidate]
    def __init__(self, company: _Optional[str] = ..., source: _Optional[str] = ..., candidates: _Optional[_Iterable[_Union[DragonCandidate, _Mapping]]] = ...) -> None: ...

class DragonsActed(_message.Message):
    __slots__ = ("sold", "bought")
    SOLD_FIELD_NUMBER: _ClassVar[int]
    BOUGHT_FIELD_NUMBER: _ClassVar[int]
    sold: int
    bought: int
    def __init__(self, sold: _Optional[int] = ..., bought: _Optional[int] = ...) -> None: ...

class PassesForgotten(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class DragonsPassed(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class DirectRouteUsed(_message.Message):
    __slots__ = ("company", "hex", "route", "cost", "traffic")
    COMPANY_FIELD_NUMBER: _ClassVar[int]
    HEX_FIELD_NUMBER: _ClassVar[int]
    ROUTE_FIELD_NUMBER: _ClassVar[int]
    COST_FIELD_NUMBER: _ClassVar[int]
    TRAFFIC_FIELD_NUMBER: _ClassVar[int]
    company: str
    hex: str
    route: _containers.RepeatedScalarFieldContainer[str]
    cost: int
    traffic: int
    def __init__(self, company: _Optional[str] = ..., hex: _Optional[str] = ..., route: _Optional[_Iterable[str]] = ..., cost: _Optional[int] = ..., traffic: _Optional[int] = ...) -> None: ...

class RevenueReckoned(_message.Message):
    __slots__ = ("company", "traffic", "coverage", "trains", "maritime")
    COMPANY_FIELD_NUMBER: _ClassVar[int]
    TRAFFIC_FIELD_NUMBER: _ClassVar[int]
    COVERAGE_FIELD_NUMBER: _ClassVar[int]
    TRAINS_FIELD_NUMBER: _ClassVar[int]
    MARITIME_FIELD_NUMBER: _ClassVar[int]
    company: str
    traffic: int
    coverage: int
    trains: _containers.RepeatedScalarFieldContainer[str]
    maritime: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, company: _Optional[str] = ..., traffic: _Optional[int] = ..., coverage: _Optional[int] = ..., trains: _Optional[_Iterable[str]] = ..., maritime: _Optional[_Iterable[str]] = ...) -> None: ...

class TrainPriceOffered(_message.Message):
    __slots__ = ("price",)
    PRICE_FIELD_NUMBER: _ClassVar[int]
    price: int
    def __init__(self, price: _Optional[int] = ...) -> None: ...

class CompanyAbsorbed(_message.Message):
    __slots__ = ("company", "absorber", "price")
    COMPANY_FIELD_NUMBER: _ClassVar[int]
    ABSORBER_FIELD_NUMBER: _ClassVar[int]
    PRICE_FIELD_NUMBER: _ClassVar[int]
    company: str
    absorber: str
    price: int
    def __init__(self, company: _Optional[str] = ..., absorber: _Optional[str] = ..., price: _Optional[int] = ...) -> None: ...

class HomeChosen(_message.Message):
    __slots__ = ("company", "hex", "city")
    COMPANY_FIELD_NUMBER: _ClassVar[int]
    HEX_FIELD_NUMBER: _ClassVar[int]
    CITY_FIELD_NUMBER: _ClassVar[int]
    company: str
    hex: str
    city: int
    def __init__(self, company: _Optional[str] = ..., hex: _Optional[str] = ..., city: _Optional[int] = ...) -> None: ...

class TakeMaritime(_message.Message):
    __slots__ = ("maritime",)
    MARITIME_FIELD_NUMBER: _ClassVar[int]
    maritime: str
    def __init__(self, maritime: _Optional[str] = ...) -> None: ...

class ConvertCompany(_message.Message):
    __slots__ = ("company",)
    COMPANY_FIELD_NUMBER: _ClassVar[int]
    company: str
    def __init__(self, company: _Optional[str] = ...) -> None: ...

class HandOver(_message.Message):
    __slots__ = ("company", "maritime")
    COMPANY_FIELD_NUMBER: _ClassVar[int]
    MARITIME_FIELD_NUMBER: _ClassVar[int]
    company: str
    maritime: str
    def __init__(self, company: _Optional[str] = ..., maritime: _Optional[str] = ...) -> None: ...

class PlaceTokenByRoute(_message.Message):
    __slots__ = ("company", "hex", "city", "route")
    COMPANY_FIELD_NUMBER: _ClassVar[int]
    HEX_FIELD_NUMBER: _ClassVar[int]
    CITY_FIELD_NUMBER: _ClassVar[int]
    ROUTE_FIELD_NUMBER: _ClassVar[int]
    company: str
    hex: str
    city: int
    route: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, company: _Optional[str] = ..., hex: _Optional[str] = ..., city: _Optional[int] = ..., route: _Optional[_Iterable[str]] = ...) -> None: ...

class LaunchAnew(_message.Message):
    __slots__ = ("company", "price", "hex", "city")
    COMPANY_FIELD_NUMBER: _ClassVar[int]
    PRICE_FIELD_NUMBER: _ClassVar[int]
    HEX_FIELD_NUMBER: _ClassVar[int]
    CITY_FIELD_NUMBER: _ClassVar[int]
    company: str
    price: int
    hex: str
    city: int
    def __init__(self, company: _Optional[str] = ..., price: _Optional[int] = ..., hex: _Optional[str] = ..., city: _Optional[int] = ...) -> None: ...

class Absorb(_message.Message):
    __slots__ = ("company", "target", "replaced", "abandoned")
    COMPANY_FIELD_NUMBER: _ClassVar[int]
    TARGET_FIELD_NUMBER: _ClassVar[int]
    REPLACED_FIELD_NUMBER: _ClassVar[int]
    ABANDONED_FIELD_NUMBER: _ClassVar[int]
    company: str
    target: str
    replaced: _containers.RepeatedScalarFieldContainer[str]
    abandoned: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, company: _Optional[str] = ..., target: _Optional[str] = ..., replaced: _Optional[_Iterable[str]] = ..., abandoned: _Optional[_Iterable[str]] = ...) -> None: ...

class Railway(_message.Message):
    __slots__ = ("company", "major", "absorbed", "traffic", "coverage", "row", "rank", "zone", "premium_price")
    COMPANY_FIELD_NUMBER: _ClassVar[int]
    MAJOR_FIELD_NUMBER: _ClassVar[int]
    ABSORBED_FIELD_NUMBER: _ClassVar[int]
    TRAFFIC_FIELD_NUMBER: _ClassVar[int]
    COVERAGE_FIELD_NUMBER: _ClassVar[int]
    ROW_FIELD_NUMBER: _ClassVar[int]
    RANK_FIELD_NUMBER: _ClassVar[int]
    ZONE_FIELD_NUMBER: _ClassVar[int]
    PREMIUM_PRICE_FIELD_NUMBER: _ClassVar[int]
    company: str
    major: bool
    absorbed: bool
    traffic: int
    coverage: int
    row: str
    rank: int
    zone: str
    premium_price: int
    def __init__(self, company: _Optional[str] = ..., major: _Optional[bool] = ..., absorbed: _Optional[bool] = ..., traffic: _Optional[int] = ..., coverage: _Optional[int] = ..., row: _Optional[str] = ..., rank: _Optional[int] = ..., zone: _Optional[str] = ..., premium_price: _Optional[int] = ...) -> None: ...

class Maritime(_message.Message):
    __slots__ = ("name", "owner", "used")
    NAME_FIELD_NUMBER: _ClassVar[int]
    OWNER_FIELD_NUMBER: _ClassVar[int]
    USED_FIELD_NUMBER: _ClassVar[int]
    name: str
    owner: str
    used: bool
    def __init__(self, name: _Optional[str] = ..., owner: _Optional[str] = ..., used: _Optional[bool] = ...) -> None: ...

class DragonShares(_message.Message):
    __slots__ = ("company", "numbers")
    COMPANY_FIELD_NUMBER: _ClassVar[int]
    NUMBERS_FIELD_NUMBER: _ClassVar[int]
    company: str
    numbers: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, company: _Optional[str] = ..., numbers: _Optional[_Iterable[int]] = ...) -> None: ...

class View(_message.Message):
    __slots__ = ("railways", "maritime", "dragons")
    RAILWAYS_FIELD_NUMBER: _ClassVar[int]
    MARITIME_FIELD_NUMBER: _ClassVar[int]
    DRAGONS_FIELD_NUMBER: _ClassVar[int]
    railways: _containers.RepeatedCompositeFieldContainer[Railway]
    maritime: _containers.RepeatedCompositeFieldContainer[Maritime]
    dragons: _containers.RepeatedCompositeFieldContainer[DragonShares]
    def __init__(self, railways: _Optional[_Iterable[_Union[Railway, _Mapping]]] = ..., maritime: _Optional[_Iterable[_Union[Maritime, _Mapping]]] = ..., dragons: _Optional[_Iterable[_Union[DragonShares, _Mapping]]] = ...) -> None: ...
