"""The effect of the records of ledger.events on the holds, in any order of writers."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from services.common.clock import ManualClock
from services.common.kafka.settings import KafkaSettings
from services.ledger.cluster.holds import RebuildRequested, TopicHolds
from services.ledger.ports import Hold

pytestmark = pytest.mark.integration
NOW_MS = 1_000_000
HELD = Hold("g", "difference", "ann has 1", 4)


@pytest.fixture
def requests() -> list[RebuildRequested]:
    """The rebuild requests received."""
    return []


@pytest.fixture
def holds(kafka: KafkaSettings, requests: list[RebuildRequested]) -> Iterator[TopicHolds]:
    """The holds of one replica."""
    holds = TopicHolds(kafka, ManualClock(NOW_MS), requests.append)
    holds.start()
    yield holds
    holds.close()


@pytest.mark.parametrize("is_held", [True, False])
def test_a_wish_for_a_new_book_changes_no_hold(
    holds: TopicHolds, requests: list[RebuildRequested], is_held: bool
) -> None:
    """A hold that was set or released while another replica wrote its request stays as it is."""
    if is_held:
        holds.put(HELD)
    holds._write(HELD, is_held=not is_held, rebuild_ms=1)
    holds._tail.wait_current(60.0)
    assert [request.game_id for request in requests] == ["g"]
    assert holds.hold_of("g") == (HELD if is_held else None)


def test_rebuild_requests_have_rising_times_whatever_the_clocks(
    kafka: KafkaSettings, holds: TopicHolds, requests: list[RebuildRequested]
) -> None:
    """A replica with a slow clock asks after one with a fast clock: its request is still applied after the first."""
    ahead = TopicHolds(kafka, ManualClock(NOW_MS + 60_000), lambda _wish: None)
    ahead.start()
    ahead.request_rebuild("g")
    ahead.close()
    for game in ("g", "g", "other"):
        holds.request_rebuild(game)
    holds._tail.wait_current(60.0)
    times = [request.time_ms for request in requests if request.game_id == "g"]
    assert times == [NOW_MS + 60_000, NOW_MS + 60_001, NOW_MS + 60_002]
    assert [request.time_ms for request in requests if request.game_id == "other"] == [NOW_MS]
