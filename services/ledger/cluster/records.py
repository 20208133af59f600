"""Decodes the Kafka records that the ledger reads into its own types."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from google.protobuf.message import DecodeError

from services.common.faust.records import FollowedRecord, NewerVersion, UnprocessableRecord
from services.common.kafka.commits import CommitOfNewerVersion, UnreadableCommit, read_commit
from services.common.kafka.unpacking import UnknownDictionary, message_in
from services.gen.signalbox.events.v1.events_pb2 import GameEvent
from services.gen.signalbox.log.v1 import log_pb2 as pb
from services.ledger.convert import fact_of
from services.ledger.domain.errors import MalformedFactError, UnknownFactError

STREAM_PREFIX = "game/"
STATUS_SCHEMA = 3
FIRST_WITH_DIGEST = 2
# Facts that one title alone knows are stored as `1862.licences_set`, all others without a title.
TITLE_SEPARATOR = "."
_BODIES = frozenset(field.name for field in GameEvent.DESCRIPTOR.oneofs_by_name["body"].fields)


@dataclass(frozen=True, slots=True)
class ReportedDigest:
    """The stored digest of the balances that rules has after `sequence`."""

    sequence: int
    digest: bytes


def game_events(record: FollowedRecord) -> tuple[GameEvent, ...]:
    """The events of a commit. Raises `UnprocessableRecord`."""
    try:
        commit = read_commit(record.value, record.key)
    except CommitOfNewerVersion as newer:
        raise NewerVersion(str(newer)) from newer
    except UnreadableCommit as unreadable:
        raise UnprocessableRecord(str(unreadable)) from unreadable
    if commit.stream != STREAM_PREFIX + record.key:
        raise UnprocessableRecord(f"the commit of {commit.stream!r} has the key {record.key!r}")
    request_id = commit.request.request_id
    return tuple(
        _event(record.key, sequence, request_id, commit.recorded_time_ms, fact)
        for sequence, fact in enumerate(commit.facts, start=commit.first_sequence)
    )


def check_known(events: Iterable[GameEvent]) -> None:
    """Raises `NewerVersion` for an event whose name or version is not known, which might move money unknown to this ledger."""
    for event in events:
        try:
            fact_of(event)
        except UnknownFactError as unknown:
            raise NewerVersion(str(unknown)) from unknown
        except MalformedFactError:
            # Not a newer version: booking it will hold the game.
            return


def digest_of(record: FollowedRecord) -> ReportedDigest | None:
    """What a status says about the balances, `None` for one of a version without a digest. Raises `UnprocessableRecord`."""
    try:
        status = message_in(pb.GameStatus, record.value, record.key)
    except UnknownDictionary as unknown:
        raise NewerVersion(f"a status {unknown}") from unknown
    except DecodeError as error:
        raise UnprocessableRecord(f"no status: {error}") from error
    if status.schema_version > STATUS_SCHEMA:
        raise NewerVersion(f"a status of schema version {status.schema_version}, {STATUS_SCHEMA} is known")
    if status.game_id != record.key or status.sequence < 1:
        raise UnprocessableRecord(
            f"a status of game {status.game_id!r} at sequence {status.sequence} under the key {record.key!r}"
        )
    if status.schema_version < FIRST_WITH_DIGEST:
        return None
    return ReportedDigest(status.sequence, status.balances_digest)


def _event(game_id: str, sequence: int, request_id: str, recorded_time_ms: int, fact: pb.Fact) -> GameEvent:
    event = GameEvent(
        game_id=game_id,
        sequence=sequence,
        schema_version=fact.schema_version,
        request_id=request_id,
        recorded_time_ms=recorded_time_ms,
    )
    if TITLE_SEPARATOR in fact.type:
        # What one title alone knows moves nothing, so it is not read.
        event.title_event.value = fact.payload
        return event
    if fact.type not in _BODIES:
        raise NewerVersion(f"game {game_id}, sequence {sequence}: a fact {fact.type!r} is not known")
    body = getattr(event, fact.type)
    body.SetInParent()
    try:
        body.ParseFromString(fact.payload)
    except DecodeError as error:
        raise UnprocessableRecord(f"game {game_id}, sequence {sequence}: no {fact.type}: {error}") from error
    return event
