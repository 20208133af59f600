from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class RefusalReason(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    REFUSAL_REASON_UNSPECIFIED: _ClassVar[RefusalReason]
    REFUSAL_REASON_REQUEST_ID_REUSED: _ClassVar[RefusalReason]
    REFUSAL_REASON_NAME_MALFORMED: _ClassVar[RefusalReason]
    REFUSAL_REASON_PASSWORD_MALFORMED: _ClassVar[RefusalReason]
    REFUSAL_REASON_NAME_TAKEN: _ClassVar[RefusalReason]
    REFUSAL_REASON_CREDENTIALS_WRONG: _ClassVar[RefusalReason]
    REFUSAL_REASON_TOO_MANY_ATTEMPTS: _ClassVar[RefusalReason]
    REFUSAL_REASON_TITLE_UNKNOWN: _ClassVar[RefusalReason]
    REFUSAL_REASON_PLAYER_COUNT_NOT_OFFERED: _ClassVar[RefusalReason]
    REFUSAL_REASON_OPTION_UNKNOWN: _ClassVar[RefusalReason]
    REFUSAL_REASON_OPTION_REPEATED: _ClassVar[RefusalReason]
    REFUSAL_REASON_OPTION_NOT_OFFERED: _ClassVar[RefusalReason]
    REFUSAL_REASON_RULING_PROFILE_UNKNOWN: _ClassVar[RefusalReason]
    REFUSAL_REASON_RULING_UNKNOWN: _ClassVar[RefusalReason]
    REFUSAL_REASON_RULING_REPEATED: _ClassVar[RefusalReason]
    REFUSAL_REASON_RULING_VALUE_UNKNOWN: _ClassVar[RefusalReason]
    REFUSAL_REASON_SEED_NEGATIVE: _ClassVar[RefusalReason]
    REFUSAL_REASON_TABLE_NOT_OPEN: _ClassVar[RefusalReason]
    REFUSAL_REASON_ALREADY_SEATED: _ClassVar[RefusalReason]
    REFUSAL_REASON_TABLE_FULL: _ClassVar[RefusalReason]
    REFUSAL_REASON_NOT_SEATED: _ClassVar[RefusalReason]
    REFUSAL_REASON_NOT_OWNER: _ClassVar[RefusalReason]
    REFUSAL_REASON_TABLE_NOT_FULL: _ClassVar[RefusalReason]
    REFUSAL_REASON_TURN_SECONDS_OUT_OF_RANGE: _ClassVar[RefusalReason]
REFUSAL_REASON_UNSPECIFIED: RefusalReason
REFUSAL_REASON_REQUEST_ID_REUSED: RefusalReason
REFUSAL_REASON_NAME_MALFORMED: RefusalReason
REFUSAL_REASON_PASSWORD_MALFORMED: RefusalReason
REFUSAL_REASON_NAME_TAKEN: RefusalReason
REFUSAL_REASON_CREDENTIALS_WRONG: RefusalReason
REFUSAL_REASON_TOO_MANY_ATTEMPTS: RefusalReason
REFUSAL_REASON_TITLE_UNKNOWN: RefusalReason
REFUSAL_REASON_PLAYER_COUNT_NOT_OFFERED: RefusalReason
REFUSAL_REASON_OPTION_UNKNOWN: RefusalReason
REFUSAL_REASON_OPTION_REPEATED: RefusalReason
REFUSAL_REASON_OPTION_NOT_OFFERED: RefusalReason
REFUSAL_REASON_RULING_PROFILE_UNKNOWN: RefusalReason
REFUSAL_REASON_RULING_UNKNOWN: RefusalReason
REFUSAL_REASON_RULING_REPEATED: RefusalReason
REFUSAL_REASON_RULING_VALUE_UNKNOWN: RefusalReason
REFUSAL_REASON_SEED_NEGATIVE: RefusalReason
REFUSAL_REASON_TABLE_NOT_OPEN: RefusalReason
REFUSAL_REASON_ALREADY_SEATED: RefusalReason
REFUSAL_REASON_TABLE_FULL: RefusalReason
REFUSAL_REASON_NOT_SEATED: RefusalReason
REFUSAL_REASON_NOT_OWNER: RefusalReason
REFUSAL_REASON_TABLE_NOT_FULL: RefusalReason
REFUSAL_REASON_TURN_SECONDS_OUT_OF_RANGE: RefusalReason

class Refusal(_message.Message):
    __slots__ = ("reason", "sentence")
    REASON_FIELD_NUMBER: _ClassVar[int]
    SENTENCE_FIELD_NUMBER: _ClassVar[int]
    reason: RefusalReason
    sentence: str
    def __init__(self, reason: _Optional[_Union[RefusalReason, str]] = ..., sentence: _Optional[str] = ...) -> None: ...
