"""Wake-ups of one process."""

import threading


class MemoryWakeUps:
    """The `WakeUps` port in a dict: one entry for every game in which a turn timer runs."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._times: dict[str, int] = {}

    def set(self, key: str, at_ms: int) -> None:
        """See `WakeUps`."""
        with self._lock:
            self._times[key] = at_ms

    def drop(self, key: str) -> None:
        """See `WakeUps`."""
        with self._lock:
            self._times.pop(key, None)

    def due(self, now_ms: int, most: int = 100) -> list[str]:
        """See `WakeUps`."""
        with self._lock:
            come = sorted((at_ms, key) for key, at_ms in self._times.items() if at_ms <= now_ms)[:most]
            for _, key in come:
                del self._times[key]
        return [key for _, key in come]
