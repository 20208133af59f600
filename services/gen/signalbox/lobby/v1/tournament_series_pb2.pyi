from services.gen.signalbox.lobby.v1 import player_pb2 as _player_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class Series(_message.Message):
    __slots__ = ("series_id", "name", "director", "rule", "divisions", "seasons", "points", "players", "version", "create_time_ms", "agreed")
    SERIES_ID_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    DIRECTOR_FIELD_NUMBER: _ClassVar[int]
    RULE_FIELD_NUMBER: _ClassVar[int]
    DIVISIONS_FIELD_NUMBER: _ClassVar[int]
    SEASONS_FIELD_NUMBER: _ClassVar[int]
    POINTS_FIELD_NUMBER: _ClassVar[int]
    PLAYERS_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    CREATE_TIME_MS_FIELD_NUMBER: _ClassVar[int]
    AGREED_FIELD_NUMBER: _ClassVar[int]
    series_id: str
    name: str
    director: _player_pb2.Player
    rule: SeasonRule
    divisions: _containers.RepeatedCompositeFieldContainer[Division]
    seasons: _containers.RepeatedCompositeFieldContainer[Season]
    points: _containers.RepeatedCompositeFieldContainer[SeriesPoints]
    players: _containers.RepeatedCompositeFieldContainer[_player_pb2.Player]
    version: int
    create_time_ms: int
    agreed: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, series_id: _Optional[str] = ..., name: _Optional[str] = ..., director: _Optional[_Union[_player_pb2.Player, _Mapping]] = ..., rule: _Optional[_Union[SeasonRule, _Mapping]] = ..., divisions: _Optional[_Iterable[_Union[Division, _Mapping]]] = ..., seasons: _Optional[_Iterable[_Union[Season, _Mapping]]] = ..., points: _Optional[_Iterable[_Union[SeriesPoints, _Mapping]]] = ..., players: _Optional[_Iterable[_Union[_player_pb2.Player, _Mapping]]] = ..., version: _Optional[int] = ..., create_time_ms: _Optional[int] = ..., agreed: _Optional[_Iterable[str]] = ...) -> None: ...

class SeasonRule(_message.Message):
    __slots__ = ("moving", "division_size", "series_points")
    MOVING_FIELD_NUMBER: _ClassVar[int]
    DIVISION_SIZE_FIELD_NUMBER: _ClassVar[int]
    SERIES_POINTS_FIELD_NUMBER: _ClassVar[int]
    moving: int
    division_size: int
    series_points: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, moving: _Optional[int] = ..., division_size: _Optional[int] = ..., series_points: _Optional[_Iterable[int]] = ...) -> None: ...

class Division(_message.Message):
    __slots__ = ("players",)
    PLAYERS_FIELD_NUMBER: _ClassVar[int]
    players: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, players: _Optional[_Iterable[str]] = ...) -> None: ...

class Season(_message.Message):
    __slots__ = ("number", "tournament_ids", "divisions", "standings")
    NUMBER_FIELD_NUMBER: _ClassVar[int]
    TOURNAMENT_IDS_FIELD_NUMBER: _ClassVar[int]
    DIVISIONS_FIELD_NUMBER: _ClassVar[int]
    STANDINGS_FIELD_NUMBER: _ClassVar[int]
    number: int
    tournament_ids: _containers.RepeatedScalarFieldContainer[str]
    divisions: _containers.RepeatedCompositeFieldContainer[Division]
    standings: _containers.RepeatedCompositeFieldContainer[Division]
    def __init__(self, number: _Optional[int] = ..., tournament_ids: _Optional[_Iterable[str]] = ..., divisions: _Optional[_Iterable[_Union[Division, _Mapping]]] = ..., standings: _Optional[_Iterable[_Union[Division, _Mapping]]] = ...) -> None: ...

class SeriesPoints(_message.Message):
    __slots__ = ("player_id", "points")
    PLAYER_ID_FIELD_NUMBER: _ClassVar[int]
    POINTS_FIELD_NUMBER: _ClassVar[int]
    player_id: str
    points: int
    def __init__(self, player_id: _Optional[str] = ..., points: _Optional[int] = ...) -> None: ...
