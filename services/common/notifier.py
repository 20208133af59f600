"""Wakes the watchers of a topic, of a game for example, when something was committed in it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from itertools import chain
from threading import Event, Lock
from typing import Protocol

POLL_SECONDS = 0.5


class Subscriber:
    """One watcher of a topic. A notification since `clear` ends the next `wait` at once."""

    def __init__(self) -> None:
        self._notified = Event()

    def clear(self) -> None:
        """Forget earlier notifications; call it before reading the state."""
        self._notified.clear()

    def notify(self) -> None:
        """The state may have changed."""
        self._notified.set()

    def wait(self, seconds: float = POLL_SECONDS) -> bool:
        """Block until the next notification, at most `POLL_SECONDS` so that the watcher can check its caller; whether there
        was one."""
        return self._notified.wait(min(seconds, POLL_SECONDS))


class LoopSubscriber(Subscriber):
    """A watcher on the running event loop: a function that is called there after every notification."""

    def __init__(self, call: Callable[[], object]) -> None:
        """Made on the loop."""
        super().__init__()
        self._loop = asyncio.get_running_loop()
        self._call = call

    def notify(self) -> None:
        """See `Subscriber`."""
        self._loop.call_soon_threadsafe(self._call)


class Notifier(Protocol):
    """Publishes notifications to the subscribers of a topic. One may be spurious, and some may be lost: a subscriber reads
    the state after every `wait`."""

    @property
    def closed(self) -> bool:
        """Nothing will be published any more."""

    def publish(self, topic: str) -> None:
        """Notify all subscribers of this topic; never blocks."""

    def subscribe(
        self, topic: str, subscriber: Subscriber | None = None
    ) -> AbstractContextManager[Subscriber]:
        """A subscriber, a new one unless it is given, that is notified of everything published for this topic."""

    def close(self) -> None:
        """Notify all local subscribers for the last time. May be repeated."""


class LocalNotifier:
    """The `Notifier` of one process."""

    def __init__(self) -> None:
        self._subscribers: dict[str, set[Subscriber]] = {}
        self._lock = Lock()
        self._closed = False

    @property
    def closed(self) -> bool:
        """See `Notifier`."""
        return self._closed

    def close(self) -> None:
        """See `Notifier`."""
        self._closed = True
        self.publish_all()

    @contextmanager
    def subscribe(self, topic: str, subscriber: Subscriber | None = None) -> Iterator[Subscriber]:
        """See `Notifier`."""
        subscriber = subscriber or Subscriber()
        with self._lock:
            self._subscribers.setdefault(topic, set()).add(subscriber)
        try:
            yield subscriber
        finally:
            with self._lock:
                remaining = self._subscribers[topic]
                remaining.discard(subscriber)
                if not remaining:
                    del self._subscribers[topic]

    def publish(self, topic: str) -> None:
        """See `Notifier`."""
        with self._lock:
            for subscriber in self._subscribers.get(topic, ()):
                subscriber.notify()

    def publish_all(self) -> None:
        """Notify all subscribers of all topics."""
        with self._lock:
            for subscriber in chain.from_iterable(self._subscribers.values()):
                subscriber.notify()
