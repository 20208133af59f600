"""Lists of games out of Redis, which `redis_summaries` puts there.

Where this process has the summaries of all games itself, Redis is a cache: what it cannot answer, or not wholly, comes from
there. Elsewhere lists are in Redis alone. They are UNAVAILABLE without it, and incomplete while it is being filled."""

from __future__ import annotations

from typing import Any, TypeVar

import msgspec

from services.common.errors import Unavailable
from services.common.redis.client import Client
from services.common.redis.connection import RedisConnection
from services.common.redis.script import LuaScript
from services.common.telemetry.logs import get_logger
from services.lobby.adapters.redis_keys import FILLED, NOW_MS, SUMMARY
from services.lobby.domain.games import GameSummary
from services.lobby.ports import GameLists, PageCursor
from services.lobby.summary_codec import UnreadableSummary, decode_summary

# A list whose games lack summaries was damaged: all partitions are filled again.
PAGE = LuaScript(
    f"""
local base, list, most, time, game, partitions = KEYS[1], ARGV[1], tonumber(ARGV[2]), ARGV[3], ARGV[4], tonumber(ARGV[5])
{NOW_MS}
local filled = redis.call('ZCOUNT', base .. '{FILLED}', now, '+inf') >= partitions
local found, offset = {{}}, 0
while #found < most do
  local chunk = redis.call('ZREVRANGEBYSCORE', base .. list, time, '-inf', 'WITHSCORES', 'LIMIT', offset, most)
  if #chunk == 0 then break end
  for i = 1, #chunk, 2 do
    offset = offset + 1
    if game == '' or tonumber(chunk[i + 1]) < tonumber(time) or chunk[i] < game then
      local summary = redis.call('HGET', base .. '{SUMMARY}' .. chunk[i], 'summary')
      if summary then
        found[#found + 1] = summary
        if #found == most then break end
      else
        redis.call('DEL', base .. '{FILLED}')
        filled = false
      end
    end
  end
end
return {{filled and 1 or 0, found}}
"""
)
IS_FILLED = LuaScript(
    f"""
{NOW_MS}
return redis.call('ZCOUNT', KEYS[1] .. '{FILLED}', now, '+inf') >= tonumber(ARGV[1]) and 1 or 0
"""
)
Answer = TypeVar("Answer")


class ListPage(msgspec.Struct, frozen=True):
    """What Redis says about a page of a list."""

    games: list[GameSummary]
    is_whole: bool
    """Whether no game of any list is missing in Redis, and every summary of the page can be read."""


class RedisPages:
    """Reads lists in Redis."""

    def __init__(self, connection: RedisConnection, partitions: int) -> None:
        """`partitions`: into how many games are divided. All have to be filled."""
        self._connection = connection
        self._partitions = partitions
        self._base = connection.key("summaries", "")
        self._log = get_logger("lobby")

    @property
    def is_filled(self) -> bool:
        """Whether Redis answers and has every game."""
        return bool(
            self._connection.ask(
                lambda redis: IS_FILLED.run(redis, self._base, self._partitions), otherwise=0
            )
        )

    def get(self, game_id: str) -> list[GameSummary] | None:
        """The summary of a game, if it has one; None where Redis does not answer."""

        def read(redis: Client) -> list[Any]:
            value = redis.hget(f"{self._base}{SUMMARY}{game_id}", "summary")
            return [] if value is None else [value]

        found = self._connection.ask(read, otherwise=None)
        return None if found is None else self._readable(found)

    def page(self, name: str, most: int, before: PageCursor | None) -> ListPage | None:
        """Part of a list; None where Redis does not answer."""
        time, game = ("+inf", "") if before is None else (before.time_ms, before.game_id)
        asked = self._base, name, most, time, game, self._partitions
        answer = self._connection.ask(lambda redis: PAGE.run(redis, *asked), otherwise=None)
        if answer is None:
            return None
        is_filled, values = answer
        games = self._readable(values)
        return ListPage(games, bool(is_filled) and len(games) == len(values))

    def _readable(self, values: list[bytes]) -> list[GameSummary]:
        """Without those that are damaged or of a newer version, which the next change of their games mends."""
        found = []
        for value in values:
            try:
                found.append(decode_summary(value))
            except UnreadableSummary as problem:
                self._log.error("unreadable summary in Redis", problem=str(problem))
        return found


class CachedLists:
    """The `GameLists` port where all summaries are stored in this process as well."""

    def __init__(self, pages: RedisPages, stored: GameLists) -> None:
        self._pages = pages
        self._stored = stored

    @property
    def is_complete(self) -> bool:
        """See `GameLists`."""
        return self._stored.is_complete

    def get(self, game_id: str) -> GameSummary | None:
        """See `GameLists`."""
        return self._stored.get(game_id)

    def of_player(
        self, player_id: str, only_waiting: bool, most: int, before: PageCursor | None = None
    ) -> list[GameSummary]:
        """See `GameLists`."""
        page = self._pages.page(_list_of(player_id, only_waiting), most, before)
        if page is not None and page.is_whole:
            return page.games
        return self._stored.of_player(player_id, only_waiting, most, before)

    def recent(
        self, most: int, before: PageCursor | None = None, only_listed: bool = False
    ) -> list[GameSummary]:
        """See `GameLists`."""
        page = self._pages.page(_list_of_all(only_listed), most, before)
        if page is not None and page.is_whole:
            return page.games
        return self._stored.recent(most, before, only_listed)


class SharedLists:
    """The `GameLists` port where replicas store what they follow, and Redis alone has all games. All methods raise
    `Unavailable`."""

    def __init__(self, pages: RedisPages) -> None:
        self._pages = pages

    @property
    def is_complete(self) -> bool:
        """See `GameLists`; False without Redis."""
        return self._pages.is_filled

    def get(self, game_id: str) -> GameSummary | None:
        """See `GameLists`."""
        return next(iter(_answered(self._pages.get(game_id))), None)

    def of_player(
        self, player_id: str, only_waiting: bool, most: int, before: PageCursor | None = None
    ) -> list[GameSummary]:
        """See `GameLists`."""
        return _answered(self._pages.page(_list_of(player_id, only_waiting), most, before)).games

    def recent(
        self, most: int, before: PageCursor | None = None, only_listed: bool = False
    ) -> list[GameSummary]:
        """See `GameLists`."""
        return _answered(self._pages.page(_list_of_all(only_listed), most, before)).games


def _list_of(player_id: str, only_waiting: bool) -> str:
    return ("for:" if only_waiting else "of:") + player_id


def _list_of_all(only_listed: bool) -> str:
    return "listed" if only_listed else "all"


def _answered(answer: Answer | None) -> Answer:
    if answer is None:
        raise Unavailable("lists of games are in Redis, which does not answer")
    return answer
