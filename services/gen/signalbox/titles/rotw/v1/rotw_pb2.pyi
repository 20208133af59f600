from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class GoodsPlaced(_message.Message):
    __slots__ = ("city", "cubes")
    CITY_FIELD_NUMBER: _ClassVar[int]
    CUBES_FIELD_NUMBER: _ClassVar[int]
    city: str
    cubes: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, city: _Optional[str] = ..., cubes: _Optional[_Iterable[str]] = ...) -> None: ...

class GameTurnBegan(_message.Message):
    __slots__ = ("turn", "idle_turns")
    TURN_FIELD_NUMBER: _ClassVar[int]
    IDLE_TURNS_FIELD_NUMBER: _ClassVar[int]
    turn: int
    idle_turns: int
    def __init__(self, turn: _Optional[int] = ..., idle_turns: _Optional[int] = ...) -> None: ...

class ShareNamed(_message.Message):
    __slots__ = ("player", "company", "source")
    PLAYER_FIELD_NUMBER: _ClassVar[int]
    COMPANY_FIELD_NUMBER: _ClassVar[int]
    SOURCE_FIELD_NUMBER: _ClassVar[int]
    player: str
    company: str
    source: str
    def __init__(self, player: _Optional[str] = ..., company: _Optional[str] = ..., source: _Optional[str] = ...) -> None: ...

class NamingEnded(_message.Message):
    __slots__ = ("player",)
    PLAYER_FIELD_NUMBER: _ClassVar[int]
    player: str
    def __init__(self, player: _Optional[str] = ...) -> None: ...

class ActionChosen(_message.Message):
    __slots__ = ("company", "action")
    COMPANY_FIELD_NUMBER: _ClassVar[int]
    ACTION_FIELD_NUMBER: _ClassVar[int]
    company: str
    action: str
    def __init__(self, company: _Optional[str] = ..., action: _Optional[str] = ...) -> None: ...

class LinkBuilt(_message.Message):
    __slots__ = ("link", "company", "path")
    LINK_FIELD_NUMBER: _ClassVar[int]
    COMPANY_FIELD_NUMBER: _ClassVar[int]
    PATH_FIELD_NUMBER: _ClassVar[int]
    link: str
    company: str
    path: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, link: _Optional[str] = ..., company: _Optional[str] = ..., path: _Optional[_Iterable[str]] = ...) -> None: ...

class LinkTakenOver(_message.Message):
    __slots__ = ("link", "company")
    LINK_FIELD_NUMBER: _ClassVar[int]
    COMPANY_FIELD_NUMBER: _ClassVar[int]
    link: str
    company: str
    def __init__(self, link: _Optional[str] = ..., company: _Optional[str] = ...) -> None: ...

class GoodDelivered(_message.Message):
    __slots__ = ("company", "city", "colour", "links", "target")
    COMPANY_FIELD_NUMBER: _ClassVar[int]
    CITY_FIELD_NUMBER: _ClassVar[int]
    COLOUR_FIELD_NUMBER: _ClassVar[int]
    LINKS_FIELD_NUMBER: _ClassVar[int]
    TARGET_FIELD_NUMBER: _ClassVar[int]
    company: str
    city: str
    colour: str
    links: _containers.RepeatedScalarFieldContainer[str]
    target: str
    def __init__(self, company: _Optional[str] = ..., city: _Optional[str] = ..., colour: _Optional[str] = ..., links: _Optional[_Iterable[str]] = ..., target: _Optional[str] = ...) -> None: ...

class CityEmptied(_message.Message):
    __slots__ = ("city",)
    CITY_FIELD_NUMBER: _ClassVar[int]
    city: str
    def __init__(self, city: _Optional[str] = ...) -> None: ...

class IncomeMarked(_message.Message):
    __slots__ = ("company", "space")
    COMPANY_FIELD_NUMBER: _ClassVar[int]
    SPACE_FIELD_NUMBER: _ClassVar[int]
    company: str
    space: int
    def __init__(self, company: _Optional[str] = ..., space: _Optional[int] = ...) -> None: ...

class MergerProposed(_message.Message):
    __slots__ = ("company", "target", "shares", "bonds")
    COMPANY_FIELD_NUMBER: _ClassVar[int]
    TARGET_FIELD_NUMBER: _ClassVar[int]
    SHARES_FIELD_NUMBER: _ClassVar[int]
    BONDS_FIELD_NUMBER: _ClassVar[int]
    company: str
    target: str
    shares: int
    bonds: int
    def __init__(self, company: _Optional[str] = ..., target: _Optional[str] = ..., shares: _Optional[int] = ..., bonds: _Optional[int] = ...) -> None: ...

