from services.gen.signalbox.lobby.v1 import rejection_pb2 as _rejection_pb2
from services.gen.signalbox.lobby.v1 import tournament_pb2 as _tournament_pb2
from services.gen.signalbox.lobby.v1 import tournament_round_pb2 as _tournament_round_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class CreateTournamentRequest(_message.Message):
    __slots__ = ("request_id", "charter")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    CHARTER_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    charter: str
    def __init__(self, request_id: _Optional[str] = ..., charter: _Optional[str] = ...) -> None: ...

class CreateTournamentResponse(_message.Message):
    __slots__ = ("tournament", "rejected")
    TOURNAMENT_FIELD_NUMBER: _ClassVar[int]
    REJECTED_FIELD_NUMBER: _ClassVar[int]
    tournament: _tournament_pb2.Tournament
    rejected: _rejection_pb2.Rejection
    def __init__(self, tournament: _Optional[_Union[_tournament_pb2.Tournament, _Mapping]] = ..., rejected: _Optional[_Union[_rejection_pb2.Rejection, _Mapping]] = ...) -> None: ...

class AmendCharterRequest(_message.Message):
    __slots__ = ("request_id", "tournament_id", "charter", "charter_version", "reason")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    TOURNAMENT_ID_FIELD_NUMBER: _ClassVar[int]
    CHARTER_FIELD_NUMBER: _ClassVar[int]
    CHARTER_VERSION_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    tournament_id: str
    charter: str
    charter_version: int
    reason: str
    def __init__(self, request_id: _Optional[str] = ..., tournament_id: _Optional[str] = ..., charter: _Optional[str] = ..., charter_version: _Optional[int] = ..., reason: _Optional[str] = ...) -> None: ...

class AmendCharterResponse(_message.Message):
    __slots__ = ("tournament", "rejected")
    TOURNAMENT_FIELD_NUMBER: _ClassVar[int]
    REJECTED_FIELD_NUMBER: _ClassVar[int]
    tournament: _tournament_pb2.Tournament
    rejected: _rejection_pb2.Rejection
    def __init__(self, tournament: _Optional[_Union[_tournament_pb2.Tournament, _Mapping]] = ..., rejected: _Optional[_Union[_rejection_pb2.Rejection, _Mapping]] = ...) -> None: ...

class SetRoleRequest(_message.Message):
    __slots__ = ("request_id", "tournament_id", "player_id", "role", "is_given")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    TOURNAMENT_ID_FIELD_NUMBER: _ClassVar[int]
    PLAYER_ID_FIELD_NUMBER: _ClassVar[int]
    ROLE_FIELD_NUMBER: _ClassVar[int]
    IS_GIVEN_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    tournament_id: str
    player_id: str
    role: _tournament_pb2.TournamentRole
    is_given: bool
    def __init__(self, request_id: _Optional[str] = ..., tournament_id: _Optional[str] = ..., player_id: _Optional[str] = ..., role: _Optional[_Union[_tournament_pb2.TournamentRole, str]] = ..., is_given: _Optional[bool] = ...) -> None: ...

class SetRoleResponse(_message.Message):
    __slots__ = ("tournament", "rejected")
    TOURNAMENT_FIELD_NUMBER: _ClassVar[int]
    REJECTED_FIELD_NUMBER: _ClassVar[int]
    tournament: _tournament_pb2.Tournament
    rejected: _rejection_pb2.Rejection
    def __init__(self, tournament: _Optional[_Union[_tournament_pb2.Tournament, _Mapping]] = ..., rejected: _Optional[_Union[_rejection_pb2.Rejection, _Mapping]] = ...) -> None: ...

class SetEntriesRequest(_message.Message):
    __slots__ = ("request_id", "tournament_id", "are_open")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    TOURNAMENT_ID_FIELD_NUMBER: _ClassVar[int]
    ARE_OPEN_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    tournament_id: str
    are_open: bool
    def __init__(self, request_id: _Optional[str] = ..., tournament_id: _Optional[str] = ..., are_open: _Optional[bool] = ...) -> None: ...

