from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class BlockedGame(_message.Message):
    __slots__ = ("reader", "game_id", "reason", "record_count", "since_time_ms", "is_release_asked", "records")
    READER_FIELD_NUMBER: _ClassVar[int]
    GAME_ID_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    RECORD_COUNT_FIELD_NUMBER: _ClassVar[int]
    SINCE_TIME_MS_FIELD_NUMBER: _ClassVar[int]
    IS_RELEASE_ASKED_FIELD_NUMBER: _ClassVar[int]
    RECORDS_FIELD_NUMBER: _ClassVar[int]
    reader: str
    game_id: str
    reason: str
    record_count: int
    since_time_ms: int
    is_release_asked: bool
    records: _containers.RepeatedCompositeFieldContainer[DeadRecord]
    def __init__(self, reader: _Optional[str] = ..., game_id: _Optional[str] = ..., reason: _Optional[str] = ..., record_count: _Optional[int] = ..., since_time_ms: _Optional[int] = ..., is_release_asked: _Optional[bool] = ..., records: _Optional[_Iterable[_Union[DeadRecord, _Mapping]]] = ...) -> None: ...

class DeadRecord(_message.Message):
    __slots__ = ("topic", "partition", "offset", "reason", "recorded_time_ms", "byte_count")
    TOPIC_FIELD_NUMBER: _ClassVar[int]
    PARTITION_FIELD_NUMBER: _ClassVar[int]
    OFFSET_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    RECORDED_TIME_MS_FIELD_NUMBER: _ClassVar[int]
    BYTE_COUNT_FIELD_NUMBER: _ClassVar[int]
    topic: str
    partition: int
    offset: int
    reason: str
    recorded_time_ms: int
    byte_count: int
    def __init__(self, topic: _Optional[str] = ..., partition: _Optional[int] = ..., offset: _Optional[int] = ..., reason: _Optional[str] = ..., recorded_time_ms: _Optional[int] = ..., byte_count: _Optional[int] = ...) -> None: ...

class WaitingCommand(_message.Message):
    __slots__ = ("partition", "offset", "waiting_count", "game_id", "player_id", "kind", "sent_time_ms", "attempts_alone", "owner", "has_hung")
    PARTITION_FIELD_NUMBER: _ClassVar[int]
    OFFSET_FIELD_NUMBER: _ClassVar[int]
    WAITING_COUNT_FIELD_NUMBER: _ClassVar[int]
    GAME_ID_FIELD_NUMBER: _ClassVar[int]
    PLAYER_ID_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    SENT_TIME_MS_FIELD_NUMBER: _ClassVar[int]
    ATTEMPTS_ALONE_FIELD_NUMBER: _ClassVar[int]
    OWNER_FIELD_NUMBER: _ClassVar[int]
    HAS_HUNG_FIELD_NUMBER: _ClassVar[int]
    partition: int
    offset: int
    waiting_count: int
    game_id: str
    player_id: str
    kind: str
    sent_time_ms: int
    attempts_alone: int
    owner: str
    has_hung: bool
    def __init__(self, partition: _Optional[int] = ..., offset: _Optional[int] = ..., waiting_count: _Optional[int] = ..., game_id: _Optional[str] = ..., player_id: _Optional[str] = ..., kind: _Optional[str] = ..., sent_time_ms: _Optional[int] = ..., attempts_alone: _Optional[int] = ..., owner: _Optional[str] = ..., has_hung: _Optional[bool] = ...) -> None: ...
