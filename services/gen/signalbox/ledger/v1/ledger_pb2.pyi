from services.gen.signalbox.events.v1 import sentence_pb2 as _sentence_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class Unit(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    UNIT_UNSPECIFIED: _ClassVar[Unit]
    UNIT_MONEY: _ClassVar[Unit]
    UNIT_SHARES: _ClassVar[Unit]
    UNIT_DEBT: _ClassVar[Unit]
UNIT_UNSPECIFIED: Unit
UNIT_MONEY: Unit
UNIT_SHARES: Unit
UNIT_DEBT: Unit

class Account(_message.Message):
    __slots__ = ("holder", "unit", "company")
    HOLDER_FIELD_NUMBER: _ClassVar[int]
    UNIT_FIELD_NUMBER: _ClassVar[int]
    COMPANY_FIELD_NUMBER: _ClassVar[int]
    holder: str
    unit: Unit
    company: str
    def __init__(self, holder: _Optional[str] = ..., unit: _Optional[_Union[Unit, str]] = ..., company: _Optional[str] = ...) -> None: ...

class Balance(_message.Message):
    __slots__ = ("account", "amount")
    ACCOUNT_FIELD_NUMBER: _ClassVar[int]
    AMOUNT_FIELD_NUMBER: _ClassVar[int]
    account: Account
    amount: int
    def __init__(self, account: _Optional[_Union[Account, _Mapping]] = ..., amount: _Optional[int] = ...) -> None: ...

class StatementLine(_message.Message):
    __slots__ = ("sequence", "transfer_id", "counterparty", "change", "balance", "reason", "subject", "correction_of", "moment", "explanation", "sentence")
    SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    TRANSFER_ID_FIELD_NUMBER: _ClassVar[int]
    COUNTERPARTY_FIELD_NUMBER: _ClassVar[int]
    CHANGE_FIELD_NUMBER: _ClassVar[int]
    BALANCE_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    SUBJECT_FIELD_NUMBER: _ClassVar[int]
    CORRECTION_OF_FIELD_NUMBER: _ClassVar[int]
    MOMENT_FIELD_NUMBER: _ClassVar[int]
    EXPLANATION_FIELD_NUMBER: _ClassVar[int]
    SENTENCE_FIELD_NUMBER: _ClassVar[int]
    sequence: int
    transfer_id: str
    counterparty: str
    change: int
    balance: int
    reason: str
    subject: str
    correction_of: str
    moment: Moment
    explanation: str
    sentence: _sentence_pb2.Sentence
    def __init__(self, sequence: _Optional[int] = ..., transfer_id: _Optional[str] = ..., counterparty: _Optional[str] = ..., change: _Optional[int] = ..., balance: _Optional[int] = ..., reason: _Optional[str] = ..., subject: _Optional[str] = ..., correction_of: _Optional[str] = ..., moment: _Optional[_Union[Moment, _Mapping]] = ..., explanation: _Optional[str] = ..., sentence: _Optional[_Union[_sentence_pb2.Sentence, _Mapping]] = ...) -> None: ...

class Moment(_message.Message):
    __slots__ = ("round_kind", "turn", "round_number", "phase", "actor")
    ROUND_KIND_FIELD_NUMBER: _ClassVar[int]
    TURN_FIELD_NUMBER: _ClassVar[int]
    ROUND_NUMBER_FIELD_NUMBER: _ClassVar[int]
    PHASE_FIELD_NUMBER: _ClassVar[int]
    ACTOR_FIELD_NUMBER: _ClassVar[int]
    round_kind: str
    turn: int
    round_number: int
    phase: str
    actor: str
    def __init__(self, round_kind: _Optional[str] = ..., turn: _Optional[int] = ..., round_number: _Optional[int] = ..., phase: _Optional[str] = ..., actor: _Optional[str] = ...) -> None: ...

class TrialBalanceRow(_message.Message):
    __slots__ = ("account", "debits", "credits", "balance")
    ACCOUNT_FIELD_NUMBER: _ClassVar[int]
    DEBITS_FIELD_NUMBER: _ClassVar[int]
    CREDITS_FIELD_NUMBER: _ClassVar[int]
    BALANCE_FIELD_NUMBER: _ClassVar[int]
    account: Account
    debits: int
    credits: int
    balance: int
    def __init__(self, account: _Optional[_Union[Account, _Mapping]] = ..., debits: _Optional[int] = ..., credits: _Optional[int] = ..., balance: _Optional[int] = ...) -> None: ...

class UnitTotal(_message.Message):
    __slots__ = ("unit", "company", "sum")
    UNIT_FIELD_NUMBER: _ClassVar[int]
    COMPANY_FIELD_NUMBER: _ClassVar[int]
    SUM_FIELD_NUMBER: _ClassVar[int]
    unit: Unit
    company: str
    sum: int
    def __init__(self, unit: _Optional[_Union[Unit, str]] = ..., company: _Optional[str] = ..., sum: _Optional[int] = ...) -> None: ...

class NetWorthPoint(_message.Message):
    __slots__ = ("sequence", "moment", "players")
    SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    MOMENT_FIELD_NUMBER: _ClassVar[int]
    PLAYERS_FIELD_NUMBER: _ClassVar[int]
    sequence: int
    moment: Moment
    players: _containers.RepeatedCompositeFieldContainer[PlayerWorth]
    def __init__(self, sequence: _Optional[int] = ..., moment: _Optional[_Union[Moment, _Mapping]] = ..., players: _Optional[_Iterable[_Union[PlayerWorth, _Mapping]]] = ...) -> None: ...

class PlayerWorth(_message.Message):
    __slots__ = ("player", "cash", "certificates", "private_companies", "debt", "total")
    PLAYER_FIELD_NUMBER: _ClassVar[int]
    CASH_FIELD_NUMBER: _ClassVar[int]
    CERTIFICATES_FIELD_NUMBER: _ClassVar[int]
    PRIVATE_COMPANIES_FIELD_NUMBER: _ClassVar[int]
    DEBT_FIELD_NUMBER: _ClassVar[int]
    TOTAL_FIELD_NUMBER: _ClassVar[int]
    player: str
    cash: int
    certificates: int
    private_companies: int
    debt: int
    total: int
    def __init__(self, player: _Optional[str] = ..., cash: _Optional[int] = ..., certificates: _Optional[int] = ..., private_companies: _Optional[int] = ..., debt: _Optional[int] = ..., total: _Optional[int] = ...) -> None: ...

class Difference(_message.Message):
    __slots__ = ("account", "book", "rules")
    ACCOUNT_FIELD_NUMBER: _ClassVar[int]
    BOOK_FIELD_NUMBER: _ClassVar[int]
    RULES_FIELD_NUMBER: _ClassVar[int]
    account: Account
    book: int
    rules: int
    def __init__(self, account: _Optional[_Union[Account, _Mapping]] = ..., book: _Optional[int] = ..., rules: _Optional[int] = ...) -> None: ...

class Hold(_message.Message):
    __slots__ = ("game_id", "reason", "detail", "sequence")
    GAME_ID_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    DETAIL_FIELD_NUMBER: _ClassVar[int]
    SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    game_id: str
    reason: str
    detail: str
    sequence: int
    def __init__(self, game_id: _Optional[str] = ..., reason: _Optional[str] = ..., detail: _Optional[str] = ..., sequence: _Optional[int] = ...) -> None: ...

class GetBalancesRequest(_message.Message):
    __slots__ = ("game_id", "holder", "sequence")
    GAME_ID_FIELD_NUMBER: _ClassVar[int]
    HOLDER_FIELD_NUMBER: _ClassVar[int]
    SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    game_id: str
    holder: str
    sequence: int
    def __init__(self, game_id: _Optional[str] = ..., holder: _Optional[str] = ..., sequence: _Optional[int] = ...) -> None: ...

class GetBalancesResponse(_message.Message):
    __slots__ = ("sequence", "balances")
    SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    BALANCES_FIELD_NUMBER: _ClassVar[int]
    sequence: int
    balances: _containers.RepeatedCompositeFieldContainer[Balance]
    def __init__(self, sequence: _Optional[int] = ..., balances: _Optional[_Iterable[_Union[Balance, _Mapping]]] = ...) -> None: ...

class GetStatementRequest(_message.Message):
    __slots__ = ("game_id", "account", "page_size", "page_token")
    GAME_ID_FIELD_NUMBER: _ClassVar[int]
    ACCOUNT_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    game_id: str
    account: Account
    page_size: int
    page_token: str
    def __init__(self, game_id: _Optional[str] = ..., account: _Optional[_Union[Account, _Mapping]] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class GetStatementResponse(_message.Message):
    __slots__ = ("lines", "next_page_token")
    LINES_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    lines: _containers.RepeatedCompositeFieldContainer[StatementLine]
    next_page_token: str
    def __init__(self, lines: _Optional[_Iterable[_Union[StatementLine, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class GetTrialBalanceRequest(_message.Message):
    __slots__ = ("game_id", "sequence")
    GAME_ID_FIELD_NUMBER: _ClassVar[int]
    SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    game_id: str
    sequence: int
    def __init__(self, game_id: _Optional[str] = ..., sequence: _Optional[int] = ...) -> None: ...

class GetTrialBalanceResponse(_message.Message):
    __slots__ = ("sequence", "rows", "totals", "balanced")
    SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    ROWS_FIELD_NUMBER: _ClassVar[int]
    TOTALS_FIELD_NUMBER: _ClassVar[int]
    BALANCED_FIELD_NUMBER: _ClassVar[int]
    sequence: int
    rows: _containers.RepeatedCompositeFieldContainer[TrialBalanceRow]
    totals: _containers.RepeatedCompositeFieldContainer[UnitTotal]
    balanced: bool
    def __init__(self, sequence: _Optional[int] = ..., rows: _Optional[_Iterable[_Union[TrialBalanceRow, _Mapping]]] = ..., totals: _Optional[_Iterable[_Union[UnitTotal, _Mapping]]] = ..., balanced: _Optional[bool] = ...) -> None: ...

class GetNetWorthRequest(_message.Message):
    __slots__ = ("game_id",)
    GAME_ID_FIELD_NUMBER: _ClassVar[int]
    game_id: str
    def __init__(self, game_id: _Optional[str] = ...) -> None: ...

class GetNetWorthResponse(_message.Message):
    __slots__ = ("points", "present")
    POINTS_FIELD_NUMBER: _ClassVar[int]
    PRESENT_FIELD_NUMBER: _ClassVar[int]
    points: _containers.RepeatedCompositeFieldContainer[NetWorthPoint]
    present: NetWorthPoint
    def __init__(self, points: _Optional[_Iterable[_Union[NetWorthPoint, _Mapping]]] = ..., present: _Optional[_Union[NetWorthPoint, _Mapping]] = ...) -> None: ...

class GetAuditRequest(_message.Message):
    __slots__ = ("game_id",)
    GAME_ID_FIELD_NUMBER: _ClassVar[int]
    game_id: str
    def __init__(self, game_id: _Optional[str] = ...) -> None: ...

class GetAuditResponse(_message.Message):
    __slots__ = ("sequence", "compared_sequence", "differences", "broken_laws", "hold")
    SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    COMPARED_SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    DIFFERENCES_FIELD_NUMBER: _ClassVar[int]
    BROKEN_LAWS_FIELD_NUMBER: _ClassVar[int]
    HOLD_FIELD_NUMBER: _ClassVar[int]
    sequence: int
    compared_sequence: int
    differences: _containers.RepeatedCompositeFieldContainer[Difference]
    broken_laws: _containers.RepeatedScalarFieldContainer[str]
    hold: Hold
    def __init__(self, sequence: _Optional[int] = ..., compared_sequence: _Optional[int] = ..., differences: _Optional[_Iterable[_Union[Difference, _Mapping]]] = ..., broken_laws: _Optional[_Iterable[str]] = ..., hold: _Optional[_Union[Hold, _Mapping]] = ...) -> None: ...

class ListHoldsRequest(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class ListHoldsResponse(_message.Message):
    __slots__ = ("holds",)
    HOLDS_FIELD_NUMBER: _ClassVar[int]
    holds: _containers.RepeatedCompositeFieldContainer[Hold]
    def __init__(self, holds: _Optional[_Iterable[_Union[Hold, _Mapping]]] = ...) -> None: ...

class HoldGameRequest(_message.Message):
    __slots__ = ("game_id", "reason", "request_id")
    GAME_ID_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    game_id: str
    reason: str
    request_id: str
    def __init__(self, game_id: _Optional[str] = ..., reason: _Optional[str] = ..., request_id: _Optional[str] = ...) -> None: ...

class HoldGameResponse(_message.Message):
    __slots__ = ("hold",)
    HOLD_FIELD_NUMBER: _ClassVar[int]
    hold: Hold
    def __init__(self, hold: _Optional[_Union[Hold, _Mapping]] = ...) -> None: ...

class ReleaseHoldRequest(_message.Message):
    __slots__ = ("game_id", "reason", "request_id")
    GAME_ID_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    game_id: str
    reason: str
    request_id: str
    def __init__(self, game_id: _Optional[str] = ..., reason: _Optional[str] = ..., request_id: _Optional[str] = ...) -> None: ...

class ReleaseHoldResponse(_message.Message):
    __slots__ = ("hold",)
    HOLD_FIELD_NUMBER: _ClassVar[int]
    hold: Hold
    def __init__(self, hold: _Optional[_Union[Hold, _Mapping]] = ...) -> None: ...

class RebuildBookRequest(_message.Message):
    __slots__ = ("game_id", "reason", "request_id")
    GAME_ID_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    game_id: str
    reason: str
    request_id: str
    def __init__(self, game_id: _Optional[str] = ..., reason: _Optional[str] = ..., request_id: _Optional[str] = ...) -> None: ...

class RebuildBookResponse(_message.Message):
    __slots__ = ("sequence",)
    SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    sequence: int
    def __init__(self, sequence: _Optional[int] = ...) -> None: ...
