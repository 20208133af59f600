"""Watching the state of many streams: nothing missed, nothing twice, one read for all, and a slow watcher gets the latest."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator

import pytest

from services.common.errors import Overloaded, Unavailable
from services.common.notifier import LocalNotifier
from services.common.watching.latest import WATCHED_OF_CALLER, LatestFeeds, StreamState

SECONDS = 60.0


class Heights:
    """Streams with a last sequence, and how often each was read."""

    def __init__(self, **heights: int) -> None:
        self.heights = heights
        self.reads: Counter[str] = Counter()
        self.hidden: set[str] = set()
        self.notifier = LocalNotifier()

    def is_known(self, name: str, sequence: int) -> bool:
        """See `LatestSource`."""
        return self.heights.get(name) == sequence and name not in self.hidden

    def state(self, name: str) -> StreamState | None:
        """See `LatestSource`."""
        self.reads[name] += 1
        height = self.heights.get(name)
        if height is None:
            return None
        return StreamState(height, f"{name} {height}".encode(), name not in self.hidden)

    def absent(self, name: str) -> bytes:
        """See `LatestSource`."""
        return f"no {name}".encode()

    def grow(self, name: str, by: int = 1) -> None:
        """A stream grows, and its watchers are notified."""
        self.heights[name] = self.heights.get(name, 0) + by
        self.notifier.publish(name)


def all_may(name: str) -> None:
    """No stream is refused."""


async def next_of(watch: AsyncIterator[bytes]) -> str:
    """What comes next."""
    return (await asyncio.wait_for(anext(watch), SECONDS)).decode()


def test_a_watcher_gets_where_streams_stand_and_every_change() -> None:
    """What he knows is not sent, and not even read; what there is not is said once."""
    source = Heights(a=3, b=5, c=7)

    async def run() -> None:
        feeds = LatestFeeds(source, source.notifier)
        watch = feeds.watch({"a": 0, "b": 5, "c": 2, "d": 0}, "ann", all_may)
        assert [await next_of(watch) for _ in range(3)] == ["a 3", "c 7", "no d"]
        assert source.reads["b"] == 0
        for name, wanted in (("b", "b 6"), ("a", "a 4"), ("d", "d 1"), ("b", "b 7")):
            source.grow(name)
            assert await next_of(watch) == wanted

    asyncio.run(run())


def test_who_may_not_know_gets_the_refusal_once() -> None:
    """Whether he knows the state of a stream or not; one that is for everybody is not even asked about."""
    source = Heights(a=3, b=5, c=7)
    source.hidden = {"a", "b"}
    asked = Counter[str]()

    def refusal(name: str) -> bytes | None:
        asked[name] += 1
        return None if name == "c" else f"not {name}".encode()

    async def run() -> None:
        feeds = LatestFeeds(source, source.notifier)
        watch = feeds.watch({"a": 0, "b": 5, "c": 0}, "ann", refusal)
        assert [await next_of(watch) for _ in range(3)] == ["not a", "not b", "c 7"]
        for name in ("a", "b", "c"):
            source.grow(name)
        assert await next_of(watch) == "c 8"

    asyncio.run(run())
    assert asked == Counter("ab")


def test_a_slow_watcher_gets_the_latest_and_holds_up_nobody() -> None:
    """While one does not read, another gets each change; then he gets the last one, once. A change is read once for both."""
    source = Heights(a=1)

    async def run() -> None:
        feeds = LatestFeeds(source, source.notifier)
        slow, fast = feeds.watch({"a": 0}, "ann", all_may), feeds.watch({"a": 0}, "bob", all_may)
        assert [await next_of(slow), await next_of(fast)] == ["a 1", "a 1"]
        for height in range(2, 12):
            source.grow("a")
            assert await next_of(fast) == f"a {height}"
        assert source.reads["a"] == 11
        assert await next_of(slow) == "a 11"
        assert source.reads["a"] == 11
        source.grow("a")
        assert [await next_of(slow), await next_of(fast)] == ["a 12", "a 12"]

    asyncio.run(run())


def test_after_a_cut_the_same_watch_goes_on() -> None:
    """From the last sequence seen: what came in between comes once."""
    source = Heights(a=1, b=1)

    async def run() -> None:
        feeds = LatestFeeds(source, source.notifier)
        watch = feeds.watch({"a": 1, "b": 1}, "ann", all_may)
        source.grow("a")
        assert await next_of(watch) == "a 2"
        await watch.aclose()  # type: ignore[attr-defined]
        source.grow("b", 2)
        again = feeds.watch({"a": 2, "b": 1}, "ann", all_may)
        assert await next_of(again) == "b 3"
        source.grow("a")
        assert await next_of(again) == "a 3"

    asyncio.run(run())


def test_a_watcher_who_leaves_frees_everything() -> None:
    """So he can watch as much again; more than his share he cannot, unless he is one of ours."""
    source = Heights()
    most = dict.fromkeys((f"g{number}" for number in range(WATCHED_OF_CALLER)), 0)

    async def run() -> None:
        feeds = LatestFeeds(source, source.notifier)
        for _ in range(2):
            watches = [
                feeds.watch(most, "ann", all_may),
                feeds.watch({"a": 0}, "bob", all_may),
                feeds.watch({"a": 0}, "ann", all_may, has_share=False),
            ]
            assert [await next_of(watch) for watch in watches] == ["no g0", "no a", "no a"]
            with pytest.raises(Overloaded):
                await next_of(feeds.watch({"a": 0}, "ann", all_may))
            for watch in watches:
                await watch.aclose()  # type: ignore[attr-defined]

    asyncio.run(run())


def test_watches_end_with_the_service() -> None:
    """With a status after which the client watches again."""
    source = Heights(a=1)

    async def run() -> None:
        watch = LatestFeeds(source, source.notifier).watch({"a": 1}, "ann", all_may)
        waiting = asyncio.ensure_future(next_of(watch))
        await asyncio.sleep(0)
        source.notifier.close()
        with pytest.raises(Unavailable):
            await waiting

    asyncio.run(run())
