from services.gen.signalbox.lobby.v1 import player_pb2 as _player_pb2
from services.gen.signalbox.lobby.v1 import tournament_pb2 as _tournament_pb2
from services.gen.signalbox.lobby.v1 import tournament_series_pb2 as _tournament_series_pb2
from services.gen.signalbox.log.v1 import schema_version_pb2 as _schema_version_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class TournamentCreated(_message.Message):
    __slots__ = ("tournament_id", "director", "charter", "seed", "game_seed", "time_ms")
    TOURNAMENT_ID_FIELD_NUMBER: _ClassVar[int]
    DIRECTOR_FIELD_NUMBER: _ClassVar[int]
    CHARTER_FIELD_NUMBER: _ClassVar[int]
    SEED_FIELD_NUMBER: _ClassVar[int]
    GAME_SEED_FIELD_NUMBER: _ClassVar[int]
    TIME_MS_FIELD_NUMBER: _ClassVar[int]
    tournament_id: str
    director: _player_pb2.Player
    charter: str
    seed: int
    game_seed: int
    time_ms: int
    def __init__(self, tournament_id: _Optional[str] = ..., director: _Optional[_Union[_player_pb2.Player, _Mapping]] = ..., charter: _Optional[str] = ..., seed: _Optional[int] = ..., game_seed: _Optional[int] = ..., time_ms: _Optional[int] = ...) -> None: ...

class CharterAmended(_message.Message):
    __slots__ = ("charter", "reason", "author", "time_ms")
    CHARTER_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    AUTHOR_FIELD_NUMBER: _ClassVar[int]
    TIME_MS_FIELD_NUMBER: _ClassVar[int]
    charter: str
    reason: str
    author: str
    time_ms: int
    def __init__(self, charter: _Optional[str] = ..., reason: _Optional[str] = ..., author: _Optional[str] = ..., time_ms: _Optional[int] = ...) -> None: ...

class RoleGiven(_message.Message):
    __slots__ = ("player", "role", "author")
    PLAYER_FIELD_NUMBER: _ClassVar[int]
    ROLE_FIELD_NUMBER: _ClassVar[int]
    AUTHOR_FIELD_NUMBER: _ClassVar[int]
    player: _player_pb2.Player
    role: _tournament_pb2.TournamentRole
    author: str
    def __init__(self, player: _Optional[_Union[_player_pb2.Player, _Mapping]] = ..., role: _Optional[_Union[_tournament_pb2.TournamentRole, str]] = ..., author: _Optional[str] = ...) -> None: ...

class RoleTaken(_message.Message):
    __slots__ = ("player_id", "role", "author")
    PLAYER_ID_FIELD_NUMBER: _ClassVar[int]
    ROLE_FIELD_NUMBER: _ClassVar[int]
    AUTHOR_FIELD_NUMBER: _ClassVar[int]
    player_id: str
    role: _tournament_pb2.TournamentRole
    author: str
    def __init__(self, player_id: _Optional[str] = ..., role: _Optional[_Union[_tournament_pb2.TournamentRole, str]] = ..., author: _Optional[str] = ...) -> None: ...

class EntriesOpened(_message.Message):
    __slots__ = ("author",)
    AUTHOR_FIELD_NUMBER: _ClassVar[int]
    author: str
    def __init__(self, author: _Optional[str] = ...) -> None: ...

class EntriesClosed(_message.Message):
    __slots__ = ("author",)
    AUTHOR_FIELD_NUMBER: _ClassVar[int]
    author: str
    def __init__(self, author: _Optional[str] = ...) -> None: ...

class EntryMade(_message.Message):
    __slots__ = ("player", "preferences", "hours", "is_waiting", "time_ms")
    PLAYER_FIELD_NUMBER: _ClassVar[int]
    PREFERENCES_FIELD_NUMBER: _ClassVar[int]
    HOURS_FIELD_NUMBER: _ClassVar[int]
    IS_WAITING_FIELD_NUMBER: _ClassVar[int]
    TIME_MS_FIELD_NUMBER: _ClassVar[int]
    player: _player_pb2.Player
    preferences: _containers.RepeatedScalarFieldContainer[str]
    hours: _containers.RepeatedScalarFieldContainer[int]
    is_waiting: bool
    time_ms: int
    def __init__(self, player: _Optional[_Union[_player_pb2.Player, _Mapping]] = ..., preferences: _Optional[_Iterable[str]] = ..., hours: _Optional[_Iterable[int]] = ..., is_waiting: _Optional[bool] = ..., time_ms: _Optional[int] = ...) -> None: ...

