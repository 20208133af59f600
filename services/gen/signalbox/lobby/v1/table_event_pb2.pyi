from services.gen.signalbox.lobby.v1 import player_pb2 as _player_pb2
from services.gen.signalbox.lobby.v1 import table_pb2 as _table_pb2
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class TableArranged(_message.Message):
    __slots__ = ("visibility", "are_seats_given", "least_players", "delay_moves", "delay_seconds", "rematch_of")
    VISIBILITY_FIELD_NUMBER: _ClassVar[int]
    ARE_SEATS_GIVEN_FIELD_NUMBER: _ClassVar[int]
    LEAST_PLAYERS_FIELD_NUMBER: _ClassVar[int]
    DELAY_MOVES_FIELD_NUMBER: _ClassVar[int]
    DELAY_SECONDS_FIELD_NUMBER: _ClassVar[int]
    REMATCH_OF_FIELD_NUMBER: _ClassVar[int]
    visibility: _table_pb2.TableVisibility
    are_seats_given: bool
    least_players: int
    delay_moves: int
    delay_seconds: int
    rematch_of: str
    def __init__(self, visibility: _Optional[_Union[_table_pb2.TableVisibility, str]] = ..., are_seats_given: _Optional[bool] = ..., least_players: _Optional[int] = ..., delay_moves: _Optional[int] = ..., delay_seconds: _Optional[int] = ..., rematch_of: _Optional[str] = ...) -> None: ...

class PlayerInvited(_message.Message):
    __slots__ = ("player",)
    PLAYER_FIELD_NUMBER: _ClassVar[int]
    player: _player_pb2.Player
    def __init__(self, player: _Optional[_Union[_player_pb2.Player, _Mapping]] = ...) -> None: ...

class InvitationWithdrawn(_message.Message):
    __slots__ = ("player_id",)
    PLAYER_ID_FIELD_NUMBER: _ClassVar[int]
    player_id: str
    def __init__(self, player_id: _Optional[str] = ...) -> None: ...

class InvitationLinkMade(_message.Message):
    __slots__ = ("link_token",)
    LINK_TOKEN_FIELD_NUMBER: _ClassVar[int]
    link_token: str
    def __init__(self, link_token: _Optional[str] = ...) -> None: ...

class PlayerRemoved(_message.Message):
    __slots__ = ("player_id",)
    PLAYER_ID_FIELD_NUMBER: _ClassVar[int]
    player_id: str
    def __init__(self, player_id: _Optional[str] = ...) -> None: ...

class EndAgreed(_message.Message):
    __slots__ = ("player_id",)
    PLAYER_ID_FIELD_NUMBER: _ClassVar[int]
    player_id: str
    def __init__(self, player_id: _Optional[str] = ...) -> None: ...

class EndAgreementWithdrawn(_message.Message):
    __slots__ = ("player_id",)
    PLAYER_ID_FIELD_NUMBER: _ClassVar[int]
    player_id: str
    def __init__(self, player_id: _Optional[str] = ...) -> None: ...

class SubstituteOffered(_message.Message):
    __slots__ = ("player",)
    PLAYER_FIELD_NUMBER: _ClassVar[int]
    player: _player_pb2.Player
    def __init__(self, player: _Optional[_Union[_player_pb2.Player, _Mapping]] = ...) -> None: ...

class SubstituteOfferWithdrawn(_message.Message):
    __slots__ = ("player_id",)
    PLAYER_ID_FIELD_NUMBER: _ClassVar[int]
    player_id: str
    def __init__(self, player_id: _Optional[str] = ...) -> None: ...
