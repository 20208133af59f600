"""Summaries of games in Redis: a cache of lists that all replicas of the lobby share.

The store under the cache loses nothing. Lists come from the store while Redis is down, while it is being filled again, and
where its eviction policy may drop single keys. Keys below the prefix `summaries`: `summary:GAME` (sequence, summary, players),
`all`, `listed`, `of:PLAYER` and `for:PLAYER` (games by time), `filled2`
(set while no game is missing; versions that knew no `listed` set `filled`) and `filling`.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from functools import partial
from uuid import uuid4

import msgspec

from services.common.process.threads import ServiceThread
from services.common.redis.client import Client
from services.common.redis.connection import RedisConnection
from services.common.telemetry.logs import get_logger
from services.lobby.domain.games import GameSummary
from services.lobby.ports import GameSummaries, PageCursor
from services.lobby.summary_codec import UnreadableSummary, decode_summary, encode_summary

# A full Redis refuses the first write or none, so the lists never lack a summary. Putting the same sequence again repairs them.
PUT = """
local base, game, sequence, time = KEYS[1], ARGV[1], tonumber(ARGV[2]), ARGV[3]
local players, asked, is_unlisted = cjson.decode(ARGV[5]), cjson.decode(ARGV[6]), ARGV[7]
local key = base .. 'summary:' .. game
local kept = redis.call('HGET', key, 'sequence')
if kept and tonumber(kept) > sequence then return 0 end
local before = redis.call('HGET', key, 'players')
redis.call('HSET', key, 'sequence', sequence, 'summary', ARGV[4], 'players', ARGV[5])
redis.call('ZADD', base .. 'all', time, game)
if is_unlisted == '1' then
  redis.call('ZREM', base .. 'listed', game)
else
  redis.call('ZADD', base .. 'listed', time, game)
end
for _, player in ipairs(before and cjson.decode(before) or {}) do
  redis.call('ZREM', base .. 'of:' .. player, game)
  redis.call('ZREM', base .. 'for:' .. player, game)
end
for _, player in ipairs(players) do
  redis.call('ZADD', base .. 'of:' .. player, time, game)
  redis.call('ZREM', base .. 'for:' .. player, game)