class SetEntriesResponse(_message.Message):
    __slots__ = ("tournament", "rejected")
    TOURNAMENT_FIELD_NUMBER: _ClassVar[int]
    REJECTED_FIELD_NUMBER: _ClassVar[int]
    tournament: _tournament_pb2.Tournament
    rejected: _rejection_pb2.Rejection
    def __init__(self, tournament: _Optional[_Union[_tournament_pb2.Tournament, _Mapping]] = ..., rejected: _Optional[_Union[_rejection_pb2.Rejection, _Mapping]] = ...) -> None: ...

class AdmitEntryRequest(_message.Message):
    __slots__ = ("request_id", "tournament_id", "player_id")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    TOURNAMENT_ID_FIELD_NUMBER: _ClassVar[int]
    PLAYER_ID_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    tournament_id: str
    player_id: str
    def __init__(self, request_id: _Optional[str] = ..., tournament_id: _Optional[str] = ..., player_id: _Optional[str] = ...) -> None: ...

class AdmitEntryResponse(_message.Message):
    __slots__ = ("tournament", "rejected")
    TOURNAMENT_FIELD_NUMBER: _ClassVar[int]
    REJECTED_FIELD_NUMBER: _ClassVar[int]
    tournament: _tournament_pb2.Tournament
    rejected: _rejection_pb2.Rejection
    def __init__(self, tournament: _Optional[_Union[_tournament_pb2.Tournament, _Mapping]] = ..., rejected: _Optional[_Union[_rejection_pb2.Rejection, _Mapping]] = ...) -> None: ...

class RemoveEntryRequest(_message.Message):
    __slots__ = ("request_id", "tournament_id", "player_id", "reason")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    TOURNAMENT_ID_FIELD_NUMBER: _ClassVar[int]
    PLAYER_ID_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    tournament_id: str
    player_id: str
    reason: str
    def __init__(self, request_id: _Optional[str] = ..., tournament_id: _Optional[str] = ..., player_id: _Optional[str] = ..., reason: _Optional[str] = ...) -> None: ...

class RemoveEntryResponse(_message.Message):
    __slots__ = ("tournament", "rejected")
    TOURNAMENT_FIELD_NUMBER: _ClassVar[int]
    REJECTED_FIELD_NUMBER: _ClassVar[int]
    tournament: _tournament_pb2.Tournament
    rejected: _rejection_pb2.Rejection
    def __init__(self, tournament: _Optional[_Union[_tournament_pb2.Tournament, _Mapping]] = ..., rejected: _Optional[_Union[_rejection_pb2.Rejection, _Mapping]] = ...) -> None: ...

class OpenCheckInRequest(_message.Message):
    __slots__ = ("request_id", "tournament_id", "number", "until_time_ms")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    TOURNAMENT_ID_FIELD_NUMBER: _ClassVar[int]
    NUMBER_FIELD_NUMBER: _ClassVar[int]
    UNTIL_TIME_MS_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    tournament_id: str
    number: int
    until_time_ms: int
    def __init__(self, request_id: _Optional[str] = ..., tournament_id: _Optional[str] = ..., number: _Optional[int] = ..., until_time_ms: _Optional[int] = ...) -> None: ...

class OpenCheckInResponse(_message.Message):
    __slots__ = ("tournament", "rejected")
    TOURNAMENT_FIELD_NUMBER: _ClassVar[int]
    REJECTED_FIELD_NUMBER: _ClassVar[int]
    tournament: _tournament_pb2.Tournament
    rejected: _rejection_pb2.Rejection
    def __init__(self, tournament: _Optional[_Union[_tournament_pb2.Tournament, _Mapping]] = ..., rejected: _Optional[_Union[_rejection_pb2.Rejection, _Mapping]] = ...) -> None: ...

class PostAnnouncementRequest(_message.Message):
    __slots__ = ("request_id", "tournament_id", "text")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    TOURNAMENT_ID_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    tournament_id: str
    text: str
    def __init__(self, request_id: _Optional[str] = ..., tournament_id: _Optional[str] = ..., text: _Optional[str] = ...) -> None: ...

