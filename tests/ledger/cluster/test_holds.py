"""What the records of ledger.events do to the holds, whoever wrote them in which order."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from services.common.clock import ManualClock
from services.common.kafka.settings import KafkaSettings
from services.ledger.cluster.holds import RebuildAsked, TopicHolds
from services.ledger.ports import Hold

pytestmark = pytest.mark.integration
HELD = Hold("g", "difference", "ann has 1", 4)


@pytest.fixture
def wishes() -> list[RebuildAsked]:
    """The wishes for new books that were told."""
    return []


@pytest.fixture
def holds(kafka: KafkaSettings, wishes: list[RebuildAsked]) -> Iterator[TopicHolds]:
    """The holds of one replica."""
    holds = TopicHolds(kafka, ManualClock(), wishes.append)
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
    holds._write(HELD, is_held=not is_held, rebuild=True)
    holds._tail.wait_current()
    assert [wish.game_id for wish in wishes] == ["g"]
    assert holds.hold_of("g") == (HELD if is_held else None)
