from services.gen.signalbox.lobby.v1 import game_summary_pb2 as _game_summary_pb2
from services.gen.signalbox.lobby.v1 import player_pb2 as _player_pb2
from services.gen.signalbox.lobby.v1 import rejection_pb2 as _rejection_pb2
from services.gen.signalbox.lobby.v1 import table_pb2 as _table_pb2
from services.gen.signalbox.lobby.v1 import table_clock_pb2 as _table_clock_pb2
from services.gen.signalbox.rules.v1 import direction_pb2 as _direction_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class GameListing(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    GAME_LISTING_UNSPECIFIED: _ClassVar[GameListing]
    GAME_LISTING_MINE: _ClassVar[GameListing]
    GAME_LISTING_WAITING_FOR_ME: _ClassVar[GameListing]
    GAME_LISTING_ALL: _ClassVar[GameListing]
    GAME_LISTING_NAMED: _ClassVar[GameListing]
    GAME_LISTING_OF_PLAYER: _ClassVar[GameListing]
GAME_LISTING_UNSPECIFIED: GameListing
GAME_LISTING_MINE: GameListing
GAME_LISTING_WAITING_FOR_ME: GameListing
GAME_LISTING_ALL: GameListing
GAME_LISTING_NAMED: GameListing
GAME_LISTING_OF_PLAYER: GameListing

class RegisterPlayerRequest(_message.Message):
    __slots__ = ("request_id", "name", "password")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    PASSWORD_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    name: str
    password: str
    def __init__(self, request_id: _Optional[str] = ..., name: _Optional[str] = ..., password: _Optional[str] = ...) -> None: ...

class RegisterPlayerResponse(_message.Message):
    __slots__ = ("player", "rejected")
    PLAYER_FIELD_NUMBER: _ClassVar[int]
    REJECTED_FIELD_NUMBER: _ClassVar[int]
    player: _player_pb2.Player
    rejected: _rejection_pb2.Rejection
    def __init__(self, player: _Optional[_Union[_player_pb2.Player, _Mapping]] = ..., rejected: _Optional[_Union[_rejection_pb2.Rejection, _Mapping]] = ...) -> None: ...

class LogInRequest(_message.Message):
    __slots__ = ("name", "password")
    NAME_FIELD_NUMBER: _ClassVar[int]
    PASSWORD_FIELD_NUMBER: _ClassVar[int]
    name: str
    password: str
    def __init__(self, name: _Optional[str] = ..., password: _Optional[str] = ...) -> None: ...

class LogInResponse(_message.Message):
    __slots__ = ("session", "rejected")
    SESSION_FIELD_NUMBER: _ClassVar[int]
    REJECTED_FIELD_NUMBER: _ClassVar[int]
    session: Session
    rejected: _rejection_pb2.Rejection
    def __init__(self, session: _Optional[_Union[Session, _Mapping]] = ..., rejected: _Optional[_Union[_rejection_pb2.Rejection, _Mapping]] = ...) -> None: ...

class MakeApiTokenRequest(_message.Message):
    __slots__ = ("scopes", "lifetime_days", "label")
    SCOPES_FIELD_NUMBER: _ClassVar[int]
    LIFETIME_DAYS_FIELD_NUMBER: _ClassVar[int]
    LABEL_FIELD_NUMBER: _ClassVar[int]
    scopes: _containers.RepeatedScalarFieldContainer[str]
    lifetime_days: int
    label: str
    def __init__(self, scopes: _Optional[_Iterable[str]] = ..., lifetime_days: _Optional[int] = ..., label: _Optional[str] = ...) -> None: ...

class MakeApiTokenResponse(_message.Message):
    __slots__ = ("token", "expire_time_ms", "token_id")
    TOKEN_FIELD_NUMBER: _ClassVar[int]
    EXPIRE_TIME_MS_FIELD_NUMBER: _ClassVar[int]
    TOKEN_ID_FIELD_NUMBER: _ClassVar[int]
    token: str
    expire_time_ms: int
    token_id: str
    def __init__(self, token: _Optional[str] = ..., expire_time_ms: _Optional[int] = ..., token_id: _Optional[str] = ...) -> None: ...

class CreateTableRequest(_message.Message):
    __slots__ = ("request_id", "title", "player_count", "options", "ruling_profile", "rulings", "undo_policy", "seed", "turn_seconds", "owner_directs", "clock", "owner_organises", "visibility", "are_seats_given", "least_players", "delay_moves", "delay_seconds")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    TITLE_FIELD_NUMBER: _ClassVar[int]
    PLAYER_COUNT_FIELD_NUMBER: _ClassVar[int]
    OPTIONS_FIELD_NUMBER: _ClassVar[int]
    RULING_PROFILE_FIELD_NUMBER: _ClassVar[int]
    RULINGS_FIELD_NUMBER: _ClassVar[int]
    UNDO_POLICY_FIELD_NUMBER: _ClassVar[int]
    SEED_FIELD_NUMBER: _ClassVar[int]
    TURN_SECONDS_FIELD_NUMBER: _ClassVar[int]
    OWNER_DIRECTS_FIELD_NUMBER: _ClassVar[int]
    CLOCK_FIELD_NUMBER: _ClassVar[int]
    OWNER_ORGANISES_FIELD_NUMBER: _ClassVar[int]
    VISIBILITY_FIELD_NUMBER: _ClassVar[int]
    ARE_SEATS_GIVEN_FIELD_NUMBER: _ClassVar[int]
    LEAST_PLAYERS_FIELD_NUMBER: _ClassVar[int]
    DELAY_MOVES_FIELD_NUMBER: _ClassVar[int]
    DELAY_SECONDS_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    title: str
    player_count: int
    options: _containers.RepeatedScalarFieldContainer[str]
    ruling_profile: str
    rulings: _containers.RepeatedCompositeFieldContainer[_table_pb2.RulingChoice]
    undo_policy: _table_pb2.UndoPolicy
    seed: int
    turn_seconds: int
    owner_directs: bool
    clock: str
    owner_organises: bool
    visibility: _table_pb2.TableVisibility
    are_seats_given: bool
    least_players: int
    delay_moves: int
    delay_seconds: int
    def __init__(self, request_id: _Optional[str] = ..., title: _Optional[str] = ..., player_count: _Optional[int] = ..., options: _Optional[_Iterable[str]] = ..., ruling_profile: _Optional[str] = ..., rulings: _Optional[_Iterable[_Union[_table_pb2.RulingChoice, _Mapping]]] = ..., undo_policy: _Optional[_Union[_table_pb2.UndoPolicy, str]] = ..., seed: _Optional[int] = ..., turn_seconds: _Optional[int] = ..., owner_directs: _Optional[bool] = ..., clock: _Optional[str] = ..., owner_organises: _Optional[bool] = ..., visibility: _Optional[_Union[_table_pb2.TableVisibility, str]] = ..., are_seats_given: _Optional[bool] = ..., least_players: _Optional[int] = ..., delay_moves: _Optional[int] = ..., delay_seconds: _Optional[int] = ...) -> None: ...

class CreateTableResponse(_message.Message):
    __slots__ = ("table", "rejected")
    TABLE_FIELD_NUMBER: _ClassVar[int]
    REJECTED_FIELD_NUMBER: _ClassVar[int]
    table: _table_pb2.Table
    rejected: _rejection_pb2.Rejection
    def __init__(self, table: _Optional[_Union[_table_pb2.Table, _Mapping]] = ..., rejected: _Optional[_Union[_rejection_pb2.Rejection, _Mapping]] = ...) -> None: ...

class JoinTableRequest(_message.Message):
    __slots__ = ("request_id", "table_id", "link_token", "as_substitute")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    TABLE_ID_FIELD_NUMBER: _ClassVar[int]
    LINK_TOKEN_FIELD_NUMBER: _ClassVar[int]
    AS_SUBSTITUTE_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    table_id: str
    link_token: str
    as_substitute: bool
    def __init__(self, request_id: _Optional[str] = ..., table_id: _Optional[str] = ..., link_token: _Optional[str] = ..., as_substitute: _Optional[bool] = ...) -> None: ...

class JoinTableResponse(_message.Message):
    __slots__ = ("table", "rejected")
    TABLE_FIELD_NUMBER: _ClassVar[int]
    REJECTED_FIELD_NUMBER: _ClassVar[int]
    table: _table_pb2.Table
    rejected: _rejection_pb2.Rejection
    def __init__(self, table: _Optional[_Union[_table_pb2.Table, _Mapping]] = ..., rejected: _Optional[_Union[_rejection_pb2.Rejection, _Mapping]] = ...) -> None: ...

class LeaveTableRequest(_message.Message):
    __slots__ = ("request_id", "table_id")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    TABLE_ID_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    table_id: str
    def __init__(self, request_id: _Optional[str] = ..., table_id: _Optional[str] = ...) -> None: ...

class LeaveTableResponse(_message.Message):
    __slots__ = ("table", "rejected")
    TABLE_FIELD_NUMBER: _ClassVar[int]
    REJECTED_FIELD_NUMBER: _ClassVar[int]
    table: _table_pb2.Table
    rejected: _rejection_pb2.Rejection
    def __init__(self, table: _Optional[_Union[_table_pb2.Table, _Mapping]] = ..., rejected: _Optional[_Union[_rejection_pb2.Rejection, _Mapping]] = ...) -> None: ...

class StartTableRequest(_message.Message):
    __slots__ = ("request_id", "table_id", "seats")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    TABLE_ID_FIELD_NUMBER: _ClassVar[int]
    SEATS_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    table_id: str
    seats: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, request_id: _Optional[str] = ..., table_id: _Optional[str] = ..., seats: _Optional[_Iterable[str]] = ...) -> None: ...

