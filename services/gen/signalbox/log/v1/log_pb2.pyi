from services.gen.signalbox.events.v1 import events_pb2 as _events_pb2
from services.gen.signalbox.rules.v1 import command_pb2 as _command_pb2
from services.gen.signalbox.rules.v1 import direction_pb2 as _direction_pb2
from services.gen.signalbox.rules.v1 import rejection_pb2 as _rejection_pb2
from services.gen.signalbox.routing.v1 import routing_pb2 as _routing_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class Commit(_message.Message):
    __slots__ = ("stream", "first_sequence", "facts", "recorded_time_ms", "request", "append_id")
    STREAM_FIELD_NUMBER: _ClassVar[int]
    FIRST_SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    FACTS_FIELD_NUMBER: _ClassVar[int]
    RECORDED_TIME_MS_FIELD_NUMBER: _ClassVar[int]
    REQUEST_FIELD_NUMBER: _ClassVar[int]
    APPEND_ID_FIELD_NUMBER: _ClassVar[int]
    stream: str
    first_sequence: int
    facts: _containers.RepeatedCompositeFieldContainer[Fact]
    recorded_time_ms: int
    request: Request
    append_id: str
    def __init__(self, stream: _Optional[str] = ..., first_sequence: _Optional[int] = ..., facts: _Optional[_Iterable[_Union[Fact, _Mapping]]] = ..., recorded_time_ms: _Optional[int] = ..., request: _Optional[_Union[Request, _Mapping]] = ..., append_id: _Optional[str] = ...) -> None: ...

class Fact(_message.Message):
    __slots__ = ("type", "schema_version", "payload")
    TYPE_FIELD_NUMBER: _ClassVar[int]
    SCHEMA_VERSION_FIELD_NUMBER: _ClassVar[int]
    PAYLOAD_FIELD_NUMBER: _ClassVar[int]
    type: str
    schema_version: int
    payload: bytes
    def __init__(self, type: _Optional[str] = ..., schema_version: _Optional[int] = ..., payload: _Optional[bytes] = ...) -> None: ...

class Request(_message.Message):
    __slots__ = ("request_id", "player", "content_hash", "outcome")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    PLAYER_FIELD_NUMBER: _ClassVar[int]
    CONTENT_HASH_FIELD_NUMBER: _ClassVar[int]
    OUTCOME_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    player: str
    content_hash: bytes
    outcome: bytes
    def __init__(self, request_id: _Optional[str] = ..., player: _Optional[str] = ..., content_hash: _Optional[bytes] = ..., outcome: _Optional[bytes] = ...) -> None: ...

class Snapshot(_message.Message):
    __slots__ = ("stream", "sequence", "schema", "payload")
    STREAM_FIELD_NUMBER: _ClassVar[int]
    SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    SCHEMA_FIELD_NUMBER: _ClassVar[int]
    PAYLOAD_FIELD_NUMBER: _ClassVar[int]
    stream: str
    sequence: int
    schema: int
    payload: bytes
    def __init__(self, stream: _Optional[str] = ..., sequence: _Optional[int] = ..., schema: _Optional[int] = ..., payload: _Optional[bytes] = ...) -> None: ...

