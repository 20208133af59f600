from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Optional as _Optional

DESCRIPTOR: _descriptor.FileDescriptor

class FerryHired(_message.Message):
    __slots__ = ("company",)
    COMPANY_FIELD_NUMBER: _ClassVar[int]
    company: str
    def __init__(self, company: _Optional[str] = ...) -> None: ...

class HireFerry(_message.Message):
    __slots__ = ("company",)
    COMPANY_FIELD_NUMBER: _ClassVar[int]
    company: str
    def __init__(self, company: _Optional[str] = ...) -> None: ...

class View(_message.Message):
    __slots__ = ("ferry",)
    FERRY_FIELD_NUMBER: _ClassVar[int]
    ferry: str
    def __init__(self, ferry: _Optional[str] = ...) -> None: ...
