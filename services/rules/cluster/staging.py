"""The writes of the current transaction, and a log that shows them already.

The owner of a game decides one command after another, long before readers may see what the first one led to. Its log is
the copy of what is committed with what is not committed yet on top; should the transaction be aborted, the top is dropped.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from threading import RLock
from uuid import uuid4

from services.common.clock import Clock, SystemClock
from services.common.errors import SignalboxError
from services.common.eventlog.port import (
    Appended,
    AppendResult,
    Conflict,
    EventLog,
    NewRecord,
    Record,
    Repeated,
    RequestRecord,
    Snapshot,
    SnapshotStore,
    Subscription,
)
from services.common.kafka.commits import commit_message, facts_of, request_of
from services.common.kafka.topics import RECORD_BYTES_MAX
from services.gen.signalbox.log.v1 import log_pb2 as pb

VALUE_BYTES_MAX = RECORD_BYTES_MAX - 64 * 1024
HEADS_MAX = 100_000
UNWRITTEN_POSITION = 0


class RecordTooLarge(SignalboxError):
    """The record is too large for Kafka; nothing was staged."""


@dataclass(slots=True)
class _Tail:
    """The part of a stream that may not be in the copy yet: its last records and requests."""

    records: list[Record] = field(default_factory=list)
    requests: dict[str, tuple[RequestRecord, int]] = field(default_factory=dict)
    append_ids: set[str] = field(default_factory=set)

    def forget_up_to(self, sequence: int) -> None:
        """The copy has everything up to here."""
        self.records = [record for record in self.records if record.sequence > sequence]
        self.requests = {name: each for name, each in self.requests.items() if each[1] > sequence}

    def forget_from(self, sequence: int) -> None:
        """Nothing from this sequence on was written."""
        self.records = [record for record in self.records if record.sequence < sequence]
        self.requests = {name: each for name, each in self.requests.items() if each[1] < sequence}


class StagedLog:
    """The `EventLog` port whose `append` stages a commit. Positions, subscriptions and `read_all` are the copy's.

    `staged` are the commits appended since `clear_staged`, in order. May be read from any thread; one thread appends."""

    def __init__(self, copy: EventLog, clock: Clock | None = None) -> None:
        self._copy = copy
        self._clock = clock or SystemClock()
        self._lock = RLock()
        self._tails: dict[str, _Tail] = {}
        self._heads: dict[str, int] = {}
        self._diverged: set[str] = set()
        # The request last asked for and not found: a writer asks just before it appends.
        self._unknown: tuple[str, str] | None = None
        self._next_append_id = ""
        self.staged: list[pb.Commit] = []

    def name_next(self, append_id: str) -> None:
        """The next append gets this id, by which its sender recognises the commit; with an empty one it makes its own."""
        self._next_append_id = append_id

    def append(
        self, stream: str, expected: int, records: Sequence[NewRecord], request: RequestRecord | None = None
    ) -> AppendResult:
        """See `EventLog.append`: what is returned holds once the transaction is committed. Raises `RecordTooLarge`."""
        if not records:
            raise ValueError("an append needs at least one record")
        with self._lock:
            known = None
            if request is not None and (stream, request.request_id) != self._unknown:
                known = self.outcome(stream, request.request_id)
            self._unknown = None
            if request is not None and known is not None:
                same = (known.player, known.content_hash) == (request.player, request.content_hash)
                return Repeated(known.outcome, same)
            head = self._head(stream, expected)
            if head != expected:
                return Conflict(head)
            now_ms = self._clock.now_ms()
            commit = commit_message(stream, expected, records, request, now_ms, self._new_append_id())
            if commit.ByteSize() > VALUE_BYTES_MAX:
                raise RecordTooLarge(f"{commit.ByteSize()} bytes of events are more than {VALUE_BYTES_MAX}")
            self._stage(commit)
            return Appended(expected + 1, expected + len(records), now_ms)

    def _new_append_id(self) -> str:
        given, self._next_append_id = self._next_append_id, ""
        return given or uuid4().hex

    def _stage(self, commit: pb.Commit) -> None:
        tail = self._tails.setdefault(commit.stream, _Tail())
        for sequence, fact in enumerate(facts_of(commit), start=commit.first_sequence):
            tail.records.append(
                Record(
                    commit.stream,
                    sequence,
                    fact.type,
                    fact.schema_version,
                    fact.payload,
                    commit.recorded_time_ms,
                    UNWRITTEN_POSITION,
                )
            )
        request = request_of(commit)
        last = _last_of(commit)
        if request is not None:
            tail.requests[request.request_id] = (request, last)
        tail.append_ids.add(commit.append_id)
        self._heads[commit.stream] = last
        self.staged.append(commit)

    def _head(self, stream: str, expected: int) -> int:
        """The stream's last sequence, staged or written; it is found soonest where it is expected."""
        known = self._heads.get(stream)
        if known is None:
            records = self.read(stream, max(0, expected - 1)) or self.read(stream)
            known = records[-1].sequence if records else 0
            if len(self._heads) >= HEADS_MAX:
                self._heads = {
                    name: tail.records[-1].sequence for name, tail in self._tails.items() if tail.records
                }
            self._heads[stream] = known
        return known

    def clear_staged(self) -> None:
        """The staged commits were written: they are no longer to be written, and stay visible."""
        self.staged.clear()

    def roll_back(self, count: int) -> None:
        """Keep the first `count` staged commits and drop the others."""
        with self._lock:
            while len(self.staged) > count:
                commit = self.staged.pop()
                tail = self._tails.get(commit.stream)
                if tail is not None:
                    tail.forget_from(commit.first_sequence)
                    tail.append_ids.discard(commit.append_id)
                self._heads.pop(commit.stream, None)

    def drop(self, is_dropped: Callable[[str], bool]) -> None:
        """Forget everything staged in the streams chosen by name; committed ones arrive with the copy."""
        with self._lock:
            for stream in [name for name in self._tails if is_dropped(name)]:
                del self._tails[stream]
            for stream in [name for name in self._heads if is_dropped(name)]:
                del self._heads[stream]
            self.staged = [commit for commit in self.staged if not is_dropped(commit.stream)]

    def applied(self, commit: pb.Commit, result: AppendResult) -> None:
        """The copy has this commit. Called in the copy's thread.

        A commit by another writer, or a rejected one of ours, means the stream has advanced without us: see `diverged`."""
        with self._lock:
            tail = self._tails.get(commit.stream)
            if tail is None or commit.append_id not in tail.append_ids:
                is_news = (
                    isinstance(result, Appended) and self._heads.get(commit.stream, result.last) < result.last
                )
            else:
                tail.append_ids.discard(commit.append_id)
                is_news = not isinstance(result, Appended)
                tail.forget_up_to(_last_of(commit))
                if not tail.records and not tail.append_ids:
                    del self._tails[commit.stream]
            if is_news:
                self._diverged.add(commit.stream)

    def diverged(self) -> set[str]:
        """Streams with a commit by another writer; each is returned once, and what was staged in it is dropped."""
        with self._lock:
            found, self._diverged = self._diverged, set()
            if found:
                self.drop(found.__contains__)
            return found

    def read(self, stream: str, after: int = 0, up_to: int | None = None) -> list[Record]:
        """See `EventLog.read`."""
        with self._lock:
            tail = self._tails.get(stream)
            staged = list(tail.records) if tail is not None else []
        wanted = [
            record
            for record in staged
            if record.sequence > after and (up_to is None or record.sequence <= up_to)
        ]
        if staged and staged[0].sequence <= after + 1:
            return wanted
        written = self._copy.read(stream, after, up_to)
        last = written[-1].sequence if written else after
        return written + [record for record in wanted if record.sequence > last]

    def read_all(self, after_position: int = 0, limit: int = 1000, prefix: str = "") -> list[Record]:
        """See `EventLog.read_all`."""
        return self._copy.read_all(after_position, limit, prefix)

    def last_position(self) -> int:
        """See `EventLog.last_position`."""
        return self._copy.last_position()

    def outcome(self, stream: str, request_id: str) -> RequestRecord | None:
        """See `EventLog.outcome`."""
        with self._lock:
            tail = self._tails.get(stream)
            staged = tail.requests.get(request_id) if tail is not None else None
            if staged is not None:
                return staged[0]
            written = self._copy.outcome(stream, request_id)
            self._unknown = (stream, request_id) if written is None else None
            return written

    def requests(self, stream: str) -> list[RequestRecord]:
        """See `EventLog.requests`."""
        with self._lock:
            tail = self._tails.get(stream)
            staged = {name: request for name, (request, _) in tail.requests.items()} if tail else {}
        written = {request.request_id: request for request in self._copy.requests(stream)}
        return list((staged | written).values())

    def subscribe(self, after_position: int = 0, prefix: str = "") -> Subscription:
        """See `EventLog.subscribe`."""
        return self._copy.subscribe(after_position, prefix)

    def streams(self, prefix: str = "") -> list[str]:
        """See `EventLog.streams`."""
        with self._lock:
            staged = {name for name, tail in self._tails.items() if tail.records and name.startswith(prefix)}
        return sorted(staged | set(self._copy.streams(prefix)))

    def save_position(self, consumer: str, position: int) -> None:
        """See `EventLog.save_position`."""
        self._copy.save_position(consumer, position)

    def position(self, consumer: str) -> int:
        """See `EventLog.position`."""
        return self._copy.position(consumer)

    def close(self) -> None:
        """See `EventLog.close`: closes the copy's log."""
        self._copy.close()


