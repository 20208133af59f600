from services.gen.signalbox.lobby.v1 import game_status_pb2 as _game_status_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class GameSummary(_message.Message):
    __slots__ = ("status", "clocks", "table_id", "turn_seconds", "has_clock", "is_unlisted")
    STATUS_FIELD_NUMBER: _ClassVar[int]
    CLOCKS_FIELD_NUMBER: _ClassVar[int]
    TABLE_ID_FIELD_NUMBER: _ClassVar[int]
    TURN_SECONDS_FIELD_NUMBER: _ClassVar[int]
    HAS_CLOCK_FIELD_NUMBER: _ClassVar[int]
    IS_UNLISTED_FIELD_NUMBER: _ClassVar[int]
    status: _game_status_pb2.GameStatus
    clocks: _containers.RepeatedCompositeFieldContainer[PlayerClock]
    table_id: str
    turn_seconds: int
    has_clock: bool
    is_unlisted: bool
    def __init__(self, status: _Optional[_Union[_game_status_pb2.GameStatus, _Mapping]] = ..., clocks: _Optional[_Iterable[_Union[PlayerClock, _Mapping]]] = ..., table_id: _Optional[str] = ..., turn_seconds: _Optional[int] = ..., has_clock: _Optional[bool] = ..., is_unlisted: _Optional[bool] = ...) -> None: ...

class PlayerClock(_message.Message):
    __slots__ = ("player_id", "used_ms", "asked_since_time_ms", "asked_sequence", "deadline_time_ms", "turn_left_ms")
    PLAYER_ID_FIELD_NUMBER: _ClassVar[int]
    USED_MS_FIELD_NUMBER: _ClassVar[int]
    ASKED_SINCE_TIME_MS_FIELD_NUMBER: _ClassVar[int]
    ASKED_SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    DEADLINE_TIME_MS_FIELD_NUMBER: _ClassVar[int]
    TURN_LEFT_MS_FIELD_NUMBER: _ClassVar[int]
    player_id: str
    used_ms: int
    asked_since_time_ms: int
    asked_sequence: int
    deadline_time_ms: int
    turn_left_ms: int
    def __init__(self, player_id: _Optional[str] = ..., used_ms: _Optional[int] = ..., asked_since_time_ms: _Optional[int] = ..., asked_sequence: _Optional[int] = ..., deadline_time_ms: _Optional[int] = ..., turn_left_ms: _Optional[int] = ...) -> None: ...