end
for _, player in ipairs(asked) do redis.call('ZADD', base .. 'for:' .. player, time, game) end
return 1
"""
# Returns false while games may be missing.
PAGE = """
local base, list, most, time, game = KEYS[1], ARGV[1], tonumber(ARGV[2]), ARGV[3], ARGV[4]
if redis.call('EXISTS', base .. 'filled2') == 0 then return false end
local found, offset = {}, 0
while #found < most do
  local chunk = redis.call('ZREVRANGEBYSCORE', base .. list, time, '-inf', 'WITHSCORES', 'LIMIT', offset, most)
  if #chunk == 0 then break end
  for i = 1, #chunk, 2 do
    offset = offset + 1
    if game == '' or tonumber(chunk[i + 1]) < tonumber(time) or chunk[i] < game then
      local summary = redis.call('HGET', base .. 'summary:' .. chunk[i], 'summary')
      if not summary then return false end
      found[#found + 1] = summary
      if #found == most then break end
    end
  end
end
return found
"""
# One replica fills at a time; meanwhile lists come from the store. A full Redis may refuse the second call.
FILLING = """
redis.call('DEL', KEYS[1] .. 'filled2')
if not redis.call('SET', KEYS[1] .. 'filling', ARGV[1], 'NX', 'PX', ARGV[2]) then return 0 end
return 1
"""
# `filling` is gone if Redis was emptied in between.
ENDED = """
if redis.call('GET', KEYS[1] .. 'filling') ~= ARGV[1] then return 0 end
redis.call('DEL', KEYS[1] .. 'filling')
if ARGV[2] == '0' then return 0 end
redis.call('SET', KEYS[1] .. 'filled2', '1')
return 1
"""
FILLING_MS = 10_000
PAGE_SIZE = 200
CHECK_SECONDS = 1.0

_encode = msgspec.json.Encoder().encode


class RedisSummaries:
    """The `GameSummaries` port: a cache over `store`, which decides what is kept and answers where Redis cannot."""

    def __init__(
        self,
        connection: RedisConnection,
        store: GameSummaries,
        wait_current: Callable[[], bool] = lambda: True,
    ) -> None:
        """`wait_current`: waits until `store` has what other replicas put before the call; returns whether it has."""
        self._connection = connection
        self._store = store
        self._wait_current = wait_current
        self._base = connection.key("summaries", "")
        self._log = get_logger("lobby")
        self._lacks_summaries = threading.Event()
        self._was_distrusted = False
        self._is_closing = threading.Event()
        self._wake = threading.Event()
        self._filler = ServiceThread("summaries filler", self._fill_when_needed)
        connection.on_return(self._wake.set)

    def start(self) -> None:
        """Fill Redis in a thread whenever it lacks summaries, and once now: the replica that wrote last may have died before
        its summary reached Redis."""
        self._lacks_summaries.set()
        self._filler.start()

    def close(self) -> None:
        """Stop filling. May be called again."""
        self._is_closing.set()
        self._wake.set()
        if self._filler.is_alive():
            self._filler.join()

    @property
    def is_complete(self) -> bool:
        """See `GameSummaries`."""
        return self._store.is_complete

    def mark_complete(self) -> None:
        """See `GameSummaries`."""
        self._store.mark_complete()
        self._wake.set()

    def put(self, summary: GameSummary) -> bool:
        """See `GameSummaries`. A summary the store has already is written to Redis again: the replica that put it may have
        died before it did so."""
        is_news = self._store.put(summary)
        kept = summary if is_news else self._store.get(summary.game_id)
        if kept and not self._connection.ask(partial(self._write, summaries=[kept]), otherwise=False):
            self._lacks_summaries.set()
        return is_news

    def get(self, game_id: str) -> GameSummary | None:
        """See `GameSummaries`."""
        return self._store.get(game_id)

    def of_player(
        self, player_id: str, only_waiting: bool, most: int, before: PageCursor | None = None
    ) -> list[GameSummary]:
        """See `GameSummaries`."""
        found = self._page(("for:" if only_waiting else "of:") + player_id, most, before)
        return self._store.of_player(player_id, only_waiting, most, before) if found is None else found

    def recent(
        self, most: int, before: PageCursor | None = None, only_listed: bool = False
    ) -> list[GameSummary]:
        """See `GameSummaries`."""
        found = self._page("listed" if only_listed else "all", most, before)
        return self._store.recent(most, before, only_listed) if found is None else found

    def timed(self) -> list[GameSummary]:
        """See `GameSummaries`."""
        return self._store.timed()

    def fill(self) -> bool:
        """Put every summary into Redis unless another replica is doing so; returns whether all of them are there now.

        Does nothing if Redis may evict any key: single summaries and lists would be missing."""
        if not self._keeps_all():
            self._lacks_summaries.set()
            self._connection.ask(lambda redis: redis.delete(self._base + "filled2"), otherwise=0)
            return False
        token = uuid4().hex
        if not self._tell(FILLING, token, FILLING_MS):
            return False
        self._lacks_summaries.clear()
        has_all = self._wait_current() and self._write_all()
        if not has_all:
            self._lacks_summaries.set()
        return self._tell(ENDED, token, int(has_all))

    def _keeps_all(self) -> bool:
        """Whether Redis is known to keep keys that have no time to live."""
        policy = self._connection.ask(
            lambda redis: str(redis.info("memory").get("maxmemory_policy", "")), otherwise=""
        )
        is_distrusted = policy.startswith("allkeys")
        if is_distrusted and not self._was_distrusted:
            self._log.warning("Redis may evict any key: lists of games are not cached", policy=policy)
        self._was_distrusted = is_distrusted
        return bool(policy) and not is_distrusted

    def _write_all(self) -> bool:
        for summaries in self._stored_pages():
            put = self._connection.ask(partial(self._write, summaries=summaries), otherwise=False)
            if self._is_closing.is_set() or not put:
                return False
            self._connection.ask(lambda redis: redis.pexpire(self._base + "filling", FILLING_MS), otherwise=0)
        return True

    def _tell(self, script: str, *arguments: str | int) -> bool:
        return bool(
            self._connection.ask(lambda redis: redis.eval(script, 1, self._base, *arguments), otherwise=0)
        )

    @property
    def is_filled(self) -> bool:
        """Whether lists come from Redis now."""
        is_marked = self._connection.ask(lambda redis: redis.exists(self._base + "filled2"), otherwise=0)
        return bool(is_marked) and not self._lacks_summaries.is_set()

    def _page(self, name: str, most: int, before: PageCursor | None) -> list[GameSummary] | None:
        """Summaries from Redis, None where it cannot answer."""
        if self._lacks_summaries.is_set():
            return None
        time, game = ("+inf", "") if before is None else (before.time_ms, before.game_id)
        found = self._connection.ask(
            lambda redis: redis.eval(PAGE, 1, self._base, name, most, time, game), otherwise=None
        )
        if found is None:
            self._wake.set()
            return None
        try:
            return [decode_summary(stored) for stored in found]
        except UnreadableSummary:
            self._lacks_summaries.set()
            self._wake.set()
            return None

    def _write(self, redis: Client, summaries: list[GameSummary]) -> bool:
        pipeline = redis.pipeline(transaction=False)
        for summary in summaries:
            players, asked = _encode(summary.status.accounts), _encode(summary.waits_for_accounts)
            pipeline.eval(
                PUT,
                1,
                self._base,
                summary.game_id,
                summary.sequence,
                summary.time_ms,
                encode_summary(summary),
                players,
                asked,
                int(summary.is_unlisted),
            )
        pipeline.execute()
        return True

    def _stored_pages(self) -> Iterator[list[GameSummary]]:
        """A game that changes meanwhile is put by the replica that follows the change."""
        cursor = None
        while page := self._store.recent(PAGE_SIZE, cursor):
            yield page
            cursor = PageCursor(page[-1].time_ms, page[-1].game_id)

    def _fill_when_needed(self) -> None:
        while not self._is_closing.is_set():
            if self._store.is_complete and self._connection.is_up and not self.is_filled and self.fill():
                self._log.info("lists of games filled in Redis")
            self._wake.wait(CHECK_SECONDS)
            self._wake.clear()
