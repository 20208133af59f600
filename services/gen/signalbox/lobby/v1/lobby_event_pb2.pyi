from services.gen.signalbox.events.v1 import events_pb2 as _events_pb2
from services.gen.signalbox.lobby.v1 import game_status_pb2 as _game_status_pb2
from services.gen.signalbox.lobby.v1 import player_pb2 as _player_pb2
from services.gen.signalbox.lobby.v1 import table_pb2 as _table_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class TableClosedReason(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    TABLE_CLOSED_REASON_UNSPECIFIED: _ClassVar[TableClosedReason]
    TABLE_CLOSED_REASON_OWNER_LEFT: _ClassVar[TableClosedReason]
TABLE_CLOSED_REASON_UNSPECIFIED: TableClosedReason
TABLE_CLOSED_REASON_OWNER_LEFT: TableClosedReason

class NameClaimed(_message.Message):
    __slots__ = ("player_id",)
    PLAYER_ID_FIELD_NUMBER: _ClassVar[int]
    player_id: str
    def __init__(self, player_id: _Optional[str] = ...) -> None: ...

class NameReleased(_message.Message):
    __slots__ = ("player_id",)
    PLAYER_ID_FIELD_NUMBER: _ClassVar[int]
    player_id: str
    def __init__(self, player_id: _Optional[str] = ...) -> None: ...

class PlayerRegistered(_message.Message):
    __slots__ = ("player_id", "name", "password_hash")
    PLAYER_ID_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    PASSWORD_HASH_FIELD_NUMBER: _ClassVar[int]
    player_id: str
    name: str
    password_hash: str
    def __init__(self, player_id: _Optional[str] = ..., name: _Optional[str] = ..., password_hash: _Optional[str] = ...) -> None: ...

class ApiTokenMade(_message.Message):
    __slots__ = ("token_id", "label", "scopes", "last_characters", "make_time_ms", "expire_time_ms")
    TOKEN_ID_FIELD_NUMBER: _ClassVar[int]
    LABEL_FIELD_NUMBER: _ClassVar[int]
    SCOPES_FIELD_NUMBER: _ClassVar[int]
    LAST_CHARACTERS_FIELD_NUMBER: _ClassVar[int]
    MAKE_TIME_MS_FIELD_NUMBER: _ClassVar[int]
    EXPIRE_TIME_MS_FIELD_NUMBER: _ClassVar[int]
    token_id: str
    label: str
    scopes: _containers.RepeatedScalarFieldContainer[str]
    last_characters: str
    make_time_ms: int
    expire_time_ms: int
    def __init__(self, token_id: _Optional[str] = ..., label: _Optional[str] = ..., scopes: _Optional[_Iterable[str]] = ..., last_characters: _Optional[str] = ..., make_time_ms: _Optional[int] = ..., expire_time_ms: _Optional[int] = ...) -> None: ...

class TableCreated(_message.Message):
    __slots__ = ("table_id", "owner_id", "owner_name", "title", "player_count", "options", "ruling_profile", "rulings", "undo_policy", "seed", "seed_chosen_by_owner", "create_time_ms", "turn_seconds")
    TABLE_ID_FIELD_NUMBER: _ClassVar[int]
    OWNER_ID_FIELD_NUMBER: _ClassVar[int]
    OWNER_NAME_FIELD_NUMBER: _ClassVar[int]
    TITLE_FIELD_NUMBER: _ClassVar[int]
    PLAYER_COUNT_FIELD_NUMBER: _ClassVar[int]
    OPTIONS_FIELD_NUMBER: _ClassVar[int]
    RULING_PROFILE_FIELD_NUMBER: _ClassVar[int]
    RULINGS_FIELD_NUMBER: _ClassVar[int]
    UNDO_POLICY_FIELD_NUMBER: _ClassVar[int]
    SEED_FIELD_NUMBER: _ClassVar[int]
    SEED_CHOSEN_BY_OWNER_FIELD_NUMBER: _ClassVar[int]
    CREATE_TIME_MS_FIELD_NUMBER: _ClassVar[int]
    TURN_SECONDS_FIELD_NUMBER: _ClassVar[int]
    table_id: str
    owner_id: str
    owner_name: str
    title: str
    player_count: int
    options: _containers.RepeatedScalarFieldContainer[str]
    ruling_profile: str
    rulings: _containers.RepeatedCompositeFieldContainer[_table_pb2.RulingChoice]
    undo_policy: _table_pb2.UndoPolicy
    seed: int
    seed_chosen_by_owner: bool
    create_time_ms: int
    turn_seconds: int
    def __init__(self, table_id: _Optional[str] = ..., owner_id: _Optional[str] = ..., owner_name: _Optional[str] = ..., title: _Optional[str] = ..., player_count: _Optional[int] = ..., options: _Optional[_Iterable[str]] = ..., ruling_profile: _Optional[str] = ..., rulings: _Optional[_Iterable[_Union[_table_pb2.RulingChoice, _Mapping]]] = ..., undo_policy: _Optional[_Union[_table_pb2.UndoPolicy, str]] = ..., seed: _Optional[int] = ..., seed_chosen_by_owner: _Optional[bool] = ..., create_time_ms: _Optional[int] = ..., turn_seconds: _Optional[int] = ...) -> None: ...

class TableImported(_message.Message):
    __slots__ = ("table_id", "game_id", "players", "title", "options", "ruling_profile", "rulings", "undo_policy", "seed", "origin", "kept_in", "create_time_ms", "turn_seconds")
    TABLE_ID_FIELD_NUMBER: _ClassVar[int]
    GAME_ID_FIELD_NUMBER: _ClassVar[int]
    PLAYERS_FIELD_NUMBER: _ClassVar[int]
    TITLE_FIELD_NUMBER: _ClassVar[int]
    OPTIONS_FIELD_NUMBER: _ClassVar[int]
    RULING_PROFILE_FIELD_NUMBER: _ClassVar[int]
    RULINGS_FIELD_NUMBER: _ClassVar[int]
    UNDO_POLICY_FIELD_NUMBER: _ClassVar[int]
    SEED_FIELD_NUMBER: _ClassVar[int]
    ORIGIN_FIELD_NUMBER: _ClassVar[int]
    KEPT_IN_FIELD_NUMBER: _ClassVar[int]
    CREATE_TIME_MS_FIELD_NUMBER: _ClassVar[int]
    TURN_SECONDS_FIELD_NUMBER: _ClassVar[int]
    table_id: str
    game_id: str
    players: _containers.RepeatedCompositeFieldContainer[_player_pb2.Player]
    title: str
    options: _containers.RepeatedScalarFieldContainer[str]
    ruling_profile: str
    rulings: _containers.RepeatedCompositeFieldContainer[_table_pb2.RulingChoice]
    undo_policy: _table_pb2.UndoPolicy
    seed: int
    origin: _table_pb2.TableOrigin
    kept_in: str
    create_time_ms: int
    turn_seconds: int
    def __init__(self, table_id: _Optional[str] = ..., game_id: _Optional[str] = ..., players: _Optional[_Iterable[_Union[_player_pb2.Player, _Mapping]]] = ..., title: _Optional[str] = ..., options: _Optional[_Iterable[str]] = ..., ruling_profile: _Optional[str] = ..., rulings: _Optional[_Iterable[_Union[_table_pb2.RulingChoice, _Mapping]]] = ..., undo_policy: _Optional[_Union[_table_pb2.UndoPolicy, str]] = ..., seed: _Optional[int] = ..., origin: _Optional[_Union[_table_pb2.TableOrigin, _Mapping]] = ..., kept_in: _Optional[str] = ..., create_time_ms: _Optional[int] = ..., turn_seconds: _Optional[int] = ...) -> None: ...

class TableSeated(_message.Message):
    __slots__ = ("table_id", "game_id", "round_id", "round_table", "owner_id", "players", "title", "options", "ruling_profile", "rulings", "undo_policy", "seed", "create_time_ms", "turn_seconds")
    TABLE_ID_FIELD_NUMBER: _ClassVar[int]
    GAME_ID_FIELD_NUMBER: _ClassVar[int]
    ROUND_ID_FIELD_NUMBER: _ClassVar[int]
    ROUND_TABLE_FIELD_NUMBER: _ClassVar[int]
    OWNER_ID_FIELD_NUMBER: _ClassVar[int]
    PLAYERS_FIELD_NUMBER: _ClassVar[int]
    TITLE_FIELD_NUMBER: _ClassVar[int]
    OPTIONS_FIELD_NUMBER: _ClassVar[int]
    RULING_PROFILE_FIELD_NUMBER: _ClassVar[int]
    RULINGS_FIELD_NUMBER: _ClassVar[int]
    UNDO_POLICY_FIELD_NUMBER: _ClassVar[int]
    SEED_FIELD_NUMBER: _ClassVar[int]
    CREATE_TIME_MS_FIELD_NUMBER: _ClassVar[int]
    TURN_SECONDS_FIELD_NUMBER: _ClassVar[int]
    table_id: str
    game_id: str
    round_id: str
    round_table: int
    owner_id: str
    players: _containers.RepeatedCompositeFieldContainer[_player_pb2.Player]
    title: str
    options: _containers.RepeatedScalarFieldContainer[str]
    ruling_profile: str
    rulings: _containers.RepeatedCompositeFieldContainer[_table_pb2.RulingChoice]
    undo_policy: _table_pb2.UndoPolicy
    seed: int
    create_time_ms: int
    turn_seconds: int
    def __init__(self, table_id: _Optional[str] = ..., game_id: _Optional[str] = ..., round_id: _Optional[str] = ..., round_table: _Optional[int] = ..., owner_id: _Optional[str] = ..., players: _Optional[_Iterable[_Union[_player_pb2.Player, _Mapping]]] = ..., title: _Optional[str] = ..., options: _Optional[_Iterable[str]] = ..., ruling_profile: _Optional[str] = ..., rulings: _Optional[_Iterable[_Union[_table_pb2.RulingChoice, _Mapping]]] = ..., undo_policy: _Optional[_Union[_table_pb2.UndoPolicy, str]] = ..., seed: _Optional[int] = ..., create_time_ms: _Optional[int] = ..., turn_seconds: _Optional[int] = ...) -> None: ...

class GameKept(_message.Message):
    __slots__ = ("events",)
    EVENTS_FIELD_NUMBER: _ClassVar[int]
    events: bytes
    def __init__(self, events: _Optional[bytes] = ...) -> None: ...

class PlayerJoined(_message.Message):
    __slots__ = ("player_id", "name")
    PLAYER_ID_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    player_id: str
    name: str
    def __init__(self, player_id: _Optional[str] = ..., name: _Optional[str] = ...) -> None: ...

class PlayerLeft(_message.Message):
    __slots__ = ("player_id",)
    PLAYER_ID_FIELD_NUMBER: _ClassVar[int]
    player_id: str
    def __init__(self, player_id: _Optional[str] = ...) -> None: ...

class TableStarted(_message.Message):
    __slots__ = ("game_id", "seats")
    GAME_ID_FIELD_NUMBER: _ClassVar[int]
    SEATS_FIELD_NUMBER: _ClassVar[int]
    game_id: str
    seats: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, game_id: _Optional[str] = ..., seats: _Optional[_Iterable[str]] = ...) -> None: ...

