from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Optional as _Optional

DESCRIPTOR: _descriptor.FileDescriptor

class StaffAct(_message.Message):
    __slots__ = ("act_id", "act", "author_id", "author_name", "reason", "time_ms", "player_id", "game_id", "until_time_ms", "detail", "tokens_end_time_ms", "token_id")
    ACT_ID_FIELD_NUMBER: _ClassVar[int]
    ACT_FIELD_NUMBER: _ClassVar[int]
    AUTHOR_ID_FIELD_NUMBER: _ClassVar[int]
    AUTHOR_NAME_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    TIME_MS_FIELD_NUMBER: _ClassVar[int]
    PLAYER_ID_FIELD_NUMBER: _ClassVar[int]
    GAME_ID_FIELD_NUMBER: _ClassVar[int]
    UNTIL_TIME_MS_FIELD_NUMBER: _ClassVar[int]
    DETAIL_FIELD_NUMBER: _ClassVar[int]
    TOKENS_END_TIME_MS_FIELD_NUMBER: _ClassVar[int]
    TOKEN_ID_FIELD_NUMBER: _ClassVar[int]
    act_id: str
    act: str
    author_id: str
    author_name: str
    reason: str
    time_ms: int
    player_id: str
    game_id: str
    until_time_ms: int
    detail: str
    tokens_end_time_ms: int
    token_id: str
    def __init__(self, act_id: _Optional[str] = ..., act: _Optional[str] = ..., author_id: _Optional[str] = ..., author_name: _Optional[str] = ..., reason: _Optional[str] = ..., time_ms: _Optional[int] = ..., player_id: _Optional[str] = ..., game_id: _Optional[str] = ..., until_time_ms: _Optional[int] = ..., detail: _Optional[str] = ..., tokens_end_time_ms: _Optional[int] = ..., token_id: _Optional[str] = ...) -> None: ...
