from services.gen.signalbox.events.v1 import events_pb2 as _events_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class GameStatus(_message.Message):
    __slots__ = ("game_id", "sequence", "title", "players", "acting_players", "round_kind", "turn", "round_number", "phase", "actor", "ending", "results", "update_time_ms", "bearers", "suspended", "ruling_count")
    GAME_ID_FIELD_NUMBER: _ClassVar[int]
    SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    TITLE_FIELD_NUMBER: _ClassVar[int]
    PLAYERS_FIELD_NUMBER: _ClassVar[int]
    ACTING_PLAYERS_FIELD_NUMBER: _ClassVar[int]
    ROUND_KIND_FIELD_NUMBER: _ClassVar[int]
    TURN_FIELD_NUMBER: _ClassVar[int]
    ROUND_NUMBER_FIELD_NUMBER: _ClassVar[int]
    PHASE_FIELD_NUMBER: _ClassVar[int]
    ACTOR_FIELD_NUMBER: _ClassVar[int]
    ENDING_FIELD_NUMBER: _ClassVar[int]
    RESULTS_FIELD_NUMBER: _ClassVar[int]
    UPDATE_TIME_MS_FIELD_NUMBER: _ClassVar[int]
    BEARERS_FIELD_NUMBER: _ClassVar[int]
    SUSPENDED_FIELD_NUMBER: _ClassVar[int]
    RULING_COUNT_FIELD_NUMBER: _ClassVar[int]
    game_id: str
    sequence: int
    title: str
    players: _containers.RepeatedScalarFieldContainer[str]
    acting_players: _containers.RepeatedScalarFieldContainer[str]
    round_kind: str
    turn: int
    round_number: int
    phase: str
    actor: str
    ending: str
    results: _containers.RepeatedCompositeFieldContainer[GameResult]
    update_time_ms: int
    bearers: _containers.RepeatedCompositeFieldContainer[SeatBearer]
    suspended: bool
    ruling_count: int
    def __init__(self, game_id: _Optional[str] = ..., sequence: _Optional[int] = ..., title: _Optional[str] = ..., players: _Optional[_Iterable[str]] = ..., acting_players: _Optional[_Iterable[str]] = ..., round_kind: _Optional[str] = ..., turn: _Optional[int] = ..., round_number: _Optional[int] = ..., phase: _Optional[str] = ..., actor: _Optional[str] = ..., ending: _Optional[str] = ..., results: _Optional[_Iterable[_Union[GameResult, _Mapping]]] = ..., update_time_ms: _Optional[int] = ..., bearers: _Optional[_Iterable[_Union[SeatBearer, _Mapping]]] = ..., suspended: _Optional[bool] = ..., ruling_count: _Optional[int] = ...) -> None: ...

class SeatBearer(_message.Message):
    __slots__ = ("seat", "bearer_id", "kind")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    BEARER_ID_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    seat: str
    bearer_id: str
    kind: _events_pb2.BearerKind
    def __init__(self, seat: _Optional[str] = ..., bearer_id: _Optional[str] = ..., kind: _Optional[_Union[_events_pb2.BearerKind, str]] = ...) -> None: ...

class GameResult(_message.Message):
    __slots__ = ("player_id", "value")
    PLAYER_ID_FIELD_NUMBER: _ClassVar[int]
    VALUE_FIELD_NUMBER: _ClassVar[int]
    player_id: str
    value: int
    def __init__(self, player_id: _Optional[str] = ..., value: _Optional[int] = ...) -> None: ...
