from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class RejectionReason(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    REJECTION_REASON_UNSPECIFIED: _ClassVar[RejectionReason]
    REJECTION_REASON_REQUEST_ID_REUSED: _ClassVar[RejectionReason]
    REJECTION_REASON_NAME_MALFORMED: _ClassVar[RejectionReason]
    REJECTION_REASON_PASSWORD_MALFORMED: _ClassVar[RejectionReason]
    REJECTION_REASON_NAME_TAKEN: _ClassVar[RejectionReason]
    REJECTION_REASON_CREDENTIALS_WRONG: _ClassVar[RejectionReason]
    REJECTION_REASON_TOO_MANY_ATTEMPTS: _ClassVar[RejectionReason]
    REJECTION_REASON_TITLE_UNKNOWN: _ClassVar[RejectionReason]
    REJECTION_REASON_PLAYER_COUNT_NOT_OFFERED: _ClassVar[RejectionReason]
    REJECTION_REASON_OPTION_UNKNOWN: _ClassVar[RejectionReason]
    REJECTION_REASON_OPTION_REPEATED: _ClassVar[RejectionReason]
    REJECTION_REASON_OPTION_NOT_OFFERED: _ClassVar[RejectionReason]
    REJECTION_REASON_RULING_PROFILE_UNKNOWN: _ClassVar[RejectionReason]
    REJECTION_REASON_RULING_UNKNOWN: _ClassVar[RejectionReason]
    REJECTION_REASON_RULING_REPEATED: _ClassVar[RejectionReason]
    REJECTION_REASON_RULING_VALUE_UNKNOWN: _ClassVar[RejectionReason]
    REJECTION_REASON_SEED_NEGATIVE: _ClassVar[RejectionReason]
    REJECTION_REASON_TABLE_NOT_OPEN: _ClassVar[RejectionReason]
    REJECTION_REASON_ALREADY_SEATED: _ClassVar[RejectionReason]
    REJECTION_REASON_TABLE_FULL: _ClassVar[RejectionReason]
    REJECTION_REASON_NOT_SEATED: _ClassVar[RejectionReason]
    REJECTION_REASON_NOT_OWNER: _ClassVar[RejectionReason]
    REJECTION_REASON_TABLE_NOT_FULL: _ClassVar[RejectionReason]
    REJECTION_REASON_TURN_SECONDS_OUT_OF_RANGE: _ClassVar[RejectionReason]
    REJECTION_REASON_NAME_MIXES_SCRIPTS: _ClassVar[RejectionReason]
    REJECTION_REASON_NAME_RESERVED: _ClassVar[RejectionReason]
    REJECTION_REASON_TOO_MANY_OPEN_TABLES: _ClassVar[RejectionReason]
    REJECTION_REASON_TOO_MANY_SEATS: _ClassVar[RejectionReason]
    REJECTION_REASON_TOO_MUCH_STORED: _ClassVar[RejectionReason]
    REJECTION_REASON_JOINED_TOO_OFTEN: _ClassVar[RejectionReason]
    REJECTION_REASON_OPTIONS_NOT_PLAYABLE: _ClassVar[RejectionReason]
    REJECTION_REASON_START_REFUSED: _ClassVar[RejectionReason]
    REJECTION_REASON_IMPORT_REFUSED: _ClassVar[RejectionReason]
    REJECTION_REASON_TOO_MANY_IMPORTS: _ClassVar[RejectionReason]
    REJECTION_REASON_NOT_DIRECTOR: _ClassVar[RejectionReason]
    REJECTION_REASON_GAME_NOT_BEGUN: _ClassVar[RejectionReason]
    REJECTION_REASON_ACCOUNT_UNKNOWN: _ClassVar[RejectionReason]
    REJECTION_REASON_DIRECTION_REFUSED: _ClassVar[RejectionReason]
    REJECTION_REASON_GAME_MOVED_ON: _ClassVar[RejectionReason]
REJECTION_REASON_UNSPECIFIED: RejectionReason
REJECTION_REASON_REQUEST_ID_REUSED: RejectionReason
REJECTION_REASON_NAME_MALFORMED: RejectionReason
REJECTION_REASON_PASSWORD_MALFORMED: RejectionReason
REJECTION_REASON_NAME_TAKEN: RejectionReason
REJECTION_REASON_CREDENTIALS_WRONG: RejectionReason
REJECTION_REASON_TOO_MANY_ATTEMPTS: RejectionReason
REJECTION_REASON_TITLE_UNKNOWN: RejectionReason
REJECTION_REASON_PLAYER_COUNT_NOT_OFFERED: RejectionReason
REJECTION_REASON_OPTION_UNKNOWN: RejectionReason
REJECTION_REASON_OPTION_REPEATED: RejectionReason
REJECTION_REASON_OPTION_NOT_OFFERED: RejectionReason
REJECTION_REASON_RULING_PROFILE_UNKNOWN: RejectionReason
REJECTION_REASON_RULING_UNKNOWN: RejectionReason
REJECTION_REASON_RULING_REPEATED: RejectionReason
REJECTION_REASON_RULING_VALUE_UNKNOWN: RejectionReason
REJECTION_REASON_SEED_NEGATIVE: RejectionReason
REJECTION_REASON_TABLE_NOT_OPEN: RejectionReason
REJECTION_REASON_ALREADY_SEATED: RejectionReason
REJECTION_REASON_TABLE_FULL: RejectionReason
REJECTION_REASON_NOT_SEATED: RejectionReason
REJECTION_REASON_NOT_OWNER: RejectionReason
REJECTION_REASON_TABLE_NOT_FULL: RejectionReason
REJECTION_REASON_TURN_SECONDS_OUT_OF_RANGE: RejectionReason
REJECTION_REASON_NAME_MIXES_SCRIPTS: RejectionReason
REJECTION_REASON_NAME_RESERVED: RejectionReason
REJECTION_REASON_TOO_MANY_OPEN_TABLES: RejectionReason
REJECTION_REASON_TOO_MANY_SEATS: RejectionReason
REJECTION_REASON_TOO_MUCH_STORED: RejectionReason
REJECTION_REASON_JOINED_TOO_OFTEN: RejectionReason
REJECTION_REASON_OPTIONS_NOT_PLAYABLE: RejectionReason
REJECTION_REASON_START_REFUSED: RejectionReason
REJECTION_REASON_IMPORT_REFUSED: RejectionReason
REJECTION_REASON_TOO_MANY_IMPORTS: RejectionReason
REJECTION_REASON_NOT_DIRECTOR: RejectionReason
REJECTION_REASON_GAME_NOT_BEGUN: RejectionReason
REJECTION_REASON_ACCOUNT_UNKNOWN: RejectionReason
REJECTION_REASON_DIRECTION_REFUSED: RejectionReason
REJECTION_REASON_GAME_MOVED_ON: RejectionReason

class Rejection(_message.Message):
    __slots__ = ("reason", "sentence", "retry_after_ms", "clause", "import_fault", "rules_code")
    REASON_FIELD_NUMBER: _ClassVar[int]
    SENTENCE_FIELD_NUMBER: _ClassVar[int]
    RETRY_AFTER_MS_FIELD_NUMBER: _ClassVar[int]
    CLAUSE_FIELD_NUMBER: _ClassVar[int]
    IMPORT_FAULT_FIELD_NUMBER: _ClassVar[int]
    RULES_CODE_FIELD_NUMBER: _ClassVar[int]
    reason: RejectionReason
    sentence: str
    retry_after_ms: int
    clause: str
    import_fault: ImportFault
    rules_code: str
    def __init__(self, reason: _Optional[_Union[RejectionReason, str]] = ..., sentence: _Optional[str] = ..., retry_after_ms: _Optional[int] = ..., clause: _Optional[str] = ..., import_fault: _Optional[_Union[ImportFault, _Mapping]] = ..., rules_code: _Optional[str] = ...) -> None: ...

class ImportFault(_message.Message):
    __slots__ = ("code", "number", "action_id", "kind", "player")
    CODE_FIELD_NUMBER: _ClassVar[int]
    NUMBER_FIELD_NUMBER: _ClassVar[int]
    ACTION_ID_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    PLAYER_FIELD_NUMBER: _ClassVar[int]
    code: str
    number: int
    action_id: int
    kind: str
    player: str
    def __init__(self, code: _Optional[str] = ..., number: _Optional[int] = ..., action_id: _Optional[int] = ..., kind: _Optional[str] = ..., player: _Optional[str] = ...) -> None: ...
