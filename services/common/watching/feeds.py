"""Streams that grow, such as the events of games, for any number of watchers: each part is read and encoded once, and a
watcher holds no thread, only its place."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from typing import Protocol

from services.common.errors import Unavailable
from services.common.notifier import LoopSubscriber, Notifier
from services.common.watching.readers import Readers
from services.common.watching.waking import Topic, Waker

PART = 200
PARTS_KEPT = 256
STOPS = "the service stops; watch again from the last event"


class FeedSource(Protocol):
    """Where the items of a stream are. The methods may block, and are called in threads."""

    def has(self, name: str, sequence: int) -> bool:
        """Whether the stream can be read up to this sequence. Raises what a watcher gets if it never will."""

    def check(self, name: str, after: int) -> None:
        """Raise what a watcher of this stream gets that cannot watch it after this sequence."""

    def read(self, name: str, after: int, up_to: int) -> Sequence[bytes]:
        """The items after one sequence and up to another, encoded. Their sequences are 1, 2, 3 and so on."""


class Feeds:
    """The streams that somebody watches just now. Used on one event loop; what is published wakes them."""

    def __init__(self, source: FeedSource, notifier: Notifier, wait_seconds: float = 0.0) -> None:
        """`notifier`: publishes the name of a stream that has grown; once it is closed all watches end. `wait_seconds`: how
        long a sequence is waited for that is not there yet."""
        self._source = source
        self._notifier = notifier
        self._wait_seconds = wait_seconds
        self._waker = Waker()
        self._streams: dict[str, _Stream] = {}
        self._parts: OrderedDict[tuple[str, int], _Part] = OrderedDict()
        self._readers = Readers()
        # Apart, so that those who begin to watch never hold up what the others get.
        self._checkers = Readers()

    async def reach(self, name: str, sequence: int, caller: str) -> None:
        """Wait until the stream can be read up to this sequence, for the time that is given to it. `caller`: who waits. Raises
        what `has` of the source does."""
        loop = asyncio.get_running_loop()
        end = loop.time() + self._wait_seconds
        with self._joined(name) as topic:
            while True:
                version = topic.version
                is_there = await self._checkers.read(caller, lambda: self._source.has(name, sequence))
                left = end - loop.time()
                if is_there or left <= 0 or self._notifier.closed:
                    return
                await topic.changed_since(version, left)

    async def watch(self, name: str, after: int, caller: str) -> AsyncIterator[bytes]:
        """Every item after this sequence, then each as it comes. `caller`: who watches. Raises what `has` and `check` of the
        source do, and `Unavailable` when the service stops."""
        await self.reach(name, after, caller)
        await self._checkers.read(caller, lambda: self._source.check(name, after))
        with self._joined(name) as topic:
            while True:
                part = await self._part(name, after // PART, topic)
                news = part.items[after - part.base :]
                for item in news:
                    yield item
                after += len(news)
                if not news:
                    if self._notifier.closed:
                        raise Unavailable(STOPS)
                    await topic.changed_since(part.version)

    @contextmanager
    def _joined(self, name: str) -> Iterator[Topic]:
        """One watcher more of a stream."""
        stream = self._streams.get(name)
        if stream is None:
            stream = self._streams[name] = _Stream(Topic(self._waker), self._notifier, name)
        stream.watchers += 1
        try:
            yield stream.topic
        finally:
            stream.watchers -= 1
            if not stream.watchers:
                stream.close()
                del self._streams[name]
                # Nobody notices any more when the last part grows.
                for key in [key for key, part in self._parts.items() if key[0] == name and not part.is_full]:
                    del self._parts[key]

    async def _part(self, name: str, number: int, topic: Topic) -> _Part:
        """A part of a stream that is full, or holds all there was when it was asked for."""
        part = self._parts.setdefault((name, number), _Part(number * PART))
        self._parts.move_to_end((name, number))
        if len(self._parts) > PARTS_KEPT:
            self._parts.popitem(last=False)
        while not part.is_full and part.version != topic.version:
            if part.reading is None:
                part.reading = asyncio.ensure_future(self._extend(name, part, topic.version))
            # One watcher that leaves does not end what the others wait for.
            await asyncio.shield(part.reading)
        return part

    async def _extend(self, name: str, part: _Part, version: int) -> None:
        try:
            after = part.base + len(part.items)
            up_to = part.base + PART
            part.items += await self._readers.read(name, lambda: self._source.read(name, after, up_to))
            part.version = version
        finally:
            part.reading = None


class _Stream:
    """A stream with watchers."""

    def __init__(self, topic: Topic, notifier: Notifier, name: str) -> None:
        self.topic = topic
        self.watchers = 0
        self._subscribed = ExitStack()
        self._subscribed.enter_context(notifier.subscribe(name, LoopSubscriber(topic.changed)))
        self.close = self._subscribed.close


@dataclass(slots=True)
class _Part:
    """The items after `base`, `PART` of them at most; `version` of the topic when they were read last."""

    base: int
    items: list[bytes] = field(default_factory=list)
    version: int = -1
    reading: asyncio.Future[None] | None = None

    @property
    def is_full(self) -> bool:
        """Whether it never changes any more."""
        return len(self.items) == PART
