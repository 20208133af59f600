from services.gen.signalbox.lobby.v1 import rejection_pb2 as _rejection_pb2
from services.gen.signalbox.lobby.v1 import tournament_series_pb2 as _tournament_series_pb2
from services.gen.signalbox.lobby.v1 import tournaments_service_pb2 as _tournaments_service_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class ListSeriesRequest(_message.Message):
    __slots__ = ("page_size", "page_token")
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    page_size: int
    page_token: str
    def __init__(self, page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListSeriesResponse(_message.Message):
    __slots__ = ("series", "next_page_token")
    SERIES_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    series: _containers.RepeatedCompositeFieldContainer[_tournament_series_pb2.Series]
    next_page_token: str
    def __init__(self, series: _Optional[_Iterable[_Union[_tournament_series_pb2.Series, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class GetSeriesRequest(_message.Message):
    __slots__ = ("series_id",)
    SERIES_ID_FIELD_NUMBER: _ClassVar[int]
    series_id: str
    def __init__(self, series_id: _Optional[str] = ...) -> None: ...

class GetSeriesResponse(_message.Message):
    __slots__ = ("series",)
    SERIES_FIELD_NUMBER: _ClassVar[int]
    series: _tournament_series_pb2.Series
    def __init__(self, series: _Optional[_Union[_tournament_series_pb2.Series, _Mapping]] = ...) -> None: ...

class CreateSeriesRequest(_message.Message):
    __slots__ = ("request_id", "name", "rule", "divisions")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    RULE_FIELD_NUMBER: _ClassVar[int]
    DIVISIONS_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    name: str
    rule: _tournament_series_pb2.SeasonRule
    divisions: _containers.RepeatedCompositeFieldContainer[_tournament_series_pb2.Division]
    def __init__(self, request_id: _Optional[str] = ..., name: _Optional[str] = ..., rule: _Optional[_Union[_tournament_series_pb2.SeasonRule, _Mapping]] = ..., divisions: _Optional[_Iterable[_Union[_tournament_series_pb2.Division, _Mapping]]] = ...) -> None: ...

class CreateSeriesResponse(_message.Message):
    __slots__ = ("series", "rejected")
    SERIES_FIELD_NUMBER: _ClassVar[int]
    REJECTED_FIELD_NUMBER: _ClassVar[int]
    series: _tournament_series_pb2.Series
    rejected: _rejection_pb2.Rejection
    def __init__(self, series: _Optional[_Union[_tournament_series_pb2.Series, _Mapping]] = ..., rejected: _Optional[_Union[_rejection_pb2.Rejection, _Mapping]] = ...) -> None: ...

class JoinSeriesRequest(_message.Message):
    __slots__ = ("request_id", "series_id")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    SERIES_ID_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    series_id: str
    def __init__(self, request_id: _Optional[str] = ..., series_id: _Optional[str] = ...) -> None: ...

class JoinSeriesResponse(_message.Message):
    __slots__ = ("series", "rejected")
    SERIES_FIELD_NUMBER: _ClassVar[int]
    REJECTED_FIELD_NUMBER: _ClassVar[int]
    series: _tournament_series_pb2.Series
    rejected: _rejection_pb2.Rejection
    def __init__(self, series: _Optional[_Union[_tournament_series_pb2.Series, _Mapping]] = ..., rejected: _Optional[_Union[_rejection_pb2.Rejection, _Mapping]] = ...) -> None: ...

class LeaveSeriesRequest(_message.Message):
    __slots__ = ("request_id", "series_id")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    SERIES_ID_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    series_id: str
    def __init__(self, request_id: _Optional[str] = ..., series_id: _Optional[str] = ...) -> None: ...

class LeaveSeriesResponse(_message.Message):
    __slots__ = ("series", "rejected")
    SERIES_FIELD_NUMBER: _ClassVar[int]
    REJECTED_FIELD_NUMBER: _ClassVar[int]
    series: _tournament_series_pb2.Series
    rejected: _rejection_pb2.Rejection
    def __init__(self, series: _Optional[_Union[_tournament_series_pb2.Series, _Mapping]] = ..., rejected: _Optional[_Union[_rejection_pb2.Rejection, _Mapping]] = ...) -> None: ...

class ChangeMembersRequest(_message.Message):
    __slots__ = ("request_id", "series_id", "newcomers", "leaving")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    SERIES_ID_FIELD_NUMBER: _ClassVar[int]
    NEWCOMERS_FIELD_NUMBER: _ClassVar[int]
    LEAVING_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    series_id: str
    newcomers: _containers.RepeatedScalarFieldContainer[str]
    leaving: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, request_id: _Optional[str] = ..., series_id: _Optional[str] = ..., newcomers: _Optional[_Iterable[str]] = ..., leaving: _Optional[_Iterable[str]] = ...) -> None: ...

class ChangeMembersResponse(_message.Message):
    __slots__ = ("series", "rejected")
    SERIES_FIELD_NUMBER: _ClassVar[int]
    REJECTED_FIELD_NUMBER: _ClassVar[int]
    series: _tournament_series_pb2.Series
    rejected: _rejection_pb2.Rejection
    def __init__(self, series: _Optional[_Union[_tournament_series_pb2.Series, _Mapping]] = ..., rejected: _Optional[_Union[_rejection_pb2.Rejection, _Mapping]] = ...) -> None: ...

class OpenSeasonRequest(_message.Message):
    __slots__ = ("request_id", "series_id", "charter")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    SERIES_ID_FIELD_NUMBER: _ClassVar[int]
    CHARTER_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    series_id: str
    charter: str
    def __init__(self, request_id: _Optional[str] = ..., series_id: _Optional[str] = ..., charter: _Optional[str] = ...) -> None: ...

class OpenSeasonResponse(_message.Message):
    __slots__ = ("series", "rejected")
    SERIES_FIELD_NUMBER: _ClassVar[int]
    REJECTED_FIELD_NUMBER: _ClassVar[int]
    series: _tournament_series_pb2.Series
    rejected: _rejection_pb2.Rejection
    def __init__(self, series: _Optional[_Union[_tournament_series_pb2.Series, _Mapping]] = ..., rejected: _Optional[_Union[_rejection_pb2.Rejection, _Mapping]] = ...) -> None: ...

class CloseSeasonRequest(_message.Message):
    __slots__ = ("request_id", "series_id", "newcomers", "leaving")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    SERIES_ID_FIELD_NUMBER: _ClassVar[int]
    NEWCOMERS_FIELD_NUMBER: _ClassVar[int]
    LEAVING_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    series_id: str
    newcomers: _containers.RepeatedScalarFieldContainer[str]
    leaving: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, request_id: _Optional[str] = ..., series_id: _Optional[str] = ..., newcomers: _Optional[_Iterable[str]] = ..., leaving: _Optional[_Iterable[str]] = ...) -> None: ...

class CloseSeasonResponse(_message.Message):
    __slots__ = ("series", "rejected")
    SERIES_FIELD_NUMBER: _ClassVar[int]
    REJECTED_FIELD_NUMBER: _ClassVar[int]
    series: _tournament_series_pb2.Series
    rejected: _rejection_pb2.Rejection
    def __init__(self, series: _Optional[_Union[_tournament_series_pb2.Series, _Mapping]] = ..., rejected: _Optional[_Union[_rejection_pb2.Rejection, _Mapping]] = ...) -> None: ...

class ExportSeriesRequest(_message.Message):
    __slots__ = ("series_id", "format")
    SERIES_ID_FIELD_NUMBER: _ClassVar[int]
    FORMAT_FIELD_NUMBER: _ClassVar[int]
    series_id: str
    format: _tournaments_service_pb2.ExportFormat
    def __init__(self, series_id: _Optional[str] = ..., format: _Optional[_Union[_tournaments_service_pb2.ExportFormat, str]] = ...) -> None: ...

class ExportSeriesResponse(_message.Message):
    __slots__ = ("name", "content")
    NAME_FIELD_NUMBER: _ClassVar[int]
    CONTENT_FIELD_NUMBER: _ClassVar[int]
    name: str
    content: bytes
    def __init__(self, name: _Optional[str] = ..., content: _Optional[bytes] = ...) -> None: ...