class BallotOpened(_message.Message):
    __slots__ = ("company",)
    COMPANY_FIELD_NUMBER: _ClassVar[int]
    company: str
    def __init__(self, company: _Optional[str] = ...) -> None: ...

class VoteCast(_message.Message):
    __slots__ = ("player", "accept")
    PLAYER_FIELD_NUMBER: _ClassVar[int]
    ACCEPT_FIELD_NUMBER: _ClassVar[int]
    player: str
    accept: bool
    def __init__(self, player: _Optional[str] = ..., accept: _Optional[bool] = ...) -> None: ...

class MergerDecided(_message.Message):
    __slots__ = ("company", "target", "accepted")
    COMPANY_FIELD_NUMBER: _ClassVar[int]
    TARGET_FIELD_NUMBER: _ClassVar[int]
    ACCEPTED_FIELD_NUMBER: _ClassVar[int]
    company: str
    target: str
    accepted: bool
    def __init__(self, company: _Optional[str] = ..., target: _Optional[str] = ..., accepted: _Optional[bool] = ...) -> None: ...

class CompanyAcquired(_message.Message):
    __slots__ = ("company", "target")
    COMPANY_FIELD_NUMBER: _ClassVar[int]
    TARGET_FIELD_NUMBER: _ClassVar[int]
    company: str
    target: str
    def __init__(self, company: _Optional[str] = ..., target: _Optional[str] = ...) -> None: ...

class NameShare(_message.Message):
    __slots__ = ("company", "source", "price")
    COMPANY_FIELD_NUMBER: _ClassVar[int]
    SOURCE_FIELD_NUMBER: _ClassVar[int]
    PRICE_FIELD_NUMBER: _ClassVar[int]
    company: str
    source: str
    price: int
    def __init__(self, company: _Optional[str] = ..., source: _Optional[str] = ..., price: _Optional[int] = ...) -> None: ...

class BuildLink(_message.Message):
    __slots__ = ("company", "path", "shares", "bonds")
    COMPANY_FIELD_NUMBER: _ClassVar[int]
    PATH_FIELD_NUMBER: _ClassVar[int]
    SHARES_FIELD_NUMBER: _ClassVar[int]
    BONDS_FIELD_NUMBER: _ClassVar[int]
    company: str
    path: _containers.RepeatedScalarFieldContainer[str]
    shares: int
    bonds: int
    def __init__(self, company: _Optional[str] = ..., path: _Optional[_Iterable[str]] = ..., shares: _Optional[int] = ..., bonds: _Optional[int] = ...) -> None: ...

class DeliverGood(_message.Message):
    __slots__ = ("company", "city", "colour", "links")
    COMPANY_FIELD_NUMBER: _ClassVar[int]
    CITY_FIELD_NUMBER: _ClassVar[int]
    COLOUR_FIELD_NUMBER: _ClassVar[int]
    LINKS_FIELD_NUMBER: _ClassVar[int]
    company: str
    city: str
    colour: str
    links: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, company: _Optional[str] = ..., city: _Optional[str] = ..., colour: _Optional[str] = ..., links: _Optional[_Iterable[str]] = ...) -> None: ...

class RepayBonds(_message.Message):
    __slots__ = ("company", "amount")
    COMPANY_FIELD_NUMBER: _ClassVar[int]
    AMOUNT_FIELD_NUMBER: _ClassVar[int]
    company: str
    amount: int
    def __init__(self, company: _Optional[str] = ..., amount: _Optional[int] = ...) -> None: ...

class PayDividend(_message.Message):
    __slots__ = ("company", "amount")
    COMPANY_FIELD_NUMBER: _ClassVar[int]
    AMOUNT_FIELD_NUMBER: _ClassVar[int]
    company: str
    amount: int
    def __init__(self, company: _Optional[str] = ..., amount: _Optional[int] = ...) -> None: ...

class ProposeMerger(_message.Message):
    __slots__ = ("company", "target", "shares", "bonds")
    COMPANY_FIELD_NUMBER: _ClassVar[int]
    TARGET_FIELD_NUMBER: _ClassVar[int]
    SHARES_FIELD_NUMBER: _ClassVar[int]
    BONDS_FIELD_NUMBER: _ClassVar[int]
    company: str
    target: str
    shares: int
    bonds: int
    def __init__(self, company: _Optional[str] = ..., target: _Optional[str] = ..., shares: _Optional[int] = ..., bonds: _Optional[int] = ...) -> None: ...

