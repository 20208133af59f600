"""The event log on Kafka keeps the contract of all logs; what only it promises comes after."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from uuid import uuid4

import pytest
from confluent_kafka import Consumer, KafkaError, KafkaException
from confluent_kafka.admin import AdminClient, NewTopic
from msgspec.structs import replace

from services.common.clock import ManualClock
from services.common.eventlog.port import Appended, Conflict, EventLog, LogUnavailable, Repeated
from services.common.kafka import copy as copy_module
from services.common.kafka.clients import client_config, new_consumer, new_producer
from services.common.kafka.copy import LogCopy
from services.common.kafka.copybatch import Applied
from services.common.kafka.event_log import KafkaEventLog
from services.common.kafka.reading import records_of_key
from services.common.kafka.settings import KafkaSettings
from services.common.kafka.topics import EVENTS, LOBBY_EVENTS, SNAPSHOTS
from services.common.kafka.unpacking import is_packed
from services.common.partitions import partition_of
from services.common.settings.service import SettingsError
from services.gen.signalbox.log.v1 import log_pb2 as pb
from tests.contracts.event_log_contract import EventLogContract, bodies, fact, request

pytestmark = pytest.mark.integration

SECONDS = 60.0
OpenLog = Callable[[str], KafkaEventLog]


@pytest.fixture
def kafka(kafka_module: KafkaSettings) -> KafkaSettings:
    """The settings of this module, with new topics beside the others: far quicker than all topics of a platform."""
    kafka = replace(kafka_module, topic_prefix=f"{kafka_module.topic_prefix}{uuid4().hex[:8]}.")
    admin = AdminClient(client_config(kafka))
    topics = [
        NewTopic(each.name_in(kafka), each.partitions(kafka), config=each.config(kafka))
        for each in (EVENTS, SNAPSHOTS, LOBBY_EVENTS)
    ]
    for made in admin.create_topics(topics).values():
        made.result()
    return kafka


@pytest.fixture
def open_log(kafka: KafkaSettings, tmp_path: Path) -> Iterator[OpenLog]:
    """Opens further replicas of the log of games, each with a copy of its own under a name."""
    opened: list[KafkaEventLog] = []

    def another(name: str) -> KafkaEventLog:
        copy = LogCopy(kafka, EVENTS, tmp_path / f"{name}.db", snapshots=SNAPSHOTS)
        log = KafkaEventLog(kafka, EVENTS, copy, ManualClock(), SECONDS)
        copy.start()
        assert copy.wait_current(SECONDS)
        opened.append(log)
        return log

    yield another
    for log in opened:
        log.close()


def test_a_listener_that_fails_changes_no_outcome(kafka: KafkaSettings, tmp_path: Path) -> None:
    """What is in the copy is not taken over once more: every append counts, with or without a request."""
    copy = LogCopy(kafka, EVENTS, tmp_path / "failing.db")
    heard: list[Applied] = []

    def fail(applied: Applied) -> None:
        heard.append(applied)
        raise RuntimeError("this listener is broken")

    copy.listen(fail)
    log = KafkaEventLog(kafka, EVENTS, copy, ManualClock(), SECONDS)
    copy.start()
    try:
        results = [log.append(f"game/g{number}", 0, [fact()]) for number in range(3)]
        assert results == [Appended(1, 1)] * 3
        assert [each.result for each in heard] == results
    finally:
        log.close()


class TestKafkaEventLog(EventLogContract):
    """The log on several partitions."""

    @pytest.fixture
    def log(self, open_log: OpenLog) -> EventLog:
        """An empty log."""
        return open_log("log")


class TestKafkaLobbyLog(EventLogContract):
    """The log on the one partition of the lobby."""

    @pytest.fixture
    def log(self, kafka: KafkaSettings, tmp_path: Path) -> Iterator[EventLog]:
        """An empty log."""
        copy = LogCopy(kafka, LOBBY_EVENTS, tmp_path / "lobby.db")
        log = KafkaEventLog(kafka, LOBBY_EVENTS, copy, ManualClock(), SECONDS)
        copy.start()
        yield log
        log.close()


def test_one_of_many_replicas_wins(open_log: OpenLog) -> None:
    """Of replicas that expect the same sequence exactly one succeeds, and all of them then tell the same."""
    logs = [open_log(f"replica{number}") for number in range(3)]
    with ThreadPoolExecutor(3) as pool:
        for expected in range(10):
            results = list(
                pool.map(lambda log, at=expected: log.append("game/1", at, [fact(b"%d" % at)]), logs)
            )
            assert sum(isinstance(result, Appended) for result in results) == 1
            assert {type(result) for result in results} <= {Appended, Conflict}
    assert all(log._copy.wait_current(SECONDS) for log in logs)
    assert [bodies(log.read("game/1")) for log in logs] == [[b"%d" % at for at in range(10)]] * 3


def test_a_repeat_at_another_replica_is_detected(open_log: OpenLog) -> None:
    """The same request at another replica gets the first outcome, even while that replica is behind."""
    first, second = open_log("first"), open_log("second")
    assert first.append("game/1", 0, [fact()], request("r1")) == Appended(1, 1)
    assert isinstance(second.append("game/1", 0, [fact()], request("r1")), Repeated)


@pytest.mark.parametrize("question", ["read", "outcome"])
def test_a_copy_that_moves_on_between_two_questions_tells_no_conflict(
    open_log: OpenLog, monkeypatch: pytest.MonkeyPatch, question: str
) -> None:
    """A repeat that meets the first outcome on its way here gets it, at whichever moment that comes."""
    first, second = open_log("first"), open_log("second")
    ask = getattr(second._copy.log, question)

    def asked(*arguments: Any, **named: Any) -> Any:
        answer = ask(*arguments, **named)
        monkeypatch.undo()
        assert first.append("game/1", 0, [fact()], request("r1")) == Appended(1, 1)
        assert second._copy.wait_current(SECONDS)
        return answer

    monkeypatch.setattr(second._copy.log, question, asked)
    assert isinstance(second.append("game/1", 0, [fact()], request("r1")), Repeated)


def test_a_lost_copy_is_filled_again(open_log: OpenLog, tmp_path: Path) -> None:
    """A copy that was lost or damaged comes back from Kafka with everything, requests included."""
    log = open_log("log")
    log.append("game/1", 0, [fact(b"1"), fact(b"2")], request("r1"))
    log.close()
    (tmp_path / "log.db").write_bytes(b"not a database" * 100)
    again = open_log("log")
    assert bodies(again.read("game/1")) == [b"1", b"2"]
    assert again.outcome("game/1", "r1") is not None


def test_a_copy_of_other_topics_is_thrown_away(
    open_log: OpenLog, kafka: KafkaSettings, tmp_path: Path
) -> None:
    """A file that was filled from another topic is not taken for a copy of this one."""
    other = KafkaEventLog(kafka, LOBBY_EVENTS, LogCopy(kafka, LOBBY_EVENTS, tmp_path / "log.db"))
    other._copy.start()
    other.append("lobby.name.ann", 0, [fact()])
    other.close()
    assert open_log("log").streams() == []


def test_uncommitted_records_are_never_seen(open_log: OpenLog, kafka: KafkaSettings) -> None:
    """What a transaction wrote that was aborted is in no copy, and what comes after it is."""
    log = open_log("log")
    writer = new_producer(kafka, **{"transactional.id": kafka.topic_prefix + "writer"})
    writer.init_transactions(SECONDS)
    for payload, is_kept in ((b"aborted", False), (b"kept", True)):
        commit = pb.Commit(stream="game/1", first_sequence=1, facts=[pb.Fact(type="x", payload=payload)])
        writer.begin_transaction()
        writer.produce(
            EVENTS.name_in(kafka), commit.SerializeToString(), b"1", partition_of("1", kafka.partitions)
        )
        writer.flush()
        if is_kept:
            writer.commit_transaction()
        else:
            writer.abort_transaction()
    assert log._copy.wait_current(SECONDS)
    assert bodies(log.read("game/1")) == [b"kept"]


def test_a_record_that_is_no_commit_stops_nobody(open_log: OpenLog, kafka: KafkaSettings) -> None:
    """Foreign bytes in the topic are passed over; games in the same partition go on."""
    log = open_log("log")
    foreign = new_producer(kafka)
    foreign.produce(EVENTS.name_in(kafka), b"\xff\xffnonsense", b"1", partition_of("1", kafka.partitions))
    foreign.flush()
    assert log.append("game/1", 0, [fact(b"1")]) == Appended(1, 1)
    assert bodies(log.read("game/1")) == [b"1"]


def test_platforms_that_pack_and_that_do_not_share_a_log(
    kafka: KafkaSettings, open_log: OpenLog, tmp_path: Path
) -> None:
    """As while one version is rolled out over another: each reads what the other wrote, and a stream goes on with either."""
    settings = replace(kafka, packs_values=False)
    plain = KafkaEventLog(settings, EVENTS, LogCopy(settings, EVENTS, tmp_path / "plain.db"))
    plain._copy.start()
    packing = open_log("log")
    long = [fact(b"cash_moved" * 20) for _ in range(3)]
    assert packing.append("game/1", 0, long, request("a")) == Appended(1, 3)
    assert plain._copy.wait_current(SECONDS)
    assert plain.append("game/1", 3, long, request("b")) == Appended(4, 6)
    assert packing._copy.wait_current(SECONDS)
    assert packing.append("game/1", 6, long, request("c")) == Appended(7, 9)
    assert plain._copy.wait_current(SECONDS)
    assert (
        bodies(plain.read("game/1")) == bodies(packing.read("game/1")) == [each.payload for each in long] * 3
    )
    assert plain.requests("game/1") == packing.requests("game/1")
    values = [message.value() or b"" for message in records_of_key(kafka, EVENTS, "1")]
    assert [is_packed(each) for each in values] == [True, False, True]
    assert len(values[0]) < len(values[1]) / 3
    plain.close()


def test_a_commit_that_cannot_be_unpacked_stops_nobody(
    open_log: OpenLog, kafka: KafkaSettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is passed over as any record that cannot be read, and the log says why: cut off, or of a newer version."""
    log, problems = open_log("log"), list[str]()
    lines = SimpleNamespace(error=lambda _event, problem, **_said: problems.append(problem))
    monkeypatch.setattr(log._copy, "_log", lines)
    foreign = new_producer(kafka)
    for value in (b"\x0f", b"\x17 of a version to come"):
        foreign.produce(EVENTS.name_in(kafka), value, b"1", partition_of("1", kafka.partitions))
    foreign.flush()
    assert log.append("game/1", 0, [fact(b"1")]) == Appended(1, 1)
    assert bodies(log.read("game/1")) == [b"1"]
    assert problems == [
        "no commit: packed, and cut off",
        "a commit packed with dictionary 2: written by a newer version, this one knows up to 1",
    ]


