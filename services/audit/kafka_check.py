"""Checks a whole log on Kafka, idle or while games go on.

Statuses, snapshots and the like are read before the events, so they cannot be ahead of them. Those of a game that got events
meanwhile may be behind, and are compared with the state at their own sequence.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from google.protobuf.message import DecodeError

from services.audit.cases import GameCase, StoredBook, StoredFact, StoredHold, StoredRequest, StoredSnapshot
from services.audit.commits import GAMES, Counted, StoredRecord, StreamCommits, count_commits, partition_for
from services.audit.findings import Acknowledged, Finding, Kind, Report
from services.audit.kafka_log import LogReader, reading
from services.audit.lobby import check_lobby_stream
from services.audit.workers import OnProgress, checking, gather
from services.common.kafka.settings import KafkaSettings
from services.common.kafka.topics import (
    EVENTS,
    GAME_STATUSES,
    LEDGER_EVENTS,
    LOBBY_EVENTS,
    LOBBY_SUMMARIES,
    OUTCOMES,
    SNAPSHOTS,
)
from services.gen.signalbox.log.v1 import log_pb2 as pb

NO_COMMITS = StreamCommits()


class Promise(NamedTuple):
    """An answer that a request led to events `first` to `last`."""

    kind: Kind
    game_id: str
    request_id: str
    first: int
    last: int


def check_kafka(
    kafka: KafkaSettings,
    acknowledged: Iterable[Acknowledged] = (),
    *,
    processes: int = 1,
    books: Mapping[str, StoredBook] | None = None,
    on_progress: OnProgress = lambda _: None,
) -> Report:
    """Check all records of the log, and that every command of `acknowledged` is there exactly once.

    `books`: books that a ledger stored, by game. Raises `KafkaUnreachable`."""
    report = Report()
    with reading(kafka) as reader, checking(processes) as check:
        promises: dict[str, list[Promise]] = defaultdict(list)
        for each in acknowledged:
            report.acknowledged += 1
            promises[each.game_id].append(Promise("acknowledged", *_fields(each)))
        for promise in _outcomes(reader, report):
            promises[promise.game_id].append(promise)
        for partition in range(EVENTS.partitions(kafka)):
            held = _GamesOfPartition(kafka, reader, partition, report, books or {})
            for game_id in held.counted_games():
                report.findings += broken_promises(
                    promises.pop(game_id, ()), held.counted.streams[GAMES + game_id]
                )
            gather(report, check(held.cases()), on_progress)
        for unkept in promises.values():
            report.findings += broken_promises(unkept, NO_COMMITS)
        _check_lobby(reader, report)
    report.findings.sort()
    return report


def broken_promises(promises: Sequence[Promise], stream: StreamCommits) -> list[Finding]:
    """Answers whose events the log does not have exactly once, at exactly those sequences."""
    ranges: dict[str, list[tuple[int, int]]] = defaultdict(list)
    for commit in stream.commits if promises else ():
        if commit.HasField("request"):
            last = commit.first_sequence + len(commit.facts) - 1
            ranges[commit.request.request_id].append((commit.first_sequence, last))
    found = []
    for kind, game_id, request_id, first, last in promises:
        at = ranges.get(request_id, [])
        if at != [(first, last)]:
            where = ", ".join(f"{one} to {other}" for one, other in at) or "nowhere"
            text = f"request {request_id!r} was answered with {first} to {last}, its events are {where}"
            found.append(Finding(kind, game_id, first, text))
    return found


class _GamesOfPartition:
    """Everything about the games of one partition; all topics keyed by game are partitioned alike."""

    def __init__(
        self,
        kafka: KafkaSettings,
        reader: LogReader,
        partition: int,
        report: Report,
        books: Mapping[str, StoredBook],
    ) -> None:
        self._partitions = EVENTS.partitions(kafka)
        self._report = report
        self._books = books
        self._advanced: set[str] = set()
        begin = reader.end(EVENTS, partition)
        self._statuses = self._latest(reader.records(GAME_STATUSES, partition))
        self._holds = self._latest(reader.records(LEDGER_EVENTS, partition), _is_of_a_hold)
        self._summaries = self._latest(reader.records(LOBBY_SUMMARIES, partition))
        self._snapshots = self._kept_snapshots(reader.records(SNAPSHOTS, partition))
        events = self._noting_advanced(reader.records(EVENTS, partition), begin)
        self.counted = count_commits(events, self._partitions, has_one_writer=True)
        _add(self.counted, report)
        report.advanced += len(self._advanced)

    def counted_games(self) -> Iterator[str]:
        """Ids of the games of this partition."""
        for stream, commits in self.counted.streams.items():
            if not stream.startswith(GAMES):
                text = f"the stream {stream!r} of {len(commits.commits)} commits is no game"
                self._report.findings.append(Finding("misplaced", stream, 0, text))
            elif commits.last:
                yield stream.removeprefix(GAMES)

    def cases(self) -> Iterator[GameCase]:
        """The games; reports records of games without events."""
        games = {
            stream.removeprefix(GAMES): commits.commits
            for stream, commits in self.counted.streams.items()
            if commits.last and stream.startswith(GAMES)
        }
        self._find_orphans(games)
        for game_id, commits in games.items():
            yield GameCase(
                game_id=game_id,
                facts=facts_of(commits),
                requests=_requests(commits),
                snapshots=list(self._snapshots.get(game_id, {}).values()),
                status=self._statuses.get(game_id),
                has_statuses=True,
                book=self._books.get(game_id),
                summary=self._summaries.get(game_id),
                hold=self._hold(game_id),
                advanced=game_id in self._advanced,
            )

    def _noting_advanced(self, records: Iterable[StoredRecord], begin: int) -> Iterator[StoredRecord]:
        for record in records:
            if record.position.offset >= begin:
                self._advanced.add(record.key.decode("utf-8", "replace"))
            yield record

    def _find_orphans(self, games: Mapping[str, object]) -> None:
        kinds: tuple[tuple[Kind, Mapping[str, object]], ...] = (
            ("status", self._statuses),
            ("snapshot", self._snapshots),
            ("hold", self._holds),
            ("projection", self._summaries),
        )
        for kind, kept in kinds:
            for game_id in kept.keys() - games.keys():
                self._report.findings.append(Finding(kind, game_id, 0, f"a {kind} of a game without events"))

    def _latest(
        self, records: Iterable[StoredRecord], counts: Callable[[bytes], bool] = bool
    ) -> dict[str, bytes]:
        """The newest value of each key among those that count; an empty value removes the key."""
        latest: dict[str, bytes] = {}
        for record in records:
            game_id = self._game_of(record)
            if record.value and counts(record.value):
                latest[game_id] = record.value
            elif not record.value:
                latest.pop(game_id, None)
        return latest

    def _kept_snapshots(self, records: Iterable[StoredRecord]) -> dict[str, dict[int, StoredSnapshot]]:
        """Snapshots by game and sequence."""
        kept: dict[str, dict[int, StoredSnapshot]] = defaultdict(dict)
        for record in records:
            game_id = self._game_of(record)
            if not record.value:
                kept.pop(game_id, None)
                continue
            try:
                snapshot = pb.Snapshot.FromString(record.value)
            except DecodeError as error:
                text = f"no snapshot at {record.position}: {error}"
                self._report.findings.append(Finding("unreadable", game_id, 0, text))
                continue
            if snapshot.stream != GAMES + game_id:
                text = f"the snapshot at {record.position} is of {snapshot.stream!r}"
                self._report.findings.append(Finding("misplaced", game_id, snapshot.sequence, text))
            else:
                kept[game_id][snapshot.sequence] = StoredSnapshot(
                    snapshot.sequence, snapshot.schema, snapshot.payload
                )
        return kept

    def _game_of(self, record: StoredRecord) -> str:
        """The game in a record's key; reports a record in the wrong partition."""
        game_id = record.key.decode("utf-8", "replace")
        wanted = partition_for(record.key, self._partitions)
        if record.position.partition != wanted:
            text = f"the record at {record.position} belongs to partition {wanted}"
            self._report.findings.append(Finding("misplaced", game_id, 0, text))
        return game_id

    def _hold(self, game_id: str) -> StoredHold | None:
        value = self._holds.get(game_id)
        if value is None:
            return None
        try:
            hold = pb.HoldChanged.FromString(value)
        except DecodeError as error:
            self._report.findings.append(Finding("unreadable", game_id, 0, f"no hold: {error}"))
            return None
        return StoredHold(hold.reason, hold.detail, hold.sequence) if hold.held else None


