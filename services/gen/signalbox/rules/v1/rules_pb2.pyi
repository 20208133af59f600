from services.gen.signalbox.events.v1 import events_pb2 as _events_pb2
from services.gen.signalbox.events.v1 import sentence_pb2 as _sentence_pb2
from services.gen.signalbox.rules.v1 import choice_pb2 as _choice_pb2
from services.gen.signalbox.rules.v1 import command_pb2 as _command_pb2
from services.gen.signalbox.rules.v1 import direction_pb2 as _direction_pb2
from services.gen.signalbox.rules.v1 import game_pb2 as _game_pb2
from services.gen.signalbox.rules.v1 import picture_pb2 as _picture_pb2
from services.gen.signalbox.rules.v1 import rejection_pb2 as _rejection_pb2
from services.gen.signalbox.rules.v1 import title_pb2 as _title_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class ExecuteRequest(_message.Message):
    __slots__ = ("game_id", "request_id", "expected_sequence", "command")
    GAME_ID_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    EXPECTED_SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    COMMAND_FIELD_NUMBER: _ClassVar[int]
    game_id: str
    request_id: str
    expected_sequence: int
    command: _command_pb2.Command
    def __init__(self, game_id: _Optional[str] = ..., request_id: _Optional[str] = ..., expected_sequence: _Optional[int] = ..., command: _Optional[_Union[_command_pb2.Command, _Mapping]] = ...) -> None: ...

class DirectRequest(_message.Message):
    __slots__ = ("game_id", "request_id", "expected_sequence", "author", "direction")
    GAME_ID_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    EXPECTED_SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    AUTHOR_FIELD_NUMBER: _ClassVar[int]
    DIRECTION_FIELD_NUMBER: _ClassVar[int]
    game_id: str
    request_id: str
    expected_sequence: int
    author: str
    direction: _direction_pb2.Direction
    def __init__(self, game_id: _Optional[str] = ..., request_id: _Optional[str] = ..., expected_sequence: _Optional[int] = ..., author: _Optional[str] = ..., direction: _Optional[_Union[_direction_pb2.Direction, _Mapping]] = ...) -> None: ...

class DirectResponse(_message.Message):
    __slots__ = ("accepted", "rejected")
    ACCEPTED_FIELD_NUMBER: _ClassVar[int]
    REJECTED_FIELD_NUMBER: _ClassVar[int]
    accepted: Accepted
    rejected: _rejection_pb2.Rejection
    def __init__(self, accepted: _Optional[_Union[Accepted, _Mapping]] = ..., rejected: _Optional[_Union[_rejection_pb2.Rejection, _Mapping]] = ...) -> None: ...

class ExecuteResponse(_message.Message):
    __slots__ = ("accepted", "rejected")
    ACCEPTED_FIELD_NUMBER: _ClassVar[int]
    REJECTED_FIELD_NUMBER: _ClassVar[int]
    accepted: Accepted
    rejected: _rejection_pb2.Rejection
    def __init__(self, accepted: _Optional[_Union[Accepted, _Mapping]] = ..., rejected: _Optional[_Union[_rejection_pb2.Rejection, _Mapping]] = ...) -> None: ...

class Accepted(_message.Message):
    __slots__ = ("first_sequence", "last_sequence", "events", "repeated_request")
    FIRST_SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    LAST_SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    EVENTS_FIELD_NUMBER: _ClassVar[int]
    REPEATED_REQUEST_FIELD_NUMBER: _ClassVar[int]
    first_sequence: int
    last_sequence: int
    events: _containers.RepeatedCompositeFieldContainer[_events_pb2.GameEvent]
    repeated_request: bool
    def __init__(self, first_sequence: _Optional[int] = ..., last_sequence: _Optional[int] = ..., events: _Optional[_Iterable[_Union[_events_pb2.GameEvent, _Mapping]]] = ..., repeated_request: _Optional[bool] = ...) -> None: ...

class ListChoicesRequest(_message.Message):
    __slots__ = ("game_id", "player", "with_best_runs", "at_least_sequence", "with_undo")
    GAME_ID_FIELD_NUMBER: _ClassVar[int]
    PLAYER_FIELD_NUMBER: _ClassVar[int]
    WITH_BEST_RUNS_FIELD_NUMBER: _ClassVar[int]
    AT_LEAST_SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    WITH_UNDO_FIELD_NUMBER: _ClassVar[int]
    game_id: str
    player: str
    with_best_runs: bool
    at_least_sequence: int
    with_undo: bool
    def __init__(self, game_id: _Optional[str] = ..., player: _Optional[str] = ..., with_best_runs: _Optional[bool] = ..., at_least_sequence: _Optional[int] = ..., with_undo: _Optional[bool] = ...) -> None: ...

