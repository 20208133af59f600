"""What a replica reports: that it cannot know whether there is a game, and whether its copy keeps up."""

from __future__ import annotations

from pathlib import Path

import pytest

from services.common.clock import ManualClock
from services.common.errors import Unavailable
from services.common.eventlog.memory import MemoryEventLog, MemorySnapshotStore
from services.common.kafka.clients import new_producer
from services.common.kafka.copy import LogCopy
from services.common.kafka.settings import KafkaSettings
from services.common.kafka.topics import EVENTS
from services.common.notifier import LocalNotifier
from services.gen.signalbox.log.v1 import log_pb2 as pb
from services.rules.cluster import freshness
from services.rules.cluster.following import FollowingSessions
from services.rules.cluster.freshness import CopyFreshness
from tests.rules.cluster.harness import SECONDS, until
from tests.rules.conftest import TITLES

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


@pytest.mark.integration
def test_a_transaction_that_somebody_left_open_makes_no_copy_late(
    own_kafka: KafkaSettings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody can read further than where it begins; what is decided and not copied makes it late."""
    monkeypatch.setattr(freshness, "LOOK_EVERY_SECONDS", 0.1)
    monkeypatch.setattr(freshness, "BEHIND_SECONDS", 0.5)
    shown: list[bool] = []
    note = CopyFreshness._note

    def noted(fresh: CopyFreshness, is_behind: bool) -> None:
        shown.append(is_behind)
        note(fresh, is_behind)

    monkeypatch.setattr(CopyFreshness, "_note", noted)
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
    until(lambda: len(shown) > 2)
    assert fresh.is_current and not any(shown)
    monkeypatch.setattr(copy, "wait_for", lambda *_: False)
    dead.commit_transaction(SECONDS)
    until(lambda: not fresh.is_current)
    fresh.close()
    copy.close()
