from services.gen.signalbox.lobby.v1 import rejection_pb2 as _rejection_pb2
from services.gen.signalbox.lobby.v1 import staff_act_pb2 as _staff_act_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class BanPlayerRequest(_message.Message):
    __slots__ = ("request_id", "player_id", "reason", "until_time_ms")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    PLAYER_ID_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    UNTIL_TIME_MS_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    player_id: str
    reason: str
    until_time_ms: int
    def __init__(self, request_id: _Optional[str] = ..., player_id: _Optional[str] = ..., reason: _Optional[str] = ..., until_time_ms: _Optional[int] = ...) -> None: ...

class BanPlayerResponse(_message.Message):
    __slots__ = ("act", "rejected")
    ACT_FIELD_NUMBER: _ClassVar[int]
    REJECTED_FIELD_NUMBER: _ClassVar[int]
    act: _staff_act_pb2.StaffAct
    rejected: _rejection_pb2.Rejection
    def __init__(self, act: _Optional[_Union[_staff_act_pb2.StaffAct, _Mapping]] = ..., rejected: _Optional[_Union[_rejection_pb2.Rejection, _Mapping]] = ...) -> None: ...

class UnbanPlayerRequest(_message.Message):
    __slots__ = ("request_id", "player_id", "reason")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    PLAYER_ID_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    player_id: str
    reason: str
    def __init__(self, request_id: _Optional[str] = ..., player_id: _Optional[str] = ..., reason: _Optional[str] = ...) -> None: ...

class UnbanPlayerResponse(_message.Message):
    __slots__ = ("act", "rejected")
    ACT_FIELD_NUMBER: _ClassVar[int]
    REJECTED_FIELD_NUMBER: _ClassVar[int]
    act: _staff_act_pb2.StaffAct
    rejected: _rejection_pb2.Rejection
    def __init__(self, act: _Optional[_Union[_staff_act_pb2.StaffAct, _Mapping]] = ..., rejected: _Optional[_Union[_rejection_pb2.Rejection, _Mapping]] = ...) -> None: ...

class EndSessionsRequest(_message.Message):
    __slots__ = ("request_id", "player_id", "reason")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    PLAYER_ID_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    player_id: str
    reason: str
    def __init__(self, request_id: _Optional[str] = ..., player_id: _Optional[str] = ..., reason: _Optional[str] = ...) -> None: ...

class EndSessionsResponse(_message.Message):
    __slots__ = ("act", "rejected")
    ACT_FIELD_NUMBER: _ClassVar[int]
    REJECTED_FIELD_NUMBER: _ClassVar[int]
    act: _staff_act_pb2.StaffAct
    rejected: _rejection_pb2.Rejection
    def __init__(self, act: _Optional[_Union[_staff_act_pb2.StaffAct, _Mapping]] = ..., rejected: _Optional[_Union[_rejection_pb2.Rejection, _Mapping]] = ...) -> None: ...

class ListBansRequest(_message.Message):
    __slots__ = ("page_size", "page_token", "player_id")
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    PLAYER_ID_FIELD_NUMBER: _ClassVar[int]
    page_size: int
    page_token: str
    player_id: str
    def __init__(self, page_size: _Optional[int] = ..., page_token: _Optional[str] = ..., player_id: _Optional[str] = ...) -> None: ...

class ListBansResponse(_message.Message):
    __slots__ = ("bans", "next_page_token")
    BANS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    bans: _containers.RepeatedCompositeFieldContainer[_staff_act_pb2.StaffAct]
    next_page_token: str
    def __init__(self, bans: _Optional[_Iterable[_Union[_staff_act_pb2.StaffAct, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class ListStaffActsRequest(_message.Message):
    __slots__ = ("page_size", "page_token", "author_id", "player_id", "game_id", "act")
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    AUTHOR_ID_FIELD_NUMBER: _ClassVar[int]
    PLAYER_ID_FIELD_NUMBER: _ClassVar[int]
    GAME_ID_FIELD_NUMBER: _ClassVar[int]
    ACT_FIELD_NUMBER: _ClassVar[int]
    page_size: int
    page_token: str
    author_id: str
    player_id: str
    game_id: str
    act: str
    def __init__(self, page_size: _Optional[int] = ..., page_token: _Optional[str] = ..., author_id: _Optional[str] = ..., player_id: _Optional[str] = ..., game_id: _Optional[str] = ..., act: _Optional[str] = ...) -> None: ...

class ListStaffActsResponse(_message.Message):
    __slots__ = ("acts", "next_page_token")
    ACTS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    acts: _containers.RepeatedCompositeFieldContainer[_staff_act_pb2.StaffAct]
    next_page_token: str
    def __init__(self, acts: _Optional[_Iterable[_Union[_staff_act_pb2.StaffAct, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...
