"""The check of a whole log on Kafka, at rest or while games go on.

What is said about games is read before their events, so nothing can be ahead of them. Of a game that went on meanwhile it
may be behind, and is compared with the state of its own sequence.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from google.protobuf.message import DecodeError

from services.audit.cases import GameCase, KeptBook, KeptFact, KeptHold, KeptRequest, KeptSnapshot
from services.audit.commits import GAMES, Counted, KeptRecord, StreamCommits, count_commits, partition_for
from services.audit.findings import Acknowledged, Finding, Kind, Report
from services.audit.kafka_log import LogReader, reading
from services.audit.lobby import check_lobby_stream
from services.audit.workers import Told, checking, gather
from services.common.kafka.settings import KafkaSettings
from services.common.kafka.topics import (
    EVENTS,
    LEDGER_EVENTS,
    LOBBY_CARDS,
    LOBBY_EVENTS,
    OUTCOMES,
    SNAPSHOTS,
    STANDINGS,
)
from services.gen.signalbox.log.v1 import log_pb2 as pb

NO_COMMITS = StreamCommits()


class Promise(NamedTuple):
    """Somebody was told that a request led to events `first` to `last`."""

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
    books: Mapping[str, KeptBook] | None = None,
    told: Told = lambda _: None,
) -> Report:
    """Look at all records of the log, and for every command of `acknowledged` whether it is there exactly once.

    `books`: what a ledger stored, by game. Raises `KafkaUnreachable`."""
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
            gather(report, check(held.cases()), told)
        for unkept in promises.values():
            report.findings += broken_promises(unkept, NO_COMMITS)
        _check_lobby(reader, report)
    report.findings.sort()
    return report


def broken_promises(promises: Sequence[Promise], stream: StreamCommits) -> list[Finding]:
    """What somebody was told and the log does not have exactly once, exactly there."""
    places: dict[str, list[tuple[int, int]]] = defaultdict(list)
    for commit in stream.commits if promises else ():
        if commit.HasField("request"):
            place = (commit.first_sequence, commit.first_sequence + len(commit.facts) - 1)
            places[commit.request.request_id].append(place)
    found = []
    for kind, game_id, request_id, first, last in promises:
        at = places.get(request_id, [])
        if at != [(first, last)]:
            where = ", ".join(f"{one} to {other}" for one, other in at) or "nowhere"
            text = f"request {request_id!r} was answered with {first} to {last} and stands {where}"
            found.append(Finding(kind, game_id, first, text))
    return found


class _GamesOfPartition:
    """Everything that one partition says about its games; all topics keyed by game are split alike."""

    def __init__(
        self,
        kafka: KafkaSettings,
        reader: LogReader,
        partition: int,
        report: Report,
        books: Mapping[str, KeptBook],
    ) -> None:
        self._partitions = EVENTS.partitions(kafka)
        self._report = report
        self._books = books
        self._moved: set[str] = set()
        begin = reader.end(EVENTS, partition)
        self._standings = self._latest(reader.records(STANDINGS, partition))
        self._holds = self._latest(reader.records(LEDGER_EVENTS, partition), _is_of_a_hold)
        self._cards = self._latest(reader.records(LOBBY_CARDS, partition))
        self._snapshots = self._kept_snapshots(reader.records(SNAPSHOTS, partition))
        events = self._noting_moved(reader.records(EVENTS, partition), begin)
        self.counted = count_commits(events, self._partitions, has_one_writer=True)
        _add(self.counted, report)
        report.moved += len(self._moved)

    def counted_games(self) -> Iterator[str]:
        """Ids of the games of this partition."""
        for stream, commits in self.counted.streams.items():
            if not stream.startswith(GAMES):
                text = f"the stream {stream!r} of {len(commits.commits)} commits is no game"
                self._report.findings.append(Finding("misplaced", stream, 0, text))
            elif commits.last:
                yield stream.removeprefix(GAMES)

    def cases(self) -> Iterator[GameCase]:
        """The games, and findings for what is said about games without events."""
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
                standing=self._standings.get(game_id),
                has_standings=True,
                book=self._books.get(game_id),
                card=self._cards.get(game_id),
                hold=self._hold(game_id),
                moved=game_id in self._moved,
            )

    def _noting_moved(self, records: Iterable[KeptRecord], begin: int) -> Iterator[KeptRecord]:
        for record in records:
            if record.place.offset >= begin:
                self._moved.add(record.key.decode("utf-8", "replace"))
            yield record

    def _find_orphans(self, games: Mapping[str, object]) -> None:
        kinds: tuple[tuple[Kind, Mapping[str, object]], ...] = (
            ("standing", self._standings),
            ("snapshot", self._snapshots),
            ("hold", self._holds),
            ("projection", self._cards),
        )
        for kind, kept in kinds:
            for game_id in kept.keys() - games.keys():
                self._report.findings.append(Finding(kind, game_id, 0, f"a {kind} of a game without events"))

    def _latest(
        self, records: Iterable[KeptRecord], counts: Callable[[bytes], bool] = bool
    ) -> dict[str, bytes]:
        """The newest value of each key of those that count; an empty one drops it."""
        latest: dict[str, bytes] = {}
        for record in records:
            game_id = self._placed(record)
            if record.value and counts(record.value):
                latest[game_id] = record.value
            elif not record.value:
                latest.pop(game_id, None)
        return latest

    def _kept_snapshots(self, records: Iterable[KeptRecord]) -> dict[str, dict[int, KeptSnapshot]]:
        """Snapshots by game and sequence."""
        kept: dict[str, dict[int, KeptSnapshot]] = defaultdict(dict)
        for record in records:
            game_id = self._placed(record)
            if not record.value:
                kept.pop(game_id, None)
                continue
            try:
                snapshot = pb.Snapshot.FromString(record.value)
            except DecodeError as error:
                text = f"no snapshot at {record.place}: {error}"
                self._report.findings.append(Finding("unreadable", game_id, 0, text))
                continue
            if snapshot.stream != GAMES + game_id:
                text = f"the snapshot at {record.place} is of {snapshot.stream!r}"
                self._report.findings.append(Finding("misplaced", game_id, snapshot.sequence, text))
            else:
                kept[game_id][snapshot.sequence] = KeptSnapshot(
                    snapshot.sequence, snapshot.schema, snapshot.payload
                )
        return kept

    def _placed(self, record: KeptRecord) -> str:
        """The game in a record's key; a finding where the record stands in another game's partition."""
        game_id = record.key.decode("utf-8", "replace")
        wanted = partition_for(record.key, self._partitions)
        if record.place.partition != wanted:
            text = f"the record at {record.place} belongs into partition {wanted}"
            self._report.findings.append(Finding("misplaced", game_id, 0, text))
        return game_id

    def _hold(self, game_id: str) -> KeptHold | None:
        value = self._holds.get(game_id)
        if value is None:
            return None
        try:
            hold = pb.HoldChanged.FromString(value)
        except DecodeError as error:
            self._report.findings.append(Finding("unreadable", game_id, 0, f"no hold: {error}"))
            return None
        return KeptHold(hold.reason, hold.detail, hold.sequence) if hold.held else None


def facts_of(commits: Iterable[pb.Commit]) -> list[KeptFact]:
    """The facts of a stream, as its commits have them."""
    return [
        KeptFact(fact.type, fact.schema_version, fact.payload, commit.recorded_time_ms)
        for commit in commits
        for fact in commit.facts
    ]


def _is_of_a_hold(value: bytes) -> bool:
    try:
        return not pb.HoldChanged.FromString(value).rebuild_asked
    except DecodeError:
        return True


def _requests(commits: Iterable[pb.Commit]) -> list[KeptRequest]:
    return [
        KeptRequest(
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
    """What the owners answered, as far as Kafka still has it."""
    for record in reader.records(OUTCOMES):
        try:
            outcome = pb.CommandOutcome.FromString(record.value or b"")
        except DecodeError as error:
            text = f"no outcome at {record.place}: {error}"
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
