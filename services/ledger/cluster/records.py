"""The records of Kafka that concern the ledger, in its own words."""

from __future__ import annotations

from collections.abc import Iterable

from google.protobuf.message import DecodeError

from services.common.faust.records import FollowedRecord, NewerVersion, Unworkable
from services.common.kafka.commits import UnreadableCommit, read_commit
from services.gen.signalbox.events.v1.events_pb2 import GameEvent
from services.gen.signalbox.log.v1 import log_pb2 as pb
from services.ledger.convert import fact_of
from services.ledger.domain.audit import RulesReport
from services.ledger.domain.errors import MalformedFactError, UnknownFactError

STREAM_PREFIX = "game/"
RECORD_SCHEMA = 1
EVENT_SCHEMA = 1
_BODIES = frozenset(field.name for field in GameEvent.DESCRIPTOR.oneofs_by_name["body"].fields)


def game_events(record: FollowedRecord) -> tuple[GameEvent, ...]:
    """The events of a commit as rules gives them to its readers. Raises `Unworkable`."""
    try:
        commit = read_commit(record.value)
    except UnreadableCommit as unreadable:
        raise Unworkable(str(unreadable)) from unreadable
    if commit.stream != STREAM_PREFIX + record.key:
        raise Unworkable(f"the commit of {commit.stream!r} stands under the key {record.key!r}")
    request_id = commit.request.request_id
    return tuple(
        _event(record.key, sequence, request_id, commit.recorded_time_ms, fact)
        for sequence, fact in enumerate(commit.facts, start=commit.first_sequence)
    )


def check_known(events: Iterable[GameEvent]) -> None:
    """Raises `NewerVersion` for an event of a newer platform, which might move money without this ledger knowing."""
    for event in events:
        if event.schema_version > EVENT_SCHEMA:
            raise NewerVersion(
                f"game {event.game_id}, sequence {event.sequence}: schema version {event.schema_version}, "
                f"{EVENT_SCHEMA} is known"
            )
        try:
            fact_of(event)
        except UnknownFactError as unknown:
            raise NewerVersion(str(unknown)) from unknown
        except MalformedFactError:
            # The ledger holds the game for it.
            return


def report_of(record: FollowedRecord) -> RulesReport:
    """What rules says in a standing. Raises `Unworkable`."""
    try:
        standing = pb.Standing.FromString(record.value)
    except DecodeError as error:
        raise Unworkable(f"no standing: {error}") from error
    if standing.schema_version != RECORD_SCHEMA:
        raise NewerVersion(
            f"a standing of schema version {standing.schema_version}, {RECORD_SCHEMA} is known"
        )
    if standing.game_id != record.key or standing.sequence < 1:
        raise Unworkable(
            f"a standing of game {standing.game_id!r} at sequence {standing.sequence} under the key {record.key!r}"
        )
    return RulesReport(
        sequence=standing.sequence,
        cash=dict(standing.cash),
        percents={(each.holder, each.company): each.percent for each in standing.holdings},
        debts=dict(standing.debts),
    )


def _event(game_id: str, sequence: int, request_id: str, recorded_time_ms: int, fact: pb.Fact) -> GameEvent:
    event = GameEvent(
        game_id=game_id,
        sequence=sequence,
        schema_version=fact.schema_version,
        request_id=request_id,
        recorded_time_ms=recorded_time_ms,
    )
    if fact.type not in _BODIES:
        raise NewerVersion(f"game {game_id}, sequence {sequence}: a fact {fact.type!r} is not known")
    body = getattr(event, fact.type)
    body.SetInParent()
    try:
        body.ParseFromString(fact.payload)
    except DecodeError as error:
        raise Unworkable(f"game {game_id}, sequence {sequence}: no {fact.type}: {error}") from error
    return event
