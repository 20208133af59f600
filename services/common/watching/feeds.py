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
    """Where the items of a stream are. Both methods may block, and are called in threads."""

    def check(self, name: str, after: int) -> None:
        """Raise what a watcher of this stream gets that cannot watch it after this sequence."""

    def read(self, name: str, after: int, up_to: int) -> Sequence[bytes]:
        """The items after one sequence and up to another, encoded. Their sequences are 1, 2, 3 and so on."""


class Feeds:
    """The streams that somebody watches just now. Used on one event loop; what is published wakes them."""

    def __init__(self, source: FeedSource, notifier: Notifier) -> None:
        """`notifier`: publishes the name of a stream that has grown; once it is closed all watches end."""
        self._source = source
        self._notifier = notifier
        self._waker = Waker()
        self._streams: dict[str, _Stream] = {}
        self._parts: OrderedDict[tuple[str, int], _Part] = OrderedDict()
        self._readers = Readers()

    async def watch(self, name: str, after: int) -> AsyncIterator[bytes]:
        """Every item after this sequence, then each as it comes. Raises what `check` of the source does, and `Unavailable`
        when the service stops."""
        await self._readers.read(lambda: self._source.check(name, after))
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
            part.items += await self._readers.read(lambda: self._source.read(name, after, part.base + PART))
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