def test_a_commit_with_a_nul_stops_nobody(open_log: OpenLog, kafka: KafkaSettings) -> None:
    """Met twice, the first counts and the second is a repeat, as with any other id; the copy goes on."""
    log = open_log("log")
    odd = pb.Commit(stream="game/1", first_sequence=1, facts=[pb.Fact(type="x")])
    odd.request.CopyFrom(pb.Request(request_id="a\0b", player="ann"))
    foreign = new_producer(kafka)
    for _ in range(2):
        place = partition_of("1", kafka.partitions)
        foreign.produce(EVENTS.name_in(kafka), odd.SerializeToString(), b"1", place)
    assert foreign.flush(SECONDS) == 0
    assert log._copy.wait_current(SECONDS)
    assert log.append("game/1", 1, [fact(b"2")]) == Appended(2, 2)
    assert bodies(log.read("game/1")) == [b"", b"2"]


def test_a_copy_goes_on_once_a_client_can_be_made(
    kafka: KafkaSettings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A password file that cannot be read for a moment does not end it."""
    problems = [SettingsError("no such password file")]

    def sometimes(settings: KafkaSettings, group: str, **options: Any) -> Consumer:
        if problems:
            raise problems.pop()
        return new_consumer(settings, group, **options)

    monkeypatch.setattr(copy_module, "new_consumer", sometimes)
    copy = LogCopy(kafka, EVENTS, tmp_path / "log.db")
    log = KafkaEventLog(kafka, EVENTS, copy, ManualClock(), SECONDS)
    copy.start()
    assert log.append("game/1", 0, [fact()]) == Appended(1, 1)
    assert problems == [] and copy.is_following
    log.close()


def test_a_producer_that_fails_for_good_costs_one_append(
    open_log: OpenLog, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same may be appended again."""

    def broken(*_: object, **__: object) -> None:
        raise KafkaException(KafkaError(KafkaError._FATAL))

    log = open_log("log")
    troubled = SimpleNamespace(produce=broken, purge=int, flush=int, poll=time.sleep)
    monkeypatch.setattr(log._producer, "_producer", troubled)
    with pytest.raises(LogUnavailable):
        log.append("game/1", 0, [fact()], request("r1"))
    assert log.append("game/1", 0, [fact()], request("r1")) == Appended(1, 1)


def test_an_append_too_large_raises(kafka: KafkaSettings, tmp_path: Path) -> None:
    """An append that is too large for Kafka is refused at once as not taken, and nothing of it appears."""
    copy = LogCopy(kafka, EVENTS, tmp_path / "log.db")
    log = KafkaEventLog(kafka, EVENTS, copy, ManualClock(), SECONDS)
    copy.start()
    with pytest.raises(LogUnavailable):
        log.append("game/1", 0, [fact(b"x" * 5_000_000)])
    assert log.append("game/1", 0, [fact(b"1")]) == Appended(1, 1)
    log.close()
