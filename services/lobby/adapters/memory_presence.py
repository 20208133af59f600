"""Presence as one process sees it."""

import threading
from collections import OrderedDict
from collections.abc import Iterable

from services.common.clock import Clock
from services.lobby.ports import ONLINE_MS


class MemoryPresence:
    """The `Presence` port in a dict that drops players who are no longer online."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._seen: OrderedDict[str, int] = OrderedDict()

    def seen(self, player_id: str) -> None:
        """See `Presence`."""
        now_ms = self._clock.now_ms()
        with self._lock:
            self._seen[player_id] = now_ms
            self._seen.move_to_end(player_id)
            while now_ms - next(iter(self._seen.values())) >= ONLINE_MS:
                self._seen.popitem(last=False)

    def online(self, player_ids: Iterable[str]) -> frozenset[str]:
        """See `Presence`."""
        earliest = self._clock.now_ms() - ONLINE_MS
        with self._lock:
            return frozenset(each for each in player_ids if self._seen.get(each, earliest) > earliest)