class ListChoicesResponse(_message.Message):
    __slots__ = ("sequence", "choices", "best_runs", "undo_to_sequence")
    SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    CHOICES_FIELD_NUMBER: _ClassVar[int]
    BEST_RUNS_FIELD_NUMBER: _ClassVar[int]
    UNDO_TO_SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    sequence: int
    choices: _containers.RepeatedCompositeFieldContainer[_choice_pb2.Choice]
    best_runs: _rejection_pb2.BestRuns
    undo_to_sequence: int
    def __init__(self, sequence: _Optional[int] = ..., choices: _Optional[_Iterable[_Union[_choice_pb2.Choice, _Mapping]]] = ..., best_runs: _Optional[_Union[_rejection_pb2.BestRuns, _Mapping]] = ..., undo_to_sequence: _Optional[int] = ...) -> None: ...

class ValueRunsRequest(_message.Message):
    __slots__ = ("game_id", "runs", "at_least_sequence")
    GAME_ID_FIELD_NUMBER: _ClassVar[int]
    RUNS_FIELD_NUMBER: _ClassVar[int]
    AT_LEAST_SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    game_id: str
    runs: _command_pb2.RunTrains
    at_least_sequence: int
    def __init__(self, game_id: _Optional[str] = ..., runs: _Optional[_Union[_command_pb2.RunTrains, _Mapping]] = ..., at_least_sequence: _Optional[int] = ...) -> None: ...

class ValueRunsResponse(_message.Message):
    __slots__ = ("valued", "rejected")
    VALUED_FIELD_NUMBER: _ClassVar[int]
    REJECTED_FIELD_NUMBER: _ClassVar[int]
    valued: ValuedRuns
    rejected: _rejection_pb2.Rejection
    def __init__(self, valued: _Optional[_Union[ValuedRuns, _Mapping]] = ..., rejected: _Optional[_Union[_rejection_pb2.Rejection, _Mapping]] = ...) -> None: ...

class ValuedRuns(_message.Message):
    __slots__ = ("sequence", "runs", "revenue", "treasury_income")
    SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    RUNS_FIELD_NUMBER: _ClassVar[int]
    REVENUE_FIELD_NUMBER: _ClassVar[int]
    TREASURY_INCOME_FIELD_NUMBER: _ClassVar[int]
    sequence: int
    runs: _containers.RepeatedCompositeFieldContainer[_events_pb2.Run]
    revenue: int
    treasury_income: int
    def __init__(self, sequence: _Optional[int] = ..., runs: _Optional[_Iterable[_Union[_events_pb2.Run, _Mapping]]] = ..., revenue: _Optional[int] = ..., treasury_income: _Optional[int] = ...) -> None: ...

class GetGameRequest(_message.Message):
    __slots__ = ("game_id", "at_sequence", "at_least_sequence")
    GAME_ID_FIELD_NUMBER: _ClassVar[int]
    AT_SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    AT_LEAST_SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    game_id: str
    at_sequence: int
    at_least_sequence: int
    def __init__(self, game_id: _Optional[str] = ..., at_sequence: _Optional[int] = ..., at_least_sequence: _Optional[int] = ...) -> None: ...

class GetGameResponse(_message.Message):
    __slots__ = ("game",)
    GAME_FIELD_NUMBER: _ClassVar[int]
    game: _game_pb2.GameView
    def __init__(self, game: _Optional[_Union[_game_pb2.GameView, _Mapping]] = ...) -> None: ...

class ListEventsRequest(_message.Message):
    __slots__ = ("game_id", "after_sequence", "page_size", "at_least_sequence", "with_sentences")
    GAME_ID_FIELD_NUMBER: _ClassVar[int]
    AFTER_SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    AT_LEAST_SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    WITH_SENTENCES_FIELD_NUMBER: _ClassVar[int]
    game_id: str
    after_sequence: int
    page_size: int
    at_least_sequence: int
    with_sentences: bool
    def __init__(self, game_id: _Optional[str] = ..., after_sequence: _Optional[int] = ..., page_size: _Optional[int] = ..., at_least_sequence: _Optional[int] = ..., with_sentences: _Optional[bool] = ...) -> None: ...

class ListEventsResponse(_message.Message):
    __slots__ = ("events", "next_after_sequence", "sequence", "sentences")
    EVENTS_FIELD_NUMBER: _ClassVar[int]
    NEXT_AFTER_SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    SENTENCES_FIELD_NUMBER: _ClassVar[int]
    events: _containers.RepeatedCompositeFieldContainer[_events_pb2.GameEvent]
    next_after_sequence: int
    sequence: int
    sentences: _containers.RepeatedCompositeFieldContainer[_sentence_pb2.Sentence]
    def __init__(self, events: _Optional[_Iterable[_Union[_events_pb2.GameEvent, _Mapping]]] = ..., next_after_sequence: _Optional[int] = ..., sequence: _Optional[int] = ..., sentences: _Optional[_Iterable[_Union[_sentence_pb2.Sentence, _Mapping]]] = ...) -> None: ...