class EntryAdmitted(_message.Message):
    __slots__ = ("player_id", "author")
    PLAYER_ID_FIELD_NUMBER: _ClassVar[int]
    AUTHOR_FIELD_NUMBER: _ClassVar[int]
    player_id: str
    author: str
    def __init__(self, player_id: _Optional[str] = ..., author: _Optional[str] = ...) -> None: ...

class EntryWithdrawn(_message.Message):
    __slots__ = ("player_id", "reason", "author")
    PLAYER_ID_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    AUTHOR_FIELD_NUMBER: _ClassVar[int]
    player_id: str
    reason: str
    author: str
    def __init__(self, player_id: _Optional[str] = ..., reason: _Optional[str] = ..., author: _Optional[str] = ...) -> None: ...

class CheckInOpened(_message.Message):
    __slots__ = ("stage", "number", "until_ms", "author")
    STAGE_FIELD_NUMBER: _ClassVar[int]
    NUMBER_FIELD_NUMBER: _ClassVar[int]
    UNTIL_MS_FIELD_NUMBER: _ClassVar[int]
    AUTHOR_FIELD_NUMBER: _ClassVar[int]
    stage: int
    number: int
    until_ms: int
    author: str
    def __init__(self, stage: _Optional[int] = ..., number: _Optional[int] = ..., until_ms: _Optional[int] = ..., author: _Optional[str] = ...) -> None: ...

class CheckedIn(_message.Message):
    __slots__ = ("player_id", "stage", "number", "time_ms")
    PLAYER_ID_FIELD_NUMBER: _ClassVar[int]
    STAGE_FIELD_NUMBER: _ClassVar[int]
    NUMBER_FIELD_NUMBER: _ClassVar[int]
    TIME_MS_FIELD_NUMBER: _ClassVar[int]
    player_id: str
    stage: int
    number: int
    time_ms: int
    def __init__(self, player_id: _Optional[str] = ..., stage: _Optional[int] = ..., number: _Optional[int] = ..., time_ms: _Optional[int] = ...) -> None: ...

class PlaceRefused(_message.Message):
    __slots__ = ("player_id", "stage")
    PLAYER_ID_FIELD_NUMBER: _ClassVar[int]
    STAGE_FIELD_NUMBER: _ClassVar[int]
    player_id: str
    stage: int
    def __init__(self, player_id: _Optional[str] = ..., stage: _Optional[int] = ...) -> None: ...

class StageStarted(_message.Message):
    __slots__ = ("stage", "entrants", "author")
    STAGE_FIELD_NUMBER: _ClassVar[int]
    ENTRANTS_FIELD_NUMBER: _ClassVar[int]
    AUTHOR_FIELD_NUMBER: _ClassVar[int]
    stage: int
    entrants: _containers.RepeatedScalarFieldContainer[str]
    author: str
    def __init__(self, stage: _Optional[int] = ..., entrants: _Optional[_Iterable[str]] = ..., author: _Optional[str] = ...) -> None: ...

class StageJoined(_message.Message):
    __slots__ = ("stage", "player_id")
    STAGE_FIELD_NUMBER: _ClassVar[int]
    PLAYER_ID_FIELD_NUMBER: _ClassVar[int]
    stage: int
    player_id: str
    def __init__(self, stage: _Optional[int] = ..., player_id: _Optional[str] = ...) -> None: ...

class RoundReleased(_message.Message):
    __slots__ = ("stage", "number", "round_version", "charter_version")
    STAGE_FIELD_NUMBER: _ClassVar[int]
    NUMBER_FIELD_NUMBER: _ClassVar[int]
    ROUND_VERSION_FIELD_NUMBER: _ClassVar[int]
    CHARTER_VERSION_FIELD_NUMBER: _ClassVar[int]
    stage: int
    number: int
    round_version: int
    charter_version: int
    def __init__(self, stage: _Optional[int] = ..., number: _Optional[int] = ..., round_version: _Optional[int] = ..., charter_version: _Optional[int] = ...) -> None: ...

