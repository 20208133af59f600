from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable
from typing import ClassVar as _ClassVar, Optional as _Optional

DESCRIPTOR: _descriptor.FileDescriptor

class StallDrawn(_message.Message):
    __slots__ = ("stall",)
    STALL_FIELD_NUMBER: _ClassVar[int]
    stall: str
    def __init__(self, stall: _Optional[str] = ...) -> None: ...

class View(_message.Message):
    __slots__ = ("drawn",)
    DRAWN_FIELD_NUMBER: _ClassVar[int]
    drawn: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, drawn: _Optional[_Iterable[str]] = ...) -> None: ...
