"""Streams of a player's games as they change."""

import time
from collections.abc import Callable, Iterator

from services.common.notifier import Notifier
from services.lobby.domain.games import GameSummary
from services.lobby.ports import GameSummaries, PageCursor

# A change without a notification is sent after this time at the latest.
POLL_SECONDS = 3.0
PAGE_SIZE = 20


def topic_of(player_id: str) -> str:
    """The notification topic for changes of this player's games."""
    return f"player/{player_id}"


class GameWatchHandlers:
    """Sends summaries to watching players: at once on a notification, and by polling in case one is lost."""

    def __init__(
        self,
        summaries: GameSummaries,
        stored: GameSummaries,
        notifier: Notifier,
        poll_seconds: float = POLL_SECONDS,
    ) -> None:
        """`summaries` usually has a change by the time of its notification; `stored` has every change in the end."""
        self._summaries = summaries
        self._stored = stored
        self._notifier = notifier
        self._poll_seconds = poll_seconds

    def watch(self, player_id: str, is_active: Callable[[], bool]) -> Iterator[GameSummary]:
        """All games of the player, the most recently changed first, then each again when it changes, while `is_active`
        and until `end_watches`."""
        sent: dict[str, int] = {}
        with self._notifier.subscribe(topic_of(player_id)) as subscriber:
            subscriber.clear()
            yield from _news(self._summaries, player_id, sent, is_thorough=True)
            poll_at = time.monotonic() + self._poll_seconds
            while is_active() and not self._notifier.closed:
                if subscriber.wait(max(poll_at - time.monotonic(), 0)):
                    subscriber.clear()
                    yield from _news(self._summaries, player_id, sent, is_thorough=False)
                if time.monotonic() >= poll_at:
                    yield from _news(self._stored, player_id, sent, is_thorough=True)
                    poll_at = time.monotonic() + self._poll_seconds

    def end_watches(self) -> None:
        """End all streams; later ones end after their first summaries."""
        self._notifier.close()


def _news(
    summaries: GameSummaries, player_id: str, sent: dict[str, int], *, is_thorough: bool
) -> Iterator[GameSummary]:
    """Yields summaries later than those in `sent` and adds them. Unless `is_thorough`, stops at a page without any."""
    cursor = None
    while True:
        page = summaries.of_player(player_id, False, PAGE_SIZE, cursor)
        news = [summary for summary in page if summary.sequence > sent.get(summary.game_id, -1)]
        for summary in news:
            sent[summary.game_id] = summary.sequence
            yield summary
        if len(page) < PAGE_SIZE or not (news or is_thorough):
            return
        cursor = PageCursor(page[-1].time_ms, page[-1].game_id)
