from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class GetPictureRequest(_message.Message):
    __slots__ = ("game_id", "at_sequence", "at_least_sequence", "known_sequence", "known_checksum")
    GAME_ID_FIELD_NUMBER: _ClassVar[int]
    AT_SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    AT_LEAST_SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    KNOWN_SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    KNOWN_CHECKSUM_FIELD_NUMBER: _ClassVar[int]
    game_id: str
    at_sequence: int
    at_least_sequence: int
    known_sequence: int
    known_checksum: str
    def __init__(self, game_id: _Optional[str] = ..., at_sequence: _Optional[int] = ..., at_least_sequence: _Optional[int] = ..., known_sequence: _Optional[int] = ..., known_checksum: _Optional[str] = ...) -> None: ...

class GetPictureResponse(_message.Message):
    __slots__ = ("sequence", "checksum", "document", "changed", "width", "height")
    SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    CHECKSUM_FIELD_NUMBER: _ClassVar[int]
    DOCUMENT_FIELD_NUMBER: _ClassVar[int]
    CHANGED_FIELD_NUMBER: _ClassVar[int]
    WIDTH_FIELD_NUMBER: _ClassVar[int]
    HEIGHT_FIELD_NUMBER: _ClassVar[int]
    sequence: int
    checksum: str
    document: str
    changed: _containers.RepeatedCompositeFieldContainer[PictureElement]
    width: int
    height: int
    def __init__(self, sequence: _Optional[int] = ..., checksum: _Optional[str] = ..., document: _Optional[str] = ..., changed: _Optional[_Iterable[_Union[PictureElement, _Mapping]]] = ..., width: _Optional[int] = ..., height: _Optional[int] = ...) -> None: ...

class PictureElement(_message.Message):
    __slots__ = ("id", "svg")
    ID_FIELD_NUMBER: _ClassVar[int]
    SVG_FIELD_NUMBER: _ClassVar[int]
    id: str
    svg: str
    def __init__(self, id: _Optional[str] = ..., svg: _Optional[str] = ...) -> None: ...
