from services.gen.signalbox.lobby.v1 import player_pb2 as _player_pb2
from services.gen.signalbox.lobby.v1 import tournament_pb2 as _tournament_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class Round(_message.Message):
    __slots__ = ("round_id", "tournament_id", "stage", "number", "version", "is_published", "publish_time_ms", "problem_digest", "proposal_digest", "proposal", "main_tables", "tables", "byes", "are_tables_made", "withdrawn")
    ROUND_ID_FIELD_NUMBER: _ClassVar[int]
    TOURNAMENT_ID_FIELD_NUMBER: _ClassVar[int]
    STAGE_FIELD_NUMBER: _ClassVar[int]
    NUMBER_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    IS_PUBLISHED_FIELD_NUMBER: _ClassVar[int]
    PUBLISH_TIME_MS_FIELD_NUMBER: _ClassVar[int]
    PROBLEM_DIGEST_FIELD_NUMBER: _ClassVar[int]
    PROPOSAL_DIGEST_FIELD_NUMBER: _ClassVar[int]
    PROPOSAL_FIELD_NUMBER: _ClassVar[int]
    MAIN_TABLES_FIELD_NUMBER: _ClassVar[int]
    TABLES_FIELD_NUMBER: _ClassVar[int]
    BYES_FIELD_NUMBER: _ClassVar[int]
    ARE_TABLES_MADE_FIELD_NUMBER: _ClassVar[int]
    WITHDRAWN_FIELD_NUMBER: _ClassVar[int]
    round_id: str
    tournament_id: str
    stage: int
    number: int
    version: int
    is_published: bool
    publish_time_ms: int
    problem_digest: str
    proposal_digest: str
    proposal: str
    main_tables: int
    tables: _containers.RepeatedCompositeFieldContainer[RoundTableState]
    byes: _containers.RepeatedScalarFieldContainer[str]
    are_tables_made: bool
    withdrawn: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, round_id: _Optional[str] = ..., tournament_id: _Optional[str] = ..., stage: _Optional[int] = ..., number: _Optional[int] = ..., version: _Optional[int] = ..., is_published: _Optional[bool] = ..., publish_time_ms: _Optional[int] = ..., problem_digest: _Optional[str] = ..., proposal_digest: _Optional[str] = ..., proposal: _Optional[str] = ..., main_tables: _Optional[int] = ..., tables: _Optional[_Iterable[_Union[RoundTableState, _Mapping]]] = ..., byes: _Optional[_Iterable[str]] = ..., are_tables_made: _Optional[bool] = ..., withdrawn: _Optional[_Iterable[str]] = ...) -> None: ...

class RoundTableState(_message.Message):
    __slots__ = ("table", "is_settled", "result", "is_verified", "reported", "no_shows", "substitutions", "adjudications")
    TABLE_FIELD_NUMBER: _ClassVar[int]
    IS_SETTLED_FIELD_NUMBER: _ClassVar[int]
    RESULT_FIELD_NUMBER: _ClassVar[int]
    IS_VERIFIED_FIELD_NUMBER: _ClassVar[int]
    REPORTED_FIELD_NUMBER: _ClassVar[int]
    NO_SHOWS_FIELD_NUMBER: _ClassVar[int]
    SUBSTITUTIONS_FIELD_NUMBER: _ClassVar[int]
    ADJUDICATIONS_FIELD_NUMBER: _ClassVar[int]
    table: _tournament_pb2.RoundTable
    is_settled: bool
    result: _tournament_pb2.TableResult
    is_verified: bool
    reported: _tournament_pb2.TableResult
    no_shows: _containers.RepeatedCompositeFieldContainer[NoShow]
    substitutions: _containers.RepeatedCompositeFieldContainer[Substitution]
    adjudications: _containers.RepeatedCompositeFieldContainer[Adjudication]
    def __init__(self, table: _Optional[_Union[_tournament_pb2.RoundTable, _Mapping]] = ..., is_settled: _Optional[bool] = ..., result: _Optional[_Union[_tournament_pb2.TableResult, _Mapping]] = ..., is_verified: _Optional[bool] = ..., reported: _Optional[_Union[_tournament_pb2.TableResult, _Mapping]] = ..., no_shows: _Optional[_Iterable[_Union[NoShow, _Mapping]]] = ..., substitutions: _Optional[_Iterable[_Union[Substitution, _Mapping]]] = ..., adjudications: _Optional[_Iterable[_Union[Adjudication, _Mapping]]] = ...) -> None: ...