class PostAnnouncementResponse(_message.Message):
    __slots__ = ("tournament", "rejected")
    TOURNAMENT_FIELD_NUMBER: _ClassVar[int]
    REJECTED_FIELD_NUMBER: _ClassVar[int]
    tournament: _tournament_pb2.Tournament
    rejected: _rejection_pb2.Rejection
    def __init__(self, tournament: _Optional[_Union[_tournament_pb2.Tournament, _Mapping]] = ..., rejected: _Optional[_Union[_rejection_pb2.Rejection, _Mapping]] = ...) -> None: ...

class GivePenaltyRequest(_message.Message):
    __slots__ = ("request_id", "tournament_id", "player_id", "points", "reason")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    TOURNAMENT_ID_FIELD_NUMBER: _ClassVar[int]
    PLAYER_ID_FIELD_NUMBER: _ClassVar[int]
    POINTS_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    tournament_id: str
    player_id: str
    points: int
    reason: str
    def __init__(self, request_id: _Optional[str] = ..., tournament_id: _Optional[str] = ..., player_id: _Optional[str] = ..., points: _Optional[int] = ..., reason: _Optional[str] = ...) -> None: ...

class GivePenaltyResponse(_message.Message):
    __slots__ = ("tournament", "rejected")
    TOURNAMENT_FIELD_NUMBER: _ClassVar[int]
    REJECTED_FIELD_NUMBER: _ClassVar[int]
    tournament: _tournament_pb2.Tournament
    rejected: _rejection_pb2.Rejection
    def __init__(self, tournament: _Optional[_Union[_tournament_pb2.Tournament, _Mapping]] = ..., rejected: _Optional[_Union[_rejection_pb2.Rejection, _Mapping]] = ...) -> None: ...

class StartStageRequest(_message.Message):
    __slots__ = ("request_id", "tournament_id")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    TOURNAMENT_ID_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    tournament_id: str
    def __init__(self, request_id: _Optional[str] = ..., tournament_id: _Optional[str] = ...) -> None: ...

class StartStageResponse(_message.Message):
    __slots__ = ("tournament", "rejected")
    TOURNAMENT_FIELD_NUMBER: _ClassVar[int]
    REJECTED_FIELD_NUMBER: _ClassVar[int]
    tournament: _tournament_pb2.Tournament
    rejected: _rejection_pb2.Rejection
    def __init__(self, tournament: _Optional[_Union[_tournament_pb2.Tournament, _Mapping]] = ..., rejected: _Optional[_Union[_rejection_pb2.Rejection, _Mapping]] = ...) -> None: ...

class FinishStageRequest(_message.Message):
    __slots__ = ("request_id", "tournament_id")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    TOURNAMENT_ID_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    tournament_id: str
    def __init__(self, request_id: _Optional[str] = ..., tournament_id: _Optional[str] = ...) -> None: ...

class FinishStageResponse(_message.Message):
    __slots__ = ("tournament", "rejected")
    TOURNAMENT_FIELD_NUMBER: _ClassVar[int]
    REJECTED_FIELD_NUMBER: _ClassVar[int]
    tournament: _tournament_pb2.Tournament
    rejected: _rejection_pb2.Rejection
    def __init__(self, tournament: _Optional[_Union[_tournament_pb2.Tournament, _Mapping]] = ..., rejected: _Optional[_Union[_rejection_pb2.Rejection, _Mapping]] = ...) -> None: ...

class ProposeRoundRequest(_message.Message):
    __slots__ = ("request_id", "tournament_id")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    TOURNAMENT_ID_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    tournament_id: str
    def __init__(self, request_id: _Optional[str] = ..., tournament_id: _Optional[str] = ...) -> None: ...

class ProposeRoundResponse(_message.Message):
    __slots__ = ("round", "rejected")
    ROUND_FIELD_NUMBER: _ClassVar[int]
    REJECTED_FIELD_NUMBER: _ClassVar[int]
    round: _tournament_round_pb2.Round
    rejected: _rejection_pb2.Rejection
    def __init__(self, round: _Optional[_Union[_tournament_round_pb2.Round, _Mapping]] = ..., rejected: _Optional[_Union[_rejection_pb2.Rejection, _Mapping]] = ...) -> None: ...

