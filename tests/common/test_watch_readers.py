"""The threads that read for watchers: no caller holds all of them, and who begins to watch holds up nobody who watches."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from threading import Event

from services.common.notifier import LocalNotifier
from services.common.watching.feeds import Feeds
from services.common.watching.readers import Readers

SECONDS = 60.0


def test_one_caller_never_holds_all_readers() -> None:
    """However much one asks for, another's turn comes at once."""
    released = Event()

    async def run() -> str:
        readers = Readers()
        held = [asyncio.ensure_future(readers.read("mallory", released.wait)) for _ in range(10)]
        try:
            return await asyncio.wait_for(readers.read("ann", lambda: "read"), SECONDS)
        finally:
            released.set()
            await asyncio.gather(*held)

    assert asyncio.run(run()) == "read"


class SlowChecks:
    """A stream with items, whose sequences from 100 on take until `released` to be checked."""

    def __init__(self) -> None:
        self.items = [b"one"]
        self.released = Event()

    def has(self, _name: str, sequence: int) -> bool:
        """See `FeedSource`."""
        return sequence < 100 or self.released.wait()

    def check(self, name: str, after: int) -> None:
        """See `FeedSource`."""

    def read(self, _name: str, after: int, up_to: int) -> Sequence[bytes]:
        """See `FeedSource`."""
        return self.items[after:up_to]


def test_who_begins_to_watch_holds_up_nobody_who_watches() -> None:
    """While the checks of several callers take all readers for checks, a watcher gets the next item."""
    source, notifier = SlowChecks(), LocalNotifier()

    async def run() -> list[bytes]:
        feeds = Feeds(source, notifier)
        watcher = feeds.watch("game", 0, "ann")
        seen = [await anext(watcher)]
        checks = [asyncio.ensure_future(feeds.reach("game", 100, f"mallory {n}")) for n in range(10)]
        source.items.append(b"two")
        notifier.publish("game")
        try:
            seen.append(await asyncio.wait_for(anext(watcher), SECONDS))
        finally:
            source.released.set()
            await asyncio.gather(*checks)
        return seen

    assert asyncio.run(run()) == [b"one", b"two"]


def test_a_wait_ends_when_the_sequence_comes_or_its_time_is_over() -> None:
    """Without a thread in between: each notification is a check."""
    notifier = LocalNotifier()

    class Growing(SlowChecks):
        def has(self, _name: str, sequence: int) -> bool:
            return sequence <= len(self.items)

    source = Growing()

    async def run() -> None:
        feeds = Feeds(source, notifier, wait_seconds=SECONDS)
        waiting = asyncio.ensure_future(feeds.reach("game", 2, "ann"))
        notifier.publish("game")
        await asyncio.sleep(0.05)
        assert not waiting.done()
        source.items.append(b"two")
        notifier.publish("game")
        await asyncio.wait_for(waiting, SECONDS / 2)
        await asyncio.wait_for(Feeds(source, notifier, 0.05).reach("game", 3, "ann"), SECONDS)

    asyncio.run(run())
