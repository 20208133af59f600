"""The check of a whole log on a real Kafka."""

from __future__ import annotations

import shutil
import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from confluent_kafka import Producer
from google.protobuf.message import Message
from msgspec.structs import replace

from services.audit import kafka_log
from services.audit.commits import StoredRecord
from services.audit.findings import Acknowledged, Report
from services.audit.kafka_check import check_kafka
from services.audit.kafka_log import LogReader, reading
from services.common.eventlog.sqlite import open_sqlite
from services.common.kafka.clients import KafkaUnreachable, new_producer
from services.common.kafka.settings import KafkaSettings
from services.common.kafka.topics import (
    EVENTS,
    GAME_STATUSES,
    LEDGER_EVENTS,
    LOBBY_EVENTS,
    LOBBY_SUMMARIES,
    OUTCOMES,
    SNAPSHOTS,
    Topic,
)
from services.common.kafka.unpacking import message_in
from services.common.partitions import partition_of
from services.gen.signalbox.lobby.v1.game_status_pb2 import GameStatus
from services.gen.signalbox.lobby.v1.game_summary_pb2 import GameSummary
from services.gen.signalbox.log.v1 import log_pb2 as pb
from services.migration.migrate import to_kafka
from services.migration.sqlite_endpoint import SqliteEndpoint
from services.rules.history import decode_event_range
from tests.audit.generated import wait_until_readable, write_log
from tests.audit.platform import make_platform
from tests.rules.service.desk import Desk

