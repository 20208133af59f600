"""Wake-ups and presence in memory."""

import pytest

from services.common.clock import ManualClock
from services.lobby.adapters.memory_presence import MemoryPresence
from services.lobby.adapters.memory_wake_ups import MemoryWakeUps
from services.lobby.ports import ONLINE_MS, Presence, WakeUps
from tests.contracts.wake_ups_contract import PresenceContract, WakeUpsContract


class TestMemoryWakeUps(WakeUpsContract):
    """In a dict."""

    @pytest.fixture
    def wake_ups(self) -> WakeUps:
        """None set."""
        return MemoryWakeUps()


class TestMemoryPresence(PresenceContract):
    """In a dict."""

    @pytest.fixture
    def presence(self, clock: ManualClock) -> Presence:
        """Nobody seen."""
        return MemoryPresence(clock)

    def test_memory_holds_only_who_is_online(self, clock: ManualClock) -> None:
        """Players seen long ago are dropped when the next one is seen."""
        presence = MemoryPresence(clock)
        for number in range(50):
            presence.seen(f"p{number}")
        clock.advance(ONLINE_MS)
        presence.seen("ann")
        assert len(presence._seen) == 1