class OverrideRoundRequest(_message.Message):
    __slots__ = ("request_id", "round_id", "tables", "reason")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    ROUND_ID_FIELD_NUMBER: _ClassVar[int]
    TABLES_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    round_id: str
    tables: _containers.RepeatedCompositeFieldContainer[TableOverride]
    reason: str
    def __init__(self, request_id: _Optional[str] = ..., round_id: _Optional[str] = ..., tables: _Optional[_Iterable[_Union[TableOverride, _Mapping]]] = ..., reason: _Optional[str] = ...) -> None: ...

class OverrideRoundResponse(_message.Message):
    __slots__ = ("round", "rejected")
    ROUND_FIELD_NUMBER: _ClassVar[int]
    REJECTED_FIELD_NUMBER: _ClassVar[int]
    round: _tournament_round_pb2.Round
    rejected: _rejection_pb2.Rejection
    def __init__(self, round: _Optional[_Union[_tournament_round_pb2.Round, _Mapping]] = ..., rejected: _Optional[_Union[_rejection_pb2.Rejection, _Mapping]] = ...) -> None: ...

class PreviewOverrideRequest(_message.Message):
    __slots__ = ("round_id", "tables")
    ROUND_ID_FIELD_NUMBER: _ClassVar[int]
    TABLES_FIELD_NUMBER: _ClassVar[int]
    round_id: str
    tables: _containers.RepeatedCompositeFieldContainer[TableOverride]
    def __init__(self, round_id: _Optional[str] = ..., tables: _Optional[_Iterable[_Union[TableOverride, _Mapping]]] = ...) -> None: ...

class PreviewOverrideResponse(_message.Message):
    __slots__ = ("proposal", "rejected")
    PROPOSAL_FIELD_NUMBER: _ClassVar[int]
    REJECTED_FIELD_NUMBER: _ClassVar[int]
    proposal: str
    rejected: _rejection_pb2.Rejection
    def __init__(self, proposal: _Optional[str] = ..., rejected: _Optional[_Union[_rejection_pb2.Rejection, _Mapping]] = ...) -> None: ...

class TableOverride(_message.Message):
    __slots__ = ("title", "seats")
    TITLE_FIELD_NUMBER: _ClassVar[int]
    SEATS_FIELD_NUMBER: _ClassVar[int]
    title: str
    seats: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, title: _Optional[str] = ..., seats: _Optional[_Iterable[str]] = ...) -> None: ...

class PublishRoundRequest(_message.Message):
    __slots__ = ("request_id", "round_id", "publish_time_ms")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    ROUND_ID_FIELD_NUMBER: _ClassVar[int]
    PUBLISH_TIME_MS_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    round_id: str
    publish_time_ms: int
    def __init__(self, request_id: _Optional[str] = ..., round_id: _Optional[str] = ..., publish_time_ms: _Optional[int] = ...) -> None: ...

class PublishRoundResponse(_message.Message):
    __slots__ = ("round", "rejected")
    ROUND_FIELD_NUMBER: _ClassVar[int]
    REJECTED_FIELD_NUMBER: _ClassVar[int]
    round: _tournament_round_pb2.Round
    rejected: _rejection_pb2.Rejection
    def __init__(self, round: _Optional[_Union[_tournament_round_pb2.Round, _Mapping]] = ..., rejected: _Optional[_Union[_rejection_pb2.Rejection, _Mapping]] = ...) -> None: ...

class RecordNoShowRequest(_message.Message):
    __slots__ = ("request_id", "round_id", "table", "player_id", "reason")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    ROUND_ID_FIELD_NUMBER: _ClassVar[int]
    TABLE_FIELD_NUMBER: _ClassVar[int]
    PLAYER_ID_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    round_id: str
    table: int
    player_id: str
    reason: str
    def __init__(self, request_id: _Optional[str] = ..., round_id: _Optional[str] = ..., table: _Optional[int] = ..., player_id: _Optional[str] = ..., reason: _Optional[str] = ...) -> None: ...

class RecordNoShowResponse(_message.Message):
    __slots__ = ("round", "rejected")
    ROUND_FIELD_NUMBER: _ClassVar[int]
    REJECTED_FIELD_NUMBER: _ClassVar[int]
    round: _tournament_round_pb2.Round
    rejected: _rejection_pb2.Rejection
    def __init__(self, round: _Optional[_Union[_tournament_round_pb2.Round, _Mapping]] = ..., rejected: _Optional[_Union[_rejection_pb2.Rejection, _Mapping]] = ...) -> None: ...