class StageFinished(_message.Message):
    __slots__ = ("stage", "ranking", "standings_digest", "rounds", "author", "time_ms", "standings", "scoring_version")
    STAGE_FIELD_NUMBER: _ClassVar[int]
    RANKING_FIELD_NUMBER: _ClassVar[int]
    STANDINGS_DIGEST_FIELD_NUMBER: _ClassVar[int]
    ROUNDS_FIELD_NUMBER: _ClassVar[int]
    AUTHOR_FIELD_NUMBER: _ClassVar[int]
    TIME_MS_FIELD_NUMBER: _ClassVar[int]
    STANDINGS_FIELD_NUMBER: _ClassVar[int]
    SCORING_VERSION_FIELD_NUMBER: _ClassVar[int]
    stage: int
    ranking: _containers.RepeatedScalarFieldContainer[str]
    standings_digest: str
    rounds: _containers.RepeatedCompositeFieldContainer[_tournament_pb2.RoundVersion]
    author: str
    time_ms: int
    standings: _containers.RepeatedScalarFieldContainer[str]
    scoring_version: int
    def __init__(self, stage: _Optional[int] = ..., ranking: _Optional[_Iterable[str]] = ..., standings_digest: _Optional[str] = ..., rounds: _Optional[_Iterable[_Union[_tournament_pb2.RoundVersion, _Mapping]]] = ..., author: _Optional[str] = ..., time_ms: _Optional[int] = ..., standings: _Optional[_Iterable[str]] = ..., scoring_version: _Optional[int] = ...) -> None: ...

class StageFinishedV1(_message.Message):
    __slots__ = ("stage", "ranking", "standings_digest", "rounds", "author", "time_ms")
    STAGE_FIELD_NUMBER: _ClassVar[int]
    RANKING_FIELD_NUMBER: _ClassVar[int]
    STANDINGS_DIGEST_FIELD_NUMBER: _ClassVar[int]
    ROUNDS_FIELD_NUMBER: _ClassVar[int]
    AUTHOR_FIELD_NUMBER: _ClassVar[int]
    TIME_MS_FIELD_NUMBER: _ClassVar[int]
    stage: int
    ranking: _containers.RepeatedScalarFieldContainer[str]
    standings_digest: str
    rounds: _containers.RepeatedCompositeFieldContainer[_tournament_pb2.RoundVersion]
    author: str
    time_ms: int
    def __init__(self, stage: _Optional[int] = ..., ranking: _Optional[_Iterable[str]] = ..., standings_digest: _Optional[str] = ..., rounds: _Optional[_Iterable[_Union[_tournament_pb2.RoundVersion, _Mapping]]] = ..., author: _Optional[str] = ..., time_ms: _Optional[int] = ...) -> None: ...

class PenaltyRecorded(_message.Message):
    __slots__ = ("stage", "player_id", "points", "reason", "author")
    STAGE_FIELD_NUMBER: _ClassVar[int]
    PLAYER_ID_FIELD_NUMBER: _ClassVar[int]
    POINTS_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    AUTHOR_FIELD_NUMBER: _ClassVar[int]
    stage: int
    player_id: str
    points: int
    reason: str
    author: str
    def __init__(self, stage: _Optional[int] = ..., player_id: _Optional[str] = ..., points: _Optional[int] = ..., reason: _Optional[str] = ..., author: _Optional[str] = ...) -> None: ...

class AnnouncementPosted(_message.Message):
    __slots__ = ("text", "author", "time_ms")
    TEXT_FIELD_NUMBER: _ClassVar[int]
    AUTHOR_FIELD_NUMBER: _ClassVar[int]
    TIME_MS_FIELD_NUMBER: _ClassVar[int]
    text: str
    author: str
    time_ms: int
    def __init__(self, text: _Optional[str] = ..., author: _Optional[str] = ..., time_ms: _Optional[int] = ...) -> None: ...

class RoundProposed(_message.Message):
    __slots__ = ("tournament_id", "stage", "number", "problem", "proposal", "main_tables", "author", "time_ms")
    TOURNAMENT_ID_FIELD_NUMBER: _ClassVar[int]
    STAGE_FIELD_NUMBER: _ClassVar[int]
    NUMBER_FIELD_NUMBER: _ClassVar[int]
    PROBLEM_FIELD_NUMBER: _ClassVar[int]
    PROPOSAL_FIELD_NUMBER: _ClassVar[int]
    MAIN_TABLES_FIELD_NUMBER: _ClassVar[int]
    AUTHOR_FIELD_NUMBER: _ClassVar[int]
    TIME_MS_FIELD_NUMBER: _ClassVar[int]
    tournament_id: str
    stage: int
    number: int
    problem: str
    proposal: str
    main_tables: int
    author: str
    time_ms: int
    def __init__(self, tournament_id: _Optional[str] = ..., stage: _Optional[int] = ..., number: _Optional[int] = ..., problem: _Optional[str] = ..., proposal: _Optional[str] = ..., main_tables: _Optional[int] = ..., author: _Optional[str] = ..., time_ms: _Optional[int] = ...) -> None: ...