class StartTableResponse(_message.Message):
    __slots__ = ("table", "rejected")
    TABLE_FIELD_NUMBER: _ClassVar[int]
    REJECTED_FIELD_NUMBER: _ClassVar[int]
    table: _table_pb2.Table
    rejected: _rejection_pb2.Rejection
    def __init__(self, table: _Optional[_Union[_table_pb2.Table, _Mapping]] = ..., rejected: _Optional[_Union[_rejection_pb2.Rejection, _Mapping]] = ...) -> None: ...

class InvitePlayerRequest(_message.Message):
    __slots__ = ("request_id", "table_id", "player_id", "player_name")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    TABLE_ID_FIELD_NUMBER: _ClassVar[int]
    PLAYER_ID_FIELD_NUMBER: _ClassVar[int]
    PLAYER_NAME_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    table_id: str
    player_id: str
    player_name: str
    def __init__(self, request_id: _Optional[str] = ..., table_id: _Optional[str] = ..., player_id: _Optional[str] = ..., player_name: _Optional[str] = ...) -> None: ...

class InvitePlayerResponse(_message.Message):
    __slots__ = ("table", "rejected")
    TABLE_FIELD_NUMBER: _ClassVar[int]
    REJECTED_FIELD_NUMBER: _ClassVar[int]
    table: _table_pb2.Table
    rejected: _rejection_pb2.Rejection
    def __init__(self, table: _Optional[_Union[_table_pb2.Table, _Mapping]] = ..., rejected: _Optional[_Union[_rejection_pb2.Rejection, _Mapping]] = ...) -> None: ...

