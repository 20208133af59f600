"""Checks a whole log on Kafka, idle or while games go on: partition by partition, in several processes, game by game.

Memory holds one game and some buffers for each process; what is to be grouped by game goes through files. What was verified
may stay in a folder, from which the next run goes on.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

from services.audit.commits import CommitCounter, count_commits
from services.audit.findings import Acknowledged, Finding, Report
from services.audit.kafka_log import LogReader, reading
from services.audit.lobby import check_lobby_stream
from services.audit.partition_check import PartitionTask, facts_of
from services.audit.partition_file import PartitionFile, Reached
from services.audit.partition_reading import TOPICS
from services.audit.partition_workers import check_partitions
from services.audit.promises import Promise, outcome_in, write_promises
from services.audit.workers import OnProgress
from services.common.eventlog.port import LogFileError
from services.common.kafka.offsets import identity_of
from services.common.kafka.settings import KafkaSettings
from services.common.kafka.topics import EVENTS, LOBBY_EVENTS, OUTCOMES

PROMISES = "promises.db"
OnPartition = Callable[[int, int], None]
"""Called with the number of partitions checked and of all."""


def check_kafka(
    kafka: KafkaSettings,
    acknowledged: Iterable[Acknowledged] = (),
    *,
    processes: int = 1,
    books: Path | None = None,
    verified: Path | None = None,
    on_progress: OnProgress = lambda _: None,
    on_partition: OnPartition = lambda *_: None,
) -> Report:
    """Check all records of the log, and that every command of `acknowledged` is there exactly once.

    `books`: file of a ledger whose books are compared with those of the checked games. `verified`: folder with what earlier
    runs verified; only games with new records are checked then. Raises `KafkaUnreachable` and `LogFileError`."""
    report = Report()
    if verified is not None:
        verified.mkdir(parents=True, exist_ok=True)
    try:
        with (
            reading(kafka) as reader,
            TemporaryDirectory(prefix="verify-", dir=verified) as temporary,
            closing(_outcomes_file(verified or Path(temporary), Path(temporary))) as outcomes,
        ):
            tasks = _tasks(kafka, verified, Path(temporary), books)
            given = [Promise("acknowledged", *_fields(each)) for each in acknowledged]
            report.acknowledged = len(given)
            promises = _with_outcomes(given, kafka, reader, outcomes)
            write_promises(Path(temporary) / PROMISES, promises, EVENTS.partitions(kafka))
            for done, part in enumerate(check_partitions(tasks, reader, processes, on_progress), start=1):
                report.add(part)
                on_partition(done, len(tasks))
            report.findings += outcomes.findings()
            report.add(_check_lobby(kafka, reader, Path(temporary)))
            outcomes.commit()
    except (sqlite3.Error, OSError) as problem:
        raise LogFileError(f"{verified or 'the temporary folder'}: {problem}") from problem
    report.findings.sort()
    return report


def _fields(each: Acknowledged) -> tuple[str, str, int, int]:
    return each.game_id, each.request_id, each.first, each.last


def _tasks(
    kafka: KafkaSettings, verified: Path | None, temporary: Path, books: Path | None
) -> list[PartitionTask]:
    identities = {topic.name: identity_of(kafka, [topic]) for topic in TOPICS}
    now_ms = int(time.time() * 1000)
    return [
        PartitionTask(
            kafka=kafka,
            partition=partition,
            file=(verified or temporary) / f"partition-{partition}.db",
            run_file=temporary / f"run-{partition}.db",
            promises=temporary / PROMISES,
            books=books,
            identities=identities,
            keeps_records=verified is not None,
            now_ms=now_ms,
        )
        for partition in range(EVENTS.partitions(kafka))
    ]


def _outcomes_file(folder: Path, temporary: Path) -> PartitionFile:
    """How far the outcomes were read, and what was found in them. Kept when all promises in them were checked."""
    return PartitionFile(folder / "outcomes.db", temporary / "run-outcomes.db")


def _with_outcomes(
    given: Iterable[Promise], kafka: KafkaSettings, reader: LogReader, file: PartitionFile
) -> Iterator[Promise]:
    """The given promises, then those of the owners' answers that Kafka still has and no earlier run has checked."""
    yield from given
    identity = identity_of(kafka, [OUTCOMES])
    findings: list[Finding] = []
    for partition in range(OUTCOMES.partitions(kafka)):
        name = f"{OUTCOMES.name}/{partition}"
        reached = file.reached(name, identity)
        for record in reader.records(OUTCOMES, partition, reached.next):
            reached = Reached(identity, record.position.offset + 1)
            promise = outcome_in(record, findings)
            if promise is not None:
                yield promise
        file.note_reached(name, reached)
    file.add_findings(findings)


def _check_lobby(kafka: KafkaSettings, reader: LogReader, temporary: Path) -> Report:
    """All streams of the lobby, always from their beginnings."""
    report = Report()
    partitions = LOBBY_EVENTS.partitions(kafka)
    counter = CommitCounter(partitions, has_one_writer=False)
    with closing(PartitionFile(temporary / "lobby.db", temporary / "run-lobby.db")) as file:
        for record in reader.records(LOBBY_EVENTS):
            commit = counter.read(record)
            if commit is not None:
                file.add_record(commit.stream, record)
        file.records_are_complete()
        for stream in file.touched():
            counted = count_commits(file.records(stream), partitions, has_one_writer=False)
            commits = counted.streams[stream]
            report.streams += bool(commits.last)
            report.commits += counted.commits
            report.lost_races += counted.lost_races
            report.findings += counted.findings
            report.findings += check_lobby_stream(stream, facts_of(commits.commits))
    report.findings += counter.counted.findings
    return report