class WatchGameRequest(_message.Message):
    __slots__ = ("game_id", "after_sequence")
    GAME_ID_FIELD_NUMBER: _ClassVar[int]
    AFTER_SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    game_id: str
    after_sequence: int
    def __init__(self, game_id: _Optional[str] = ..., after_sequence: _Optional[int] = ...) -> None: ...

class WatchGameResponse(_message.Message):
    __slots__ = ("event",)
    EVENT_FIELD_NUMBER: _ClassVar[int]
    event: _events_pb2.GameEvent
    def __init__(self, event: _Optional[_Union[_events_pb2.GameEvent, _Mapping]] = ...) -> None: ...

class WatchMovesRequest(_message.Message):
    __slots__ = ("games",)
    GAMES_FIELD_NUMBER: _ClassVar[int]
    games: _containers.RepeatedCompositeFieldContainer[WatchedGame]
    def __init__(self, games: _Optional[_Iterable[_Union[WatchedGame, _Mapping]]] = ...) -> None: ...

class WatchedGame(_message.Message):
    __slots__ = ("game_id", "after_sequence")
    GAME_ID_FIELD_NUMBER: _ClassVar[int]
    AFTER_SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    game_id: str
    after_sequence: int
    def __init__(self, game_id: _Optional[str] = ..., after_sequence: _Optional[int] = ...) -> None: ...

class WatchMovesResponse(_message.Message):
    __slots__ = ("game_id", "sequence", "acting_players", "acting_bearers", "finished", "suspended", "not_found", "seen_later", "seen_by_everybody")
    GAME_ID_FIELD_NUMBER: _ClassVar[int]
    SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    ACTING_PLAYERS_FIELD_NUMBER: _ClassVar[int]
    ACTING_BEARERS_FIELD_NUMBER: _ClassVar[int]
    FINISHED_FIELD_NUMBER: _ClassVar[int]
    SUSPENDED_FIELD_NUMBER: _ClassVar[int]
    NOT_FOUND_FIELD_NUMBER: _ClassVar[int]
    SEEN_LATER_FIELD_NUMBER: _ClassVar[int]
    SEEN_BY_EVERYBODY_FIELD_NUMBER: _ClassVar[int]
    game_id: str
    sequence: int
    acting_players: _containers.RepeatedScalarFieldContainer[str]
    acting_bearers: _containers.RepeatedScalarFieldContainer[str]
    finished: bool
    suspended: bool
    not_found: bool
    seen_later: bool
    seen_by_everybody: bool
    def __init__(self, game_id: _Optional[str] = ..., sequence: _Optional[int] = ..., acting_players: _Optional[_Iterable[str]] = ..., acting_bearers: _Optional[_Iterable[str]] = ..., finished: _Optional[bool] = ..., suspended: _Optional[bool] = ..., not_found: _Optional[bool] = ..., seen_later: _Optional[bool] = ..., seen_by_everybody: _Optional[bool] = ...) -> None: ...

class ListTitlesRequest(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class ListTitlesResponse(_message.Message):
    __slots__ = ("titles",)
    TITLES_FIELD_NUMBER: _ClassVar[int]
    titles: _containers.RepeatedCompositeFieldContainer[_title_pb2.TitleSummary]
    def __init__(self, titles: _Optional[_Iterable[_Union[_title_pb2.TitleSummary, _Mapping]]] = ...) -> None: ...

class GetTitleRequest(_message.Message):
    __slots__ = ("title", "options", "ruling_profile", "rulings", "known_checksum", "players")
    TITLE_FIELD_NUMBER: _ClassVar[int]
    OPTIONS_FIELD_NUMBER: _ClassVar[int]
    RULING_PROFILE_FIELD_NUMBER: _ClassVar[int]
    RULINGS_FIELD_NUMBER: _ClassVar[int]
    KNOWN_CHECKSUM_FIELD_NUMBER: _ClassVar[int]
    PLAYERS_FIELD_NUMBER: _ClassVar[int]
    title: str
    options: _containers.RepeatedScalarFieldContainer[str]
    ruling_profile: str
    rulings: _containers.RepeatedCompositeFieldContainer[_events_pb2.Ruling]
    known_checksum: str
    players: int
    def __init__(self, title: _Optional[str] = ..., options: _Optional[_Iterable[str]] = ..., ruling_profile: _Optional[str] = ..., rulings: _Optional[_Iterable[_Union[_events_pb2.Ruling, _Mapping]]] = ..., known_checksum: _Optional[str] = ..., players: _Optional[int] = ...) -> None: ...

class GetTitleResponse(_message.Message):
    __slots__ = ("title", "checksum")
    TITLE_FIELD_NUMBER: _ClassVar[int]
    CHECKSUM_FIELD_NUMBER: _ClassVar[int]
    title: _title_pb2.TitleView
    checksum: str
    def __init__(self, title: _Optional[_Union[_title_pb2.TitleView, _Mapping]] = ..., checksum: _Optional[str] = ...) -> None: ...
