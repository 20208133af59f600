"""Kafka records of the rules service, decoded into its own values. Errors name the record and the field."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar

from google.protobuf.message import DecodeError, Message

from services.common.errors import SignalboxError
from services.common.kafka.topics import RecordPosition
from services.common.kafka.unpacking import message_in
from services.gen.signalbox.events.v1 import events_pb2
from services.gen.signalbox.log.v1 import log_pb2 as pb
from services.gen.signalbox.rules.v1 import rejection_pb2
from services.routing.convert import problem_from_message, problem_to_message
from services.routing.domain.problem import ProblemError, RouteProblem
from services.rules.adapters.codec import UNDO_POLICIES, command_message, read_command
from services.rules.adapters.directions import direction_message, read_direction
from services.rules.adapters.imported_games import imported_game, read_imported_game
from services.rules.adapters.messages import MalformedMessageError, pair
from services.rules.kernel.commands import Command, CreateGame
from services.rules.kernel.directing.commands import Direct
from services.rules.kernel.rejections import Rejection
from services.rules.kernel.values import EVERYBODY, Audience, Ruling
from services.rules.requests import (
    CREATION_REQUEST,
    NUL,
    CommandAccepted,
    CommandRejected,
    ImportGame,
    Request,
)

SCHEMA_VERSION = 1
# A dead letter must always fit into a record: writing it must not fail.
REASON_LENGTH_MAX = 1000
DEAD_LETTER_VALUE_BYTES_MAX = 1024 * 1024

Read = TypeVar("Read", bound=Message)


class UnreadableRecord(SignalboxError):
    """The value of a record is not valid for its topic; the message names the record and the fault."""


@dataclass(frozen=True, slots=True)
class ReplyAddress:
    """Where the outcome of a command goes: a partition of the outcomes and the name of this sending."""

    partition: int
    reply_id: str


@dataclass(frozen=True, slots=True)
class Unknown:
    """There is no such game."""


@dataclass(frozen=True, slots=True)
class Stale:
    """The game is at `actual`, the command expected another sequence."""

    actual: int


@dataclass(frozen=True, slots=True)
class Blocked:
    """The game is blocked by a failure of its log or its rules."""

    reason: str


@dataclass(frozen=True, slots=True)
class DeadLettered:
    """The command itself cannot be processed, whatever the state of the game."""

    reason: str


@dataclass(frozen=True, slots=True)
class Expired:
    """The owner met the command after its deadline, at `owner_time_ms` by its clock; nothing changed."""

    owner_time_ms: int


Outcome = CommandAccepted | CommandRejected | Stale | Unknown | Blocked | DeadLettered | Expired


@dataclass(frozen=True, slots=True)
class Hold:
    """The ledger holds a game, or releases it if not `held`."""

    game_id: str
    held: bool
    reason: str


def parsed(kind: type[Read], value: bytes | None, key: bytes | str | None = None) -> Read:
    """The message in a record's value. `UnreadableRecord` when it is none, or of a version this program does not know.

    `key`: of the record, where values of its topic are packed."""
    name = kind.DESCRIPTOR.name
    try:
        message = message_in(kind, value, key)
    except DecodeError as error:
        raise UnreadableRecord(f"no {name}: {error}") from error
    version = getattr(message, "schema_version", SCHEMA_VERSION)
    if version != SCHEMA_VERSION:
        raise UnreadableRecord(f"{name}: schema_version {version} is not {SCHEMA_VERSION}")
    return message


def reply_address(value: bytes | None, own: int, partitions: int) -> ReplyAddress | None:
    """Where the outcome of a command in partition `own` goes; `None` if the command cannot be read so far.

    That is the same partition of the outcomes, to which its owner alone writes: a transaction that another owner leaves open
    holds nothing up there. Only senders of older versions read a single partition and name it."""
    try:
        sent = message_in(pb.CommandSent, value, None)
    except DecodeError:
        return None
    partition = own if sent.reads_all_outcomes else sent.reply_partition
    if not sent.reply_id or not 0 <= partition < partitions:
        return None
    return ReplyAddress(partition, sent.reply_id)


def command_sent(
    request: Request,
    reply_id: str,
    best_runs: pb.BestRunsFound | None = None,
    follows_events: bool = False,
    deadline_ms: int = 0,
) -> pb.CommandSent:
    """A request on its way to the owner of its game. `deadline_ms`: see CommandSent."""
    sent = pb.CommandSent(
        schema_version=SCHEMA_VERSION,
        game_id=request.game_id,
        player=request.player,
        request_id=request.request_id,
        expected_sequence=request.expected_sequence,
        best_runs=best_runs,
        reads_all_outcomes=True,
        reply_id=reply_id,
        follows_events=follows_events,
        deadline_ms=deadline_ms,
    )
    if isinstance(request.command, CreateGame):
        sent.create.CopyFrom(_new_game(request.command))
    elif isinstance(request.command, ImportGame):
        sent.import_game.CopyFrom(imported_game(request.command))
    elif isinstance(request.command, Direct):
        sent.direction.CopyFrom(direction_message(request.command))
    else:
        sent.command.CopyFrom(command_message(request.command))
    return sent


def request_in(sent: pb.CommandSent) -> Request:
    """The request that was sent. `UnreadableRecord` names the field that cannot be read."""
    for field in ("game_id", "request_id"):
        if not getattr(sent, field):
            raise UnreadableRecord(f"CommandSent.{field}: is empty")
        if NUL in getattr(sent, field):
            raise UnreadableRecord(f"CommandSent.{field}: has a NUL")
    body = sent.WhichOneof("body")
    if body is None:
        raise UnreadableRecord("CommandSent.body: neither a command nor a game to be set up")
    is_first = body in ("create", "import_game")
    if is_first and (sent.request_id, sent.expected_sequence) != (CREATION_REQUEST, 0):
        raise UnreadableRecord(
            f"CommandSent.request_id: a game is set up by {CREATION_REQUEST!r} at sequence 0"
        )
    if body == "command" and sent.expected_sequence < 1:
        raise UnreadableRecord(f"CommandSent.expected_sequence: {sent.expected_sequence} is not at least 1")
    command = _first_command(sent) if is_first else _command(sent)
    return Request(sent.game_id, sent.player, sent.request_id, sent.expected_sequence, command)


def _first_command(sent: pb.CommandSent) -> Command:
    if sent.HasField("create"):
        return _create_game(sent.create)
    if not sent.import_game.facts:
        raise UnreadableRecord("CommandSent.import_game.facts: is empty")
    return read_imported_game(sent.import_game)


def _command(sent: pb.CommandSent) -> Command:
    try:
        if sent.HasField("direction"):
            return read_direction(sent.direction, sent.expected_sequence)
        return read_command(sent.command)
    except MalformedMessageError as problem:
        raise UnreadableRecord(f"CommandSent.{problem}") from problem


def release_sent(game_id: str, sent_time_ms: int) -> pb.CommandSent:
    """An operator's release of a blocked game, sent to its owner."""
    return pb.CommandSent(
        schema_version=SCHEMA_VERSION,
        game_id=game_id,
        release=pb.ReleaseGame(),
        sent_time_ms=sent_time_ms,
    )


