from services.gen.signalbox.lobby.v1 import table_pb2 as _table_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class GameCard(_message.Message):
    __slots__ = ("game_id", "sequence", "title", "players", "acting_players", "round_kind", "turn", "round_number", "phase", "actor", "ending", "results", "update_time_ms", "clocks", "table_id", "turn_seconds")
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
    CLOCKS_FIELD_NUMBER: _ClassVar[int]
    TABLE_ID_FIELD_NUMBER: _ClassVar[int]
    TURN_SECONDS_FIELD_NUMBER: _ClassVar[int]
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
    results: _containers.RepeatedCompositeFieldContainer[_table_pb2.GameResult]
    update_time_ms: int
    clocks: _containers.RepeatedCompositeFieldContainer[PlayerClock]
    table_id: str
    turn_seconds: int
    def __init__(self, game_id: _Optional[str] = ..., sequence: _Optional[int] = ..., title: _Optional[str] = ..., players: _Optional[_Iterable[str]] = ..., acting_players: _Optional[_Iterable[str]] = ..., round_kind: _Optional[str] = ..., turn: _Optional[int] = ..., round_number: _Optional[int] = ..., phase: _Optional[str] = ..., actor: _Optional[str] = ..., ending: _Optional[str] = ..., results: _Optional[_Iterable[_Union[_table_pb2.GameResult, _Mapping]]] = ..., update_time_ms: _Optional[int] = ..., clocks: _Optional[_Iterable[_Union[PlayerClock, _Mapping]]] = ..., table_id: _Optional[str] = ..., turn_seconds: _Optional[int] = ...) -> None: ...

class PlayerClock(_message.Message):
    __slots__ = ("player_id", "used_ms", "asked_since_time_ms", "asked_sequence")
    PLAYER_ID_FIELD_NUMBER: _ClassVar[int]
    USED_MS_FIELD_NUMBER: _ClassVar[int]
    ASKED_SINCE_TIME_MS_FIELD_NUMBER: _ClassVar[int]
    ASKED_SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    player_id: str
    used_ms: int
    asked_since_time_ms: int
    asked_sequence: int
    def __init__(self, player_id: _Optional[str] = ..., used_ms: _Optional[int] = ..., asked_since_time_ms: _Optional[int] = ..., asked_sequence: _Optional[int] = ...) -> None: ...