class DirectorNamed(_message.Message):
    __slots__ = ("player_id",)
    PLAYER_ID_FIELD_NUMBER: _ClassVar[int]
    player_id: str
    def __init__(self, player_id: _Optional[str] = ...) -> None: ...

class TableSeatTaken(_message.Message):
    __slots__ = ("seat", "bearer_id", "bearer_name", "kind", "sequence")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    BEARER_ID_FIELD_NUMBER: _ClassVar[int]
    BEARER_NAME_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    seat: str
    bearer_id: str
    bearer_name: str
    kind: _events_pb2.BearerKind
    sequence: int
    def __init__(self, seat: _Optional[str] = ..., bearer_id: _Optional[str] = ..., bearer_name: _Optional[str] = ..., kind: _Optional[_Union[_events_pb2.BearerKind, str]] = ..., sequence: _Optional[int] = ...) -> None: ...

class TableGameBegun(_message.Message):
    __slots__ = ("game_id",)
    GAME_ID_FIELD_NUMBER: _ClassVar[int]
    game_id: str
    def __init__(self, game_id: _Optional[str] = ...) -> None: ...

class TableClosed(_message.Message):
    __slots__ = ("reason",)
    REASON_FIELD_NUMBER: _ClassVar[int]
    reason: TableClosedReason
    def __init__(self, reason: _Optional[_Union[TableClosedReason, str]] = ...) -> None: ...