class RoundOverridden(_message.Message):
    __slots__ = ("proposal", "time_ms")
    PROPOSAL_FIELD_NUMBER: _ClassVar[int]
    TIME_MS_FIELD_NUMBER: _ClassVar[int]
    proposal: str
    time_ms: int
    def __init__(self, proposal: _Optional[str] = ..., time_ms: _Optional[int] = ...) -> None: ...

class RoundScheduled(_message.Message):
    __slots__ = ("publish_time_ms", "author")
    PUBLISH_TIME_MS_FIELD_NUMBER: _ClassVar[int]
    AUTHOR_FIELD_NUMBER: _ClassVar[int]
    publish_time_ms: int
    author: str
    def __init__(self, publish_time_ms: _Optional[int] = ..., author: _Optional[str] = ...) -> None: ...

class RoundPublished(_message.Message):
    __slots__ = ("tables", "charter_version", "time_ms")
    TABLES_FIELD_NUMBER: _ClassVar[int]
    CHARTER_VERSION_FIELD_NUMBER: _ClassVar[int]
    TIME_MS_FIELD_NUMBER: _ClassVar[int]
    tables: _containers.RepeatedCompositeFieldContainer[_tournament_pb2.RoundTable]
    charter_version: int
    time_ms: int
    def __init__(self, tables: _Optional[_Iterable[_Union[_tournament_pb2.RoundTable, _Mapping]]] = ..., charter_version: _Optional[int] = ..., time_ms: _Optional[int] = ...) -> None: ...

class RoundTablesMade(_message.Message):
    __slots__ = ("time_ms",)
    TIME_MS_FIELD_NUMBER: _ClassVar[int]
    time_ms: int
    def __init__(self, time_ms: _Optional[int] = ...) -> None: ...

class ResultReported(_message.Message):
    __slots__ = ("table", "result", "author", "time_ms")
    TABLE_FIELD_NUMBER: _ClassVar[int]
    RESULT_FIELD_NUMBER: _ClassVar[int]
    AUTHOR_FIELD_NUMBER: _ClassVar[int]
    TIME_MS_FIELD_NUMBER: _ClassVar[int]
    table: int
    result: _tournament_pb2.TableResult
    author: str
    time_ms: int
    def __init__(self, table: _Optional[int] = ..., result: _Optional[_Union[_tournament_pb2.TableResult, _Mapping]] = ..., author: _Optional[str] = ..., time_ms: _Optional[int] = ...) -> None: ...

class ResultConfirmed(_message.Message):
    __slots__ = ("table", "author", "time_ms")
    TABLE_FIELD_NUMBER: _ClassVar[int]
    AUTHOR_FIELD_NUMBER: _ClassVar[int]
    TIME_MS_FIELD_NUMBER: _ClassVar[int]
    table: int
    author: str
    time_ms: int
    def __init__(self, table: _Optional[int] = ..., author: _Optional[str] = ..., time_ms: _Optional[int] = ...) -> None: ...

class ResultRecorded(_message.Message):
    __slots__ = ("table", "result", "sequence", "time_ms")
    TABLE_FIELD_NUMBER: _ClassVar[int]
    RESULT_FIELD_NUMBER: _ClassVar[int]
    SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    TIME_MS_FIELD_NUMBER: _ClassVar[int]
    table: int
    result: _tournament_pb2.TableResult
    sequence: int
    time_ms: int
    def __init__(self, table: _Optional[int] = ..., result: _Optional[_Union[_tournament_pb2.TableResult, _Mapping]] = ..., sequence: _Optional[int] = ..., time_ms: _Optional[int] = ...) -> None: ...

class ResultUndone(_message.Message):
    __slots__ = ("table", "sequence", "time_ms")
    TABLE_FIELD_NUMBER: _ClassVar[int]
    SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    TIME_MS_FIELD_NUMBER: _ClassVar[int]
    table: int
    sequence: int
    time_ms: int
    def __init__(self, table: _Optional[int] = ..., sequence: _Optional[int] = ..., time_ms: _Optional[int] = ...) -> None: ...

class NoShowWithdrawn(_message.Message):
    __slots__ = ("table", "player_id", "reason", "author", "time_ms")
    TABLE_FIELD_NUMBER: _ClassVar[int]
    PLAYER_ID_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    AUTHOR_FIELD_NUMBER: _ClassVar[int]
    TIME_MS_FIELD_NUMBER: _ClassVar[int]
    table: int
    player_id: str
    reason: str
    author: str
    time_ms: int
    def __init__(self, table: _Optional[int] = ..., player_id: _Optional[str] = ..., reason: _Optional[str] = ..., author: _Optional[str] = ..., time_ms: _Optional[int] = ...) -> None: ...