class WithdrawInvitationRequest(_message.Message):
    __slots__ = ("request_id", "table_id", "player_id")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    TABLE_ID_FIELD_NUMBER: _ClassVar[int]
    PLAYER_ID_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    table_id: str
    player_id: str
    def __init__(self, request_id: _Optional[str] = ..., table_id: _Optional[str] = ..., player_id: _Optional[str] = ...) -> None: ...

class WithdrawInvitationResponse(_message.Message):
    __slots__ = ("table", "rejected")
    TABLE_FIELD_NUMBER: _ClassVar[int]
    REJECTED_FIELD_NUMBER: _ClassVar[int]
    table: _table_pb2.Table
    rejected: _rejection_pb2.Rejection
    def __init__(self, table: _Optional[_Union[_table_pb2.Table, _Mapping]] = ..., rejected: _Optional[_Union[_rejection_pb2.Rejection, _Mapping]] = ...) -> None: ...

class MakeInvitationLinkRequest(_message.Message):
    __slots__ = ("request_id", "table_id")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    TABLE_ID_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    table_id: str
    def __init__(self, request_id: _Optional[str] = ..., table_id: _Optional[str] = ...) -> None: ...

class MakeInvitationLinkResponse(_message.Message):
    __slots__ = ("link_token", "rejected")
    LINK_TOKEN_FIELD_NUMBER: _ClassVar[int]
    REJECTED_FIELD_NUMBER: _ClassVar[int]
    link_token: str
    rejected: _rejection_pb2.Rejection
    def __init__(self, link_token: _Optional[str] = ..., rejected: _Optional[_Union[_rejection_pb2.Rejection, _Mapping]] = ...) -> None: ...

