"""Summaries of games in memory: for tests and simulations."""

import threading
from collections.abc import Callable

from services.lobby.domain.games import GameSummary
from services.lobby.ports import PageCursor


class MemorySummaries:
    """The `GameSummaries` port in a dict."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._summaries: dict[str, GameSummary] = {}
        self._is_complete = False

    @property
    def is_complete(self) -> bool:
        """See `GameSummaries`."""
        return self._is_complete

    def mark_complete(self) -> None:
        """See `GameSummaries`."""
        self._is_complete = True

    def put(self, summary: GameSummary) -> bool:
        """See `GameSummaries`."""
        with self._lock:
            known = self._summaries.get(summary.game_id)
            if known is not None and known.sequence >= summary.sequence:
                return False
            self._summaries[summary.game_id] = summary
            return True

    def get(self, game_id: str) -> GameSummary | None:
        """See `GameSummaries`."""
        return self._summaries.get(game_id)

    def of_player(
        self, player_id: str, only_waiting: bool, most: int, before: PageCursor | None = None
    ) -> list[GameSummary]:
        """See `GameSummaries`."""

        def fits(summary: GameSummary) -> bool:
            return player_id in (summary.waits_for_accounts if only_waiting else summary.status.accounts)

        return self._list(fits, most, before)

    def recent(
        self, most: int, before: PageCursor | None = None, only_listed: bool = False
    ) -> list[GameSummary]:
        """See `GameSummaries`."""
        return self._list(lambda summary: not (only_listed and summary.is_unlisted), most, before)

    def timed(self) -> list[GameSummary]:
        """See `GameSummaries`."""
        with self._lock:
            return [summary for summary in self._summaries.values() if summary.is_timed]

    def _list(
        self, fits: Callable[[GameSummary], bool], most: int, before: PageCursor | None
    ) -> list[GameSummary]:
        with self._lock:
            summaries = [summary for summary in self._summaries.values() if fits(summary)]
        summaries.sort(key=_cursor_of, reverse=True)
        limit = None if before is None else (before.time_ms, before.game_id)
        return [summary for summary in summaries if limit is None or _cursor_of(summary) < limit][:most]


def _cursor_of(summary: GameSummary) -> tuple[int, str]:
    return (summary.time_ms, summary.game_id)
