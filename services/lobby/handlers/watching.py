"""Streams of a player's games as they change."""

import asyncio
from collections.abc import AsyncIterator, Iterator

from services.common.notifier import LoopSubscriber, Notifier
from services.common.watching.readers import Readers
from services.common.watching.waking import Topic, Waker
from services.lobby.domain.games import GameSummary
from services.lobby.ports import GameLists, PageCursor

# A change without a notification is sent after this time at the latest, with few watchers.
POLL_SECONDS = 3.0
# So many watchers a second are polled for changes without a notification.
POLLS_PER_SECOND = 50.0
PAGE_SIZE = 20


def topic_of(player_id: str) -> str:
    """The notification topic for changes of this player's games."""
    return f"player/{player_id}"


class GameWatchHandlers:
    """Sends summaries to watching players: at once on a notification, and by polling in case one is lost. Watches are used
    on one event loop."""

    def __init__(
        self,
        lists: GameLists,
        certain_lists: GameLists,
        notifier: Notifier,
        poll_seconds: float = POLL_SECONDS,
    ) -> None:
        """`lists` usually have a change by the time of its notification; `certain_lists` have every change in the end."""
        self._lists = lists
        self._certain_lists = certain_lists
        self._notifier = notifier
        self._poll_seconds = poll_seconds
        self._readers = Readers()
        self._waker = Waker()
        self._watchers = 0

    async def watch(self, player_id: str) -> AsyncIterator[GameSummary]:
        """All games of the player, the most recently changed first, then each again when it changes, until `end_watches`."""
        sent: dict[str, int] = {}
        topic = Topic(self._waker)
        self._watchers += 1
        try:
            with self._notifier.subscribe(topic_of(player_id), LoopSubscriber(topic.changed)):
                version = topic.version
                for summary in await self._news(self._lists, player_id, sent, is_thorough=True):
                    yield summary
                async for is_thorough in self._occasions(topic, version):
                    source = self._certain_lists if is_thorough else self._lists
                    for summary in await self._news(source, player_id, sent, is_thorough=is_thorough):
                        yield summary
        finally:
            self._watchers -= 1

    async def _occasions(self, topic: Topic, version: int) -> AsyncIterator[bool]:
        """Each time to look for news; whether thoroughly."""
        loop = asyncio.get_running_loop()
        poll_at = loop.time() + self._pause()
        while not self._notifier.closed:
            await topic.changed_since(version, max(poll_at - loop.time(), 0))
            if topic.version != version and not self._notifier.closed:
                version = topic.version
                yield False
            if loop.time() >= poll_at:
                yield True
                poll_at = loop.time() + self._pause()

    def _pause(self) -> float:
        """Seconds between two polls of one watcher."""
        return max(self._poll_seconds, self._watchers / POLLS_PER_SECOND)

    async def _news(
        self, lists: GameLists, player_id: str, sent: dict[str, int], *, is_thorough: bool
    ) -> list[GameSummary]:
        return await self._readers.read(
            player_id, lambda: list(_news(lists, player_id, sent, is_thorough=is_thorough))
        )

    def end_watches(self) -> None:
        """End all streams; later ones end after their first summaries."""
        self._notifier.close()


def _news(
    lists: GameLists, player_id: str, sent: dict[str, int], *, is_thorough: bool
) -> Iterator[GameSummary]:
    """Yields summaries later than those in `sent` and adds them. Unless `is_thorough`, stops at a page without any."""
    cursor = None
    while True:
        page = lists.of_player(player_id, False, PAGE_SIZE, cursor)
        news = [summary for summary in page if summary.sequence > sent.get(summary.game_id, -1)]
        for summary in news:
            sent[summary.game_id] = summary.sequence
            yield summary
        if len(page) < PAGE_SIZE or not (news or is_thorough):
            return
        cursor = PageCursor(page[-1].time_ms, page[-1].game_id)