class CityView(_message.Message):
    __slots__ = ("name", "hex", "colour", "exits", "cubes", "is_emptied")
    NAME_FIELD_NUMBER: _ClassVar[int]
    HEX_FIELD_NUMBER: _ClassVar[int]
    COLOUR_FIELD_NUMBER: _ClassVar[int]
    EXITS_FIELD_NUMBER: _ClassVar[int]
    CUBES_FIELD_NUMBER: _ClassVar[int]
    IS_EMPTIED_FIELD_NUMBER: _ClassVar[int]
    name: str
    hex: str
    colour: str
    exits: int
    cubes: _containers.RepeatedScalarFieldContainer[str]
    is_emptied: bool
    def __init__(self, name: _Optional[str] = ..., hex: _Optional[str] = ..., colour: _Optional[str] = ..., exits: _Optional[int] = ..., cubes: _Optional[_Iterable[str]] = ..., is_emptied: _Optional[bool] = ...) -> None: ...

class LinkView(_message.Message):
    __slots__ = ("link", "owner", "one", "other", "path")
    LINK_FIELD_NUMBER: _ClassVar[int]
    OWNER_FIELD_NUMBER: _ClassVar[int]
    ONE_FIELD_NUMBER: _ClassVar[int]
    OTHER_FIELD_NUMBER: _ClassVar[int]
    PATH_FIELD_NUMBER: _ClassVar[int]
    link: str
    owner: str
    one: str
    other: str
    path: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, link: _Optional[str] = ..., owner: _Optional[str] = ..., one: _Optional[str] = ..., other: _Optional[str] = ..., path: _Optional[_Iterable[str]] = ...) -> None: ...

class RailroadView(_message.Message):
    __slots__ = ("company", "income_space", "bonds", "bonds_left", "actions")
    COMPANY_FIELD_NUMBER: _ClassVar[int]
    INCOME_SPACE_FIELD_NUMBER: _ClassVar[int]
    BONDS_FIELD_NUMBER: _ClassVar[int]
    BONDS_LEFT_FIELD_NUMBER: _ClassVar[int]
    ACTIONS_FIELD_NUMBER: _ClassVar[int]
    company: str
    income_space: int
    bonds: int
    bonds_left: int
    actions: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, company: _Optional[str] = ..., income_space: _Optional[int] = ..., bonds: _Optional[int] = ..., bonds_left: _Optional[int] = ..., actions: _Optional[_Iterable[str]] = ...) -> None: ...

class MergerView(_message.Message):
    __slots__ = ("company", "target", "voting", "voted")
    COMPANY_FIELD_NUMBER: _ClassVar[int]
    TARGET_FIELD_NUMBER: _ClassVar[int]
    VOTING_FIELD_NUMBER: _ClassVar[int]
    VOTED_FIELD_NUMBER: _ClassVar[int]
    company: str
    target: str
    voting: str
    voted: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, company: _Optional[str] = ..., target: _Optional[str] = ..., voting: _Optional[str] = ..., voted: _Optional[_Iterable[str]] = ...) -> None: ...

class View(_message.Message):
    __slots__ = ("cities", "links", "railroads", "acting_order", "emptied_to_end", "auctioned_from", "merger", "rows", "ridges")
    CITIES_FIELD_NUMBER: _ClassVar[int]
    LINKS_FIELD_NUMBER: _ClassVar[int]
    RAILROADS_FIELD_NUMBER: _ClassVar[int]
    ACTING_ORDER_FIELD_NUMBER: _ClassVar[int]
    EMPTIED_TO_END_FIELD_NUMBER: _ClassVar[int]
    AUCTIONED_FROM_FIELD_NUMBER: _ClassVar[int]
    MERGER_FIELD_NUMBER: _ClassVar[int]
    ROWS_FIELD_NUMBER: _ClassVar[int]
    RIDGES_FIELD_NUMBER: _ClassVar[int]
    cities: _containers.RepeatedCompositeFieldContainer[CityView]
    links: _containers.RepeatedCompositeFieldContainer[LinkView]
    railroads: _containers.RepeatedCompositeFieldContainer[RailroadView]
    acting_order: _containers.RepeatedScalarFieldContainer[str]
    emptied_to_end: int
    auctioned_from: str
    merger: _containers.RepeatedCompositeFieldContainer[MergerView]
    rows: _containers.RepeatedScalarFieldContainer[str]
    ridges: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, cities: _Optional[_Iterable[_Union[CityView, _Mapping]]] = ..., links: _Optional[_Iterable[_Union[LinkView, _Mapping]]] = ..., railroads: _Optional[_Iterable[_Union[RailroadView, _Mapping]]] = ..., acting_order: _Optional[_Iterable[str]] = ..., emptied_to_end: _Optional[int] = ..., auctioned_from: _Optional[str] = ..., merger: _Optional[_Iterable[_Union[MergerView, _Mapping]]] = ..., rows: _Optional[_Iterable[str]] = ..., ridges: _Optional[_Iterable[str]] = ...) -> None: ...