class WithdrawNoShowRequest(_message.Message):
    __slots__ = ("request_id", "round_id", "table", "player_id", "reason")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    ROUND_ID_FIELD_NUMBER: _ClassVar[int]
    TABLE_FIELD_NUMBER: _ClassVar[int]
    PLAYER_ID_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    round_id: str
    table: int
    player_id: str
    reason: str
    def __init__(self, request_id: _Optional[str] = ..., round_id: _Optional[str] = ..., table: _Optional[int] = ..., player_id: _Optional[str] = ..., reason: _Optional[str] = ...) -> None: ...

class WithdrawNoShowResponse(_message.Message):
    __slots__ = ("round", "rejected")
    ROUND_FIELD_NUMBER: _ClassVar[int]
    REJECTED_FIELD_NUMBER: _ClassVar[int]
    round: _tournament_round_pb2.Round
    rejected: _rejection_pb2.Rejection
    def __init__(self, round: _Optional[_Union[_tournament_round_pb2.Round, _Mapping]] = ..., rejected: _Optional[_Union[_rejection_pb2.Rejection, _Mapping]] = ...) -> None: ...

class RecordSubstitutionRequest(_message.Message):
    __slots__ = ("request_id", "round_id", "table", "player_id", "substitute_id", "substitute_turns", "turns", "reason", "is_bot")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    ROUND_ID_FIELD_NUMBER: _ClassVar[int]
    TABLE_FIELD_NUMBER: _ClassVar[int]
    PLAYER_ID_FIELD_NUMBER: _ClassVar[int]
    SUBSTITUTE_ID_FIELD_NUMBER: _ClassVar[int]
    SUBSTITUTE_TURNS_FIELD_NUMBER: _ClassVar[int]
    TURNS_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    IS_BOT_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    round_id: str
    table: int
    player_id: str
    substitute_id: str
    substitute_turns: int
    turns: int
    reason: str
    is_bot: bool
    def __init__(self, request_id: _Optional[str] = ..., round_id: _Optional[str] = ..., table: _Optional[int] = ..., player_id: _Optional[str] = ..., substitute_id: _Optional[str] = ..., substitute_turns: _Optional[int] = ..., turns: _Optional[int] = ..., reason: _Optional[str] = ..., is_bot: _Optional[bool] = ...) -> None: ...

class RecordSubstitutionResponse(_message.Message):
    __slots__ = ("round", "rejected")
    ROUND_FIELD_NUMBER: _ClassVar[int]
    REJECTED_FIELD_NUMBER: _ClassVar[int]
    round: _tournament_round_pb2.Round
    rejected: _rejection_pb2.Rejection
    def __init__(self, round: _Optional[_Union[_tournament_round_pb2.Round, _Mapping]] = ..., rejected: _Optional[_Union[_rejection_pb2.Rejection, _Mapping]] = ...) -> None: ...

class WithdrawSubstitutionRequest(_message.Message):
    __slots__ = ("request_id", "round_id", "table", "player_id", "substitute_id", "reason")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    ROUND_ID_FIELD_NUMBER: _ClassVar[int]
    TABLE_FIELD_NUMBER: _ClassVar[int]
    PLAYER_ID_FIELD_NUMBER: _ClassVar[int]
    SUBSTITUTE_ID_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    round_id: str
    table: int
    player_id: str
    substitute_id: str
    reason: str
    def __init__(self, request_id: _Optional[str] = ..., round_id: _Optional[str] = ..., table: _Optional[int] = ..., player_id: _Optional[str] = ..., substitute_id: _Optional[str] = ..., reason: _Optional[str] = ...) -> None: ...

class WithdrawSubstitutionResponse(_message.Message):
    __slots__ = ("round", "rejected")
    ROUND_FIELD_NUMBER: _ClassVar[int]
    REJECTED_FIELD_NUMBER: _ClassVar[int]
    round: _tournament_round_pb2.Round
    rejected: _rejection_pb2.Rejection
    def __init__(self, round: _Optional[_Union[_tournament_round_pb2.Round, _Mapping]] = ..., rejected: _Optional[_Union[_rejection_pb2.Rejection, _Mapping]] = ...) -> None: ...

