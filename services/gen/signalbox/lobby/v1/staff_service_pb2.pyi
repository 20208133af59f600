from services.gen.signalbox.lobby.v1 import api_token_pb2 as _api_token_pb2
from services.gen.signalbox.lobby.v1 import blocked_pb2 as _blocked_pb2
from services.gen.signalbox.lobby.v1 import rejection_pb2 as _rejection_pb2
from services.gen.signalbox.lobby.v1 import staff_act_pb2 as _staff_act_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class BanPlayerRequest(_message.Message):
    __slots__ = ("request_id", "player_id", "reason", "until_time_ms")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    PLAYER_ID_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    UNTIL_TIME_MS_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    player_id: str
    reason: str
    until_time_ms: int
    def __init__(self, request_id: _Optional[str] = ..., player_id: _Optional[str] = ..., reason: _Optional[str] = ..., until_time_ms: _Optional[int] = ...) -> None: ...

class BanPlayerResponse(_message.Message):
    __slots__ = ("act", "rejected")
    ACT_FIELD_NUMBER: _ClassVar[int]
    REJECTED_FIELD_NUMBER: _ClassVar[int]
    act: _staff_act_pb2.StaffAct
    rejected: _rejection_pb2.Rejection
    def __init__(self, act: _Optional[_Union[_staff_act_pb2.StaffAct, _Mapping]] = ..., rejected: _Optional[_Union[_rejection_pb2.Rejection, _Mapping]] = ...) -> None: ...

class UnbanPlayerRequest(_message.Message):
    __slots__ = ("request_id", "player_id", "reason")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    PLAYER_ID_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    player_id: str
    reason: str
    def __init__(self, request_id: _Optional[str] = ..., player_id: _Optional[str] = ..., reason: _Optional[str] = ...) -> None: ...

class UnbanPlayerResponse(_message.Message):
    __slots__ = ("act", "rejected")
    ACT_FIELD_NUMBER: _ClassVar[int]
    REJECTED_FIELD_NUMBER: _ClassVar[int]
    act: _staff_act_pb2.StaffAct
    rejected: _rejection_pb2.Rejection
    def __init__(self, act: _Optional[_Union[_staff_act_pb2.StaffAct, _Mapping]] = ..., rejected: _Optional[_Union[_rejection_pb2.Rejection, _Mapping]] = ...) -> None: ...

class EndSessionsRequest(_message.Message):
    __slots__ = ("request_id", "player_id", "reason")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    PLAYER_ID_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    player_id: str
    reason: str
    def __init__(self, request_id: _Optional[str] = ..., player_id: _Optional[str] = ..., reason: _Optional[str] = ...) -> None: ...

class EndSessionsResponse(_message.Message):
    __slots__ = ("act", "rejected")
    ACT_FIELD_NUMBER: _ClassVar[int]
    REJECTED_FIELD_NUMBER: _ClassVar[int]
    act: _staff_act_pb2.StaffAct
    rejected: _rejection_pb2.Rejection
    def __init__(self, act: _Optional[_Union[_staff_act_pb2.StaffAct, _Mapping]] = ..., rejected: _Optional[_Union[_rejection_pb2.Rejection, _Mapping]] = ...) -> None: ...

class ListBansRequest(_message.Message):
    __slots__ = ("page_size", "page_token", "player_id")
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    PLAYER_ID_FIELD_NUMBER: _ClassVar[int]
    page_size: int
    page_token: str
    player_id: str
    def __init__(self, page_size: _Optional[int] = ..., page_token: _Optional[str] = ..., player_id: _Optional[str] = ...) -> None: ...