class NoShowRecorded(_message.Message):
    __slots__ = ("table", "player_id", "reason", "author", "time_ms")
    TABLE_FIELD_NUMBER: _ClassVar[int]
    PLAYER_ID_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    AUTHOR_FIELD_NUMBER: _ClassVar[int]
    TIME_MS_FIELD_NUMBER: _ClassVar[int]
    table: int
    player_id: str
    reason: str
    author: str
    time_ms: int
    def __init__(self, table: _Optional[int] = ..., player_id: _Optional[str] = ..., reason: _Optional[str] = ..., author: _Optional[str] = ..., time_ms: _Optional[int] = ...) -> None: ...

class SubstitutionRecorded(_message.Message):
    __slots__ = ("table", "player_id", "substitute", "substitute_turns", "turns", "reason", "author", "time_ms", "is_only")
    TABLE_FIELD_NUMBER: _ClassVar[int]
    PLAYER_ID_FIELD_NUMBER: _ClassVar[int]
    SUBSTITUTE_FIELD_NUMBER: _ClassVar[int]
    SUBSTITUTE_TURNS_FIELD_NUMBER: _ClassVar[int]
    TURNS_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    AUTHOR_FIELD_NUMBER: _ClassVar[int]
    TIME_MS_FIELD_NUMBER: _ClassVar[int]
    IS_ONLY_FIELD_NUMBER: _ClassVar[int]
    table: int
    player_id: str
    substitute: _player_pb2.Player
    substitute_turns: int
    turns: int
    reason: str
    author: str
    time_ms: int
    is_only: bool
    def __init__(self, table: _Optional[int] = ..., player_id: _Optional[str] = ..., substitute: _Optional[_Union[_player_pb2.Player, _Mapping]] = ..., substitute_turns: _Optional[int] = ..., turns: _Optional[int] = ..., reason: _Optional[str] = ..., author: _Optional[str] = ..., time_ms: _Optional[int] = ..., is_only: _Optional[bool] = ...) -> None: ...

class SubstitutionRecordedV1(_message.Message):
    __slots__ = ("table", "player_id", "substitute", "substitute_turns", "turns", "reason", "author", "time_ms")
    TABLE_FIELD_NUMBER: _ClassVar[int]
    PLAYER_ID_FIELD_NUMBER: _ClassVar[int]
    SUBSTITUTE_FIELD_NUMBER: _ClassVar[int]
    SUBSTITUTE_TURNS_FIELD_NUMBER: _ClassVar[int]
    TURNS_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    AUTHOR_FIELD_NUMBER: _ClassVar[int]
    TIME_MS_FIELD_NUMBER: _ClassVar[int]
    table: int
    player_id: str
    substitute: _player_pb2.Player
    substitute_turns: int
    turns: int
    reason: str
    author: str
    time_ms: int
    def __init__(self, table: _Optional[int] = ..., player_id: _Optional[str] = ..., substitute: _Optional[_Union[_player_pb2.Player, _Mapping]] = ..., substitute_turns: _Optional[int] = ..., turns: _Optional[int] = ..., reason: _Optional[str] = ..., author: _Optional[str] = ..., time_ms: _Optional[int] = ...) -> None: ...

class SubstitutesPlayed(_message.Message):
    __slots__ = ("table", "player_id", "substitutes")
    TABLE_FIELD_NUMBER: _ClassVar[int]
    PLAYER_ID_FIELD_NUMBER: _ClassVar[int]
    SUBSTITUTES_FIELD_NUMBER: _ClassVar[int]
    table: int
    player_id: str
    substitutes: _containers.RepeatedCompositeFieldContainer[_tournament_pb2.SubstituteTurns]
    def __init__(self, table: _Optional[int] = ..., player_id: _Optional[str] = ..., substitutes: _Optional[_Iterable[_Union[_tournament_pb2.SubstituteTurns, _Mapping]]] = ...) -> None: ...

