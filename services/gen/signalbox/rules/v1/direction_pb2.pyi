from services.gen.signalbox.events.v1 import events_pb2 as _events_pb2
from services.gen.signalbox.rules.v1 import command_pb2 as _command_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class Direction(_message.Message):
    __slots__ = ("reason", "confirmed_by", "assign_seat", "suspend", "resume", "roll_back", "act_for_seat", "correct", "end_game")
    REASON_FIELD_NUMBER: _ClassVar[int]
    CONFIRMED_BY_FIELD_NUMBER: _ClassVar[int]
    ASSIGN_SEAT_FIELD_NUMBER: _ClassVar[int]
    SUSPEND_FIELD_NUMBER: _ClassVar[int]
    RESUME_FIELD_NUMBER: _ClassVar[int]
    ROLL_BACK_FIELD_NUMBER: _ClassVar[int]
    ACT_FOR_SEAT_FIELD_NUMBER: _ClassVar[int]
    CORRECT_FIELD_NUMBER: _ClassVar[int]
    END_GAME_FIELD_NUMBER: _ClassVar[int]
    reason: str
    confirmed_by: str
    assign_seat: AssignSeat
    suspend: Suspend
    resume: Resume
    roll_back: RollBack
    act_for_seat: ActForSeat
    correct: Correct
    end_game: EndGame
    def __init__(self, reason: _Optional[str] = ..., confirmed_by: _Optional[str] = ..., assign_seat: _Optional[_Union[AssignSeat, _Mapping]] = ..., suspend: _Optional[_Union[Suspend, _Mapping]] = ..., resume: _Optional[_Union[Resume, _Mapping]] = ..., roll_back: _Optional[_Union[RollBack, _Mapping]] = ..., act_for_seat: _Optional[_Union[ActForSeat, _Mapping]] = ..., correct: _Optional[_Union[Correct, _Mapping]] = ..., end_game: _Optional[_Union[EndGame, _Mapping]] = ...) -> None: ...

class AssignSeat(_message.Message):
    __slots__ = ("seat", "bearer", "kind")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    BEARER_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    seat: str
    bearer: str
    kind: _events_pb2.BearerKind
    def __init__(self, seat: _Optional[str] = ..., bearer: _Optional[str] = ..., kind: _Optional[_Union[_events_pb2.BearerKind, str]] = ...) -> None: ...

class Suspend(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class Resume(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class RollBack(_message.Message):
    __slots__ = ("to_sequence",)
    TO_SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    to_sequence: int
    def __init__(self, to_sequence: _Optional[int] = ...) -> None: ...

class ActForSeat(_message.Message):
    __slots__ = ("seat", "command", "least")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    COMMAND_FIELD_NUMBER: _ClassVar[int]
    LEAST_FIELD_NUMBER: _ClassVar[int]
    seat: str
    command: _command_pb2.Command
    least: bool
    def __init__(self, seat: _Optional[str] = ..., command: _Optional[_Union[_command_pb2.Command, _Mapping]] = ..., least: _Optional[bool] = ...) -> None: ...

class Correct(_message.Message):
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

class EndGame(_message.Message):
    __slots__ = ("scores",)
    SCORES_FIELD_NUMBER: _ClassVar[int]
    scores: _containers.RepeatedCompositeFieldContainer[_events_pb2.Score]
    def __init__(self, scores: _Optional[_Iterable[_Union[_events_pb2.Score, _Mapping]]] = ...) -> None: ...