class RemovePlayerRequest(_message.Message):
    __slots__ = ("request_id", "table_id", "player_id")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    TABLE_ID_FIELD_NUMBER: _ClassVar[int]
    PLAYER_ID_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    table_id: str
    player_id: str
    def __init__(self, request_id: _Optional[str] = ..., table_id: _Optional[str] = ..., player_id: _Optional[str] = ...) -> None: ...

class RemovePlayerResponse(_message.Message):
    __slots__ = ("table", "rejected")
    TABLE_FIELD_NUMBER: _ClassVar[int]
    REJECTED_FIELD_NUMBER: _ClassVar[int]
    table: _table_pb2.Table
    rejected: _rejection_pb2.Rejection
    def __init__(self, table: _Optional[_Union[_table_pb2.Table, _Mapping]] = ..., rejected: _Optional[_Union[_rejection_pb2.Rejection, _Mapping]] = ...) -> None: ...

class RematchTableRequest(_message.Message):
    __slots__ = ("request_id", "table_id")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    TABLE_ID_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    table_id: str
    def __init__(self, request_id: _Optional[str] = ..., table_id: _Optional[str] = ...) -> None: ...

class RematchTableResponse(_message.Message):
    __slots__ = ("table", "rejected")
    TABLE_FIELD_NUMBER: _ClassVar[int]
    REJECTED_FIELD_NUMBER: _ClassVar[int]
    table: _table_pb2.Table
    rejected: _rejection_pb2.Rejection
    def __init__(self, table: _Optional[_Union[_table_pb2.Table, _Mapping]] = ..., rejected: _Optional[_Union[_rejection_pb2.Rejection, _Mapping]] = ...) -> None: ...

class AgreeToEndRequest(_message.Message):
    __slots__ = ("request_id", "table_id", "does_agree")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    TABLE_ID_FIELD_NUMBER: _ClassVar[int]
    DOES_AGREE_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    table_id: str
    does_agree: bool
    def __init__(self, request_id: _Optional[str] = ..., table_id: _Optional[str] = ..., does_agree: _Optional[bool] = ...) -> None: ...

class AgreeToEndResponse(_message.Message):
    __slots__ = ("table", "rejected")
    TABLE_FIELD_NUMBER: _ClassVar[int]
    REJECTED_FIELD_NUMBER: _ClassVar[int]
    table: _table_pb2.Table
    rejected: _rejection_pb2.Rejection
    def __init__(self, table: _Optional[_Union[_table_pb2.Table, _Mapping]] = ..., rejected: _Optional[_Union[_rejection_pb2.Rejection, _Mapping]] = ...) -> None: ...

class ImportTableRequest(_message.Message):
    __slots__ = ("request_id", "file", "seats", "undo_policy", "turn_seconds", "as_recorded")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    FILE_FIELD_NUMBER: _ClassVar[int]
    SEATS_FIELD_NUMBER: _ClassVar[int]
    UNDO_POLICY_FIELD_NUMBER: _ClassVar[int]
    TURN_SECONDS_FIELD_NUMBER: _ClassVar[int]
    AS_RECORDED_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    file: bytes
    seats: _containers.RepeatedCompositeFieldContainer[ImportSeat]
    undo_policy: _table_pb2.UndoPolicy
    turn_seconds: int
    as_recorded: bool
    def __init__(self, request_id: _Optional[str] = ..., file: _Optional[bytes] = ..., seats: _Optional[_Iterable[_Union[ImportSeat, _Mapping]]] = ..., undo_policy: _Optional[_Union[_table_pb2.UndoPolicy, str]] = ..., turn_seconds: _Optional[int] = ..., as_recorded: _Optional[bool] = ...) -> None: ...

