"""A platform migrated from a file to Kafka and back: everything arrives exactly once, despite interruptions."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from confluent_kafka import Consumer
from typer.testing import CliRunner

from services.audit.kafka_check import check_kafka
from services.audit.kafka_log import reading
from services.audit.sqlite_check import check_sqlite
from services.cli.main import app
from services.common.eventlog.port import NewRecord, Record, RequestRecord
from services.common.eventlog.sqlite import open_sqlite
from services.common.kafka.clients import new_consumer, new_producer
from services.common.kafka.settings import KafkaSettings
from services.common.kafka.topics import COMMANDS, LEDGER_EVENTS, ROUTING_REQUESTS, Topic
from services.common.partitions import partition_of
from services.common.staff.stream import STAFF_STREAM
from services.gen.signalbox.log.v1 import log_pb2 as pb
from services.ledger.adapters.sqlite import SqliteBookStore
from services.lobby.adapters.sqlite_summaries import SqliteSummaries
from services.lobby.domain.games import GameSummary
from services.migration.errors import InUse, OtherContent
from services.migration.kafka_endpoint import CountedLog
from services.migration.migrate import MigrationSummary, to_kafka, to_sqlite
from services.migration.sqlite_endpoint import SqliteEndpoint
from services.rules.history import EventRange, encode_event_range
from tests.audit.platform import HELD, make_operated_platform, make_platform

pytestmark = pytest.mark.integration

DEADLINE_SECONDS = 180.0


def quiet(_step: str, _events: int, _total: int) -> None:
    """Ignore progress."""


def moved_to_kafka(
    path: Path, kafka: KafkaSettings, reported: Callable[[str, int, int], None] = quiet
) -> MigrationSummary:
    """Move a file to Kafka."""
    file = SqliteEndpoint(path, must_exist=True)
    try:
        return to_kafka(file, kafka, reported)
    finally:
        file.close()


def moved_to_file(
    kafka: KafkaSettings, path: Path, reported: Callable[[str, int, int], None] = quiet
) -> MigrationSummary:
    """Move Kafka to a file."""
    file = SqliteEndpoint(path, must_exist=False)
    try:
        return to_sqlite(kafka, file, reported)
    finally:
        file.close()


def content(path: Path) -> dict[str, tuple[list[tuple[object, ...]], list[RequestRecord]]]:
    """Every stream of a file: its records without their positions, and its requests."""

    def reported(record: Record) -> tuple[object, ...]:
        return (record.sequence, record.type, record.schema_version, record.payload, record.recorded_time_ms)

    log, _ = open_sqlite(path)
    try:
        return {
            stream: (
                [reported(record) for record in log.read(stream)],
                sorted(log.requests(stream), key=lambda request: request.request_id),
            )
            for stream in log.streams()
        }
    finally:
        log.close()


def lobby_order(path: Path) -> list[tuple[str, int]]:
    """Streams and sequences of the lobby's records, in the order of their positions."""
    log, _ = open_sqlite(path)
    try:
        return [(each.stream, each.sequence) for each in log.read_all(limit=10_000, prefix="lobby.")]
    finally:
        log.close()


def summaries_in(path: Path) -> list[GameSummary]:
    """What lists show, thinking times included."""
    summaries = SqliteSummaries(path)
    found = summaries.recent(100)
    summaries.close()
    assert len(found) == 3 and all(summary.clocks for summary in found)
    return found


def many_small_games(path: Path, games: int, events: int) -> None:
    """Streams that look like games to a program that does not read them."""
    log, _ = open_sqlite(path)
    try:
        for number in range(games):
            records = [NewRecord("turn_ended", 1, b"%d" % sequence) for sequence in range(events)]
            request = RequestRecord("create", "", b"hash", encode_event_range(EventRange(1, events)))
            log.append(f"game/small{number}", 0, records, request)
    finally:
        log.close()


def wish_for_a_new_book(kafka: KafkaSettings, game: str, *, held: bool) -> None:
    """An operator's wish as a replica writes it that knows this of the hold."""
    wish = pb.HoldChanged(schema_version=1, game_id=game, held=held, rebuild_asked=True)
    producer = new_producer(kafka)
    partition = partition_of(game, LEDGER_EVENTS.partitions(kafka))
    producer.produce(LEDGER_EVENTS.name_in(kafka), wish.SerializeToString(), game.encode(), partition)
    assert producer.flush(60) == 0