class AdjudicateRequest(_message.Message):
    __slots__ = ("request_id", "round_id", "table", "kind", "awards", "sequence", "reason", "transfer", "worths", "expected_sequence")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    ROUND_ID_FIELD_NUMBER: _ClassVar[int]
    TABLE_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    AWARDS_FIELD_NUMBER: _ClassVar[int]
    SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    TRANSFER_FIELD_NUMBER: _ClassVar[int]
    WORTHS_FIELD_NUMBER: _ClassVar[int]
    EXPECTED_SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    round_id: str
    table: int
    kind: _tournament_pb2.AdjudicationKind
    awards: _containers.RepeatedCompositeFieldContainer[_tournament_pb2.Award]
    sequence: int
    reason: str
    transfer: _tournament_pb2.MoneyTransfer
    worths: _containers.RepeatedCompositeFieldContainer[_tournament_pb2.FinalWorth]
    expected_sequence: int
    def __init__(self, request_id: _Optional[str] = ..., round_id: _Optional[str] = ..., table: _Optional[int] = ..., kind: _Optional[_Union[_tournament_pb2.AdjudicationKind, str]] = ..., awards: _Optional[_Iterable[_Union[_tournament_pb2.Award, _Mapping]]] = ..., sequence: _Optional[int] = ..., reason: _Optional[str] = ..., transfer: _Optional[_Union[_tournament_pb2.MoneyTransfer, _Mapping]] = ..., worths: _Optional[_Iterable[_Union[_tournament_pb2.FinalWorth, _Mapping]]] = ..., expected_sequence: _Optional[int] = ...) -> None: ...

class AdjudicateResponse(_message.Message):
    __slots__ = ("round", "rejected")
    ROUND_FIELD_NUMBER: _ClassVar[int]
    REJECTED_FIELD_NUMBER: _ClassVar[int]
    round: _tournament_round_pb2.Round
    rejected: _rejection_pb2.Rejection
    def __init__(self, round: _Optional[_Union[_tournament_round_pb2.Round, _Mapping]] = ..., rejected: _Optional[_Union[_rejection_pb2.Rejection, _Mapping]] = ...) -> None: ...

class ConfirmAdjudicationRequest(_message.Message):
    __slots__ = ("request_id", "round_id", "table", "adjudication")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    ROUND_ID_FIELD_NUMBER: _ClassVar[int]
    TABLE_FIELD_NUMBER: _ClassVar[int]
    ADJUDICATION_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    round_id: str
    table: int
    adjudication: int
    def __init__(self, request_id: _Optional[str] = ..., round_id: _Optional[str] = ..., table: _Optional[int] = ..., adjudication: _Optional[int] = ...) -> None: ...

class ConfirmAdjudicationResponse(_message.Message):
    __slots__ = ("round", "rejected")
    ROUND_FIELD_NUMBER: _ClassVar[int]
    REJECTED_FIELD_NUMBER: _ClassVar[int]
    round: _tournament_round_pb2.Round
    rejected: _rejection_pb2.Rejection
    def __init__(self, round: _Optional[_Union[_tournament_round_pb2.Round, _Mapping]] = ..., rejected: _Optional[_Union[_rejection_pb2.Rejection, _Mapping]] = ...) -> None: ...

class DecideAppealRequest(_message.Message):
    __slots__ = ("request_id", "round_id", "table", "is_upheld", "reason", "adjudication")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    ROUND_ID_FIELD_NUMBER: _ClassVar[int]
    TABLE_FIELD_NUMBER: _ClassVar[int]
    IS_UPHELD_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    ADJUDICATION_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    round_id: str
    table: int
    is_upheld: bool
    reason: str
    adjudication: int
    def __init__(self, request_id: _Optional[str] = ..., round_id: _Optional[str] = ..., table: _Optional[int] = ..., is_upheld: _Optional[bool] = ..., reason: _Optional[str] = ..., adjudication: _Optional[int] = ...) -> None: ...

