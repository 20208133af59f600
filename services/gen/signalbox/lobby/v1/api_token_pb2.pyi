from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable
from typing import ClassVar as _ClassVar, Optional as _Optional

DESCRIPTOR: _descriptor.FileDescriptor

class ApiToken(_message.Message):
    __slots__ = ("token_id", "label", "scopes", "last_characters", "make_time_ms", "expire_time_ms")
    TOKEN_ID_FIELD_NUMBER: _ClassVar[int]
    LABEL_FIELD_NUMBER: _ClassVar[int]
    SCOPES_FIELD_NUMBER: _ClassVar[int]
    LAST_CHARACTERS_FIELD_NUMBER: _ClassVar[int]
    MAKE_TIME_MS_FIELD_NUMBER: _ClassVar[int]
    EXPIRE_TIME_MS_FIELD_NUMBER: _ClassVar[int]
    token_id: str
    label: str
    scopes: _containers.RepeatedScalarFieldContainer[str]
    last_characters: str
    make_time_ms: int
    expire_time_ms: int
    def __init__(self, token_id: _Optional[str] = ..., label: _Optional[str] = ..., scopes: _Optional[_Iterable[str]] = ..., last_characters: _Optional[str] = ..., make_time_ms: _Optional[int] = ..., expire_time_ms: _Optional[int] = ...) -> None: ...
