"""Appends to a log between the event log port and the records of Kafka."""

from __future__ import annotations

from collections.abc import Sequence

from google.protobuf.message import DecodeError

from services.common.errors import SignalboxError
from services.common.eventlog.port import NewRecord, RequestRecord
from services.common.kafka.unpacking import UnknownDictionary, message_in
from services.gen.signalbox.log.v1 import log_pb2 as pb

GAMES = "game/"
"""How the streams that have snapshots begin; the keys of their records leave it out."""


class UnreadableCommit(SignalboxError):
    """The value of a record is no commit; the message says why."""


class CommitOfNewerVersion(UnreadableCommit):
    """A newer version of the platform has written it."""


def aggregate_of(stream: str) -> str:
    """The key of a stream's records: the game's id of "game/ID", the aggregate's of "lobby.table.ID"."""
    if "/" in stream:
        return stream.partition("/")[2]
    return stream.split(".", 2)[-1]


def commit_message(
    stream: str,
    expected: int,
    records: Sequence[NewRecord],
    request: RequestRecord | None,
    recorded_time_ms: int,
    append_id: str,
) -> pb.Commit:
    """One append as the record that carries it."""
    message = pb.Commit(
        stream=stream,
        first_sequence=expected + 1,
        facts=[
            pb.Fact(type=each.type, schema_version=each.schema_version, payload=each.payload)
            for each in records
        ],
        recorded_time_ms=recorded_time_ms,
        append_id=append_id,
    )
    if request is not None:
        message.request.CopyFrom(
            pb.Request(
                request_id=request.request_id,
                player=request.player,
                content_hash=request.content_hash,
                outcome=request.outcome,
            )
        )
    return message


def read_commit(value: bytes | None, key: bytes | str | None) -> pb.Commit:
    """The commit in the value of a record with this key. Raises `UnreadableCommit`."""
    try:
        commit = message_in(pb.Commit, value, key)
    except UnknownDictionary as error:
        raise CommitOfNewerVersion(f"a commit {error}") from error
    except DecodeError as error:
        raise UnreadableCommit(f"no commit: {error}") from error
    if not commit.stream or commit.first_sequence < 1 or not commit.facts:
        raise UnreadableCommit("no commit: it needs a stream, a first sequence from 1 and at least one fact")
    return commit


def read_snapshot(key: str | bytes | None, value: bytes | None) -> list[tuple[str, pb.Snapshot | None]]:
    """What a record says about the snapshots of a stream, None: to forget them; nothing where it cannot be read."""
    if not value:
        name = key if isinstance(key, str) else (key or b"").decode("utf-8", "replace")
        return [(GAMES + name, None)]
    try:
        snapshot = pb.Snapshot.FromString(value)
    except ValueError:
        return []
    return [(snapshot.stream, snapshot)]


def facts_of(commit: pb.Commit) -> list[NewRecord]:
    """The facts of a commit as the event log takes them."""
    return [NewRecord(fact.type, fact.schema_version, fact.payload) for fact in commit.facts]


def request_of(commit: pb.Commit) -> RequestRecord | None:
    """The request of a commit as the event log takes it."""
    if not commit.HasField("request"):
        return None
    said = commit.request
    return RequestRecord(said.request_id, said.player, said.content_hash, said.outcome)