class DecideAppealResponse(_message.Message):
    __slots__ = ("round", "rejected")
    ROUND_FIELD_NUMBER: _ClassVar[int]
    REJECTED_FIELD_NUMBER: _ClassVar[int]
    round: _tournament_round_pb2.Round
    rejected: _rejection_pb2.Rejection
    def __init__(self, round: _Optional[_Union[_tournament_round_pb2.Round, _Mapping]] = ..., rejected: _Optional[_Union[_rejection_pb2.Rejection, _Mapping]] = ...) -> None: ...

class GetEvidenceRequest(_message.Message):
    __slots__ = ("round_id", "table", "run_count")
    ROUND_ID_FIELD_NUMBER: _ClassVar[int]
    TABLE_FIELD_NUMBER: _ClassVar[int]
    RUN_COUNT_FIELD_NUMBER: _ClassVar[int]
    round_id: str
    table: int
    run_count: int
    def __init__(self, round_id: _Optional[str] = ..., table: _Optional[int] = ..., run_count: _Optional[int] = ...) -> None: ...

class GetEvidenceResponse(_message.Message):
    __slots__ = ("game_id", "sequence", "round_kind", "phase", "ending", "seats", "dividends", "does_order_change")
    GAME_ID_FIELD_NUMBER: _ClassVar[int]
    SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    ROUND_KIND_FIELD_NUMBER: _ClassVar[int]
    PHASE_FIELD_NUMBER: _ClassVar[int]
    ENDING_FIELD_NUMBER: _ClassVar[int]
    SEATS_FIELD_NUMBER: _ClassVar[int]
    DIVIDENDS_FIELD_NUMBER: _ClassVar[int]
    DOES_ORDER_CHANGE_FIELD_NUMBER: _ClassVar[int]
    game_id: str
    sequence: int
    round_kind: str
    phase: str
    ending: str
    seats: _containers.RepeatedCompositeFieldContainer[SeatEvidence]
    dividends: _containers.RepeatedCompositeFieldContainer[LastDividend]
    does_order_change: bool
    def __init__(self, game_id: _Optional[str] = ..., sequence: _Optional[int] = ..., round_kind: _Optional[str] = ..., phase: _Optional[str] = ..., ending: _Optional[str] = ..., seats: _Optional[_Iterable[_Union[SeatEvidence, _Mapping]]] = ..., dividends: _Optional[_Iterable[_Union[LastDividend, _Mapping]]] = ..., does_order_change: _Optional[bool] = ...) -> None: ...

class LastDividend(_message.Message):
    __slots__ = ("company", "kind", "revenue", "per_share", "sequence")
    COMPANY_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    REVENUE_FIELD_NUMBER: _ClassVar[int]
    PER_SHARE_FIELD_NUMBER: _ClassVar[int]
    SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    company: str
    kind: str
    revenue: int
    per_share: int
    sequence: int
    def __init__(self, company: _Optional[str] = ..., kind: _Optional[str] = ..., revenue: _Optional[int] = ..., per_share: _Optional[int] = ..., sequence: _Optional[int] = ...) -> None: ...

class SeatEvidence(_message.Message):
    __slots__ = ("player_id", "used_ms", "waiting_ms", "overdue_count", "worth", "forecast_worth")
    PLAYER_ID_FIELD_NUMBER: _ClassVar[int]
    USED_MS_FIELD_NUMBER: _ClassVar[int]
    WAITING_MS_FIELD_NUMBER: _ClassVar[int]
    OVERDUE_COUNT_FIELD_NUMBER: _ClassVar[int]
    WORTH_FIELD_NUMBER: _ClassVar[int]
    FORECAST_WORTH_FIELD_NUMBER: _ClassVar[int]
    player_id: str
    used_ms: int
    waiting_ms: int
    overdue_count: int
    worth: int
    forecast_worth: int
    def __init__(self, player_id: _Optional[str] = ..., used_ms: _Optional[int] = ..., waiting_ms: _Optional[int] = ..., overdue_count: _Optional[int] = ..., worth: _Optional[int] = ..., forecast_worth: _Optional[int] = ...) -> None: ...
