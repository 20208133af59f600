from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class Subject(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    SUBJECT_UNSPECIFIED: _ClassVar[Subject]
    SUBJECT_PLAYER: _ClassVar[Subject]
    SUBJECT_COMPANY: _ClassVar[Subject]
    SUBJECT_HEX: _ClassVar[Subject]
SUBJECT_UNSPECIFIED: Subject
SUBJECT_PLAYER: Subject
SUBJECT_COMPANY: Subject
SUBJECT_HEX: Subject

class Sentence(_message.Message):
    __slots__ = ("parts", "is_detail")
    PARTS_FIELD_NUMBER: _ClassVar[int]
    IS_DETAIL_FIELD_NUMBER: _ClassVar[int]
    parts: _containers.RepeatedCompositeFieldContainer[SentencePart]
    is_detail: bool
    def __init__(self, parts: _Optional[_Iterable[_Union[SentencePart, _Mapping]]] = ..., is_detail: _Optional[bool] = ...) -> None: ...

class SentencePart(_message.Message):
    __slots__ = ("text", "subject")
    TEXT_FIELD_NUMBER: _ClassVar[int]
    SUBJECT_FIELD_NUMBER: _ClassVar[int]
    text: str
    subject: Subject
    def __init__(self, text: _Optional[str] = ..., subject: _Optional[_Union[Subject, str]] = ...) -> None: ...