class SubstitutionWithdrawn(_message.Message):
    __slots__ = ("table", "player_id", "substitute_id", "reason", "author", "time_ms", "sequence")
    TABLE_FIELD_NUMBER: _ClassVar[int]
    PLAYER_ID_FIELD_NUMBER: _ClassVar[int]
    SUBSTITUTE_ID_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    AUTHOR_FIELD_NUMBER: _ClassVar[int]
    TIME_MS_FIELD_NUMBER: _ClassVar[int]
    SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    table: int
    player_id: str
    substitute_id: str
    reason: str
    author: str
    time_ms: int
    sequence: int
    def __init__(self, table: _Optional[int] = ..., player_id: _Optional[str] = ..., substitute_id: _Optional[str] = ..., reason: _Optional[str] = ..., author: _Optional[str] = ..., time_ms: _Optional[int] = ..., sequence: _Optional[int] = ...) -> None: ...

class AdjudicationMade(_message.Message):
    __slots__ = ("table", "kind", "awards", "sequence", "reason", "needs_second", "author", "time_ms", "transfer", "worths", "expected_sequence")
    TABLE_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    AWARDS_FIELD_NUMBER: _ClassVar[int]
    SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    NEEDS_SECOND_FIELD_NUMBER: _ClassVar[int]
    AUTHOR_FIELD_NUMBER: _ClassVar[int]
    TIME_MS_FIELD_NUMBER: _ClassVar[int]
    TRANSFER_FIELD_NUMBER: _ClassVar[int]
    WORTHS_FIELD_NUMBER: _ClassVar[int]
    EXPECTED_SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    table: int
    kind: _tournament_pb2.AdjudicationKind
    awards: _containers.RepeatedCompositeFieldContainer[_tournament_pb2.Award]
    sequence: int
    reason: str
    needs_second: bool
    author: str
    time_ms: int
    transfer: _tournament_pb2.MoneyTransfer
    worths: _containers.RepeatedCompositeFieldContainer[_tournament_pb2.FinalWorth]
    expected_sequence: int
    def __init__(self, table: _Optional[int] = ..., kind: _Optional[_Union[_tournament_pb2.AdjudicationKind, str]] = ..., awards: _Optional[_Iterable[_Union[_tournament_pb2.Award, _Mapping]]] = ..., sequence: _Optional[int] = ..., reason: _Optional[str] = ..., needs_second: _Optional[bool] = ..., author: _Optional[str] = ..., time_ms: _Optional[int] = ..., transfer: _Optional[_Union[_tournament_pb2.MoneyTransfer, _Mapping]] = ..., worths: _Optional[_Iterable[_Union[_tournament_pb2.FinalWorth, _Mapping]]] = ..., expected_sequence: _Optional[int] = ...) -> None: ...

class AdjudicationConfirmed(_message.Message):
    __slots__ = ("table", "author", "time_ms")
    TABLE_FIELD_NUMBER: _ClassVar[int]
    AUTHOR_FIELD_NUMBER: _ClassVar[int]
    TIME_MS_FIELD_NUMBER: _ClassVar[int]
    table: int
    author: str
    time_ms: int
    def __init__(self, table: _Optional[int] = ..., author: _Optional[str] = ..., time_ms: _Optional[int] = ...) -> None: ...

class AppealFiled(_message.Message):
    __slots__ = ("table", "player_id", "text", "time_ms", "adjudication")
    TABLE_FIELD_NUMBER: _ClassVar[int]
    PLAYER_ID_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    TIME_MS_FIELD_NUMBER: _ClassVar[int]
    ADJUDICATION_FIELD_NUMBER: _ClassVar[int]
    table: int
    player_id: str
    text: str
    time_ms: int
    adjudication: int
    def __init__(self, table: _Optional[int] = ..., player_id: _Optional[str] = ..., text: _Optional[str] = ..., time_ms: _Optional[int] = ..., adjudication: _Optional[int] = ...) -> None: ...

class AppealFiledV1(_message.Message):
    __slots__ = ("table", "player_id", "text", "time_ms")
    TABLE_FIELD_NUMBER: _ClassVar[int]
    PLAYER_ID_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    TIME_MS_FIELD_NUMBER: _ClassVar[int]
    table: int
    player_id: str
    text: str
    time_ms: int
    def __init__(self, table: _Optional[int] = ..., player_id: _Optional[str] = ..., text: _Optional[str] = ..., time_ms: _Optional[int] = ...) -> None: ...

