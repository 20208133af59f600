from services.gen.signalbox.events.v1 import events_pb2 as _events_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class Rejection(_message.Message):
    __slots__ = ("code", "message", "clause", "retryable", "best_runs")
    CODE_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    CLAUSE_FIELD_NUMBER: _ClassVar[int]
    RETRYABLE_FIELD_NUMBER: _ClassVar[int]
    BEST_RUNS_FIELD_NUMBER: _ClassVar[int]
    code: str
    message: str
    clause: str
    retryable: bool
    best_runs: BestRuns
    def __init__(self, code: _Optional[str] = ..., message: _Optional[str] = ..., clause: _Optional[str] = ..., retryable: _Optional[bool] = ..., best_runs: _Optional[_Union[BestRuns, _Mapping]] = ...) -> None: ...

class BestRuns(_message.Message):
    __slots__ = ("runs", "revenue", "treasury_income", "proven", "upper_bound")
    RUNS_FIELD_NUMBER: _ClassVar[int]
    REVENUE_FIELD_NUMBER: _ClassVar[int]
    TREASURY_INCOME_FIELD_NUMBER: _ClassVar[int]
    PROVEN_FIELD_NUMBER: _ClassVar[int]
    UPPER_BOUND_FIELD_NUMBER: _ClassVar[int]
    runs: _containers.RepeatedCompositeFieldContainer[_events_pb2.Run]
    revenue: int
    treasury_income: int
    proven: bool
    upper_bound: int
    def __init__(self, runs: _Optional[_Iterable[_Union[_events_pb2.Run, _Mapping]]] = ..., revenue: _Optional[int] = ..., treasury_income: _Optional[int] = ..., proven: _Optional[bool] = ..., upper_bound: _Optional[int] = ...) -> None: ...
