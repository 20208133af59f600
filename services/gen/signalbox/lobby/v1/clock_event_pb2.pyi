from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class ExpiryAction(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    EXPIRY_ACTION_UNSPECIFIED: _ClassVar[ExpiryAction]
    EXPIRY_ACTION_STANDING_POLICY_PASS: _ClassVar[ExpiryAction]
    EXPIRY_ACTION_STANDING_POLICY_LEAST: _ClassVar[ExpiryAction]
    EXPIRY_ACTION_DIRECTOR: _ClassVar[ExpiryAction]
    EXPIRY_ACTION_SUBSTITUTE: _ClassVar[ExpiryAction]
    EXPIRY_ACTION_FORFEIT: _ClassVar[ExpiryAction]

class ExpiryOutcome(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    EXPIRY_OUTCOME_UNSPECIFIED: _ClassVar[ExpiryOutcome]
    EXPIRY_OUTCOME_PENDING: _ClassVar[ExpiryOutcome]
    EXPIRY_OUTCOME_DONE: _ClassVar[ExpiryOutcome]
    EXPIRY_OUTCOME_MOVED: _ClassVar[ExpiryOutcome]
    EXPIRY_OUTCOME_REFUSED: _ClassVar[ExpiryOutcome]
EXPIRY_ACTION_UNSPECIFIED: ExpiryAction
EXPIRY_ACTION_STANDING_POLICY_PASS: ExpiryAction
EXPIRY_ACTION_STANDING_POLICY_LEAST: ExpiryAction
EXPIRY_ACTION_DIRECTOR: ExpiryAction
EXPIRY_ACTION_SUBSTITUTE: ExpiryAction
EXPIRY_ACTION_FORFEIT: ExpiryAction
EXPIRY_OUTCOME_UNSPECIFIED: ExpiryOutcome
EXPIRY_OUTCOME_PENDING: ExpiryOutcome
EXPIRY_OUTCOME_DONE: ExpiryOutcome
EXPIRY_OUTCOME_MOVED: ExpiryOutcome
EXPIRY_OUTCOME_REFUSED: ExpiryOutcome

class ClockChosen(_message.Message):
    __slots__ = ("policy",)
    POLICY_FIELD_NUMBER: _ClassVar[int]
    policy: str
    def __init__(self, policy: _Optional[str] = ...) -> None: ...

class ClocksCharged(_message.Message):
    __slots__ = ("sequence", "time_ms", "turn_key", "is_paused", "clocks")
    SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    TIME_MS_FIELD_NUMBER: _ClassVar[int]
    TURN_KEY_FIELD_NUMBER: _ClassVar[int]
    IS_PAUSED_FIELD_NUMBER: _ClassVar[int]
    CLOCKS_FIELD_NUMBER: _ClassVar[int]
    sequence: int
    time_ms: int
    turn_key: TurnKey
    is_paused: bool
    clocks: _containers.RepeatedCompositeFieldContainer[SeatClock]
    def __init__(self, sequence: _Optional[int] = ..., time_ms: _Optional[int] = ..., turn_key: _Optional[_Union[TurnKey, _Mapping]] = ..., is_paused: _Optional[bool] = ..., clocks: _Optional[_Iterable[_Union[SeatClock, _Mapping]]] = ...) -> None: ...

class TurnKey(_message.Message):
    __slots__ = ("round_kind", "turn", "round_number", "actor")
    ROUND_KIND_FIELD_NUMBER: _ClassVar[int]
    TURN_FIELD_NUMBER: _ClassVar[int]
    ROUND_NUMBER_FIELD_NUMBER: _ClassVar[int]
    ACTOR_FIELD_NUMBER: _ClassVar[int]
    round_kind: str
    turn: int
    round_number: int
    actor: str
    def __init__(self, round_kind: _Optional[str] = ..., turn: _Optional[int] = ..., round_number: _Optional[int] = ..., actor: _Optional[str] = ...) -> None: ...

class SeatClock(_message.Message):
    __slots__ = ("seat", "bank", "asked")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    BANK_FIELD_NUMBER: _ClassVar[int]
    ASKED_FIELD_NUMBER: _ClassVar[int]
    seat: str
    bank: ClockBank
    asked: AskedTurn
    def __init__(self, seat: _Optional[str] = ..., bank: _Optional[_Union[ClockBank, _Mapping]] = ..., asked: _Optional[_Union[AskedTurn, _Mapping]] = ...) -> None: ...

class ClockBank(_message.Message):
    __slots__ = ("left_ms", "used_ms", "overdue_ms")
    LEFT_MS_FIELD_NUMBER: _ClassVar[int]
    USED_MS_FIELD_NUMBER: _ClassVar[int]
    OVERDUE_MS_FIELD_NUMBER: _ClassVar[int]
    left_ms: int
    used_ms: int
    overdue_ms: int
    def __init__(self, left_ms: _Optional[int] = ..., used_ms: _Optional[int] = ..., overdue_ms: _Optional[int] = ...) -> None: ...

class AskedTurn(_message.Message):
    __slots__ = ("player", "since_ms", "sequence", "turn", "spent_ms")
    PLAYER_FIELD_NUMBER: _ClassVar[int]
    SINCE_MS_FIELD_NUMBER: _ClassVar[int]
    SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    TURN_FIELD_NUMBER: _ClassVar[int]
    SPENT_MS_FIELD_NUMBER: _ClassVar[int]
    player: str
    since_ms: int
    sequence: int
    turn: TurnKind
    spent_ms: int
    def __init__(self, player: _Optional[str] = ..., since_ms: _Optional[int] = ..., sequence: _Optional[int] = ..., turn: _Optional[_Union[TurnKind, _Mapping]] = ..., spent_ms: _Optional[int] = ...) -> None: ...

class TurnKind(_message.Message):
    __slots__ = ("round_kind", "company_kind", "phase")
    ROUND_KIND_FIELD_NUMBER: _ClassVar[int]
    COMPANY_KIND_FIELD_NUMBER: _ClassVar[int]
    PHASE_FIELD_NUMBER: _ClassVar[int]
    round_kind: str
    company_kind: str
    phase: str
    def __init__(self, round_kind: _Optional[str] = ..., company_kind: _Optional[str] = ..., phase: _Optional[str] = ...) -> None: ...

class ClocksHeld(_message.Message):
    __slots__ = ("time_ms",)
    TIME_MS_FIELD_NUMBER: _ClassVar[int]
    time_ms: int
    def __init__(self, time_ms: _Optional[int] = ...) -> None: ...

class ClocksReleased(_message.Message):
    __slots__ = ("time_ms",)
    TIME_MS_FIELD_NUMBER: _ClassVar[int]
    time_ms: int
    def __init__(self, time_ms: _Optional[int] = ...) -> None: ...

class TurnReminded(_message.Message):
    __slots__ = ("seat", "sequence", "hundredths")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    HUNDREDTHS_FIELD_NUMBER: _ClassVar[int]
    seat: str
    sequence: int
    hundredths: int
    def __init__(self, seat: _Optional[str] = ..., sequence: _Optional[int] = ..., hundredths: _Optional[int] = ...) -> None: ...

class ExpiryDecided(_message.Message):
    __slots__ = ("seat", "sequence", "step", "action", "expected_sequence", "request_id", "time_ms", "outcome")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    STEP_FIELD_NUMBER: _ClassVar[int]
    ACTION_FIELD_NUMBER: _ClassVar[int]
    EXPECTED_SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    TIME_MS_FIELD_NUMBER: _ClassVar[int]
    OUTCOME_FIELD_NUMBER: _ClassVar[int]
    seat: str
    sequence: int
    step: int
    action: ExpiryAction
    expected_sequence: int
    request_id: str
    time_ms: int
    outcome: ExpiryOutcome
    def __init__(self, seat: _Optional[str] = ..., sequence: _Optional[int] = ..., step: _Optional[int] = ..., action: _Optional[_Union[ExpiryAction, str]] = ..., expected_sequence: _Optional[int] = ..., request_id: _Optional[str] = ..., time_ms: _Optional[int] = ..., outcome: _Optional[_Union[ExpiryOutcome, str]] = ...) -> None: ...

class ExpirySettled(_message.Message):
    __slots__ = ("request_id", "outcome", "code")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    OUTCOME_FIELD_NUMBER: _ClassVar[int]
    CODE_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    outcome: ExpiryOutcome
    code: str
    def __init__(self, request_id: _Optional[str] = ..., outcome: _Optional[_Union[ExpiryOutcome, str]] = ..., code: _Optional[str] = ...) -> None: ...

class ClocksPenalized(_message.Message):
    __slots__ = ("sequence", "penalties")
    SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    PENALTIES_FIELD_NUMBER: _ClassVar[int]
    sequence: int
    penalties: _containers.RepeatedCompositeFieldContainer[SeatPenalty]
    def __init__(self, sequence: _Optional[int] = ..., penalties: _Optional[_Iterable[_Union[SeatPenalty, _Mapping]]] = ...) -> None: ...

class SeatPenalty(_message.Message):
    __slots__ = ("seat", "amount")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    AMOUNT_FIELD_NUMBER: _ClassVar[int]
    seat: str
    amount: int
    def __init__(self, seat: _Optional[str] = ..., amount: _Optional[int] = ...) -> None: ...

class HoursChosen(_message.Message):
    __slots__ = ("seat", "hours")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    HOURS_FIELD_NUMBER: _ClassVar[int]
    seat: str
    hours: str
    def __init__(self, seat: _Optional[str] = ..., hours: _Optional[str] = ...) -> None: ...

class VacationTaken(_message.Message):
    __slots__ = ("seat", "vacation")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    VACATION_FIELD_NUMBER: _ClassVar[int]
    seat: str
    vacation: str
    def __init__(self, seat: _Optional[str] = ..., vacation: _Optional[str] = ...) -> None: ...

class VacationEnded(_message.Message):
    __slots__ = ("seat", "vacation")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    VACATION_FIELD_NUMBER: _ClassVar[int]
    seat: str
    vacation: str
    def __init__(self, seat: _Optional[str] = ..., vacation: _Optional[str] = ...) -> None: ...

class TimeGranted(_message.Message):
    __slots__ = ("seat", "seconds", "author", "reason")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    SECONDS_FIELD_NUMBER: _ClassVar[int]
    AUTHOR_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    seat: str
    seconds: int
    author: str
    reason: str
    def __init__(self, seat: _Optional[str] = ..., seconds: _Optional[int] = ..., author: _Optional[str] = ..., reason: _Optional[str] = ...) -> None: ...
