"""The log of staff acts on Kafka: what one process records, all refuse."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from msgspec.structs import replace

from devtools.brokers.kafka import KafkaServers
from services.common.auth.tokens import Principal
from services.common.clock import SystemClock
from services.common.errors import Unavailable
from services.common.kafka.clients import KafkaUnreachable
from services.common.kafka.settings import KafkaSettings
from services.common.kafka.tail import TopicTail, one_by_one
from services.common.kafka.topics import STAFF_ACTS
from services.common.process.stopping import StopFlag
from services.common.staff import topic
from services.common.staff.acts import BAN, END_SESSIONS, new_act
from services.common.staff.topic import TopicStaffLog, record_act
from services.gen.signalbox.lobby.v1.staff_act_pb2 import StaffAct
from tests.brokers import own_topics
from tests.redis_connections import wait_until

pytestmark = pytest.mark.integration
OPERATOR = Principal("olga", "Olga")
FOR_A_DAY = 24 * 3600 * 1000


@pytest.fixture
def kafka(kafka_servers: KafkaServers) -> Iterator[KafkaSettings]:
    """The topic of staff acts."""
    with own_topics(kafka_servers, topics=(STAFF_ACTS,)) as settings:
        yield settings


@pytest.fixture
def opened(kafka: KafkaSettings) -> Iterator[Callable[[str], TopicStaffLog]]:
    """The log as a process knows it that has just started."""
    logs: list[TopicStaffLog] = []

    def another(name: str) -> TopicStaffLog:
        log = TopicStaffLog(replace(kafka, instance=name), SystemClock())
        logs.append(log)
        log.start()
        log.wait_current(StopFlag())
        assert log.is_current
        return log

    yield another
    for log in logs:
        log.close()


def act(kind: str, request_id: str, player_id: str = "ann") -> StaffAct:
    """An act, which is remembered for a day."""
    clock = SystemClock()
    end_ms = clock.now_ms() + FOR_A_DAY
    return new_act(OPERATOR, request_id, clock, kind, "why", player_id=player_id, tokens_end_time_ms=end_ms)


def test_what_one_process_records_all_refuse(
    kafka: KafkaSettings, opened: Callable[[str], TopicStaffLog]
) -> None:
    """At once where it was recorded, soon at the others, from the start at a later one; a repeat is recorded once."""
    issued_ms = SystemClock().now_ms() - 1
    one, other = opened("one"), opened("other")
    banned = act(BAN, "r1")
    one.write(banned)
    assert one.revocations.is_revoked("ann", issued_ms)
    wait_until(lambda: other.revocations.is_revoked("ann", issued_ms))
    other.write(banned)
    one.write(act(END_SESSIONS, "r2", "bob"))
    record_act(kafka, new_act(OPERATOR, "", SystemClock(), "skip_command", "why", game_id="g1"))
    later = opened("later")
    assert later.revocations.is_revoked("ann", issued_ms) and later.revocations.is_revoked("bob", issued_ms)
    kept: list[str] = []
    tail = TopicTail(
        kafka, STAFF_ACTS, one_by_one(lambda _, value: kept.append(topic.read_stored(value).act))
    )
    tail.start()
    tail.wait_current()
    tail.close()
    assert kept == ["ban", "end_sessions", "skip_command"]


def test_without_kafka_nothing_is_recorded_and_what_is_known_stays(
    opened: Callable[[str], TopicStaffLog], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The caller is answered UNAVAILABLE."""
    log = opened("one")
    log.write(act(BAN, "r1"))
    monkeypatch.setattr(log._tail, "wait_current", _away)
    with pytest.raises(Unavailable, match="the act cannot be recorded now"):
        log.write(act(BAN, "r2", "bob"))
    assert log.revocations.is_revoked("ann", 1) and not log.revocations.is_revoked("bob", 1)


def _away(*_: object) -> None:
    raise KafkaUnreachable("no broker answers")
