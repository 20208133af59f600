"""A replica that cannot ask Kafka does not know whether there is a game, and says so."""

from __future__ import annotations

import pytest

from services.common.bell import LocalBell
from services.common.clock import ManualClock
from services.common.errors import Unavailable
from services.common.kafka.settings import KafkaSettings
from services.common.memory_event_log import MemoryEventLog, MemorySnapshotStore
from services.rules.cluster.following import FollowingSessions
from services.rules.cluster.freshness import CopyFreshness
from tests.rules.conftest import TITLES

NOWHERE = KafkaSettings(servers=("127.0.0.1:9",), instance="test")


class NothingCopied:
    """A copy that has read nothing yet."""

    def next_offset(self, _partition: int) -> int:
        """See `LogCopy`."""
        return 0


def test_an_unknown_game_is_not_denied_while_kafka_is_away() -> None:
    """It may have begun at another replica: the caller asks again, elsewhere or later."""
    freshness = CopyFreshness(NOWHERE, NothingCopied(), 0.2)  # type: ignore[arg-type]
    log = MemoryEventLog(ManualClock(0))
    sessions = FollowingSessions(log, MemorySnapshotStore(), TITLES, LocalBell(), freshness.catch_up)
    with pytest.raises(Unavailable, match="not known"):
        sessions.look("g")
    freshness.close()