pytestmark = pytest.mark.integration


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A platform in a file."""
    path = tmp_path_factory.mktemp("platform") / "signalbox.db"
    make_platform(path, games=2, moves=8)
    return path


@pytest.fixture(scope="module")
def acknowledged(file: Path) -> list[Acknowledged]:
    """The acknowledgements to the callers of one of its games."""
    log, _ = open_sqlite(file)
    requests = log.requests("game/g1")
    log.close()
    outcomes = [(request.request_id, decode_event_range(request.outcome)) for request in requests]
    return [Acknowledged("g1", name, outcome.first, outcome.last) for name, outcome in outcomes]


@pytest.fixture
def moved(file: Path, kafka: KafkaSettings) -> Iterator[KafkaSettings]:
    """The platform on Kafka."""
    copy_over(file, kafka)
    yield kafka


def copy_over(file: Path, kafka: KafkaSettings) -> None:
    """Have everything that is in the file on Kafka."""
    side = SqliteEndpoint(file, must_exist=True)
    try:
        to_kafka(side, kafka, lambda *_: None)
        wait_until_readable(kafka)
    finally:
        side.close()


def send(
    kafka: KafkaSettings, topic: Topic, key: str, message: Message, producer: Producer | None = None
) -> None:
    """Write a record with a separate producer."""
    sender = producer or new_producer(kafka)
    partition = partition_of(key, topic.partitions(kafka))
    sender.produce(topic.name_in(kafka), message.SerializeToString(), key.encode(), partition)
    assert sender.flush(60) == 0


def found(report: Report) -> list[tuple[str, str, int]]:
    """Kind, stream and sequence of all findings."""
    return [(each.kind, each.stream, each.sequence) for each in report.findings]


def test_what_was_acknowledged_is_there_once(moved: KafkaSettings, acknowledged: list[Acknowledged]) -> None:
    """Every acknowledged command is at its acknowledged sequences; one that is not is named."""
    report = check_kafka(moved, acknowledged, processes=2)
    assert (report.findings, report.acknowledged) == ([], len(acknowledged))
    lost = Acknowledged("g1", "never", 500, 501)
    nowhere = Acknowledged("g9", "never", 1, 2)
    shifted = replace(acknowledged[0], last=acknowledged[0].last + 1)
    wrong = check_kafka(moved, [*acknowledged, lost, nowhere, shifted])
    assert found(wrong) == [
        ("acknowledged", "g1", shifted.first),
        ("acknowledged", "g1", 500),
        ("acknowledged", "g9", 1),
    ]


def test_an_outcome_must_say_what_the_log_says(
    moved: KafkaSettings, acknowledged: list[Acknowledged]
) -> None:
    """An outcome of a request that is nowhere, and one that names another place."""
    for request_id, first in ((acknowledged[0].request_id, acknowledged[0].first + 1), ("never", 900)):
        outcome = pb.CommandOutcome(schema_version=1, game_id="g1", request_id=request_id)
        outcome.carried_out.first_sequence = outcome.carried_out.last_sequence = first
        send(moved, OUTCOMES, "g1", outcome)
    assert [each.kind for each in check_kafka(moved).findings] == ["outcome", "outcome"]


def late_commit(kafka: KafkaSettings) -> tuple[str, str, int]:
    """A fenced writer got through with a commit that came too late."""
    send(kafka, EVENTS, "g1", pb.Commit(stream="game/g1", first_sequence=3, facts=[pb.Fact(type="x")]))
    return ("lost_commit", "g1", 3)


def orphan_snapshot(kafka: KafkaSettings) -> tuple[str, str, int]:
    """A snapshot of a game that has no events."""
    send(kafka, SNAPSHOTS, "g7", pb.Snapshot(stream="game/g7", sequence=3))
    return ("snapshot", "g7", 0)


def old_status(kafka: KafkaSettings) -> tuple[str, str, int]:
    """A status of a game that has no events."""
    send(kafka, GAME_STATUSES, "g7", pb.GameStatus(game_id="g7", sequence=3))
    return ("status", "g7", 0)


def wrong_hold(kafka: KafkaSettings) -> tuple[str, str, int]:
    """A game is held and nothing is wrong with it."""
    send(kafka, LEDGER_EVENTS, "g2", pb.HoldChanged(game_id="g2", held=True, reason="difference", sequence=4))
    return ("hold", "g2", 4)


def hold_before_a_wish(kafka: KafkaSettings) -> tuple[str, str, int]:
    """A rebuild request neither releases a held game nor holds another."""
    send(kafka, LEDGER_EVENTS, "g2", pb.HoldChanged(game_id="g2", held=True, reason="difference", sequence=4))
    for game, held in (("g2", False), ("g1", True)):
        send(kafka, LEDGER_EVENTS, game, pb.HoldChanged(game_id=game, held=held, rebuild_asked=True))
    return ("hold", "g2", 4)


def wrong_card(kafka: KafkaSettings) -> tuple[str, str, int]:
    """A list shows a game further than it is."""
    send(kafka, LOBBY_SUMMARIES, "g2", GameSummary(status=GameStatus(game_id="g2", sequence=9_999)))
    return ("projection", "g2", 0)


def unreadable_table(kafka: KafkaSettings) -> tuple[str, str, int]:
    """An unknown event of the lobby."""
    fact = pb.Fact(type="moon_landed", schema_version=1)
    send(kafka, LOBBY_EVENTS, "t9", pb.Commit(stream="lobby.table.t9", first_sequence=1, facts=[fact]))
    return ("undecodable", "lobby.table.t9", 1)


@pytest.mark.parametrize(
    "harm",
    [
        late_commit,
        orphan_snapshot,
        old_status,
        wrong_hold,
        hold_before_a_wish,
        wrong_card,
        unreadable_table,
    ],
)
def test_harm_is_found(moved: KafkaSettings, harm: Callable[[KafkaSettings], tuple[str, str, int]]) -> None:
    """One record that must not be there leads to one finding that names it."""
    wanted = harm(moved)
    assert [(kind, stream) for kind, stream, _ in found(check_kafka(moved))] == [wanted[:2]]


def test_only_what_was_committed_is_looked_at(moved: KafkaSettings, monkeypatch: pytest.MonkeyPatch) -> None:
    """A transaction that was given up, and one that stays open, leave nothing to find; nor does a released hold."""
    monkeypatch.setattr(kafka_log, "OPEN_SECONDS", 0.2)
    for held in (True, False):
        send(moved, LEDGER_EVENTS, "g2", pb.HoldChanged(game_id="g2", held=held, reason="difference"))
    gap = pb.Commit(stream="game/g1", first_sequence=9_999, facts=[pb.Fact(type="x")])
    writer = new_producer(moved, **{"transactional.id": moved.topic_prefix + "harm"})
    writer.init_transactions(30)
    writer.begin_transaction()
    send(moved, EVENTS, "g1", gap, writer)
    writer.abort_transaction(10)
    writer.begin_transaction()
    send(moved, EVENTS, "g1", gap, writer)
    report = check_kafka(moved)
    assert (report.findings, report.titles["1824"].games, report.held) == ([], 2, {})
    writer.abort_transaction(10)


@pytest.fixture
def further(file: Path, tmp_path: Path, kafka: KafkaSettings) -> Path:
    """The platform a little later: a game has gone on, another was begun that is read with it."""
    path = tmp_path / "later.db"
    shutil.copyfile(file, path)
    log, snapshots = open_sqlite(path)
    desk = Desk(log, snapshots)
    desk.play_on(3, "g1")
    ids = (f"g{number}" for number in range(3, 99))
    together = partition_of("g1", kafka.partitions)
    desk.create(game_id=next(each for each in ids if partition_of(each, kafka.partitions) == together))
    log.close()
    return path


@pytest.fixture
def playing_on(moved: KafkaSettings, further: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Games continue just before a check reads the events of g1."""
    waiting = [further]

    class Slow(LogReader):
        def records(
            self, topic: Topic, partition: int | None = None, start: int = 0
        ) -> Iterator[StoredRecord]:
            if topic is EVENTS and partition == partition_of("g1", moved.partitions) and waiting:
                copy_over(waiting.pop(), moved)
            yield from super().records(topic, partition, start)

    monkeypatch.setattr(kafka_log, "LogReader", Slow)


@pytest.mark.usefixtures("playing_on")
def test_games_may_go_on_meanwhile(moved: KafkaSettings) -> None:
    """What was said of a game before its last events is compared with its state then, and may lack of a new one."""
    report = check_kafka(moved)
    assert (report.findings, report.titles["1824"].games, report.advanced) == ([], 3, 2)
    again = check_kafka(moved)
    assert (again.findings, again.advanced) == ([], 0)


