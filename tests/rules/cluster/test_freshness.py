"""What a replica reports: that it cannot know whether there is a game, and whether its copy keeps up."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from services.common.clock import ManualClock
from services.common.errors import Unavailable
from services.common.eventlog.memory import MemoryEventLog, MemorySnapshotStore
from services.common.kafka.clients import KafkaUnreachable, new_producer
from services.common.kafka.copy import LogCopy
from services.common.kafka.partition_ends import PartitionEnds
from services.common.kafka.settings import KafkaSettings
from services.common.kafka.topics import EVENTS
from services.common.notifier import LocalNotifier
from services.gen.signalbox.log.v1 import log_pb2 as pb
from services.rules.cluster import freshness
from services.rules.cluster.following import FollowingSessions
from services.rules.cluster.freshness import (
    ASK_EVERY_SECONDS,
    BEHIND_SECONDS,
    OLD_SECONDS_MAX,
    CopyFreshness,
)
from tests.rules.cluster.harness import SECONDS
from tests.rules.conftest import TITLES
from tests.waiting import until

NOWHERE = KafkaSettings(servers=("127.0.0.1:9",), instance="test")


class NothingCopied:
    """A copy that has read nothing yet."""

    def next_offset(self, _partition: int) -> int:
        """See `LogCopy`."""
        return 0


def test_an_unknown_game_is_not_denied_while_kafka_is_away() -> None:
    """It may have begun at another replica: the caller asks again, elsewhere or later."""
    fresh = CopyFreshness(NOWHERE, NothingCopied(), 0.2)  # type: ignore[arg-type]
    log = MemoryEventLog(ManualClock(0))
    sessions = FollowingSessions(log, MemorySnapshotStore(), TITLES, LocalNotifier(), fresh.catch_up)
    with pytest.raises(Unavailable, match="not known"):
        sessions.get("g")
    fresh.close()


class Answering:
    """In the place of Kafka, the copy and the clock: one partition, or more."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 1000.0
        self.reached = 5
        self.ends: dict[int, int | None] = {0: 5}
        self.asked: list[int] = []
        monkeypatch.setattr(time, "monotonic", lambda: self.now)
        monkeypatch.setattr(PartitionEnds, "of", lambda _ends, partition, _seconds: self._end(partition))
        self.fresh = CopyFreshness(NOWHERE, self, 0.2, lambda: self.ends)  # type: ignore[arg-type]

    is_following = True

    def next_offset(self, _partition: int) -> int:
        """See `LogCopy`."""
        return self.reached

    def _end(self, partition: int) -> int:
        self.asked.append(partition)
        if (end := self.ends[partition]) is None:
            raise KafkaUnreachable("away")
        return end

    def after(self, seconds: float) -> bool:
        """Two looks so much later: whether partition 0 may be answered for."""
        self.now += seconds
        self.fresh.look()
        self.fresh.look()
        return self.fresh.is_fresh(0)


@pytest.fixture
def answering(monkeypatch: pytest.MonkeyPatch) -> Answering:
    """A copy that is current, and Kafka says so."""
    answering = Answering(monkeypatch)
    assert not answering.fresh.is_fresh(0)
    assert answering.after(0.0)
    return answering


def test_a_copy_is_as_current_as_the_question_that_it_has_caught_up_with(answering: Answering) -> None:
    """However long that took; and while nothing is known it grows old."""
    answering.ends[0] = 9
    assert answering.after(ASK_EVERY_SECONDS)
    assert answering.after(BEHIND_SECONDS) and answering.fresh.is_current
    assert not answering.after(1.0) and not answering.fresh.is_current
    answering.reached, answering.ends[0] = 9, 12
    assert answering.after(ASK_EVERY_SECONDS - 2.0) and answering.fresh.is_current
    assert not answering.after(BEHIND_SECONDS)


def test_a_copy_grows_old_while_kafka_does_not_answer(answering: Answering) -> None:
    """It is not known to be behind, and may have missed anything."""
    answering.ends[0] = None
    assert answering.after(OLD_SECONDS_MAX)
    assert not answering.after(0.1) and answering.fresh.is_current
    answering.ends[0] = 5
    assert answering.after(0.1)


def test_a_process_that_was_stopped_answers_from_no_old_copy(answering: Answering) -> None:
    """Not even in the moment before it looks again: others have written meanwhile."""
    answering.now += OLD_SECONDS_MAX + 1.0
    assert not answering.fresh.is_fresh(0)
    assert answering.after(0.0)


def test_a_partition_that_nobody_answers_for_holds_up_no_other(answering: Answering) -> None:
    """It is asked for again after all others, once in each round."""
    answering.ends = {2: None, 1: 5, 0: 5, 3: None}
    for _ in range(int(2 * OLD_SECONDS_MAX / ASK_EVERY_SECONDS)):
        assert answering.after(ASK_EVERY_SECONDS) and answering.fresh.is_fresh(1)
    assert not answering.fresh.is_fresh(2) and not answering.fresh.is_fresh(3)
    assert {2, 3} <= set(answering.asked[-4:])


@pytest.mark.integration
def test_a_transaction_that_somebody_left_open_makes_no_copy_late(
    own_kafka: KafkaSettings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody can read further than where it begins; what is decided and not copied makes it late."""
    monkeypatch.setattr(freshness, "ASK_EVERY_SECONDS", 0.1)
    monkeypatch.setattr(freshness, "BEHIND_SECONDS", 0.5)
    copy = LogCopy(own_kafka, EVENTS, tmp_path / "copy.db")
    fresh = CopyFreshness(own_kafka, copy, SECONDS)
    dead = new_producer(own_kafka, **{"transactional.id": own_kafka.topic_prefix + "dead"})
    dead.init_transactions(SECONDS)
    dead.begin_transaction()
    commit = pb.Commit(stream="game/1", first_sequence=1, facts=[pb.Fact(type="x")])
    dead.produce(EVENTS.name_in(own_kafka), commit.SerializeToString(), b"1", 0)
    assert dead.flush(SECONDS) == 0
    copy.start()
    fresh.start()
    until(lambda: fresh.is_fresh(0))
    began = fresh._current_at[0]
    until(lambda: fresh._current_at[0] > began + 2 * freshness.BEHIND_SECONDS)
    assert fresh.is_current
    monkeypatch.setattr(copy, "next_offset", lambda _partition: 0)
    dead.commit_transaction(SECONDS)
    until(lambda: not fresh.is_current)
    fresh.close()
    copy.close()
