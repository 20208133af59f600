"""Waking those who wait for news of a topic, a game for example, when something was committed in it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from itertools import chain
from threading import Event, Lock
from typing import Protocol

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

    def wait(self, seconds: float = POLL_SECONDS) -> bool:
        """Until the next ring, and never long, so that the watcher can see that its caller is gone; whether it rang."""
        return self._bell.wait(min(seconds, POLL_SECONDS))


class Bell(Protocol):
    """Which watchers listen to which topic. It may ring for nothing, and now and then miss a ring: whoever listens
    looks for news after every `wait`."""

    @property
    def closed(self) -> bool:
        """Nothing will be announced any more."""

    def announce(self, topic: str) -> None:
        """Ring for everybody who listens to this topic; never waits for anything."""

    def listening(self, topic: str) -> AbstractContextManager[Listener]:
        """A bell that rings for every announcement of this topic."""

    def close(self) -> None:
        """Ring for everybody here for the last time. May be repeated."""


class LocalBell:
    """The `Bell` of one process."""

    def __init__(self) -> None:
        self._listeners: dict[str, set[Listener]] = {}
        self._lock = Lock()
        self._closed = False

    @property
    def closed(self) -> bool:
        """See `Bell`."""
        return self._closed

    def close(self) -> None:
        """See `Bell`."""
        self._closed = True
        self.announce_all()

    @contextmanager
    def listening(self, topic: str) -> Iterator[Listener]:
        """See `Bell`."""
        listener = Listener()
        with self._lock:
            self._listeners.setdefault(topic, set()).add(listener)
        try:
            yield listener
        finally:
            with self._lock:
                remaining = self._listeners[topic]
                remaining.discard(listener)
                if not remaining:
                    del self._listeners[topic]

    def announce(self, topic: str) -> None:
        """See `Bell`."""
        with self._lock:
            for listener in self._listeners.get(topic, ()):
                listener.ring()

    def announce_all(self) -> None:
        """Ring for everybody, whatever the topic."""
        with self._lock:
            for listener in chain.from_iterable(self._listeners.values()):
                listener.ring()