class AppealDecided(_message.Message):
    __slots__ = ("table", "is_upheld", "reason", "author", "time_ms", "adjudication")
    TABLE_FIELD_NUMBER: _ClassVar[int]
    IS_UPHELD_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    AUTHOR_FIELD_NUMBER: _ClassVar[int]
    TIME_MS_FIELD_NUMBER: _ClassVar[int]
    ADJUDICATION_FIELD_NUMBER: _ClassVar[int]
    table: int
    is_upheld: bool
    reason: str
    author: str
    time_ms: int
    adjudication: int
    def __init__(self, table: _Optional[int] = ..., is_upheld: _Optional[bool] = ..., reason: _Optional[str] = ..., author: _Optional[str] = ..., time_ms: _Optional[int] = ..., adjudication: _Optional[int] = ...) -> None: ...

class AppealDecidedV1(_message.Message):
    __slots__ = ("table", "is_upheld", "reason", "author", "time_ms")
    TABLE_FIELD_NUMBER: _ClassVar[int]
    IS_UPHELD_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    AUTHOR_FIELD_NUMBER: _ClassVar[int]
    TIME_MS_FIELD_NUMBER: _ClassVar[int]
    table: int
    is_upheld: bool
    reason: str
    author: str
    time_ms: int
    def __init__(self, table: _Optional[int] = ..., is_upheld: _Optional[bool] = ..., reason: _Optional[str] = ..., author: _Optional[str] = ..., time_ms: _Optional[int] = ...) -> None: ...

class SeriesCreated(_message.Message):
    __slots__ = ("series_id", "director", "name", "rule", "divisions", "players", "time_ms")
    SERIES_ID_FIELD_NUMBER: _ClassVar[int]
    DIRECTOR_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    RULE_FIELD_NUMBER: _ClassVar[int]
    DIVISIONS_FIELD_NUMBER: _ClassVar[int]
    PLAYERS_FIELD_NUMBER: _ClassVar[int]
    TIME_MS_FIELD_NUMBER: _ClassVar[int]
    series_id: str
    director: _player_pb2.Player
    name: str
    rule: _tournament_series_pb2.SeasonRule
    divisions: _containers.RepeatedCompositeFieldContainer[_tournament_series_pb2.Division]
    players: _containers.RepeatedCompositeFieldContainer[_player_pb2.Player]
    time_ms: int
    def __init__(self, series_id: _Optional[str] = ..., director: _Optional[_Union[_player_pb2.Player, _Mapping]] = ..., name: _Optional[str] = ..., rule: _Optional[_Union[_tournament_series_pb2.SeasonRule, _Mapping]] = ..., divisions: _Optional[_Iterable[_Union[_tournament_series_pb2.Division, _Mapping]]] = ..., players: _Optional[_Iterable[_Union[_player_pb2.Player, _Mapping]]] = ..., time_ms: _Optional[int] = ...) -> None: ...

class SeasonOpened(_message.Message):
    __slots__ = ("number", "charter", "tournaments", "author", "time_ms", "divisions")
    NUMBER_FIELD_NUMBER: _ClassVar[int]
    CHARTER_FIELD_NUMBER: _ClassVar[int]
    TOURNAMENTS_FIELD_NUMBER: _ClassVar[int]
    AUTHOR_FIELD_NUMBER: _ClassVar[int]
    TIME_MS_FIELD_NUMBER: _ClassVar[int]
    DIVISIONS_FIELD_NUMBER: _ClassVar[int]
    number: int
    charter: str
    tournaments: _containers.RepeatedCompositeFieldContainer[DivisionTournament]
    author: str
    time_ms: int
    divisions: _containers.RepeatedCompositeFieldContainer[_tournament_series_pb2.Division]
    def __init__(self, number: _Optional[int] = ..., charter: _Optional[str] = ..., tournaments: _Optional[_Iterable[_Union[DivisionTournament, _Mapping]]] = ..., author: _Optional[str] = ..., time_ms: _Optional[int] = ..., divisions: _Optional[_Iterable[_Union[_tournament_series_pb2.Division, _Mapping]]] = ...) -> None: ...

class SeasonOpenedV1(_message.Message):
    __slots__ = ("number", "charter", "tournaments", "author", "time_ms")
    NUMBER_FIELD_NUMBER: _ClassVar[int]
    CHARTER_FIELD_NUMBER: _ClassVar[int]
    TOURNAMENTS_FIELD_NUMBER: _ClassVar[int]
    AUTHOR_FIELD_NUMBER: _ClassVar[int]
    TIME_MS_FIELD_NUMBER: _ClassVar[int]
    number: int
    charter: str
    tournaments: _containers.RepeatedCompositeFieldContainer[DivisionTournament]
    author: str
    time_ms: int
    def __init__(self, number: _Optional[int] = ..., charter: _Optional[str] = ..., tournaments: _Optional[_Iterable[_Union[DivisionTournament, _Mapping]]] = ..., author: _Optional[str] = ..., time_ms: _Optional[int] = ...) -> None: ...