def _new_game(command: CreateGame) -> pb.NewGame:
    return pb.NewGame(
        title=command.title,
        players=command.players,
        options=command.options,
        rulings=[pb.NewGameRuling(name=each.name, value=each.value) for each in command.rulings],
        undo_policy=command.undo_policy,
        seed=command.seed,
        audience=None if command.audience == EVERYBODY else _audience_message(command.audience),
    )


_AUDIENCE = pair(Audience, events_pb2.AudienceSet)


def _audience_message(audience: Audience) -> events_pb2.AudienceSet:
    message: events_pb2.AudienceSet = _AUDIENCE.encode(audience)
    return message


def _create_game(new: pb.NewGame) -> CreateGame:
    policies = {name: name for name in UNDO_POLICIES}
    policy = policies.get(new.undo_policy)  # type: ignore[call-overload]
    if policy is None:
        raise UnreadableRecord(f"CommandSent.create.undo_policy: {new.undo_policy!r} is none")
    return CreateGame(
        new.title,
        tuple(new.players),
        tuple(new.options),
        tuple(Ruling(each.name, each.value) for each in new.rulings),
        policy,
        new.seed,
        _AUDIENCE.decode(new.audience) if new.HasField("audience") else EVERYBODY,
    )


def answer(game_id: str, request_id: str, reply_id: str, outcome: Outcome) -> pb.CommandOutcome:
    """The record of an outcome."""
    message = pb.CommandOutcome(
        schema_version=SCHEMA_VERSION, game_id=game_id, request_id=request_id, reply_id=reply_id
    )
    match outcome:
        case CommandAccepted(first, last, repeated):
            message.carried_out.CopyFrom(
                pb.CarriedOut(first_sequence=first, last_sequence=last, repeated_request=repeated)
            )
        case CommandRejected(rejection):
            message.rejected.CopyFrom(_rejection_message(rejection))
        case Stale(actual):
            message.stale.CopyFrom(pb.Stale(actual=actual))
        case Unknown():
            message.unknown_game.SetInParent()
        case Blocked(reason):
            message.blocked.CopyFrom(pb.GameBlocked(reason=reason[:REASON_LENGTH_MAX]))
        case DeadLettered(reason):
            message.dead_lettered.CopyFrom(pb.CommandDeadLettered(reason=reason[:REASON_LENGTH_MAX]))
        case Expired(owner_time_ms):
            message.expired.CopyFrom(pb.CommandExpired(owner_time_ms=owner_time_ms))
    return message