class NoShow(_message.Message):
    __slots__ = ("player_id", "reason", "author", "time_ms")
    PLAYER_ID_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    AUTHOR_FIELD_NUMBER: _ClassVar[int]
    TIME_MS_FIELD_NUMBER: _ClassVar[int]
    player_id: str
    reason: str
    author: str
    time_ms: int
    def __init__(self, player_id: _Optional[str] = ..., reason: _Optional[str] = ..., author: _Optional[str] = ..., time_ms: _Optional[int] = ...) -> None: ...

class Substitution(_message.Message):
    __slots__ = ("player_id", "substitute", "substitute_turns", "turns", "reason", "author", "time_ms")
    PLAYER_ID_FIELD_NUMBER: _ClassVar[int]
    SUBSTITUTE_FIELD_NUMBER: _ClassVar[int]
    SUBSTITUTE_TURNS_FIELD_NUMBER: _ClassVar[int]
    TURNS_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    AUTHOR_FIELD_NUMBER: _ClassVar[int]
    TIME_MS_FIELD_NUMBER: _ClassVar[int]
    player_id: str
    substitute: _player_pb2.Player
    substitute_turns: int
    turns: int
    reason: str
    author: str
    time_ms: int
    def __init__(self, player_id: _Optional[str] = ..., substitute: _Optional[_Union[_player_pb2.Player, _Mapping]] = ..., substitute_turns: _Optional[int] = ..., turns: _Optional[int] = ..., reason: _Optional[str] = ..., author: _Optional[str] = ..., time_ms: _Optional[int] = ...) -> None: ...

class Adjudication(_message.Message):
    __slots__ = ("kind", "awards", "sequence", "reason", "author", "time_ms", "needs_second", "confirmed_by", "counts", "appeal", "transfer", "worths", "expected_sequence", "confirm_time_ms")
    KIND_FIELD_NUMBER: _ClassVar[int]
    AWARDS_FIELD_NUMBER: _ClassVar[int]
    SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    AUTHOR_FIELD_NUMBER: _ClassVar[int]
    TIME_MS_FIELD_NUMBER: _ClassVar[int]
    NEEDS_SECOND_FIELD_NUMBER: _ClassVar[int]
    CONFIRMED_BY_FIELD_NUMBER: _ClassVar[int]
    COUNTS_FIELD_NUMBER: _ClassVar[int]
    APPEAL_FIELD_NUMBER: _ClassVar[int]
    TRANSFER_FIELD_NUMBER: _ClassVar[int]
    WORTHS_FIELD_NUMBER: _ClassVar[int]
    EXPECTED_SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    CONFIRM_TIME_MS_FIELD_NUMBER: _ClassVar[int]
    kind: _tournament_pb2.AdjudicationKind
    awards: _containers.RepeatedCompositeFieldContainer[_tournament_pb2.Award]
    sequence: int
    reason: str
    author: str
    time_ms: int
    needs_second: bool
    confirmed_by: str
    counts: bool
    appeal: Appeal
    transfer: _tournament_pb2.MoneyTransfer
    worths: _containers.RepeatedCompositeFieldContainer[_tournament_pb2.FinalWorth]
    expected_sequence: int
    confirm_time_ms: int
    def __init__(self, kind: _Optional[_Union[_tournament_pb2.AdjudicationKind, str]] = ..., awards: _Optional[_Iterable[_Union[_tournament_pb2.Award, _Mapping]]] = ..., sequence: _Optional[int] = ..., reason: _Optional[str] = ..., author: _Optional[str] = ..., time_ms: _Optional[int] = ..., needs_second: _Optional[bool] = ..., confirmed_by: _Optional[str] = ..., counts: _Optional[bool] = ..., appeal: _Optional[_Union[Appeal, _Mapping]] = ..., transfer: _Optional[_Union[_tournament_pb2.MoneyTransfer, _Mapping]] = ..., worths: _Optional[_Iterable[_Union[_tournament_pb2.FinalWorth, _Mapping]]] = ..., expected_sequence: _Optional[int] = ..., confirm_time_ms: _Optional[int] = ...) -> None: ...

class Appeal(_message.Message):
    __slots__ = ("player_id", "text", "time_ms", "is_decided", "is_upheld", "reason", "author")
    PLAYER_ID_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    TIME_MS_FIELD_NUMBER: _ClassVar[int]
    IS_DECIDED_FIELD_NUMBER: _ClassVar[int]
    IS_UPHELD_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    AUTHOR_FIELD_NUMBER: _ClassVar[int]
    player_id: str
    text: str
    time_ms: int
    is_decided: bool
    is_upheld: bool
    reason: str
    author: str
    def __init__(self, player_id: _Optional[str] = ..., text: _Optional[str] = ..., time_ms: _Optional[int] = ..., is_decided: _Optional[bool] = ..., is_upheld: _Optional[bool] = ..., reason: _Optional[str] = ..., author: _Optional[str] = ...) -> None: ...
