from services.gen.signalbox.lobby.v1 import clock_event_pb2 as _clock_event_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class TableClocks(_message.Message):
    __slots__ = ("seats", "is_paused")
    SEATS_FIELD_NUMBER: _ClassVar[int]
    IS_PAUSED_FIELD_NUMBER: _ClassVar[int]
    seats: _containers.RepeatedCompositeFieldContainer[SeatTime]
    is_paused: bool
    def __init__(self, seats: _Optional[_Iterable[_Union[SeatTime, _Mapping]]] = ..., is_paused: _Optional[bool] = ...) -> None: ...

class SeatTime(_message.Message):
    __slots__ = ("seat", "bank_ms", "turn_left_ms", "used_ms", "overdue_ms", "asked_since_time_ms", "deadline_time_ms", "zone", "windows", "vacations", "reminded_hundredths", "steps", "penalty_amount")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    BANK_MS_FIELD_NUMBER: _ClassVar[int]
    TURN_LEFT_MS_FIELD_NUMBER: _ClassVar[int]
    USED_MS_FIELD_NUMBER: _ClassVar[int]
    OVERDUE_MS_FIELD_NUMBER: _ClassVar[int]
    ASKED_SINCE_TIME_MS_FIELD_NUMBER: _ClassVar[int]
    DEADLINE_TIME_MS_FIELD_NUMBER: _ClassVar[int]
    ZONE_FIELD_NUMBER: _ClassVar[int]
    WINDOWS_FIELD_NUMBER: _ClassVar[int]
    VACATIONS_FIELD_NUMBER: _ClassVar[int]
    REMINDED_HUNDREDTHS_FIELD_NUMBER: _ClassVar[int]
    STEPS_FIELD_NUMBER: _ClassVar[int]
    PENALTY_AMOUNT_FIELD_NUMBER: _ClassVar[int]
    seat: str
    bank_ms: int
    turn_left_ms: int
    used_ms: int
    overdue_ms: int
    asked_since_time_ms: int
    deadline_time_ms: int
    zone: str
    windows: _containers.RepeatedCompositeFieldContainer[WeekWindow]
    vacations: _containers.RepeatedCompositeFieldContainer[SeatVacation]
    reminded_hundredths: _containers.RepeatedScalarFieldContainer[int]
    steps: _containers.RepeatedCompositeFieldContainer[_clock_event_pb2.ExpiryDecided]
    penalty_amount: int
    def __init__(self, seat: _Optional[str] = ..., bank_ms: _Optional[int] = ..., turn_left_ms: _Optional[int] = ..., used_ms: _Optional[int] = ..., overdue_ms: _Optional[int] = ..., asked_since_time_ms: _Optional[int] = ..., deadline_time_ms: _Optional[int] = ..., zone: _Optional[str] = ..., windows: _Optional[_Iterable[_Union[WeekWindow, _Mapping]]] = ..., vacations: _Optional[_Iterable[_Union[SeatVacation, _Mapping]]] = ..., reminded_hundredths: _Optional[_Iterable[int]] = ..., steps: _Optional[_Iterable[_Union[_clock_event_pb2.ExpiryDecided, _Mapping]]] = ..., penalty_amount: _Optional[int] = ...) -> None: ...

class WeekWindow(_message.Message):
    __slots__ = ("weekday", "start_minute", "end_minute")
    WEEKDAY_FIELD_NUMBER: _ClassVar[int]
    START_MINUTE_FIELD_NUMBER: _ClassVar[int]
    END_MINUTE_FIELD_NUMBER: _ClassVar[int]
    weekday: int
    start_minute: int
    end_minute: int
    def __init__(self, weekday: _Optional[int] = ..., start_minute: _Optional[int] = ..., end_minute: _Optional[int] = ...) -> None: ...

class OwnHours(_message.Message):
    __slots__ = ("zone", "windows", "vacations")
    ZONE_FIELD_NUMBER: _ClassVar[int]
    WINDOWS_FIELD_NUMBER: _ClassVar[int]
    VACATIONS_FIELD_NUMBER: _ClassVar[int]
    zone: str
    windows: _containers.RepeatedCompositeFieldContainer[WeekWindow]
    vacations: _containers.RepeatedCompositeFieldContainer[SeatVacation]
    def __init__(self, zone: _Optional[str] = ..., windows: _Optional[_Iterable[_Union[WeekWindow, _Mapping]]] = ..., vacations: _Optional[_Iterable[_Union[SeatVacation, _Mapping]]] = ...) -> None: ...

class SeatVacation(_message.Message):
    __slots__ = ("first_date", "last_date", "zone")
    FIRST_DATE_FIELD_NUMBER: _ClassVar[int]
    LAST_DATE_FIELD_NUMBER: _ClassVar[int]
    ZONE_FIELD_NUMBER: _ClassVar[int]
    first_date: str
    last_date: str
    zone: str
    def __init__(self, first_date: _Optional[str] = ..., last_date: _Optional[str] = ..., zone: _Optional[str] = ...) -> None: ...
