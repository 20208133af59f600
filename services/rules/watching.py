"""Waking those who watch a game when something was committed in it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import chain
from threading import Event, Lock

POLL_SECONDS = 0.5


class Listener:
    """One watcher's bell. What was rung since `expect` ends the next `wait` at once."""

    def __init__(self) -> None:
        self._bell = Event()

    def expect(self) -> None:
        """Forget older rings, before looking for news."""
        self._bell.clear()

    def ring(self) -> None:
        """There may be news."""
        self._bell.set()

    def wait(self, seconds: float = POLL_SECONDS) -> None:
        """Until the next ring, and never long, so that the watcher can see that its caller is gone."""
        self._bell.wait(min(seconds, POLL_SECONDS))


class Announcements:
    """Which watchers listen to which game."""

    def __init__(self) -> None:
        self._listeners: dict[str, set[Listener]] = {}
        self._lock = Lock()
        self._closed = False

    @property
    def closed(self) -> bool:
        """Nothing will be announced any more."""
        return self._closed

    def close(self) -> None:
        """Ring for everybody for the last time."""
        with self._lock:
            self._closed = True
            for listener in chain.from_iterable(self._listeners.values()):
                listener.ring()

    @contextmanager
    def listening(self, game_id: str) -> Iterator[Listener]:
        """A bell that rings for every commit in this game."""
        listener = Listener()
        with self._lock:
            self._listeners.setdefault(game_id, set()).add(listener)
        try:
            yield listener
        finally:
            with self._lock:
                remaining = self._listeners[game_id]
                remaining.discard(listener)
                if not remaining:
                    del self._listeners[game_id]

    def announce(self, game_id: str) -> None:
        """Ring for everybody who listens to this game; never waits for them."""
        with self._lock:
            for listener in self._listeners.get(game_id, ()):
                listener.ring()