def facts_of(commits: Iterable[pb.Commit]) -> list[StoredFact]:
    """The facts in these commits."""
    return [
        StoredFact(fact.type, fact.schema_version, fact.payload, commit.recorded_time_ms)
        for commit in commits
        for fact in commit.facts
    ]


def _is_of_a_hold(value: bytes) -> bool:
    try:
        return not pb.HoldChanged.FromString(value).rebuild_asked
    except DecodeError:
        return True


def _requests(commits: Iterable[pb.Commit]) -> list[StoredRequest]:
    return [
        StoredRequest(
            commit.request.request_id,
            commit.request.player,
            commit.request.outcome,
            commit.first_sequence,
            commit.first_sequence + len(commit.facts) - 1,
        )
        for commit in commits
        if commit.HasField("request")
    ]


def _outcomes(reader: LogReader, report: Report) -> Iterator[Promise]:
    """The owners' answers that Kafka still has."""
    for record in reader.records(OUTCOMES):
        try:
            outcome = pb.CommandOutcome.FromString(record.value or b"")
        except DecodeError as error:
            text = f"no outcome at {record.position}: {error}"
            report.findings.append(Finding("unreadable", "", 0, text))
            continue
        if outcome.WhichOneof("body") == "carried_out":
            done = outcome.carried_out
            yield Promise(
                "outcome", outcome.game_id, outcome.request_id, done.first_sequence, done.last_sequence
            )


def _check_lobby(reader: LogReader, report: Report) -> None:
    counted = count_commits(reader.records(LOBBY_EVENTS), 1, has_one_writer=False)
    _add(counted, report)
    for stream, commits in counted.streams.items():
        report.findings += check_lobby_stream(stream, facts_of(commits.commits))


def _add(counted: Counted, report: Report) -> None:
    report.streams += sum(1 for stream in counted.streams.values() if stream.last)
    report.commits += counted.commits
    report.lost_races += counted.lost_races
    report.findings += counted.findings


def _fields(each: Acknowledged) -> tuple[str, str, int, int]:
    return each.game_id, each.request_id, each.first, each.last