class CommandSent(_message.Message):
    __slots__ = ("schema_version", "game_id", "player", "request_id", "expected_sequence", "command", "create", "release", "import_game", "direction", "best_runs", "reply_partition", "reply_id", "sent_time_ms", "follows_events", "deadline_ms", "reads_all_outcomes")
    SCHEMA_VERSION_FIELD_NUMBER: _ClassVar[int]
    GAME_ID_FIELD_NUMBER: _ClassVar[int]
    PLAYER_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    EXPECTED_SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    COMMAND_FIELD_NUMBER: _ClassVar[int]
    CREATE_FIELD_NUMBER: _ClassVar[int]
    RELEASE_FIELD_NUMBER: _ClassVar[int]
    IMPORT_GAME_FIELD_NUMBER: _ClassVar[int]
    DIRECTION_FIELD_NUMBER: _ClassVar[int]
    BEST_RUNS_FIELD_NUMBER: _ClassVar[int]
    REPLY_PARTITION_FIELD_NUMBER: _ClassVar[int]
    REPLY_ID_FIELD_NUMBER: _ClassVar[int]
    SENT_TIME_MS_FIELD_NUMBER: _ClassVar[int]
    FOLLOWS_EVENTS_FIELD_NUMBER: _ClassVar[int]
    DEADLINE_MS_FIELD_NUMBER: _ClassVar[int]
    READS_ALL_OUTCOMES_FIELD_NUMBER: _ClassVar[int]
    schema_version: int
    game_id: str
    player: str
    request_id: str
    expected_sequence: int
    command: _command_pb2.Command
    create: NewGame
    release: ReleaseGame
    import_game: ImportedGame
    direction: _direction_pb2.Direction
    best_runs: BestRunsFound
    reply_partition: int
    reply_id: str
    sent_time_ms: int
    follows_events: bool
    deadline_ms: int
    reads_all_outcomes: bool
    def __init__(self, schema_version: _Optional[int] = ..., game_id: _Optional[str] = ..., player: _Optional[str] = ..., request_id: _Optional[str] = ..., expected_sequence: _Optional[int] = ..., command: _Optional[_Union[_command_pb2.Command, _Mapping]] = ..., create: _Optional[_Union[NewGame, _Mapping]] = ..., release: _Optional[_Union[ReleaseGame, _Mapping]] = ..., import_game: _Optional[_Union[ImportedGame, _Mapping]] = ..., direction: _Optional[_Union[_direction_pb2.Direction, _Mapping]] = ..., best_runs: _Optional[_Union[BestRunsFound, _Mapping]] = ..., reply_partition: _Optional[int] = ..., reply_id: _Optional[str] = ..., sent_time_ms: _Optional[int] = ..., follows_events: _Optional[bool] = ..., deadline_ms: _Optional[int] = ..., reads_all_outcomes: _Optional[bool] = ...) -> None: ...

