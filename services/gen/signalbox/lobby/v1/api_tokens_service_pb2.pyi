from services.gen.signalbox.lobby.v1 import api_token_pb2 as _api_token_pb2
from services.gen.signalbox.lobby.v1 import rejection_pb2 as _rejection_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class ListApiTokensRequest(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class ListApiTokensResponse(_message.Message):
    __slots__ = ("tokens",)
    TOKENS_FIELD_NUMBER: _ClassVar[int]
    tokens: _containers.RepeatedCompositeFieldContainer[_api_token_pb2.ApiToken]
    def __init__(self, tokens: _Optional[_Iterable[_Union[_api_token_pb2.ApiToken, _Mapping]]] = ...) -> None: ...

class RevokeApiTokenRequest(_message.Message):
    __slots__ = ("token_id",)
    TOKEN_ID_FIELD_NUMBER: _ClassVar[int]
    token_id: str
    def __init__(self, token_id: _Optional[str] = ...) -> None: ...

class RevokeApiTokenResponse(_message.Message):
    __slots__ = ("token", "rejected")
    TOKEN_FIELD_NUMBER: _ClassVar[int]
    REJECTED_FIELD_NUMBER: _ClassVar[int]
    token: _api_token_pb2.ApiToken
    rejected: _rejection_pb2.Rejection
    def __init__(self, token: _Optional[_Union[_api_token_pb2.ApiToken, _Mapping]] = ..., rejected: _Optional[_Union[_rejection_pb2.Rejection, _Mapping]] = ...) -> None: ...