class ListBansResponse(_message.Message):
    __slots__ = ("bans", "next_page_token")
    BANS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    bans: _containers.RepeatedCompositeFieldContainer[_staff_act_pb2.StaffAct]
    next_page_token: str
    def __init__(self, bans: _Optional[_Iterable[_Union[_staff_act_pb2.StaffAct, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class ListStaffActsRequest(_message.Message):
    __slots__ = ("page_size", "page_token", "author_id", "player_id", "game_id", "act")
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    AUTHOR_ID_FIELD_NUMBER: _ClassVar[int]
    PLAYER_ID_FIELD_NUMBER: _ClassVar[int]
    GAME_ID_FIELD_NUMBER: _ClassVar[int]
    ACT_FIELD_NUMBER: _ClassVar[int]
    page_size: int
    page_token: str
    author_id: str
    player_id: str
    game_id: str
    act: str
    def __init__(self, page_size: _Optional[int] = ..., page_token: _Optional[str] = ..., author_id: _Optional[str] = ..., player_id: _Optional[str] = ..., game_id: _Optional[str] = ..., act: _Optional[str] = ...) -> None: ...

class ListStaffActsResponse(_message.Message):
    __slots__ = ("acts", "next_page_token")
    ACTS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    acts: _containers.RepeatedCompositeFieldContainer[_staff_act_pb2.StaffAct]
    next_page_token: str
    def __init__(self, acts: _Optional[_Iterable[_Union[_staff_act_pb2.StaffAct, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class ListPlayerTokensRequest(_message.Message):
    __slots__ = ("player_id",)
    PLAYER_ID_FIELD_NUMBER: _ClassVar[int]
    player_id: str
    def __init__(self, player_id: _Optional[str] = ...) -> None: ...

class ListPlayerTokensResponse(_message.Message):
    __slots__ = ("tokens",)
    TOKENS_FIELD_NUMBER: _ClassVar[int]
    tokens: _containers.RepeatedCompositeFieldContainer[_api_token_pb2.ApiToken]
    def __init__(self, tokens: _Optional[_Iterable[_Union[_api_token_pb2.ApiToken, _Mapping]]] = ...) -> None: ...

class RevokePlayerTokenRequest(_message.Message):
    __slots__ = ("request_id", "player_id", "token_id", "reason")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    PLAYER_ID_FIELD_NUMBER: _ClassVar[int]
    TOKEN_ID_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    player_id: str
    token_id: str
    reason: str
    def __init__(self, request_id: _Optional[str] = ..., player_id: _Optional[str] = ..., token_id: _Optional[str] = ..., reason: _Optional[str] = ...) -> None: ...

class RevokePlayerTokenResponse(_message.Message):
    __slots__ = ("act", "rejected")
    ACT_FIELD_NUMBER: _ClassVar[int]
    REJECTED_FIELD_NUMBER: _ClassVar[int]
    act: _staff_act_pb2.StaffAct
    rejected: _rejection_pb2.Rejection
    def __init__(self, act: _Optional[_Union[_staff_act_pb2.StaffAct, _Mapping]] = ..., rejected: _Optional[_Union[_rejection_pb2.Rejection, _Mapping]] = ...) -> None: ...

class ListBlockedGamesRequest(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class ListBlockedGamesResponse(_message.Message):
    __slots__ = ("games", "can_be_blocked")
    GAMES_FIELD_NUMBER: _ClassVar[int]
    CAN_BE_BLOCKED_FIELD_NUMBER: _ClassVar[int]
    games: _containers.RepeatedCompositeFieldContainer[_blocked_pb2.BlockedGame]
    can_be_blocked: bool
    def __init__(self, games: _Optional[_Iterable[_Union[_blocked_pb2.BlockedGame, _Mapping]]] = ..., can_be_blocked: _Optional[bool] = ...) -> None: ...

class GetBlockedGameRequest(_message.Message):
    __slots__ = ("reader", "game_id")
    READER_FIELD_NUMBER: _ClassVar[int]
    GAME_ID_FIELD_NUMBER: _ClassVar[int]
    reader: str
    game_id: str
    def __init__(self, reader: _Optional[str] = ..., game_id: _Optional[str] = ...) -> None: ...

class GetBlockedGameResponse(_message.Message):
    __slots__ = ("game", "rejected")
    GAME_FIELD_NUMBER: _ClassVar[int]
    REJECTED_FIELD_NUMBER: _ClassVar[int]
    game: _blocked_pb2.BlockedGame
    rejected: _rejection_pb2.Rejection
    def __init__(self, game: _Optional[_Union[_blocked_pb2.BlockedGame, _Mapping]] = ..., rejected: _Optional[_Union[_rejection_pb2.Rejection, _Mapping]] = ...) -> None: ...

class ReleaseBlockedGameRequest(_message.Message):
    __slots__ = ("request_id", "reader", "game_id", "reason")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    READER_FIELD_NUMBER: _ClassVar[int]
    GAME_ID_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    reader: str
    game_id: str
    reason: str
    def __init__(self, request_id: _Optional[str] = ..., reader: _Optional[str] = ..., game_id: _Optional[str] = ..., reason: _Optional[str] = ...) -> None: ...

class ReleaseBlockedGameResponse(_message.Message):
    __slots__ = ("done", "rejected")
    DONE_FIELD_NUMBER: _ClassVar[int]
    REJECTED_FIELD_NUMBER: _ClassVar[int]
    done: SettledAct
    rejected: _rejection_pb2.Rejection
    def __init__(self, done: _Optional[_Union[SettledAct, _Mapping]] = ..., rejected: _Optional[_Union[_rejection_pb2.Rejection, _Mapping]] = ...) -> None: ...

class ListWaitingCommandsRequest(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class ListWaitingCommandsResponse(_message.Message):
    __slots__ = ("commands", "can_wait")
    COMMANDS_FIELD_NUMBER: _ClassVar[int]
    CAN_WAIT_FIELD_NUMBER: _ClassVar[int]
    commands: _containers.RepeatedCompositeFieldContainer[_blocked_pb2.WaitingCommand]
    can_wait: bool
    def __init__(self, commands: _Optional[_Iterable[_Union[_blocked_pb2.WaitingCommand, _Mapping]]] = ..., can_wait: _Optional[bool] = ...) -> None: ...

class SkipCommandRequest(_message.Message):
    __slots__ = ("request_id", "partition", "offset", "reason")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    PARTITION_FIELD_NUMBER: _ClassVar[int]
    OFFSET_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    partition: int
    offset: int
    reason: str
    def __init__(self, request_id: _Optional[str] = ..., partition: _Optional[int] = ..., offset: _Optional[int] = ..., reason: _Optional[str] = ...) -> None: ...

class SkipCommandResponse(_message.Message):
    __slots__ = ("done", "rejected")
    DONE_FIELD_NUMBER: _ClassVar[int]
    REJECTED_FIELD_NUMBER: _ClassVar[int]
    done: SettledAct
    rejected: _rejection_pb2.Rejection
    def __init__(self, done: _Optional[_Union[SettledAct, _Mapping]] = ..., rejected: _Optional[_Union[_rejection_pb2.Rejection, _Mapping]] = ...) -> None: ...

class SettledAct(_message.Message):
    __slots__ = ("act", "is_settled")
    ACT_FIELD_NUMBER: _ClassVar[int]
    IS_SETTLED_FIELD_NUMBER: _ClassVar[int]
    act: _staff_act_pb2.StaffAct
    is_settled: bool
    def __init__(self, act: _Optional[_Union[_staff_act_pb2.StaffAct, _Mapping]] = ..., is_settled: _Optional[bool] = ...) -> None: ...
