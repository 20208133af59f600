from services.gen.signalbox.events.v1 import events_pb2 as _events_pb2
from services.gen.signalbox.lobby.v1 import game_status_pb2 as _game_status_pb2
from services.gen.signalbox.lobby.v1 import player_pb2 as _player_pb2
from services.gen.signalbox.lobby.v1 import rejection_pb2 as _rejection_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class TableState(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    TABLE_STATE_UNSPECIFIED: _ClassVar[TableState]
    TABLE_STATE_OPEN: _ClassVar[TableState]
    TABLE_STATE_STARTING: _ClassVar[TableState]
    TABLE_STATE_PLAYING: _ClassVar[TableState]
    TABLE_STATE_CLOSED: _ClassVar[TableState]
    TABLE_STATE_FINISHED: _ClassVar[TableState]

class TableVisibility(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    TABLE_VISIBILITY_UNSPECIFIED: _ClassVar[TableVisibility]
    TABLE_VISIBILITY_PUBLIC: _ClassVar[TableVisibility]
    TABLE_VISIBILITY_LINK: _ClassVar[TableVisibility]
    TABLE_VISIBILITY_INVITED: _ClassVar[TableVisibility]

class UndoPolicy(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    UNDO_POLICY_UNSPECIFIED: _ClassVar[UndoPolicy]
    UNDO_POLICY_FREE: _ClassVar[UndoPolicy]
    UNDO_POLICY_OWN_TURN: _ClassVar[UndoPolicy]
    UNDO_POLICY_NONE: _ClassVar[UndoPolicy]
TABLE_STATE_UNSPECIFIED: TableState
TABLE_STATE_OPEN: TableState
TABLE_STATE_STARTING: TableState
TABLE_STATE_PLAYING: TableState
TABLE_STATE_CLOSED: TableState
TABLE_STATE_FINISHED: TableState
TABLE_VISIBILITY_UNSPECIFIED: TableVisibility
TABLE_VISIBILITY_PUBLIC: TableVisibility
TABLE_VISIBILITY_LINK: TableVisibility
TABLE_VISIBILITY_INVITED: TableVisibility
UNDO_POLICY_UNSPECIFIED: UndoPolicy
UNDO_POLICY_FREE: UndoPolicy
UNDO_POLICY_OWN_TURN: UndoPolicy
UNDO_POLICY_NONE: UndoPolicy

class Table(_message.Message):
    __slots__ = ("table_id", "title", "player_count", "options", "ruling_profile", "rulings", "undo_policy", "seed_chosen_by_owner", "owner_id", "players", "state", "seats", "game_id", "version", "create_time_ms", "turn_seconds", "ending", "results", "overdue", "start_refusal", "origin", "director_id", "seat_takers", "clock", "round_id", "round_table", "visibility", "are_seats_given", "least_players", "delay_moves", "delay_seconds", "invited", "rematch_of", "agreed_to_end", "substitutes")
    TABLE_ID_FIELD_NUMBER: _ClassVar[int]
    TITLE_FIELD_NUMBER: _ClassVar[int]
    PLAYER_COUNT_FIELD_NUMBER: _ClassVar[int]
    OPTIONS_FIELD_NUMBER: _ClassVar[int]
    RULING_PROFILE_FIELD_NUMBER: _ClassVar[int]
    RULINGS_FIELD_NUMBER: _ClassVar[int]
    UNDO_POLICY_FIELD_NUMBER: _ClassVar[int]
    SEED_CHOSEN_BY_OWNER_FIELD_NUMBER: _ClassVar[int]
    OWNER_ID_FIELD_NUMBER: _ClassVar[int]
    PLAYERS_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    SEATS_FIELD_NUMBER: _ClassVar[int]
    GAME_ID_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    CREATE_TIME_MS_FIELD_NUMBER: _ClassVar[int]
    TURN_SECONDS_FIELD_NUMBER: _ClassVar[int]
    ENDING_FIELD_NUMBER: _ClassVar[int]
    RESULTS_FIELD_NUMBER: _ClassVar[int]
    OVERDUE_FIELD_NUMBER: _ClassVar[int]
    START_REFUSAL_FIELD_NUMBER: _ClassVar[int]
    ORIGIN_FIELD_NUMBER: _ClassVar[int]
    DIRECTOR_ID_FIELD_NUMBER: _ClassVar[int]
    SEAT_TAKERS_FIELD_NUMBER: _ClassVar[int]
    CLOCK_FIELD_NUMBER: _ClassVar[int]
    ROUND_ID_FIELD_NUMBER: _ClassVar[int]
    ROUND_TABLE_FIELD_NUMBER: _ClassVar[int]
    VISIBILITY_FIELD_NUMBER: _ClassVar[int]
    ARE_SEATS_GIVEN_FIELD_NUMBER: _ClassVar[int]
    LEAST_PLAYERS_FIELD_NUMBER: _ClassVar[int]
    DELAY_MOVES_FIELD_NUMBER: _ClassVar[int]
    DELAY_SECONDS_FIELD_NUMBER: _ClassVar[int]
    INVITED_FIELD_NUMBER: _ClassVar[int]
    REMATCH_OF_FIELD_NUMBER: _ClassVar[int]
    AGREED_TO_END_FIELD_NUMBER: _ClassVar[int]
    SUBSTITUTES_FIELD_NUMBER: _ClassVar[int]
    table_id: str
    title: str
    player_count: int
    options: _containers.RepeatedScalarFieldContainer[str]
    ruling_profile: str
    rulings: _containers.RepeatedCompositeFieldContainer[RulingChoice]
    undo_policy: UndoPolicy
    seed_chosen_by_owner: bool
    owner_id: str
    players: _containers.RepeatedCompositeFieldContainer[_player_pb2.Player]
    state: TableState
    seats: _containers.RepeatedScalarFieldContainer[str]
    game_id: str
    version: int
    create_time_ms: int
    turn_seconds: int
    ending: str
    results: _containers.RepeatedCompositeFieldContainer[_game_status_pb2.GameResult]
    overdue: _containers.RepeatedCompositeFieldContainer[OverduePlayer]
    start_refusal: _rejection_pb2.Rejection
    origin: TableOrigin
    director_id: str
    seat_takers: _containers.RepeatedCompositeFieldContainer[SeatTaker]
    clock: str
    round_id: str
    round_table: int
    visibility: TableVisibility
    are_seats_given: bool
    least_players: int
    delay_moves: int
    delay_seconds: int
    invited: _containers.RepeatedCompositeFieldContainer[_player_pb2.Player]
    rematch_of: str
    agreed_to_end: _containers.RepeatedScalarFieldContainer[str]
    substitutes: _containers.RepeatedCompositeFieldContainer[_player_pb2.Player]
    def __init__(self, table_id: _Optional[str] = ..., title: _Optional[str] = ..., player_count: _Optional[int] = ..., options: _Optional[_Iterable[str]] = ..., ruling_profile: _Optional[str] = ..., rulings: _Optional[_Iterable[_Union[RulingChoice, _Mapping]]] = ..., undo_policy: _Optional[_Union[UndoPolicy, str]] = ..., seed_chosen_by_owner: _Optional[bool] = ..., owner_id: _Optional[str] = ..., players: _Optional[_Iterable[_Union[_player_pb2.Player, _Mapping]]] = ..., state: _Optional[_Union[TableState, str]] = ..., seats: _Optional[_Iterable[str]] = ..., game_id: _Optional[str] = ..., version: _Optional[int] = ..., create_time_ms: _Optional[int] = ..., turn_seconds: _Optional[int] = ..., ending: _Optional[str] = ..., results: _Optional[_Iterable[_Union[_game_status_pb2.GameResult, _Mapping]]] = ..., overdue: _Optional[_Iterable[_Union[OverduePlayer, _Mapping]]] = ..., start_refusal: _Optional[_Union[_rejection_pb2.Rejection, _Mapping]] = ..., origin: _Optional[_Union[TableOrigin, _Mapping]] = ..., director_id: _Optional[str] = ..., seat_takers: _Optional[_Iterable[_Union[SeatTaker, _Mapping]]] = ..., clock: _Optional[str] = ..., round_id: _Optional[str] = ..., round_table: _Optional[int] = ..., visibility: _Optional[_Union[TableVisibility, str]] = ..., are_seats_given: _Optional[bool] = ..., least_players: _Optional[int] = ..., delay_moves: _Optional[int] = ..., delay_seconds: _Optional[int] = ..., invited: _Optional[_Iterable[_Union[_player_pb2.Player, _Mapping]]] = ..., rematch_of: _Optional[str] = ..., agreed_to_end: _Optional[_Iterable[str]] = ..., substitutes: _Optional[_Iterable[_Union[_player_pb2.Player, _Mapping]]] = ...) -> None: ...

class SeatTaker(_message.Message):
    __slots__ = ("seat", "bearer", "kind", "sequence")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    BEARER_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    seat: str
    bearer: _player_pb2.Player
    kind: _events_pb2.BearerKind
    sequence: int
    def __init__(self, seat: _Optional[str] = ..., bearer: _Optional[_Union[_player_pb2.Player, _Mapping]] = ..., kind: _Optional[_Union[_events_pb2.BearerKind, str]] = ..., sequence: _Optional[int] = ...) -> None: ...

class TableOrigin(_message.Message):
    __slots__ = ("source", "game_id", "file_digest", "action_count", "imported_by")
    SOURCE_FIELD_NUMBER: _ClassVar[int]
    GAME_ID_FIELD_NUMBER: _ClassVar[int]
    FILE_DIGEST_FIELD_NUMBER: _ClassVar[int]
    ACTION_COUNT_FIELD_NUMBER: _ClassVar[int]
    IMPORTED_BY_FIELD_NUMBER: _ClassVar[int]
    source: str
    game_id: str
    file_digest: str
    action_count: int
    imported_by: str
    def __init__(self, source: _Optional[str] = ..., game_id: _Optional[str] = ..., file_digest: _Optional[str] = ..., action_count: _Optional[int] = ..., imported_by: _Optional[str] = ...) -> None: ...

class OverduePlayer(_message.Message):
    __slots__ = ("player_id", "turn_count", "since_time_ms")
    PLAYER_ID_FIELD_NUMBER: _ClassVar[int]
    TURN_COUNT_FIELD_NUMBER: _ClassVar[int]
    SINCE_TIME_MS_FIELD_NUMBER: _ClassVar[int]
    player_id: str
    turn_count: int
    since_time_ms: int
    def __init__(self, player_id: _Optional[str] = ..., turn_count: _Optional[int] = ..., since_time_ms: _Optional[int] = ...) -> None: ...

class RulingChoice(_message.Message):
    __slots__ = ("ruling_id", "value")
    RULING_ID_FIELD_NUMBER: _ClassVar[int]
    VALUE_FIELD_NUMBER: _ClassVar[int]
    ruling_id: str
    value: str
    def __init__(self, ruling_id: _Optional[str] = ..., value: _Optional[str] = ...) -> None: ...