class ReleaseGame(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class NewGame(_message.Message):
    __slots__ = ("title", "players", "options", "rulings", "undo_policy", "seed", "audience")
    TITLE_FIELD_NUMBER: _ClassVar[int]
    PLAYERS_FIELD_NUMBER: _ClassVar[int]
    OPTIONS_FIELD_NUMBER: _ClassVar[int]
    RULINGS_FIELD_NUMBER: _ClassVar[int]
    UNDO_POLICY_FIELD_NUMBER: _ClassVar[int]
    SEED_FIELD_NUMBER: _ClassVar[int]
    AUDIENCE_FIELD_NUMBER: _ClassVar[int]
    title: str
    players: _containers.RepeatedScalarFieldContainer[str]
    options: _containers.RepeatedScalarFieldContainer[str]
    rulings: _containers.RepeatedCompositeFieldContainer[NewGameRuling]
    undo_policy: str
    seed: int
    audience: _events_pb2.AudienceSet
    def __init__(self, title: _Optional[str] = ..., players: _Optional[_Iterable[str]] = ..., options: _Optional[_Iterable[str]] = ..., rulings: _Optional[_Iterable[_Union[NewGameRuling, _Mapping]]] = ..., undo_policy: _Optional[str] = ..., seed: _Optional[int] = ..., audience: _Optional[_Union[_events_pb2.AudienceSet, _Mapping]] = ...) -> None: ...

class ImportedGame(_message.Message):
    __slots__ = ("facts",)
    FACTS_FIELD_NUMBER: _ClassVar[int]
    facts: _containers.RepeatedCompositeFieldContainer[Fact]
    def __init__(self, facts: _Optional[_Iterable[_Union[Fact, _Mapping]]] = ...) -> None: ...

class NewGameRuling(_message.Message):
    __slots__ = ("name", "value")
    NAME_FIELD_NUMBER: _ClassVar[int]
    VALUE_FIELD_NUMBER: _ClassVar[int]
    name: str
    value: str
    def __init__(self, name: _Optional[str] = ..., value: _Optional[str] = ...) -> None: ...

class BestRunsFound(_message.Message):
    __slots__ = ("problem_key", "solution")
    PROBLEM_KEY_FIELD_NUMBER: _ClassVar[int]
    SOLUTION_FIELD_NUMBER: _ClassVar[int]
    problem_key: str
    solution: _routing_pb2.RouteSolution
    def __init__(self, problem_key: _Optional[str] = ..., solution: _Optional[_Union[_routing_pb2.RouteSolution, _Mapping]] = ...) -> None: ...

class CommandOutcome(_message.Message):
    __slots__ = ("schema_version", "game_id", "request_id", "reply_id", "carried_out", "rejected", "stale", "unknown_game", "blocked", "dead_lettered", "expired")
    SCHEMA_VERSION_FIELD_NUMBER: _ClassVar[int]
    GAME_ID_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    REPLY_ID_FIELD_NUMBER: _ClassVar[int]
    CARRIED_OUT_FIELD_NUMBER: _ClassVar[int]
    REJECTED_FIELD_NUMBER: _ClassVar[int]
    STALE_FIELD_NUMBER: _ClassVar[int]
    UNKNOWN_GAME_FIELD_NUMBER: _ClassVar[int]
    BLOCKED_FIELD_NUMBER: _ClassVar[int]
    DEAD_LETTERED_FIELD_NUMBER: _ClassVar[int]
    EXPIRED_FIELD_NUMBER: _ClassVar[int]
    schema_version: int
    game_id: str
    request_id: str
    reply_id: str
    carried_out: CarriedOut
    rejected: _rejection_pb2.Rejection
    stale: Stale
    unknown_game: UnknownGame
    blocked: GameBlocked
    dead_lettered: CommandDeadLettered
    expired: CommandExpired
    def __init__(self, schema_version: _Optional[int] = ..., game_id: _Optional[str] = ..., request_id: _Optional[str] = ..., reply_id: _Optional[str] = ..., carried_out: _Optional[_Union[CarriedOut, _Mapping]] = ..., rejected: _Optional[_Union[_rejection_pb2.Rejection, _Mapping]] = ..., stale: _Optional[_Union[Stale, _Mapping]] = ..., unknown_game: _Optional[_Union[UnknownGame, _Mapping]] = ..., blocked: _Optional[_Union[GameBlocked, _Mapping]] = ..., dead_lettered: _Optional[_Union[CommandDeadLettered, _Mapping]] = ..., expired: _Optional[_Union[CommandExpired, _Mapping]] = ...) -> None: ...

class CarriedOut(_message.Message):
    __slots__ = ("first_sequence", "last_sequence", "repeated_request")
    FIRST_SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    LAST_SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    REPEATED_REQUEST_FIELD_NUMBER: _ClassVar[int]
    first_sequence: int
    last_sequence: int
    repeated_request: bool
    def __init__(self, first_sequence: _Optional[int] = ..., last_sequence: _Optional[int] = ..., repeated_request: _Optional[bool] = ...) -> None: ...

class Stale(_message.Message):
    __slots__ = ("actual",)
    ACTUAL_FIELD_NUMBER: _ClassVar[int]
    actual: int
    def __init__(self, actual: _Optional[int] = ...) -> None: ...

class UnknownGame(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class GameBlocked(_message.Message):
    __slots__ = ("reason",)
    REASON_FIELD_NUMBER: _ClassVar[int]
    reason: str
    def __init__(self, reason: _Optional[str] = ...) -> None: ...

class CommandDeadLettered(_message.Message):
    __slots__ = ("reason",)
    REASON_FIELD_NUMBER: _ClassVar[int]
    reason: str
    def __init__(self, reason: _Optional[str] = ...) -> None: ...

class CommandExpired(_message.Message):
    __slots__ = ("owner_time_ms",)
    OWNER_TIME_MS_FIELD_NUMBER: _ClassVar[int]
    owner_time_ms: int
    def __init__(self, owner_time_ms: _Optional[int] = ...) -> None: ...

class CommandSkip(_message.Message):
    __slots__ = ("schema_version", "partition", "offset", "game_id", "reason", "operator", "recorded_time_ms", "value")
    SCHEMA_VERSION_FIELD_NUMBER: _ClassVar[int]
    PARTITION_FIELD_NUMBER: _ClassVar[int]
    OFFSET_FIELD_NUMBER: _ClassVar[int]
    GAME_ID_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    OPERATOR_FIELD_NUMBER: _ClassVar[int]
    RECORDED_TIME_MS_FIELD_NUMBER: _ClassVar[int]
    VALUE_FIELD_NUMBER: _ClassVar[int]
    schema_version: int
    partition: int
    offset: int
    game_id: str
    reason: str
    operator: str
    recorded_time_ms: int
    value: bytes
    def __init__(self, schema_version: _Optional[int] = ..., partition: _Optional[int] = ..., offset: _Optional[int] = ..., game_id: _Optional[str] = ..., reason: _Optional[str] = ..., operator: _Optional[str] = ..., recorded_time_ms: _Optional[int] = ..., value: _Optional[bytes] = ...) -> None: ...

class GameStatus(_message.Message):
    __slots__ = ("schema_version", "game_id", "sequence", "title", "players", "acting_players", "round_kind", "turn", "round_number", "phase", "actor", "ending", "results", "recorded_time_ms", "bearers", "suspended", "balances_digest", "acting_seats", "actor_seat", "actor_kind", "ruling_count")
    SCHEMA_VERSION_FIELD_NUMBER: _ClassVar[int]
    GAME_ID_FIELD_NUMBER: _ClassVar[int]
    SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    TITLE_FIELD_NUMBER: _ClassVar[int]
    PLAYERS_FIELD_NUMBER: _ClassVar[int]
    ACTING_PLAYERS_FIELD_NUMBER: _ClassVar[int]
    ROUND_KIND_FIELD_NUMBER: _ClassVar[int]
    TURN_FIELD_NUMBER: _ClassVar[int]
    ROUND_NUMBER_FIELD_NUMBER: _ClassVar[int]
    PHASE_FIELD_NUMBER: _ClassVar[int]
    ACTOR_FIELD_NUMBER: _ClassVar[int]
    ENDING_FIELD_NUMBER: _ClassVar[int]
    RESULTS_FIELD_NUMBER: _ClassVar[int]
    RECORDED_TIME_MS_FIELD_NUMBER: _ClassVar[int]
    BEARERS_FIELD_NUMBER: _ClassVar[int]
    SUSPENDED_FIELD_NUMBER: _ClassVar[int]
    BALANCES_DIGEST_FIELD_NUMBER: _ClassVar[int]
    ACTING_SEATS_FIELD_NUMBER: _ClassVar[int]
    ACTOR_SEAT_FIELD_NUMBER: _ClassVar[int]
    ACTOR_KIND_FIELD_NUMBER: _ClassVar[int]
    RULING_COUNT_FIELD_NUMBER: _ClassVar[int]
    schema_version: int
    game_id: str
    sequence: int
    title: str
    players: _containers.RepeatedScalarFieldContainer[str]
    acting_players: _containers.RepeatedScalarFieldContainer[str]
    round_kind: str
    turn: int
    round_number: int
    phase: str
    actor: str
    ending: str
    results: _containers.RepeatedCompositeFieldContainer[PlayerResult]
    recorded_time_ms: int
    bearers: _containers.RepeatedCompositeFieldContainer[SeatBearer]
    suspended: bool
    balances_digest: bytes
    acting_seats: _containers.RepeatedScalarFieldContainer[int]
    actor_seat: int
    actor_kind: str
    ruling_count: int
    def __init__(self, schema_version: _Optional[int] = ..., game_id: _Optional[str] = ..., sequence: _Optional[int] = ..., title: _Optional[str] = ..., players: _Optional[_Iterable[str]] = ..., acting_players: _Optional[_Iterable[str]] = ..., round_kind: _Optional[str] = ..., turn: _Optional[int] = ..., round_number: _Optional[int] = ..., phase: _Optional[str] = ..., actor: _Optional[str] = ..., ending: _Optional[str] = ..., results: _Optional[_Iterable[_Union[PlayerResult, _Mapping]]] = ..., recorded_time_ms: _Optional[int] = ..., bearers: _Optional[_Iterable[_Union[SeatBearer, _Mapping]]] = ..., suspended: _Optional[bool] = ..., balances_digest: _Optional[bytes] = ..., acting_seats: _Optional[_Iterable[int]] = ..., actor_seat: _Optional[int] = ..., actor_kind: _Optional[str] = ..., ruling_count: _Optional[int] = ...) -> None: ...

class SeatBearer(_message.Message):
    __slots__ = ("seat", "bearer", "kind")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    BEARER_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    seat: str
    bearer: str
    kind: _events_pb2.BearerKind
    def __init__(self, seat: _Optional[str] = ..., bearer: _Optional[str] = ..., kind: _Optional[_Union[_events_pb2.BearerKind, str]] = ...) -> None: ...

class PlayerResult(_message.Message):
    __slots__ = ("player", "value")
    PLAYER_FIELD_NUMBER: _ClassVar[int]
    VALUE_FIELD_NUMBER: _ClassVar[int]
    player: str
    value: int
    def __init__(self, player: _Optional[str] = ..., value: _Optional[int] = ...) -> None: ...

class HoldChanged(_message.Message):
    __slots__ = ("schema_version", "game_id", "held", "reason", "detail", "sequence", "recorded_time_ms", "rebuild_asked")
    SCHEMA_VERSION_FIELD_NUMBER: _ClassVar[int]
    GAME_ID_FIELD_NUMBER: _ClassVar[int]
    HELD_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    DETAIL_FIELD_NUMBER: _ClassVar[int]
    SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    RECORDED_TIME_MS_FIELD_NUMBER: _ClassVar[int]
    REBUILD_ASKED_FIELD_NUMBER: _ClassVar[int]
    schema_version: int
    game_id: str
    held: bool
    reason: str
    detail: str
    sequence: int
    recorded_time_ms: int
    rebuild_asked: bool
    def __init__(self, schema_version: _Optional[int] = ..., game_id: _Optional[str] = ..., held: _Optional[bool] = ..., reason: _Optional[str] = ..., detail: _Optional[str] = ..., sequence: _Optional[int] = ..., recorded_time_ms: _Optional[int] = ..., rebuild_asked: _Optional[bool] = ...) -> None: ...

class RoutesWanted(_message.Message):
    __slots__ = ("schema_version", "game_id", "sequence", "problem")
    SCHEMA_VERSION_FIELD_NUMBER: _ClassVar[int]
    GAME_ID_FIELD_NUMBER: _ClassVar[int]
    SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    PROBLEM_FIELD_NUMBER: _ClassVar[int]
    schema_version: int
    game_id: str
    sequence: int
    problem: _routing_pb2.RouteProblem
    def __init__(self, schema_version: _Optional[int] = ..., game_id: _Optional[str] = ..., sequence: _Optional[int] = ..., problem: _Optional[_Union[_routing_pb2.RouteProblem, _Mapping]] = ...) -> None: ...

class DeadLetter(_message.Message):
    __slots__ = ("schema_version", "game_id", "topic", "partition", "offset", "reason", "value", "recorded_time_ms", "release_asked", "outlives_owner")
    SCHEMA_VERSION_FIELD_NUMBER: _ClassVar[int]
    GAME_ID_FIELD_NUMBER: _ClassVar[int]
    TOPIC_FIELD_NUMBER: _ClassVar[int]
    PARTITION_FIELD_NUMBER: _ClassVar[int]
    OFFSET_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    VALUE_FIELD_NUMBER: _ClassVar[int]
    RECORDED_TIME_MS_FIELD_NUMBER: _ClassVar[int]
    RELEASE_ASKED_FIELD_NUMBER: _ClassVar[int]
    OUTLIVES_OWNER_FIELD_NUMBER: _ClassVar[int]
    schema_version: int
    game_id: str
    topic: str
    partition: int
    offset: int
    reason: str
    value: bytes
    recorded_time_ms: int
    release_asked: bool
    outlives_owner: bool
    def __init__(self, schema_version: _Optional[int] = ..., game_id: _Optional[str] = ..., topic: _Optional[str] = ..., partition: _Optional[int] = ..., offset: _Optional[int] = ..., reason: _Optional[str] = ..., value: _Optional[bytes] = ..., recorded_time_ms: _Optional[int] = ..., release_asked: _Optional[bool] = ..., outlives_owner: _Optional[bool] = ...) -> None: ...
