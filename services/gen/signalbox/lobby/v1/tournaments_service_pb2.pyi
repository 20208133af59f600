from services.gen.signalbox.lobby.v1 import player_pb2 as _player_pb2
from services.gen.signalbox.lobby.v1 import rejection_pb2 as _rejection_pb2
from services.gen.signalbox.lobby.v1 import tournament_pb2 as _tournament_pb2
from services.gen.signalbox.lobby.v1 import tournament_round_pb2 as _tournament_round_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class ExportFormat(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    EXPORT_FORMAT_UNSPECIFIED: _ClassVar[ExportFormat]
    EXPORT_FORMAT_JSON: _ClassVar[ExportFormat]
    EXPORT_FORMAT_CSV: _ClassVar[ExportFormat]
    EXPORT_FORMAT_ICALENDAR: _ClassVar[ExportFormat]
    EXPORT_FORMAT_SHEETS: _ClassVar[ExportFormat]
EXPORT_FORMAT_UNSPECIFIED: ExportFormat
EXPORT_FORMAT_JSON: ExportFormat
EXPORT_FORMAT_CSV: ExportFormat
EXPORT_FORMAT_ICALENDAR: ExportFormat
EXPORT_FORMAT_SHEETS: ExportFormat

class ListTournamentsRequest(_message.Message):
    __slots__ = ("page_size", "page_token")
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    page_size: int
    page_token: str
    def __init__(self, page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListTournamentsResponse(_message.Message):
    __slots__ = ("tournaments", "next_page_token")
    TOURNAMENTS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    tournaments: _containers.RepeatedCompositeFieldContainer[_tournament_pb2.Tournament]
    next_page_token: str
    def __init__(self, tournaments: _Optional[_Iterable[_Union[_tournament_pb2.Tournament, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class GetTournamentRequest(_message.Message):
    __slots__ = ("tournament_id",)
    TOURNAMENT_ID_FIELD_NUMBER: _ClassVar[int]
    tournament_id: str
    def __init__(self, tournament_id: _Optional[str] = ...) -> None: ...

class GetTournamentResponse(_message.Message):
    __slots__ = ("tournament",)
    TOURNAMENT_FIELD_NUMBER: _ClassVar[int]
    tournament: _tournament_pb2.Tournament
    def __init__(self, tournament: _Optional[_Union[_tournament_pb2.Tournament, _Mapping]] = ...) -> None: ...

class ListEntriesRequest(_message.Message):
    __slots__ = ("tournament_id", "page_size", "page_token", "player_id")
    TOURNAMENT_ID_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    PLAYER_ID_FIELD_NUMBER: _ClassVar[int]
    tournament_id: str
    page_size: int
    page_token: str
    player_id: str
    def __init__(self, tournament_id: _Optional[str] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ..., player_id: _Optional[str] = ...) -> None: ...

class ListEntriesResponse(_message.Message):
    __slots__ = ("entries", "next_page_token")
    ENTRIES_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    entries: _containers.RepeatedCompositeFieldContainer[_tournament_pb2.TournamentPlayerEntry]
    next_page_token: str
    def __init__(self, entries: _Optional[_Iterable[_Union[_tournament_pb2.TournamentPlayerEntry, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class EnterTournamentRequest(_message.Message):
    __slots__ = ("request_id", "tournament_id", "preferences", "hours")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    TOURNAMENT_ID_FIELD_NUMBER: _ClassVar[int]
    PREFERENCES_FIELD_NUMBER: _ClassVar[int]
    HOURS_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    tournament_id: str
    preferences: _containers.RepeatedScalarFieldContainer[str]
    hours: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, request_id: _Optional[str] = ..., tournament_id: _Optional[str] = ..., preferences: _Optional[_Iterable[str]] = ..., hours: _Optional[_Iterable[int]] = ...) -> None: ...

class EnterTournamentResponse(_message.Message):
    __slots__ = ("tournament", "rejected")
    TOURNAMENT_FIELD_NUMBER: _ClassVar[int]
    REJECTED_FIELD_NUMBER: _ClassVar[int]
    tournament: _tournament_pb2.Tournament
    rejected: _rejection_pb2.Rejection
    def __init__(self, tournament: _Optional[_Union[_tournament_pb2.Tournament, _Mapping]] = ..., rejected: _Optional[_Union[_rejection_pb2.Rejection, _Mapping]] = ...) -> None: ...

class WithdrawEntryRequest(_message.Message):
    __slots__ = ("request_id", "tournament_id", "reason")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    TOURNAMENT_ID_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    tournament_id: str
    reason: str
    def __init__(self, request_id: _Optional[str] = ..., tournament_id: _Optional[str] = ..., reason: _Optional[str] = ...) -> None: ...

class WithdrawEntryResponse(_message.Message):
    __slots__ = ("tournament", "rejected")
    TOURNAMENT_FIELD_NUMBER: _ClassVar[int]
    REJECTED_FIELD_NUMBER: _ClassVar[int]
    tournament: _tournament_pb2.Tournament
    rejected: _rejection_pb2.Rejection
    def __init__(self, tournament: _Optional[_Union[_tournament_pb2.Tournament, _Mapping]] = ..., rejected: _Optional[_Union[_rejection_pb2.Rejection, _Mapping]] = ...) -> None: ...

class CheckInRequest(_message.Message):
    __slots__ = ("request_id", "tournament_id")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    TOURNAMENT_ID_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    tournament_id: str
    def __init__(self, request_id: _Optional[str] = ..., tournament_id: _Optional[str] = ...) -> None: ...

class CheckInResponse(_message.Message):
    __slots__ = ("tournament", "rejected")
    TOURNAMENT_FIELD_NUMBER: _ClassVar[int]
    REJECTED_FIELD_NUMBER: _ClassVar[int]
    tournament: _tournament_pb2.Tournament
    rejected: _rejection_pb2.Rejection
    def __init__(self, tournament: _Optional[_Union[_tournament_pb2.Tournament, _Mapping]] = ..., rejected: _Optional[_Union[_rejection_pb2.Rejection, _Mapping]] = ...) -> None: ...

class RefusePlaceRequest(_message.Message):
    __slots__ = ("request_id", "tournament_id", "stage")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    TOURNAMENT_ID_FIELD_NUMBER: _ClassVar[int]
    STAGE_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    tournament_id: str
    stage: int
    def __init__(self, request_id: _Optional[str] = ..., tournament_id: _Optional[str] = ..., stage: _Optional[int] = ...) -> None: ...

class RefusePlaceResponse(_message.Message):
    __slots__ = ("tournament", "rejected")
    TOURNAMENT_FIELD_NUMBER: _ClassVar[int]
    REJECTED_FIELD_NUMBER: _ClassVar[int]
    tournament: _tournament_pb2.Tournament
    rejected: _rejection_pb2.Rejection
    def __init__(self, tournament: _Optional[_Union[_tournament_pb2.Tournament, _Mapping]] = ..., rejected: _Optional[_Union[_rejection_pb2.Rejection, _Mapping]] = ...) -> None: ...

class ListRoundsRequest(_message.Message):
    __slots__ = ("tournament_id", "page_size", "page_token")
    TOURNAMENT_ID_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    tournament_id: str
    page_size: int
    page_token: str
    def __init__(self, tournament_id: _Optional[str] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListRoundsResponse(_message.Message):
    __slots__ = ("rounds", "next_page_token")
    ROUNDS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    rounds: _containers.RepeatedCompositeFieldContainer[_tournament_round_pb2.Round]
    next_page_token: str
    def __init__(self, rounds: _Optional[_Iterable[_Union[_tournament_round_pb2.Round, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class GetRoundRequest(_message.Message):
    __slots__ = ("round_id",)
    ROUND_ID_FIELD_NUMBER: _ClassVar[int]
    round_id: str
    def __init__(self, round_id: _Optional[str] = ...) -> None: ...

class GetRoundResponse(_message.Message):
    __slots__ = ("round",)
    ROUND_FIELD_NUMBER: _ClassVar[int]
    round: _tournament_round_pb2.Round
    def __init__(self, round: _Optional[_Union[_tournament_round_pb2.Round, _Mapping]] = ...) -> None: ...

class PlayerWorth(_message.Message):
    __slots__ = ("player_id", "worth", "bankrupt_order")
    PLAYER_ID_FIELD_NUMBER: _ClassVar[int]
    WORTH_FIELD_NUMBER: _ClassVar[int]
    BANKRUPT_ORDER_FIELD_NUMBER: _ClassVar[int]
    player_id: str
    worth: int
    bankrupt_order: int
    def __init__(self, player_id: _Optional[str] = ..., worth: _Optional[int] = ..., bankrupt_order: _Optional[int] = ...) -> None: ...

class ReportResultRequest(_message.Message):
    __slots__ = ("request_id", "round_id", "table", "worths")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    ROUND_ID_FIELD_NUMBER: _ClassVar[int]
    TABLE_FIELD_NUMBER: _ClassVar[int]
    WORTHS_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    round_id: str
    table: int
    worths: _containers.RepeatedCompositeFieldContainer[PlayerWorth]
    def __init__(self, request_id: _Optional[str] = ..., round_id: _Optional[str] = ..., table: _Optional[int] = ..., worths: _Optional[_Iterable[_Union[PlayerWorth, _Mapping]]] = ...) -> None: ...

class ReportResultResponse(_message.Message):
    __slots__ = ("round", "rejected")
    ROUND_FIELD_NUMBER: _ClassVar[int]
    REJECTED_FIELD_NUMBER: _ClassVar[int]
    round: _tournament_round_pb2.Round
    rejected: _rejection_pb2.Rejection
    def __init__(self, round: _Optional[_Union[_tournament_round_pb2.Round, _Mapping]] = ..., rejected: _Optional[_Union[_rejection_pb2.Rejection, _Mapping]] = ...) -> None: ...

class ConfirmResultRequest(_message.Message):
    __slots__ = ("request_id", "round_id", "table", "worths")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    ROUND_ID_FIELD_NUMBER: _ClassVar[int]
    TABLE_FIELD_NUMBER: _ClassVar[int]
    WORTHS_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    round_id: str
    table: int
    worths: _containers.RepeatedCompositeFieldContainer[PlayerWorth]
    def __init__(self, request_id: _Optional[str] = ..., round_id: _Optional[str] = ..., table: _Optional[int] = ..., worths: _Optional[_Iterable[_Union[PlayerWorth, _Mapping]]] = ...) -> None: ...

class ConfirmResultResponse(_message.Message):
    __slots__ = ("round", "rejected")
    ROUND_FIELD_NUMBER: _ClassVar[int]
    REJECTED_FIELD_NUMBER: _ClassVar[int]
    round: _tournament_round_pb2.Round
    rejected: _rejection_pb2.Rejection
    def __init__(self, round: _Optional[_Union[_tournament_round_pb2.Round, _Mapping]] = ..., rejected: _Optional[_Union[_rejection_pb2.Rejection, _Mapping]] = ...) -> None: ...

class FileAppealRequest(_message.Message):
    __slots__ = ("request_id", "round_id", "table", "text", "adjudication")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    ROUND_ID_FIELD_NUMBER: _ClassVar[int]
    TABLE_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    ADJUDICATION_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    round_id: str
    table: int
    text: str
    adjudication: int
    def __init__(self, request_id: _Optional[str] = ..., round_id: _Optional[str] = ..., table: _Optional[int] = ..., text: _Optional[str] = ..., adjudication: _Optional[int] = ...) -> None: ...

class FileAppealResponse(_message.Message):
    __slots__ = ("round", "rejected")
    ROUND_FIELD_NUMBER: _ClassVar[int]
    REJECTED_FIELD_NUMBER: _ClassVar[int]
    round: _tournament_round_pb2.Round
    rejected: _rejection_pb2.Rejection
    def __init__(self, round: _Optional[_Union[_tournament_round_pb2.Round, _Mapping]] = ..., rejected: _Optional[_Union[_rejection_pb2.Rejection, _Mapping]] = ...) -> None: ...

class GetStandingsRequest(_message.Message):
    __slots__ = ("tournament_id", "stage", "page_size", "page_token")
    TOURNAMENT_ID_FIELD_NUMBER: _ClassVar[int]
    STAGE_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    tournament_id: str
    stage: int
    page_size: int
    page_token: str
    def __init__(self, tournament_id: _Optional[str] = ..., stage: _Optional[int] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class GetStandingsResponse(_message.Message):
    __slots__ = ("lines", "digest", "next_page_token")
    LINES_FIELD_NUMBER: _ClassVar[int]
    DIGEST_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    lines: _containers.RepeatedCompositeFieldContainer[StandingsLine]
    digest: str
    next_page_token: str
    def __init__(self, lines: _Optional[_Iterable[_Union[StandingsLine, _Mapping]]] = ..., digest: _Optional[str] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class StandingsLine(_message.Message):
    __slots__ = ("rank", "player", "points", "tables", "is_withdrawn", "explanation", "overdue_points")
    RANK_FIELD_NUMBER: _ClassVar[int]
    PLAYER_FIELD_NUMBER: _ClassVar[int]
    POINTS_FIELD_NUMBER: _ClassVar[int]
    TABLES_FIELD_NUMBER: _ClassVar[int]
    IS_WITHDRAWN_FIELD_NUMBER: _ClassVar[int]
    EXPLANATION_FIELD_NUMBER: _ClassVar[int]
    OVERDUE_POINTS_FIELD_NUMBER: _ClassVar[int]
    rank: int
    player: _player_pb2.Player
    points: int
    tables: int
    is_withdrawn: bool
    explanation: str
    overdue_points: int
    def __init__(self, rank: _Optional[int] = ..., player: _Optional[_Union[_player_pb2.Player, _Mapping]] = ..., points: _Optional[int] = ..., tables: _Optional[int] = ..., is_withdrawn: _Optional[bool] = ..., explanation: _Optional[str] = ..., overdue_points: _Optional[int] = ...) -> None: ...

class ExportTournamentRequest(_message.Message):
    __slots__ = ("tournament_id", "format")
    TOURNAMENT_ID_FIELD_NUMBER: _ClassVar[int]
    FORMAT_FIELD_NUMBER: _ClassVar[int]
    tournament_id: str
    format: ExportFormat
    def __init__(self, tournament_id: _Optional[str] = ..., format: _Optional[_Union[ExportFormat, str]] = ...) -> None: ...

class ExportTournamentResponse(_message.Message):
    __slots__ = ("name", "content")
    NAME_FIELD_NUMBER: _ClassVar[int]
    CONTENT_FIELD_NUMBER: _ClassVar[int]
    name: str
    content: bytes
    def __init__(self, name: _Optional[str] = ..., content: _Optional[bytes] = ...) -> None: ...

class ListScoringSystemsRequest(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class ListScoringSystemsResponse(_message.Message):
    __slots__ = ("systems",)
    SYSTEMS_FIELD_NUMBER: _ClassVar[int]
    systems: _containers.RepeatedCompositeFieldContainer[ScoringSystem]
    def __init__(self, systems: _Optional[_Iterable[_Union[ScoringSystem, _Mapping]]] = ...) -> None: ...

class ScoringSystem(_message.Message):
    __slots__ = ("name", "system")
    NAME_FIELD_NUMBER: _ClassVar[int]
    SYSTEM_FIELD_NUMBER: _ClassVar[int]
    name: str
    system: str
    def __init__(self, name: _Optional[str] = ..., system: _Optional[str] = ...) -> None: ...

class GetLeaderboardRequest(_message.Message):
    __slots__ = ("board", "page_size", "page_token")
    BOARD_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    board: str
    page_size: int
    page_token: str
    def __init__(self, board: _Optional[str] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class GetLeaderboardResponse(_message.Message):
    __slots__ = ("lines", "digest", "next_page_token")
    LINES_FIELD_NUMBER: _ClassVar[int]
    DIGEST_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    lines: _containers.RepeatedCompositeFieldContainer[LeaderboardLine]
    digest: str
    next_page_token: str
    def __init__(self, lines: _Optional[_Iterable[_Union[LeaderboardLine, _Mapping]]] = ..., digest: _Optional[str] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class LeaderboardLine(_message.Message):
    __slots__ = ("rank", "player", "shown", "mu", "sigma", "elo", "games", "is_provisional", "reliability")
    RANK_FIELD_NUMBER: _ClassVar[int]
    PLAYER_FIELD_NUMBER: _ClassVar[int]
    SHOWN_FIELD_NUMBER: _ClassVar[int]
    MU_FIELD_NUMBER: _ClassVar[int]
    SIGMA_FIELD_NUMBER: _ClassVar[int]
    ELO_FIELD_NUMBER: _ClassVar[int]
    GAMES_FIELD_NUMBER: _ClassVar[int]
    IS_PROVISIONAL_FIELD_NUMBER: _ClassVar[int]
    RELIABILITY_FIELD_NUMBER: _ClassVar[int]
    rank: int
    player: _player_pb2.Player
    shown: int
    mu: int
    sigma: int
    elo: int
    games: int
    is_provisional: bool
    reliability: Reliability
    def __init__(self, rank: _Optional[int] = ..., player: _Optional[_Union[_player_pb2.Player, _Mapping]] = ..., shown: _Optional[int] = ..., mu: _Optional[int] = ..., sigma: _Optional[int] = ..., elo: _Optional[int] = ..., games: _Optional[int] = ..., is_provisional: _Optional[bool] = ..., reliability: _Optional[_Union[Reliability, _Mapping]] = ...) -> None: ...

class Reliability(_message.Message):
    __slots__ = ("games", "finish_rate", "response_ms", "expiry_rate")
    GAMES_FIELD_NUMBER: _ClassVar[int]
    FINISH_RATE_FIELD_NUMBER: _ClassVar[int]
    RESPONSE_MS_FIELD_NUMBER: _ClassVar[int]
    EXPIRY_RATE_FIELD_NUMBER: _ClassVar[int]
    games: int
    finish_rate: int
    response_ms: int
    expiry_rate: int
    def __init__(self, games: _Optional[int] = ..., finish_rate: _Optional[int] = ..., response_ms: _Optional[int] = ..., expiry_rate: _Optional[int] = ...) -> None: ...
