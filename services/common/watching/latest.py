"""The latest state of many streams, for any number of watchers: for example whose turn it is in which games.
What has changed is read once for all. A watcher who reads slowly costs the others nothing and gets of each stream
only the state at that time."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from functools import partial
from typing import NamedTuple, Protocol, TypeAlias

from services.common.errors import Unavailable
from services.common.grpc.in_flight import Limited
from services.common.notifier import LoopSubscriber, Notifier
from services.common.watching.feeds import STOPS
from services.common.watching.readers import Readers
from services.common.watching.waking import Topic, Waker

NEVER_READ = -1
# Watching one takes about half a kilobyte.
WATCHED_MAX = 200_000
WATCHED_OF_CALLER = 5_000


class StreamState(NamedTuple):
    """The state of a stream: its last sequence, the message about it, and whether everybody may have it."""

    sequence: int
    message: bytes
    is_for_everybody: bool = True


Refusal: TypeAlias = Callable[[str], bytes | None]
"""The message that a watcher gets instead of the state of the stream of this name; None for one who may know. May block."""


class LatestSource(Protocol):
    """The streams. Methods other than `absent` may block, and are called in threads."""

    def is_known(self, name: str, sequence: int) -> bool:
        """Whether this is the last sequence of a stream that everybody may have; says no where that would take long to find
        out."""

    def state(self, name: str) -> StreamState | None:
        """The state of a stream, None if there is none of this name."""

    def absent(self, name: str) -> bytes:
        """The message that there is no such stream."""


class LatestFeeds:
    """The streams that somebody watches just now. Used on one event loop; what is published wakes it."""

    def __init__(self, source: LatestSource, notifier: Notifier) -> None:
        """`notifier`: publishes the name of a stream that has grown; once it is closed all watches end."""
        self._source = source
        self._notifier = notifier
        self._waker = Waker()
        self._streams: dict[str, _Stream] = {}
        self._readers = Readers()
        # Apart, so that those who begin to watch never hold up what the others get.
        self._first_readers = Readers()
        self._watched = Limited("watched games", WATCHED_MAX, WATCHED_OF_CALLER)

    async def watch(
        self, after: Mapping[str, int], caller: str, refusal: Refusal, *, has_share: bool = True
    ) -> AsyncIterator[bytes]:
        """The state of each of these streams, if that is after the sequence given with its name, and again whenever it has
        grown. After a refusal nothing more follows about a stream. `caller`: who watches; with `has_share` he can watch only so
        many. Raises `Overloaded`, and `Unavailable` when the service stops."""
        known = dict(after)
        inbox = _Inbox(Topic(self._waker), dict.fromkeys(after))
        with ExitStack() as joined:
            joined.callback(self._watched.take(caller, len(after), has_share).release)
            streams = {name: joined.enter_context(self._joined(name, inbox)) for name in after}
            while True:
                version = inbox.topic.version
                while inbox.names and not self._notifier.closed:
                    name = inbox.take()
                    if name in known:
                        message = await self._news(streams[name], known, caller, refusal)
                        if message is not None:
                            yield message
                if self._notifier.closed:
                    raise Unavailable(STOPS)
                await inbox.topic.changed_since(version)

    @contextmanager
    def _joined(self, name: str, inbox: _Inbox) -> Iterator[_Stream]:
        """One watcher more of a stream."""
        stream = self._streams.get(name)
        if stream is None:
            stream = self._streams[name] = _Stream(name, self._notifier)
        stream.inboxes.add(inbox)
        try:
            yield stream
        finally:
            stream.inboxes.discard(inbox)
            if not stream.inboxes:
                stream.close()
                del self._streams[name]

    async def _news(
        self, stream: _Stream, known: dict[str, int], caller: str, refusal: Refusal
    ) -> bytes | None:
        """What a watcher gets about a stream, None if he knows all of it. `known` then has what he knows, and no stream that he
        is refused."""
        if await self._is_known(stream, known[stream.name], caller):
            return None
        state = await self._state_of(stream, caller)
        if state is None:
            return self._source.absent(stream.name)
        if not state.is_for_everybody:
            refused = await self._first_readers.read(caller, partial(refusal, stream.name))
            if refused is not None:
                del known[stream.name]
                return refused
        if state.sequence <= known[stream.name]:
            return None
        known[stream.name] = state.sequence
        return state.message

    async def _is_known(self, stream: _Stream, sequence: int, caller: str) -> bool:
        """Whether a watcher who begins knows the state of the stream, as far as that can be seen at once."""
        if not sequence or stream.version or stream.read_version != NEVER_READ:
            return False
        return await self._first_readers.read(caller, lambda: self._source.is_known(stream.name, sequence))

    async def _state_of(self, stream: _Stream, caller: str) -> StreamState | None:
        """The state of a stream now, read once for all who ask."""
        while stream.read_version != stream.version:
            if stream.reading is None:
                stream.reading = asyncio.ensure_future(self._read(stream, stream.version, caller))
            # One watcher that leaves does not end what the others wait for.
            await asyncio.shield(stream.reading)
        return stream.state

    async def _read(self, stream: _Stream, version: int, caller: str) -> None:
        readers = self._readers if stream.version else self._first_readers
        try:
            stream.state = await readers.read(caller, lambda: self._source.state(stream.name))
            stream.read_version = version
        finally:
            stream.reading = None


class _Inbox:
    """The streams of one watcher that may have news, each once."""

    def __init__(self, topic: Topic, names: dict[str, None]) -> None:
        self.topic = topic
        self.names = names

    def put(self, name: str) -> None:
        """A stream has grown."""
        self.names[name] = None
        self.topic.changed()

    def take(self) -> str:
        """The name that waits longest."""
        name = next(iter(self.names))
        del self.names[name]
        return name


class _Stream:
    """A stream with watchers. `version` counts its changes, `read_version` is that of `state`."""

    def __init__(self, name: str, notifier: Notifier) -> None:
        self.name = name
        self.inboxes: set[_Inbox] = set()
        self.version = 0
        self.read_version = NEVER_READ
        self.state: StreamState | None = None
        self.reading: asyncio.Future[None] | None = None
        subscribed = ExitStack()
        subscribed.enter_context(notifier.subscribe(name, LoopSubscriber(self._changed)))
        self.close = subscribed.close

    def _changed(self) -> None:
        self.version += 1
        for inbox in self.inboxes:
            inbox.put(self.name)
