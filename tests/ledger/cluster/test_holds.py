"""What the records of ledger.events do to the holds, whoever wrote them in which order."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from services.common.clock import ManualClock
from services.common.kafka.settings import KafkaSettings
from services.ledger.cluster.holds import RebuildAsked, TopicHolds
from services.ledger.ports import Hold

pytestmark = pytest.mark.integration
NOW_MS = 1_000_000
HELD = Hold("g", "difference", "ann has 1", 4)


@pytest.fixture
def wishes() -> list[RebuildAsked]:
    """The wishes for new books that were told."""
    return []


@pytest.fixture
def holds(kafka: KafkaSettings, wishes: list[RebuildAsked]) -> Iterator[TopicHolds]:
    """The holds of one replica."""
    holds = TopicHolds(kafka, ManualClock(NOW_MS), wishes.append)
    holds.start()
    yield holds
    holds.close()


@pytest.mark.parametrize("is_held", [True, False])
def test_a_wish_for_a_new_book_changes_no_hold(
    holds: TopicHolds, wishes: list[RebuildAsked], is_held: bool
) -> None:
    """A hold that came, or went, while another replica wrote down the wish stays as it is."""
    if is_held:
        holds.put(HELD)
    holds._write(HELD, is_held=not is_held, rebuild_ms=1)
    holds._tail.wait_current()
    assert [wish.game_id for wish in wishes] == ["g"]
    assert holds.hold_of("g") == (HELD if is_held else None)


def test_wishes_become_later_whatever_the_clocks_say(
    kafka: KafkaSettings, holds: TopicHolds, wishes: list[RebuildAsked]
) -> None:
    """A replica whose clock is behind asks after one whose clock is ahead: who met the first wish still meets the second."""
    ahead = TopicHolds(kafka, ManualClock(NOW_MS + 60_000), lambda _wish: None)
    ahead.start()
    ahead.ask_rebuild("g")
    ahead.close()
    for game in ("g", "g", "other"):
        holds.ask_rebuild(game)
    holds._tail.wait_current()
    times = [wish.time_ms for wish in wishes if wish.game_id == "g"]
    assert times == [NOW_MS + 60_000, NOW_MS + 60_001, NOW_MS + 60_002]
    assert [wish.time_ms for wish in wishes if wish.game_id == "other"] == [NOW_MS]
