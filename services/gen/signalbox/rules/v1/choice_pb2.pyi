from services.gen.signalbox.rules.v1 import command_pb2 as _command_pb2
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class OpenField(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    OPEN_FIELD_UNSPECIFIED: _ClassVar[OpenField]
    OPEN_FIELD_PRICE: _ClassVar[OpenField]
    OPEN_FIELD_AMOUNT: _ClassVar[OpenField]
    OPEN_FIELD_RUNS: _ClassVar[OpenField]
OPEN_FIELD_UNSPECIFIED: OpenField
OPEN_FIELD_PRICE: OpenField
OPEN_FIELD_AMOUNT: OpenField
OPEN_FIELD_RUNS: OpenField

class Choice(_message.Message):
    __slots__ = ("player", "command", "open_field", "minimum", "maximum", "step", "cost", "clause")
    PLAYER_FIELD_NUMBER: _ClassVar[int]
    COMMAND_FIELD_NUMBER: _ClassVar[int]
    OPEN_FIELD_FIELD_NUMBER: _ClassVar[int]
    MINIMUM_FIELD_NUMBER: _ClassVar[int]
    MAXIMUM_FIELD_NUMBER: _ClassVar[int]
    STEP_FIELD_NUMBER: _ClassVar[int]
    COST_FIELD_NUMBER: _ClassVar[int]
    CLAUSE_FIELD_NUMBER: _ClassVar[int]
    player: str
    command: _command_pb2.Command
    open_field: OpenField
    minimum: int
    maximum: int
    step: int
    cost: int
    clause: str
    def __init__(self, player: _Optional[str] = ..., command: _Optional[_Union[_command_pb2.Command, _Mapping]] = ..., open_field: _Optional[_Union[OpenField, str]] = ..., minimum: _Optional[int] = ..., maximum: _Optional[int] = ..., step: _Optional[int] = ..., cost: _Optional[int] = ..., clause: _Optional[str] = ...) -> None: ...