class ImportSeat(_message.Message):
    __slots__ = ("recorded", "player_id", "player_name")
    RECORDED_FIELD_NUMBER: _ClassVar[int]
    PLAYER_ID_FIELD_NUMBER: _ClassVar[int]
    PLAYER_NAME_FIELD_NUMBER: _ClassVar[int]
    recorded: str
    player_id: str
    player_name: str
    def __init__(self, recorded: _Optional[str] = ..., player_id: _Optional[str] = ..., player_name: _Optional[str] = ...) -> None: ...

class ImportTableResponse(_message.Message):
    __slots__ = ("table", "rejected")
    TABLE_FIELD_NUMBER: _ClassVar[int]
    REJECTED_FIELD_NUMBER: _ClassVar[int]
    table: _table_pb2.Table
    rejected: _rejection_pb2.Rejection
    def __init__(self, table: _Optional[_Union[_table_pb2.Table, _Mapping]] = ..., rejected: _Optional[_Union[_rejection_pb2.Rejection, _Mapping]] = ...) -> None: ...

class DirectTableRequest(_message.Message):
    __slots__ = ("request_id", "table_id", "expected_sequence", "direction", "bearer_name")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    TABLE_ID_FIELD_NUMBER: _ClassVar[int]
    EXPECTED_SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    DIRECTION_FIELD_NUMBER: _ClassVar[int]
    BEARER_NAME_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    table_id: str
    expected_sequence: int
    direction: _direction_pb2.Direction
    bearer_name: str
    def __init__(self, request_id: _Optional[str] = ..., table_id: _Optional[str] = ..., expected_sequence: _Optional[int] = ..., direction: _Optional[_Union[_direction_pb2.Direction, _Mapping]] = ..., bearer_name: _Optional[str] = ...) -> None: ...

class DirectTableResponse(_message.Message):
    __slots__ = ("directed", "rejected")
    DIRECTED_FIELD_NUMBER: _ClassVar[int]
    REJECTED_FIELD_NUMBER: _ClassVar[int]
    directed: Directed
    rejected: _rejection_pb2.Rejection
    def __init__(self, directed: _Optional[_Union[Directed, _Mapping]] = ..., rejected: _Optional[_Union[_rejection_pb2.Rejection, _Mapping]] = ...) -> None: ...

class Directed(_message.Message):
    __slots__ = ("game_id", "first_sequence", "last_sequence")
    GAME_ID_FIELD_NUMBER: _ClassVar[int]
    FIRST_SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    LAST_SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    game_id: str
    first_sequence: int
    last_sequence: int
    def __init__(self, game_id: _Optional[str] = ..., first_sequence: _Optional[int] = ..., last_sequence: _Optional[int] = ...) -> None: ...

class ChooseHoursRequest(_message.Message):
    __slots__ = ("request_id", "table_id", "zone", "windows")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    TABLE_ID_FIELD_NUMBER: _ClassVar[int]
    ZONE_FIELD_NUMBER: _ClassVar[int]
    WINDOWS_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    table_id: str
    zone: str
    windows: _containers.RepeatedCompositeFieldContainer[_table_clock_pb2.WeekWindow]
    def __init__(self, request_id: _Optional[str] = ..., table_id: _Optional[str] = ..., zone: _Optional[str] = ..., windows: _Optional[_Iterable[_Union[_table_clock_pb2.WeekWindow, _Mapping]]] = ...) -> None: ...

class ChooseHoursResponse(_message.Message):
    __slots__ = ("clocks", "rejected")
    CLOCKS_FIELD_NUMBER: _ClassVar[int]
    REJECTED_FIELD_NUMBER: _ClassVar[int]
    clocks: _table_clock_pb2.TableClocks
    rejected: _rejection_pb2.Rejection
    def __init__(self, clocks: _Optional[_Union[_table_clock_pb2.TableClocks, _Mapping]] = ..., rejected: _Optional[_Union[_rejection_pb2.Rejection, _Mapping]] = ...) -> None: ...