class StagedSnapshots:
    """The `SnapshotStore` port whose `put` stages a snapshot beside the events it rests on."""

    def __init__(self, copy: SnapshotStore) -> None:
        self._copy = copy
        self.staged: list[pb.Snapshot] = []

    def put(self, stream: str, sequence: int, schema: int, payload: bytes) -> None:
        """See `SnapshotStore.put`. One that Kafka would not take is left out: nothing rests on it."""
        snapshot = pb.Snapshot(stream=stream, sequence=sequence, schema=schema, payload=payload)
        if snapshot.ByteSize() <= VALUE_BYTES_MAX:
            self.staged.append(snapshot)

    def latest(self, stream: str, up_to: int | None = None) -> Snapshot | None:
        """See `SnapshotStore.latest`: of those that are written."""
        return self._copy.latest(stream, up_to)

    def forget(self, stream: str) -> None:
        """See `SnapshotStore.forget`: in the copy alone."""
        self._copy.forget(stream)

    def roll_back(self, count: int) -> None:
        """Keep the first `count` staged snapshots and drop the others."""
        del self.staged[count:]

    def drop(self, is_dropped: Callable[[str], bool]) -> None:
        """Forget what is staged in the streams chosen by name."""
        self.staged = [snapshot for snapshot in self.staged if not is_dropped(snapshot.stream)]


def _last_of(commit: pb.Commit) -> int:
    return int(commit.first_sequence) + len(commit.facts) - 1