class TableStartRefused(_message.Message):
    __slots__ = ("code", "sentence", "clause")
    CODE_FIELD_NUMBER: _ClassVar[int]
    SENTENCE_FIELD_NUMBER: _ClassVar[int]
    CLAUSE_FIELD_NUMBER: _ClassVar[int]
    code: str
    sentence: str
    clause: str
    def __init__(self, code: _Optional[str] = ..., sentence: _Optional[str] = ..., clause: _Optional[str] = ...) -> None: ...

class TableFinished(_message.Message):
    __slots__ = ("game_id", "sequence", "ending", "results")
    GAME_ID_FIELD_NUMBER: _ClassVar[int]
    SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    ENDING_FIELD_NUMBER: _ClassVar[int]
    RESULTS_FIELD_NUMBER: _ClassVar[int]
    game_id: str
    sequence: int
    ending: str
    results: _containers.RepeatedCompositeFieldContainer[_game_status_pb2.GameResult]
    def __init__(self, game_id: _Optional[str] = ..., sequence: _Optional[int] = ..., ending: _Optional[str] = ..., results: _Optional[_Iterable[_Union[_game_status_pb2.GameResult, _Mapping]]] = ...) -> None: ...

class TableReopened(_message.Message):
    __slots__ = ("game_id", "sequence")
    GAME_ID_FIELD_NUMBER: _ClassVar[int]
    SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    game_id: str
    sequence: int
    def __init__(self, game_id: _Optional[str] = ..., sequence: _Optional[int] = ...) -> None: ...

class TurnOverdue(_message.Message):
    __slots__ = ("player_id", "since_time_ms", "sequence")
    PLAYER_ID_FIELD_NUMBER: _ClassVar[int]
    SINCE_TIME_MS_FIELD_NUMBER: _ClassVar[int]
    SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    player_id: str
    since_time_ms: int
    sequence: int
    def __init__(self, player_id: _Optional[str] = ..., since_time_ms: _Optional[int] = ..., sequence: _Optional[int] = ...) -> None: ...