class TakeVacationRequest(_message.Message):
    __slots__ = ("request_id", "table_id", "first_date", "last_date")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    TABLE_ID_FIELD_NUMBER: _ClassVar[int]
    FIRST_DATE_FIELD_NUMBER: _ClassVar[int]
    LAST_DATE_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    table_id: str
    first_date: str
    last_date: str
    def __init__(self, request_id: _Optional[str] = ..., table_id: _Optional[str] = ..., first_date: _Optional[str] = ..., last_date: _Optional[str] = ...) -> None: ...

class TakeVacationResponse(_message.Message):
    __slots__ = ("clocks", "rejected")
    CLOCKS_FIELD_NUMBER: _ClassVar[int]
    REJECTED_FIELD_NUMBER: _ClassVar[int]
    clocks: _table_clock_pb2.TableClocks
    rejected: _rejection_pb2.Rejection
    def __init__(self, clocks: _Optional[_Union[_table_clock_pb2.TableClocks, _Mapping]] = ..., rejected: _Optional[_Union[_rejection_pb2.Rejection, _Mapping]] = ...) -> None: ...

class EndVacationRequest(_message.Message):
    __slots__ = ("request_id", "table_id")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    TABLE_ID_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    table_id: str
    def __init__(self, request_id: _Optional[str] = ..., table_id: _Optional[str] = ...) -> None: ...

class EndVacationResponse(_message.Message):
    __slots__ = ("clocks", "rejected")
    CLOCKS_FIELD_NUMBER: _ClassVar[int]
    REJECTED_FIELD_NUMBER: _ClassVar[int]
    clocks: _table_clock_pb2.TableClocks
    rejected: _rejection_pb2.Rejection
    def __init__(self, clocks: _Optional[_Union[_table_clock_pb2.TableClocks, _Mapping]] = ..., rejected: _Optional[_Union[_rejection_pb2.Rejection, _Mapping]] = ...) -> None: ...