@pytest.fixture(scope="module")
def platform(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file with three games and a table; one game is held, and operators have acted."""
    path = tmp_path_factory.mktemp("platform") / "signalbox.db"
    make_operated_platform(path)
    return path


@pytest.fixture
def file(platform: Path, tmp_path: Path) -> Path:
    """A copy of that file."""
    path = tmp_path / "signalbox.db"
    with closing(sqlite3.connect(platform)) as source, closing(sqlite3.connect(path)) as target:
        source.backup(target)
    return path


def test_everything_comes_back_equal(file: Path, kafka: KafkaSettings, tmp_path: Path) -> None:
    """File to Kafka to another file: every stream, request, time, hold, summary and the lobby's order are the same.

    Wishes for new books change no hold."""
    there = moved_to_kafka(file, kafka)
    assert (there.games, there.holds, there.present_before) == (3, 1, 0)
    wish_for_a_new_book(kafka, "g1", held=True)
    wish_for_a_new_book(kafka, "g2", held=False)
    other = tmp_path / "other.db"
    back = moved_to_file(kafka, other)
    assert (back.events, back.requests) == (there.events, there.requests)
    assert content(other) == content(file)
    assert lobby_order(other) == lobby_order(file)
    store = SqliteBookStore(other)
    assert store.holds() == (HELD,)
    store.close()
    assert summaries_in(other) == summaries_in(file)


def test_what_was_moved_stands_the_check(file: Path, kafka: KafkaSettings, tmp_path: Path) -> None:
    """The checker finds nothing on either side but the hold that was set without reason."""
    moved_to_kafka(file, kafka)
    on_kafka = check_kafka(kafka)
    moved_to_file(kafka, tmp_path / "other.db")
    for report in (on_kafka, check_sqlite(tmp_path / "other.db")):
        assert [(each.kind, each.stream) for each in report.findings] == [("hold", "g2")]
        assert report.titles["1824"].games == 3
    assert on_kafka.titles["1824"].statuses == 3


def test_a_second_move_writes_nothing(file: Path, kafka: KafkaSettings, tmp_path: Path) -> None:
    """Both ways: what is there is compared and left alone, and further events of the source follow."""
    first = moved_to_kafka(file, kafka)
    assert moved_to_kafka(file, kafka).present_before == first.events
    log, _ = open_sqlite(file)
    log.append("game/late", 0, [NewRecord("turn_ended", 1, b"")])
    log.close()
    again = moved_to_kafka(file, kafka)
    assert (again.events, again.present_before, again.without_status) == (
        first.events + 1,
        first.events,
        ["late"],
    )
    other = tmp_path / "other.db"
    moved_to_file(kafka, other)
    assert moved_to_file(kafka, other).present_before == again.events
    assert content(other) == content(file)


def test_other_content_is_refused_and_left_alone(file: Path, kafka: KafkaSettings, tmp_path: Path) -> None:
    """A target that holds another game under the same id, or a game more, is named and not written to."""
    moved_to_kafka(file, kafka)
    foreign = tmp_path / "foreign.db"
    make_platform(foreign, games=1, moves=3)
    before = content(foreign)
    with pytest.raises(OtherContent) as to_file:
        moved_to_file(kafka, foreign)
    with pytest.raises(OtherContent) as to_other:
        moved_to_kafka(foreign, kafka)
    for refused in (to_file, to_other):
        assert "game/g1 #1 is a different event" in refused.value.differences
    assert content(foreign) == before
    with reading(kafka) as reader:
        log = CountedLog(kafka, reader)
        list(log.commits())
    # Staff acts are in a topic of their own.
    kept = {stream: len(records) for stream, (records, _) in content(file).items() if stream != STAFF_STREAM}
    assert log.last_sequences() == kept


def test_a_running_host_is_noticed(file: Path, kafka: KafkaSettings) -> None:
    """A file that a host has open, and a Kafka on which an owner is a member of its group, are refused."""
    log, _ = open_sqlite(file)
    try:
        with pytest.raises(InUse, match=r"signalbox\.db: a host or another program uses it"):
            moved_to_kafka(file, kafka)
    finally:
        log.close()
    with closing(new_consumer(kafka, "rules.owner")) as owner:
        join(owner, COMMANDS, kafka)
        with pytest.raises(InUse, match=r"services are running \(groups .*rules\.owner"):
            moved_to_kafka(file, kafka)


def test_routing_may_run_while_games_are_moved(file: Path, kafka: KafkaSettings) -> None:
    """Routing has none of the facts: its group may have members."""
    with closing(new_consumer(kafka, "routing.ahead")) as routing:
        join(routing, ROUTING_REQUESTS, kafka)
        assert moved_to_kafka(file, kafka).events


def join(consumer: Consumer, topic: Topic, kafka: KafkaSettings) -> None:
    """Make it a member of its group that has partitions of `topic`."""
    consumer.subscribe([topic.name_in(kafka)])
    deadline = time.monotonic() + DEADLINE_SECONDS
    while not consumer.assignment():
        consumer.poll(0.1)
        assert time.monotonic() < deadline


def test_a_file_in_use_by_a_move_is_locked(file: Path) -> None:
    """The file cannot be opened during a migration, but afterwards."""
    side = SqliteEndpoint(file, must_exist=True)
    with (
        closing(sqlite3.connect(file, timeout=0)) as other,
        pytest.raises(sqlite3.OperationalError, match="locked"),
    ):
        other.execute("SELECT count(*) FROM record")
    side.close()
    assert content(file)


@pytest.mark.parametrize("way", ["to kafka", "to file"])
def test_a_killed_move_goes_on(way: str, kafka: KafkaSettings, tmp_path: Path) -> None:
    """kill -9 in the midst of thousands of small games: the next run ends with each event there once."""
    source = tmp_path / "source.db"
    many_small_games(source, games=3000, events=4)
    target = tmp_path / "target.db"
    if way == "to file":
        moved_to_kafka(source, kafka)
    places = [f"sqlite:{source}", "kafka:"] if way == "to kafka" else ["kafka:", f"sqlite:{target}"]
    kill_amid_writing(places, kafka)
    done: dict[str, int] = {}

    def reported(step: str, events: int, _total: int) -> None:
        done[step] = done.get(step, 0) + events

    moved = (
        moved_to_kafka(source, kafka, reported)
        if way == "to kafka"
        else moved_to_file(kafka, target, reported)
    )
    assert 0 < moved.present_before < 12_000
    assert done["writing"] == 12_000 - moved.present_before
    if way == "to kafka":
        moved_to_file(kafka, target)
    assert content(target) == content(source)


def kill_amid_writing(places: list[str], kafka: KafkaSettings) -> None:
    """Run the command until it has written something, and no longer."""
    program = f"""
import os, signal, sys
from services.migration import migrate
from services.cli.main import app
seen = 0
def kill_later(step, events, total):
    global seen
    seen += events if step == "writing" else 0
    if seen > 7000:
        os.kill(os.getpid(), signal.SIGKILL)
from services.cli.migrate import _Steps
_Steps.on_progress = lambda self, step, events, total: kill_later(step, events, total)
app(["migrate", "--from", {places[0]!r}, "--to", {places[1]!r}])
"""
    environment = os.environ | {
        "SIGNALBOX_KAFKA_SERVERS": ",".join(kafka.servers),
        "SIGNALBOX_KAFKA_TOPIC_PREFIX": kafka.topic_prefix,
        "SIGNALBOX_KAFKA_PARTITIONS": str(kafka.partitions),
    }
    ended = subprocess.run(
        [sys.executable, "-c", program], env=environment, capture_output=True, timeout=DEADLINE_SECONDS
    )
    assert ended.returncode == -9, ended.stderr.decode()


def test_the_command_moves_and_verifies(file: Path, kafka: KafkaSettings, tmp_path: Path) -> None:
    """`migrate` both ways ends with 0 and prints the result; `verify` ends with 1 and names the game held."""
    environment = {
        "SIGNALBOX_KAFKA_SERVERS": ",".join(kafka.servers),
        "SIGNALBOX_KAFKA_TOPIC_PREFIX": "elsewhere",
        "SIGNALBOX_KAFKA_PARTITIONS": str(kafka.partitions),
    }
    place = f"kafka:{','.join(kafka.servers)}/{kafka.topic_prefix}"
    other = f"sqlite:{tmp_path / 'other.db'}"
    runner = CliRunner()
    for source, target in ((f"sqlite:{file}", place), (place, other)):
        done = runner.invoke(app, ["migrate", "--from", source, "--to", target], env=environment)
        assert (done.exit_code, "3 games" in done.stdout) == (0, True), done.output
    for log in (place, other):
        found = runner.invoke(app, ["verify", "--log", log, "--processes", "1"], env=environment)
        assert (found.exit_code, found.stderr.startswith("hold: g2 #40: ")) == (1, True), found.output
    for places in ((other, f"sqlite:{file}"), ("sqlite:", place), ("here", place)):
        refused = runner.invoke(app, ["migrate", "--from", places[0], "--to", places[1]], env=environment)
        assert refused.exit_code == 1
    missing = runner.invoke(app, ["verify", "--log", f"sqlite:{tmp_path / 'none.db'}"])
    assert (missing.exit_code, "there is no such file" in missing.stderr) == (2, True)
