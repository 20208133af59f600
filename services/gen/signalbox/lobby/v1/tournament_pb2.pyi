from services.gen.signalbox.lobby.v1 import player_pb2 as _player_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class EntryState(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    ENTRY_STATE_UNSPECIFIED: _ClassVar[EntryState]
    ENTRY_STATE_ACTIVE: _ClassVar[EntryState]
    ENTRY_STATE_WAITING: _ClassVar[EntryState]
    ENTRY_STATE_WITHDRAWN: _ClassVar[EntryState]

class TournamentRole(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    TOURNAMENT_ROLE_UNSPECIFIED: _ClassVar[TournamentRole]
    TOURNAMENT_ROLE_DIRECTOR: _ClassVar[TournamentRole]
    TOURNAMENT_ROLE_SCORER: _ClassVar[TournamentRole]

class ResultEnding(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    RESULT_ENDING_UNSPECIFIED: _ClassVar[ResultEnding]
    RESULT_ENDING_PLAYED: _ClassVar[ResultEnding]
    RESULT_ENDING_EXTERNAL: _ClassVar[ResultEnding]
    RESULT_ENDING_AWARDED: _ClassVar[ResultEnding]
    RESULT_ENDING_RULED: _ClassVar[ResultEnding]

class AdjudicationKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    ADJUDICATION_KIND_UNSPECIFIED: _ClassVar[AdjudicationKind]
    ADJUDICATION_KIND_CONTINUE: _ClassVar[AdjudicationKind]
    ADJUDICATION_KIND_AWARD: _ClassVar[AdjudicationKind]
    ADJUDICATION_KIND_VOID: _ClassVar[AdjudicationKind]
    ADJUDICATION_KIND_ROLL_BACK: _ClassVar[AdjudicationKind]
    ADJUDICATION_KIND_CORRECT: _ClassVar[AdjudicationKind]
ENTRY_STATE_UNSPECIFIED: EntryState
ENTRY_STATE_ACTIVE: EntryState
ENTRY_STATE_WAITING: EntryState
ENTRY_STATE_WITHDRAWN: EntryState
TOURNAMENT_ROLE_UNSPECIFIED: TournamentRole
TOURNAMENT_ROLE_DIRECTOR: TournamentRole
TOURNAMENT_ROLE_SCORER: TournamentRole
RESULT_ENDING_UNSPECIFIED: ResultEnding
RESULT_ENDING_PLAYED: ResultEnding
RESULT_ENDING_EXTERNAL: ResultEnding
RESULT_ENDING_AWARDED: ResultEnding
RESULT_ENDING_RULED: ResultEnding
ADJUDICATION_KIND_UNSPECIFIED: AdjudicationKind
ADJUDICATION_KIND_CONTINUE: AdjudicationKind
ADJUDICATION_KIND_AWARD: AdjudicationKind
ADJUDICATION_KIND_VOID: AdjudicationKind
ADJUDICATION_KIND_ROLL_BACK: AdjudicationKind
ADJUDICATION_KIND_CORRECT: AdjudicationKind

class TournamentPlayerEntry(_message.Message):
    __slots__ = ("player", "preferences", "hours", "state", "reason")
    PLAYER_FIELD_NUMBER: _ClassVar[int]
    PREFERENCES_FIELD_NUMBER: _ClassVar[int]
    HOURS_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    player: _player_pb2.Player
    preferences: _containers.RepeatedScalarFieldContainer[str]
    hours: _containers.RepeatedScalarFieldContainer[int]
    state: EntryState
    reason: str
    def __init__(self, player: _Optional[_Union[_player_pb2.Player, _Mapping]] = ..., preferences: _Optional[_Iterable[str]] = ..., hours: _Optional[_Iterable[int]] = ..., state: _Optional[_Union[EntryState, str]] = ..., reason: _Optional[str] = ...) -> None: ...

class Tournament(_message.Message):
    __slots__ = ("tournament_id", "version", "charter", "charter_version", "charter_digest", "seed", "create_time_ms", "directors", "scorers", "are_entries_open", "active_count", "waiting_count", "stages", "check_in", "penalties", "announcements", "is_finished", "ranking", "amendments")
    TOURNAMENT_ID_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    CHARTER_FIELD_NUMBER: _ClassVar[int]
    CHARTER_VERSION_FIELD_NUMBER: _ClassVar[int]
    CHARTER_DIGEST_FIELD_NUMBER: _ClassVar[int]
    SEED_FIELD_NUMBER: _ClassVar[int]
    CREATE_TIME_MS_FIELD_NUMBER: _ClassVar[int]
    DIRECTORS_FIELD_NUMBER: _ClassVar[int]
    SCORERS_FIELD_NUMBER: _ClassVar[int]
    ARE_ENTRIES_OPEN_FIELD_NUMBER: _ClassVar[int]
    ACTIVE_COUNT_FIELD_NUMBER: _ClassVar[int]
    WAITING_COUNT_FIELD_NUMBER: _ClassVar[int]
    STAGES_FIELD_NUMBER: _ClassVar[int]
    CHECK_IN_FIELD_NUMBER: _ClassVar[int]
    PENALTIES_FIELD_NUMBER: _ClassVar[int]
    ANNOUNCEMENTS_FIELD_NUMBER: _ClassVar[int]
    IS_FINISHED_FIELD_NUMBER: _ClassVar[int]
    RANKING_FIELD_NUMBER: _ClassVar[int]
    AMENDMENTS_FIELD_NUMBER: _ClassVar[int]
    tournament_id: str
    version: int
    charter: str
    charter_version: int
    charter_digest: str
    seed: int
    create_time_ms: int
    directors: _containers.RepeatedCompositeFieldContainer[_player_pb2.Player]
    scorers: _containers.RepeatedCompositeFieldContainer[_player_pb2.Player]
    are_entries_open: bool
    active_count: int
    waiting_count: int
    stages: _containers.RepeatedCompositeFieldContainer[TournamentStage]
    check_in: TournamentCheckIn
    penalties: _containers.RepeatedCompositeFieldContainer[TournamentPenalty]
    announcements: _containers.RepeatedCompositeFieldContainer[Announcement]
    is_finished: bool
    ranking: _containers.RepeatedScalarFieldContainer[str]
    amendments: _containers.RepeatedCompositeFieldContainer[CharterAmendment]
    def __init__(self, tournament_id: _Optional[str] = ..., version: _Optional[int] = ..., charter: _Optional[str] = ..., charter_version: _Optional[int] = ..., charter_digest: _Optional[str] = ..., seed: _Optional[int] = ..., create_time_ms: _Optional[int] = ..., directors: _Optional[_Iterable[_Union[_player_pb2.Player, _Mapping]]] = ..., scorers: _Optional[_Iterable[_Union[_player_pb2.Player, _Mapping]]] = ..., are_entries_open: _Optional[bool] = ..., active_count: _Optional[int] = ..., waiting_count: _Optional[int] = ..., stages: _Optional[_Iterable[_Union[TournamentStage, _Mapping]]] = ..., check_in: _Optional[_Union[TournamentCheckIn, _Mapping]] = ..., penalties: _Optional[_Iterable[_Union[TournamentPenalty, _Mapping]]] = ..., announcements: _Optional[_Iterable[_Union[Announcement, _Mapping]]] = ..., is_finished: _Optional[bool] = ..., ranking: _Optional[_Iterable[str]] = ..., amendments: _Optional[_Iterable[_Union[CharterAmendment, _Mapping]]] = ...) -> None: ...

class CharterAmendment(_message.Message):
    __slots__ = ("charter_version", "reason", "author", "time_ms")
    CHARTER_VERSION_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    AUTHOR_FIELD_NUMBER: _ClassVar[int]
    TIME_MS_FIELD_NUMBER: _ClassVar[int]
    charter_version: int
    reason: str
    author: str
    time_ms: int
    def __init__(self, charter_version: _Optional[int] = ..., reason: _Optional[str] = ..., author: _Optional[str] = ..., time_ms: _Optional[int] = ...) -> None: ...

class TournamentStage(_message.Message):
    __slots__ = ("name", "entrants", "is_finished", "ranking", "standings_digest", "round_count")
    NAME_FIELD_NUMBER: _ClassVar[int]
    ENTRANTS_FIELD_NUMBER: _ClassVar[int]
    IS_FINISHED_FIELD_NUMBER: _ClassVar[int]
    RANKING_FIELD_NUMBER: _ClassVar[int]
    STANDINGS_DIGEST_FIELD_NUMBER: _ClassVar[int]
    ROUND_COUNT_FIELD_NUMBER: _ClassVar[int]
    name: str
    entrants: _containers.RepeatedScalarFieldContainer[str]
    is_finished: bool
    ranking: _containers.RepeatedScalarFieldContainer[str]
    standings_digest: str
    round_count: int
    def __init__(self, name: _Optional[str] = ..., entrants: _Optional[_Iterable[str]] = ..., is_finished: _Optional[bool] = ..., ranking: _Optional[_Iterable[str]] = ..., standings_digest: _Optional[str] = ..., round_count: _Optional[int] = ...) -> None: ...

class TournamentCheckIn(_message.Message):
    __slots__ = ("stage", "number", "until_time_ms", "present")
    STAGE_FIELD_NUMBER: _ClassVar[int]
    NUMBER_FIELD_NUMBER: _ClassVar[int]
    UNTIL_TIME_MS_FIELD_NUMBER: _ClassVar[int]
    PRESENT_FIELD_NUMBER: _ClassVar[int]
    stage: int
    number: int
    until_time_ms: int
    present: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, stage: _Optional[int] = ..., number: _Optional[int] = ..., until_time_ms: _Optional[int] = ..., present: _Optional[_Iterable[str]] = ...) -> None: ...

class TournamentPenalty(_message.Message):
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

class Announcement(_message.Message):
    __slots__ = ("text", "author", "time_ms")
    TEXT_FIELD_NUMBER: _ClassVar[int]
    AUTHOR_FIELD_NUMBER: _ClassVar[int]
    TIME_MS_FIELD_NUMBER: _ClassVar[int]
    text: str
    author: str
    time_ms: int
    def __init__(self, text: _Optional[str] = ..., author: _Optional[str] = ..., time_ms: _Optional[int] = ...) -> None: ...

class SeatResult(_message.Message):
    __slots__ = ("player", "worth", "bankrupt_order", "clock_ms", "is_no_show", "substitute", "substitute_turns", "turns", "awarded", "overdue_money", "overdue_points", "all_substitutes")
    PLAYER_FIELD_NUMBER: _ClassVar[int]
    WORTH_FIELD_NUMBER: _ClassVar[int]
    BANKRUPT_ORDER_FIELD_NUMBER: _ClassVar[int]
    CLOCK_MS_FIELD_NUMBER: _ClassVar[int]
    IS_NO_SHOW_FIELD_NUMBER: _ClassVar[int]
    SUBSTITUTE_FIELD_NUMBER: _ClassVar[int]
    SUBSTITUTE_TURNS_FIELD_NUMBER: _ClassVar[int]
    TURNS_FIELD_NUMBER: _ClassVar[int]
    AWARDED_FIELD_NUMBER: _ClassVar[int]
    OVERDUE_MONEY_FIELD_NUMBER: _ClassVar[int]
    OVERDUE_POINTS_FIELD_NUMBER: _ClassVar[int]
    ALL_SUBSTITUTES_FIELD_NUMBER: _ClassVar[int]
    player: str
    worth: int
    bankrupt_order: int
    clock_ms: int
    is_no_show: bool
    substitute: str
    substitute_turns: int
    turns: int
    awarded: int
    overdue_money: int
    overdue_points: int
    all_substitutes: _containers.RepeatedCompositeFieldContainer[SubstituteTurns]
    def __init__(self, player: _Optional[str] = ..., worth: _Optional[int] = ..., bankrupt_order: _Optional[int] = ..., clock_ms: _Optional[int] = ..., is_no_show: _Optional[bool] = ..., substitute: _Optional[str] = ..., substitute_turns: _Optional[int] = ..., turns: _Optional[int] = ..., awarded: _Optional[int] = ..., overdue_money: _Optional[int] = ..., overdue_points: _Optional[int] = ..., all_substitutes: _Optional[_Iterable[_Union[SubstituteTurns, _Mapping]]] = ...) -> None: ...

class SubstituteTurns(_message.Message):
    __slots__ = ("player_id", "turns")
    PLAYER_ID_FIELD_NUMBER: _ClassVar[int]
    TURNS_FIELD_NUMBER: _ClassVar[int]
    player_id: str
    turns: int
    def __init__(self, player_id: _Optional[str] = ..., turns: _Optional[int] = ...) -> None: ...

class TableResult(_message.Message):
    __slots__ = ("table", "round", "title", "seats", "ending")
    TABLE_FIELD_NUMBER: _ClassVar[int]
    ROUND_FIELD_NUMBER: _ClassVar[int]
    TITLE_FIELD_NUMBER: _ClassVar[int]
    SEATS_FIELD_NUMBER: _ClassVar[int]
    ENDING_FIELD_NUMBER: _ClassVar[int]
    table: str
    round: int
    title: str
    seats: _containers.RepeatedCompositeFieldContainer[SeatResult]
    ending: ResultEnding
    def __init__(self, table: _Optional[str] = ..., round: _Optional[int] = ..., title: _Optional[str] = ..., seats: _Optional[_Iterable[_Union[SeatResult, _Mapping]]] = ..., ending: _Optional[_Union[ResultEnding, str]] = ...) -> None: ...

class RoundTable(_message.Message):
    __slots__ = ("number", "title", "seats", "table_id", "game_id")
    NUMBER_FIELD_NUMBER: _ClassVar[int]
    TITLE_FIELD_NUMBER: _ClassVar[int]
    SEATS_FIELD_NUMBER: _ClassVar[int]
    TABLE_ID_FIELD_NUMBER: _ClassVar[int]
    GAME_ID_FIELD_NUMBER: _ClassVar[int]
    number: int
    title: str
    seats: _containers.RepeatedScalarFieldContainer[str]
    table_id: str
    game_id: str
    def __init__(self, number: _Optional[int] = ..., title: _Optional[str] = ..., seats: _Optional[_Iterable[str]] = ..., table_id: _Optional[str] = ..., game_id: _Optional[str] = ...) -> None: ...

class RoundVersion(_message.Message):
    __slots__ = ("round_id", "version")
    ROUND_ID_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    round_id: str
    version: int
    def __init__(self, round_id: _Optional[str] = ..., version: _Optional[int] = ...) -> None: ...

class Award(_message.Message):
    __slots__ = ("player_id", "points")
    PLAYER_ID_FIELD_NUMBER: _ClassVar[int]
    POINTS_FIELD_NUMBER: _ClassVar[int]
    player_id: str
    points: int
    def __init__(self, player_id: _Optional[str] = ..., points: _Optional[int] = ...) -> None: ...

class MoneyTransfer(_message.Message):
    __slots__ = ("source", "target", "amount", "subject")
    SOURCE_FIELD_NUMBER: _ClassVar[int]
    TARGET_FIELD_NUMBER: _ClassVar[int]
    AMOUNT_FIELD_NUMBER: _ClassVar[int]
    SUBJECT_FIELD_NUMBER: _ClassVar[int]
    source: str
    target: str
    amount: int
    subject: str
    def __init__(self, source: _Optional[str] = ..., target: _Optional[str] = ..., amount: _Optional[int] = ..., subject: _Optional[str] = ...) -> None: ...

class FinalWorth(_message.Message):
    __slots__ = ("player_id", "worth")
    PLAYER_ID_FIELD_NUMBER: _ClassVar[int]
    WORTH_FIELD_NUMBER: _ClassVar[int]
    player_id: str
    worth: int
    def __init__(self, player_id: _Optional[str] = ..., worth: _Optional[int] = ...) -> None: ...