class GetOwnHoursRequest(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class GetOwnHoursResponse(_message.Message):
    __slots__ = ("own_hours",)
    OWN_HOURS_FIELD_NUMBER: _ClassVar[int]
    own_hours: _table_clock_pb2.OwnHours
    def __init__(self, own_hours: _Optional[_Union[_table_clock_pb2.OwnHours, _Mapping]] = ...) -> None: ...

class GrantTimeRequest(_message.Message):
    __slots__ = ("request_id", "table_id", "seat", "seconds", "reason")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    TABLE_ID_FIELD_NUMBER: _ClassVar[int]
    SEAT_FIELD_NUMBER: _ClassVar[int]
    SECONDS_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    table_id: str
    seat: str
    seconds: int
    reason: str
    def __init__(self, request_id: _Optional[str] = ..., table_id: _Optional[str] = ..., seat: _Optional[str] = ..., seconds: _Optional[int] = ..., reason: _Optional[str] = ...) -> None: ...

class GrantTimeResponse(_message.Message):
    __slots__ = ("clocks", "rejected")
    CLOCKS_FIELD_NUMBER: _ClassVar[int]
    REJECTED_FIELD_NUMBER: _ClassVar[int]
    clocks: _table_clock_pb2.TableClocks
    rejected: _rejection_pb2.Rejection
    def __init__(self, clocks: _Optional[_Union[_table_clock_pb2.TableClocks, _Mapping]] = ..., rejected: _Optional[_Union[_rejection_pb2.Rejection, _Mapping]] = ...) -> None: ...

class GetClockRulesRequest(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class GetClockRulesResponse(_message.Message):
    __slots__ = ("turn_seconds_max", "seconds_max", "parts_max", "windows_max", "hours_per_week_max", "vacation_days_max", "penalty_amount_max", "expiry_actions", "zones", "usual_policy")
    TURN_SECONDS_MAX_FIELD_NUMBER: _ClassVar[int]
    SECONDS_MAX_FIELD_NUMBER: _ClassVar[int]
    PARTS_MAX_FIELD_NUMBER: _ClassVar[int]
    WINDOWS_MAX_FIELD_NUMBER: _ClassVar[int]
    HOURS_PER_WEEK_MAX_FIELD_NUMBER: _ClassVar[int]
    VACATION_DAYS_MAX_FIELD_NUMBER: _ClassVar[int]
    PENALTY_AMOUNT_MAX_FIELD_NUMBER: _ClassVar[int]
    EXPIRY_ACTIONS_FIELD_NUMBER: _ClassVar[int]
    ZONES_FIELD_NUMBER: _ClassVar[int]
    USUAL_POLICY_FIELD_NUMBER: _ClassVar[int]
    turn_seconds_max: int
    seconds_max: int
    parts_max: int
    windows_max: int
    hours_per_week_max: int
    vacation_days_max: int
    penalty_amount_max: int
    expiry_actions: _containers.RepeatedScalarFieldContainer[str]
    zones: _containers.RepeatedScalarFieldContainer[str]
    usual_policy: str
    def __init__(self, turn_seconds_max: _Optional[int] = ..., seconds_max: _Optional[int] = ..., parts_max: _Optional[int] = ..., windows_max: _Optional[int] = ..., hours_per_week_max: _Optional[int] = ..., vacation_days_max: _Optional[int] = ..., penalty_amount_max: _Optional[int] = ..., expiry_actions: _Optional[_Iterable[str]] = ..., zones: _Optional[_Iterable[str]] = ..., usual_policy: _Optional[str] = ...) -> None: ...

class GetTableRequest(_message.Message):
    __slots__ = ("table_id", "game_id")
    TABLE_ID_FIELD_NUMBER: _ClassVar[int]
    GAME_ID_FIELD_NUMBER: _ClassVar[int]
    table_id: str
    game_id: str
    def __init__(self, table_id: _Optional[str] = ..., game_id: _Optional[str] = ...) -> None: ...

class GetTableResponse(_message.Message):
    __slots__ = ("table", "clocks")
    TABLE_FIELD_NUMBER: _ClassVar[int]
    CLOCKS_FIELD_NUMBER: _ClassVar[int]
    table: _table_pb2.Table
    clocks: _table_clock_pb2.TableClocks
    def __init__(self, table: _Optional[_Union[_table_pb2.Table, _Mapping]] = ..., clocks: _Optional[_Union[_table_clock_pb2.TableClocks, _Mapping]] = ...) -> None: ...

class ListTablesRequest(_message.Message):
    __slots__ = ("page_size", "page_token", "title", "state")
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    TITLE_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    page_size: int
    page_token: str
    title: str
    state: _table_pb2.TableState
    def __init__(self, page_size: _Optional[int] = ..., page_token: _Optional[str] = ..., title: _Optional[str] = ..., state: _Optional[_Union[_table_pb2.TableState, str]] = ...) -> None: ...

class ListTablesResponse(_message.Message):
    __slots__ = ("tables", "next_page_token")
    TABLES_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    tables: _containers.RepeatedCompositeFieldContainer[_table_pb2.Table]
    next_page_token: str
    def __init__(self, tables: _Optional[_Iterable[_Union[_table_pb2.Table, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class WatchTablesRequest(_message.Message):
    __slots__ = ("after_position", "table_id")
    AFTER_POSITION_FIELD_NUMBER: _ClassVar[int]
    TABLE_ID_FIELD_NUMBER: _ClassVar[int]
    after_position: int
    table_id: str
    def __init__(self, after_position: _Optional[int] = ..., table_id: _Optional[str] = ...) -> None: ...

class WatchTablesResponse(_message.Message):
    __slots__ = ("table", "position")
    TABLE_FIELD_NUMBER: _ClassVar[int]
    POSITION_FIELD_NUMBER: _ClassVar[int]
    table: _table_pb2.Table
    position: int
    def __init__(self, table: _Optional[_Union[_table_pb2.Table, _Mapping]] = ..., position: _Optional[int] = ...) -> None: ...

class ListGamesRequest(_message.Message):
    __slots__ = ("listing", "page_size", "page_token", "game_ids", "player_id")
    LISTING_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    GAME_IDS_FIELD_NUMBER: _ClassVar[int]
    PLAYER_ID_FIELD_NUMBER: _ClassVar[int]
    listing: GameListing
    page_size: int
    page_token: str
    game_ids: _containers.RepeatedScalarFieldContainer[str]
    player_id: str
    def __init__(self, listing: _Optional[_Union[GameListing, str]] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ..., game_ids: _Optional[_Iterable[str]] = ..., player_id: _Optional[str] = ...) -> None: ...

class ListGamesResponse(_message.Message):
    __slots__ = ("games", "next_page_token", "incomplete")
    GAMES_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    INCOMPLETE_FIELD_NUMBER: _ClassVar[int]
    games: _containers.RepeatedCompositeFieldContainer[_game_summary_pb2.GameSummary]
    next_page_token: str
    incomplete: bool
    def __init__(self, games: _Optional[_Iterable[_Union[_game_summary_pb2.GameSummary, _Mapping]]] = ..., next_page_token: _Optional[str] = ..., incomplete: _Optional[bool] = ...) -> None: ...

class WatchGamesRequest(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class WatchGamesResponse(_message.Message):
    __slots__ = ("game",)
    GAME_FIELD_NUMBER: _ClassVar[int]
    game: _game_summary_pb2.GameSummary
    def __init__(self, game: _Optional[_Union[_game_summary_pb2.GameSummary, _Mapping]] = ...) -> None: ...

class ListOnlineRequest(_message.Message):
    __slots__ = ("player_ids",)
    PLAYER_IDS_FIELD_NUMBER: _ClassVar[int]
    player_ids: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, player_ids: _Optional[_Iterable[str]] = ...) -> None: ...

class ListOnlineResponse(_message.Message):
    __slots__ = ("online_player_ids",)
    ONLINE_PLAYER_IDS_FIELD_NUMBER: _ClassVar[int]
    online_player_ids: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, online_player_ids: _Optional[_Iterable[str]] = ...) -> None: ...

class ListPlayerNamesRequest(_message.Message):
    __slots__ = ("player_ids", "name")
    PLAYER_IDS_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    player_ids: _containers.RepeatedScalarFieldContainer[str]
    name: str
    def __init__(self, player_ids: _Optional[_Iterable[str]] = ..., name: _Optional[str] = ...) -> None: ...

class ListPlayerNamesResponse(_message.Message):
    __slots__ = ("players",)
    PLAYERS_FIELD_NUMBER: _ClassVar[int]
    players: _containers.RepeatedCompositeFieldContainer[_player_pb2.Player]
    def __init__(self, players: _Optional[_Iterable[_Union[_player_pb2.Player, _Mapping]]] = ...) -> None: ...

class GetPublicKeyRequest(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class GetPublicKeyResponse(_message.Message):
    __slots__ = ("algorithm", "public_key", "verifying_keys", "jwks")
    ALGORITHM_FIELD_NUMBER: _ClassVar[int]
    PUBLIC_KEY_FIELD_NUMBER: _ClassVar[int]
    VERIFYING_KEYS_FIELD_NUMBER: _ClassVar[int]
    JWKS_FIELD_NUMBER: _ClassVar[int]
    algorithm: str
    public_key: bytes
    verifying_keys: _containers.RepeatedCompositeFieldContainer[VerifyingKey]
    jwks: str
    def __init__(self, algorithm: _Optional[str] = ..., public_key: _Optional[bytes] = ..., verifying_keys: _Optional[_Iterable[_Union[VerifyingKey, _Mapping]]] = ..., jwks: _Optional[str] = ...) -> None: ...

class VerifyingKey(_message.Message):
    __slots__ = ("key_id", "public_key")
    KEY_ID_FIELD_NUMBER: _ClassVar[int]
    PUBLIC_KEY_FIELD_NUMBER: _ClassVar[int]
    key_id: str
    public_key: bytes
    def __init__(self, key_id: _Optional[str] = ..., public_key: _Optional[bytes] = ...) -> None: ...

class Session(_message.Message):
    __slots__ = ("player", "token", "expire_time_ms")
    PLAYER_FIELD_NUMBER: _ClassVar[int]
    TOKEN_FIELD_NUMBER: _ClassVar[int]
    EXPIRE_TIME_MS_FIELD_NUMBER: _ClassVar[int]
    player: _player_pb2.Player
    token: str
    expire_time_ms: int
    def __init__(self, player: _Optional[_Union[_player_pb2.Player, _Mapping]] = ..., token: _Optional[str] = ..., expire_time_ms: _Optional[int] = ...) -> None: ...