class SeriesJoined(_message.Message):
    __slots__ = ("player_id", "time_ms")
    PLAYER_ID_FIELD_NUMBER: _ClassVar[int]
    TIME_MS_FIELD_NUMBER: _ClassVar[int]
    player_id: str
    time_ms: int
    def __init__(self, player_id: _Optional[str] = ..., time_ms: _Optional[int] = ...) -> None: ...

class SeriesLeft(_message.Message):
    __slots__ = ("player_id", "time_ms")
    PLAYER_ID_FIELD_NUMBER: _ClassVar[int]
    TIME_MS_FIELD_NUMBER: _ClassVar[int]
    player_id: str
    time_ms: int
    def __init__(self, player_id: _Optional[str] = ..., time_ms: _Optional[int] = ...) -> None: ...

class MembersChanged(_message.Message):
    __slots__ = ("newcomers", "leaving", "divisions", "author", "time_ms")
    NEWCOMERS_FIELD_NUMBER: _ClassVar[int]
    LEAVING_FIELD_NUMBER: _ClassVar[int]
    DIVISIONS_FIELD_NUMBER: _ClassVar[int]
    AUTHOR_FIELD_NUMBER: _ClassVar[int]
    TIME_MS_FIELD_NUMBER: _ClassVar[int]
    newcomers: _containers.RepeatedCompositeFieldContainer[_player_pb2.Player]
    leaving: _containers.RepeatedScalarFieldContainer[str]
    divisions: _containers.RepeatedCompositeFieldContainer[_tournament_series_pb2.Division]
    author: str
    time_ms: int
    def __init__(self, newcomers: _Optional[_Iterable[_Union[_player_pb2.Player, _Mapping]]] = ..., leaving: _Optional[_Iterable[str]] = ..., divisions: _Optional[_Iterable[_Union[_tournament_series_pb2.Division, _Mapping]]] = ..., author: _Optional[str] = ..., time_ms: _Optional[int] = ...) -> None: ...

class DivisionTournament(_message.Message):
    __slots__ = ("tournament_id", "seed", "game_seed")
    TOURNAMENT_ID_FIELD_NUMBER: _ClassVar[int]
    SEED_FIELD_NUMBER: _ClassVar[int]
    GAME_SEED_FIELD_NUMBER: _ClassVar[int]
    tournament_id: str
    seed: int
    game_seed: int
    def __init__(self, tournament_id: _Optional[str] = ..., seed: _Optional[int] = ..., game_seed: _Optional[int] = ...) -> None: ...

class SeasonClosed(_message.Message):
    __slots__ = ("number", "standings", "newcomers", "leaving", "divisions", "points", "author", "time_ms")
    NUMBER_FIELD_NUMBER: _ClassVar[int]
    STANDINGS_FIELD_NUMBER: _ClassVar[int]
    NEWCOMERS_FIELD_NUMBER: _ClassVar[int]
    LEAVING_FIELD_NUMBER: _ClassVar[int]
    DIVISIONS_FIELD_NUMBER: _ClassVar[int]
    POINTS_FIELD_NUMBER: _ClassVar[int]
    AUTHOR_FIELD_NUMBER: _ClassVar[int]
    TIME_MS_FIELD_NUMBER: _ClassVar[int]
    number: int
    standings: _containers.RepeatedCompositeFieldContainer[_tournament_series_pb2.Division]
    newcomers: _containers.RepeatedCompositeFieldContainer[_player_pb2.Player]
    leaving: _containers.RepeatedScalarFieldContainer[str]
    divisions: _containers.RepeatedCompositeFieldContainer[_tournament_series_pb2.Division]
    points: _containers.RepeatedCompositeFieldContainer[_tournament_series_pb2.SeriesPoints]
    author: str
    time_ms: int
    def __init__(self, number: _Optional[int] = ..., standings: _Optional[_Iterable[_Union[_tournament_series_pb2.Division, _Mapping]]] = ..., newcomers: _Optional[_Iterable[_Union[_player_pb2.Player, _Mapping]]] = ..., leaving: _Optional[_Iterable[str]] = ..., divisions: _Optional[_Iterable[_Union[_tournament_series_pb2.Division, _Mapping]]] = ..., points: _Optional[_Iterable[_Union[_tournament_series_pb2.SeriesPoints, _Mapping]]] = ..., author: _Optional[str] = ..., time_ms: _Optional[int] = ...) -> None: ...