@pytest.mark.usefixtures("playing_on")
def test_harm_in_a_game_that_goes_on_is_found(moved: KafkaSettings) -> None:
    """A status that was wrong when it was written is wrong."""
    (last,) = (each for each in statuses(moved) if each.game_id == "g1")
    last.phase = "99"
    send(moved, GAME_STATUSES, "g1", last)
    (finding,) = check_kafka(moved).findings
    assert (finding.kind, finding.stream, finding.sequence) == ("status", "g1", last.sequence)
    assert "phase is '99' in the status" in finding.text


def test_a_status_is_waited_for_that_is_about_to_be_committed(moved: KafkaSettings) -> None:
    """Kafka ends a transaction in one partition after another: the events may be there a moment before the status."""
    (last,) = (each for each in statuses(moved) if each.game_id == "g1")
    wrong = pb.GameStatus.FromString(last.SerializeToString())
    wrong.phase = "99"
    send(moved, GAME_STATUSES, "g1", wrong)
    writer = new_producer(moved, **{"transactional.id": moved.topic_prefix + "owner"})
    writer.init_transactions(30)
    writer.begin_transaction()
    send(moved, GAME_STATUSES, "g1", last, writer)
    committing = threading.Timer(1.0, writer.commit_transaction)
    committing.start()
    assert check_kafka(moved).findings == []
    committing.join()


def statuses(kafka: KafkaSettings) -> list[pb.GameStatus]:
    """All statuses in Kafka."""
    with reading(kafka) as reader:
        return [
            message_in(pb.GameStatus, record.value, record.key) for record in reader.records(GAME_STATUSES)
        ]


def test_a_kafka_that_is_away_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """The message names the servers."""
    monkeypatch.setattr("services.audit.kafka_log.BOOTSTRAP_MS", 500)
    with pytest.raises(KafkaUnreachable, match=r"127\.0\.0\.1:9"):
        check_kafka(KafkaSettings(servers=("127.0.0.1:9",), instance="audit"))


def test_a_run_goes_on_from_the_one_before(moved: KafkaSettings, further: Path, tmp_path: Path) -> None:
    """Only games with new records are checked again, also those whose records were not kept; findings stay."""
    verified = tmp_path / "verified"
    first = check_kafka(moved, verified=verified)
    assert (first.findings, first.titles["1824"].games, first.unchanged) == ([], 2, 0)
    second = check_kafka(moved, verified=verified, processes=2)
    assert (second.findings, second.titles, second.unchanged) == ([], {}, 2)
    in_files(verified, "UPDATE stream SET records = NULL")
    copy_over(further, moved)
    third = check_kafka(moved, verified=verified)
    assert (third.findings, third.titles["1824"].games, third.unchanged) == ([], 2, 1)
    in_files(verified, "UPDATE topic SET identity = 'lost' WHERE name = 'rules.game_statuses'")
    in_files(verified, "INSERT INTO newest VALUES ('status', 'game/gone', x'')")
    fourth = check_kafka(moved, verified=verified)
    assert (fourth.findings, fourth.titles["1824"].games) == ([], 3)
    wanted = [late_commit(moved), orphan_snapshot(moved)]
    harmed = check_kafka(moved, verified=verified)
    assert found(harmed) == wanted
    again = check_kafka(moved, verified=verified)
    assert (found(again), again.titles) == (wanted, {})


def test_verified_events_that_are_gone_are_found(moved: KafkaSettings, tmp_path: Path) -> None:
    """The last verified event must still be there; where it is not, everything is checked again."""
    verified = tmp_path / "verified"
    assert check_kafka(moved, verified=verified).is_clean
    in_files(verified, "UPDATE topic SET digest = x'00' WHERE name = 'rules.events' AND next > 0")
    report = check_kafka(moved, verified=verified)
    assert {each.kind for each in report.findings} == {"changed"}
    assert (report.titles["1824"].games, report.unchanged) == (2, 0)


def test_a_folder_of_another_log_is_not_believed(moved: KafkaSettings, file: Path, tmp_path: Path) -> None:
    """Topics that were created anew are checked from their beginnings, without a finding."""
    verified = tmp_path / "verified"
    check_kafka(moved, verified=verified)
    in_files(verified, "UPDATE topic SET identity = 'another'")
    report = check_kafka(moved, verified=verified)
    assert (report.findings, report.titles["1824"].games, report.unchanged) == ([], 2, 0)


def test_many_interleaved_games_are_checked(kafka: KafkaSettings, tmp_path: Path) -> None:
    """The generated log of the benchmark, small: all of it is counted, by one process and by two."""
    events = write_log(kafka, games=20, moves=5, seed=20)
    for processes in (1, 2):
        report = check_kafka(kafka, processes=processes)
        assert report.findings == []
        assert (report.titles["1824"].games, report.titles["1824"].events) == (20, events)


def in_files(folder: Path, statement: str) -> None:
    """Change the files of what was verified."""
    for path in folder.glob("partition-*.db"):
        with closing(sqlite3.connect(path)) as connection, connection:
            connection.execute(statement)
