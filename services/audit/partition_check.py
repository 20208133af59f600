"""Checks the games of one partition, one after another: those with new records since the run that the partition's file is of."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import ExitStack, closing
from pathlib import Path

import msgspec
from google.protobuf.message import DecodeError

from services.audit.cases import GameCase, StoredFact, StoredHold, StoredRequest
from services.audit.commits import GAMES, StreamCommits, count_commits
from services.audit.findings import Finding, Kind, Report
from services.audit.games import Checked, check_game
from services.audit.kafka_log import LogReader
from services.audit.partition_file import PartitionFile
from services.audit.partition_reading import PartitionReading
from services.audit.promises import PromiseFile, broken_promises
from services.audit.sqlite_check import BookFile
from services.common.kafka.settings import KafkaSettings
from services.common.kafka.topics import EVENTS
from services.gen.signalbox.log.v1 import log_pb2 as pb

# About records that no later run reads again: such a finding stays.
OF_THIS_RUN: tuple[Kind, ...] = ("snapshot", "outcome", "acknowledged")
NEWEST: tuple[Kind, ...] = ("status", "hold", "projection")
NO_COMMITS = StreamCommits()
# A game that ended earlier hardly ever goes on, so its records need not be kept; where one does, they are read again.
RELEASE_MS = 24 * 3_600_000


class PartitionTask(msgspec.Struct, frozen=True, kw_only=True):
    """What a process needs to check a partition. `identities`: of topics, by name. `now_ms`: when the run began.

    `file` stays for the next run if it `keeps_records`; `run_file` and `promises` do not; `books`: the file of a ledger."""

    kafka: KafkaSettings
    partition: int
    file: Path
    run_file: Path
    promises: Path
    books: Path | None
    identities: Mapping[str, str]
    keeps_records: bool
    now_ms: int


def check_partition(task: PartitionTask, reader: LogReader, on_game: Callable[[], None]) -> Report:
    """Check the games of a partition; `on_game` is called after each. Raises `KafkaUnreachable`, `LogFileError`."""
    with ExitStack() as stack:
        file = stack.enter_context(closing(PartitionFile(task.file, task.run_file)))
        promises = stack.enter_context(closing(PromiseFile(task.promises, task.partition)))
        books = None if task.books is None else stack.enter_context(closing(BookFile(task.books)))
        reading = PartitionReading(task.kafka, task.partition, task.identities, reader, file)
        reading.begin()
        advanced = reading.read()
        for game_id in promises.games():
            file.touch(GAMES + game_id)
        file.touch_those_to_repeat()
        reading.read_again(file.touched_without_records())
        file.records_are_complete()
        check = _StreamCheck(task, file, promises, books, advanced)
        for stream in file.touched():
            check.check(stream)
            on_game()
        check.report.advanced = len(advanced)
        check.report.unchanged = file.untouched()
        check.report.findings = file.findings()
        file.commit()
    task.run_file.unlink()
    return check.report


class _StreamCheck:
    """Checks streams of one partition whose records are in its file."""

    def __init__(
        self,
        task: PartitionTask,
        file: PartitionFile,
        promises: PromiseFile,
        books: BookFile | None,
        advanced: set[str],
    ) -> None:
        self.report = Report()
        self._partitions = EVENTS.partitions(task.kafka)
        self._keeps_records = task.keeps_records
        self._released_before_ms = task.now_ms - RELEASE_MS
        self._file = file
        self._promises = promises
        self._books = books
        self._advanced = advanced

    def check(self, stream: str) -> None:
        """Check everything about one stream, and keep what a later run needs to go on with it."""
        records = self._file.records(stream)
        counted = count_commits(records, self._partitions, has_one_writer=True)
        commits = counted.streams.get(stream, NO_COMMITS)
        self.report.streams += bool(commits.last)
        self.report.commits += counted.commits
        findings, is_over = list(counted.findings), False
        if stream.startswith(GAMES):
            game_id = stream.removeprefix(GAMES)
            findings += broken_promises(self._promises.of_game(game_id), commits)
            if commits.last:
                checked = self._checked(game_id, commits, findings)
                over_ms = commits.commits[-1].recorded_time_ms
                is_over = bool(checked.counts.finished) and over_ms < self._released_before_ms
            else:
                findings += self._orphans(stream)
        else:
            text = f"the stream {stream!r} of {len(commits.commits)} commits is no game"
            findings.append(Finding("misplaced", stream, 0, text))
        self._file.add_findings(each for each in findings if each.kind in OF_THIS_RUN)
        self._file.replace_findings(stream, (each for each in findings if each.kind not in OF_THIS_RUN))
        if records:
            has_advanced = stream.removeprefix(GAMES) in self._advanced
            kept = records if self._keeps_records and not is_over else None
            self._file.keep_stream(stream, kept, is_to_repeat=has_advanced)

    def _checked(self, game_id: str, commits: StreamCommits, findings: list[Finding]) -> Checked:
        stream = GAMES + game_id
        checked = check_game(
            GameCase(
                game_id=game_id,
                facts=facts_of(commits.commits),
                requests=_requests(commits.commits),
                snapshots=self._file.snapshots(stream),
                status=self._file.newest("status", stream),
                has_statuses=True,
                book=None if self._books is None else self._books.of_game(game_id),
                summary=self._file.newest("projection", stream),
                hold=self._hold(game_id, findings),
                advanced=game_id in self._advanced,
            )
        )
        self.report.count(checked.title, checked.counts)
        findings += checked.findings
        if checked.counts.held:
            self.report.held[game_id] = checked.hold
        return checked

    def _hold(self, game_id: str, findings: list[Finding]) -> StoredHold | None:
        value = self._file.newest("hold", GAMES + game_id)
        if value is None:
            return None
        try:
            hold = pb.HoldChanged.FromString(value)
        except DecodeError as error:
            findings.append(Finding("unreadable", game_id, 0, f"no hold: {error}"))
            return None
        return StoredHold(hold.reason, hold.detail, hold.sequence) if hold.held else None

    def _orphans(self, stream: str) -> list[Finding]:
        """Findings about what is stored of a game without events."""
        found = [kind for kind in NEWEST if self._file.newest(kind, stream) is not None]
        if self._file.snapshots(stream):
            found.append("snapshot")
        game_id = stream.removeprefix(GAMES)
        return [Finding(kind, game_id, 0, f"a {kind} of a game without events") for kind in found]


def facts_of(commits: Iterable[pb.Commit]) -> list[StoredFact]:
    """The facts in these commits."""
    return [
        StoredFact(fact.type, fact.schema_version, fact.payload, commit.recorded_time_ms)
        for commit in commits
        for fact in commit.facts
    ]


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