def read_outcome(message: pb.CommandOutcome) -> Outcome:
    """The outcome in its record. `UnreadableRecord` for one of a kind this program does not know."""
    match message.WhichOneof("body"):
        case "carried_out":
            done = message.carried_out
            return CommandAccepted(done.first_sequence, done.last_sequence, done.repeated_request)
        case "rejected":
            said = message.rejected
            return CommandRejected(Rejection(said.code, said.message, said.clause, said.retryable))
        case "stale":
            return Stale(message.stale.actual)
        case "unknown_game":
            return Unknown()
        case "blocked":
            return Blocked(message.blocked.reason)
        case "dead_lettered":
            return DeadLettered(message.dead_lettered.reason)
        case "expired":
            return Expired(message.expired.owner_time_ms)
        case other:
            raise UnreadableRecord(f"CommandOutcome.body: {other} is not known here")


def _rejection_message(rejection: Rejection) -> rejection_pb2.Rejection:
    return rejection_pb2.Rejection(
        code=rejection.code,
        message=rejection.message,
        clause=rejection.clause,
        retryable=rejection.retryable,
    )


def read_hold(value: bytes | None) -> Hold | None:
    """The hold or release in a record of the ledger; `None` if it changes no hold. Raises `UnreadableRecord`."""
    said = parsed(pb.HoldChanged, value)
    _needs_game("HoldChanged", said.game_id)
    return None if said.rebuild_asked else Hold(said.game_id, said.held, said.detail or said.reason)


def routes_wanted(game_id: str, sequence: int, problem: RouteProblem) -> pb.RoutesWanted:
    """A route problem that will be asked soon."""
    return pb.RoutesWanted(
        schema_version=SCHEMA_VERSION,
        game_id=game_id,
        sequence=sequence,
        problem=problem_to_message(problem),
    )


def read_routes_wanted(value: bytes | None) -> tuple[str, int, RouteProblem]:
    """Game, sequence and question. Raises `UnreadableRecord`."""
    said = parsed(pb.RoutesWanted, value)
    _needs_game("RoutesWanted", said.game_id)
    try:
        return said.game_id, said.sequence, problem_from_message(said.problem)
    except ProblemError as problem:
        raise UnreadableRecord(f"RoutesWanted.problem: {problem}") from problem


def dead_letter_message(
    game_id: str,
    position: RecordPosition,
    reason: str,
    value: bytes | None,
    recorded_time_ms: int,
    outlives_owner: bool = False,
) -> pb.DeadLetter:
    """A record dead-lettered, of which the beginning is kept; `position`: topic, partition and offset. `outlives_owner`: see
    DeadLetter."""
    topic, partition, offset = position
    return pb.DeadLetter(
        schema_version=SCHEMA_VERSION,
        game_id=game_id,
        topic=topic,
        partition=partition,
        offset=offset,
        reason=reason[:REASON_LENGTH_MAX],
        value=(value or b"")[:DEAD_LETTER_VALUE_BYTES_MAX],
        recorded_time_ms=recorded_time_ms,
        outlives_owner=outlives_owner,
    )


def _needs_game(name: str, game_id: str) -> None:
    if not game_id:
        raise UnreadableRecord(f"{name}.game_id: is empty")
