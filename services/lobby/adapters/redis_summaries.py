"""Puts the summaries of games into Redis, for the lists that all replicas of the lobby share (`redis_lists`).

Each replica puts those of the partitions whose games it follows, and vouches that none of them is missing. It does so for a time
and again before that is over: so lists are known to be incomplete soon after a replica has lost Redis that others still reach.
After a loss each puts its own again."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from functools import partial
from uuid import uuid4

import msgspec

from services.common.partitions import partition_of
from services.common.process.threads import ServiceThread
from services.common.redis.client import Client
from services.common.redis.connection import RedisConnection
from services.common.redis.script import LuaScript
from services.common.telemetry.logs import get_logger
from services.lobby.adapters.redis_keys import FILLED, NOW_MS, SUMMARY
from services.lobby.domain.games import GameSummary
from services.lobby.ports import GameSummaries, PageCursor
from services.lobby.summary_codec import encode_summary

# A full Redis refuses the first write or none, so the lists never lack a summary. Putting the same sequence again repairs them.
PUT = f"""
local base, game, sequence, time = KEYS[1], ARGV[1], tonumber(ARGV[2]), ARGV[3]
local players, asked, is_unlisted = cjson.decode(ARGV[5]), cjson.decode(ARGV[6]), ARGV[7]
local key = base .. '{SUMMARY}' .. game
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
for _, player in ipairs(before and cjson.decode(before) or {{}}) do
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
# ARGV: for how long, and the partitions. Only those in which nothing was lost since they were filled.
VOUCH = LuaScript(
    f"""
{NOW_MS}
local lost = {{}}
for i = 2, #ARGV do
  if redis.call('ZSCORE', KEYS[1] .. '{FILLED}', ARGV[i]) then
    redis.call('ZADD', KEYS[1] .. '{FILLED}', now + tonumber(ARGV[1]), ARGV[i])
  else
    lost[#lost + 1] = ARGV[i]
  end
end
return lost
"""
)
# ARGV: the key that was set when filling began and is gone if Redis was emptied since, for how long, and the partitions.
FILLED_NOW = LuaScript(
    f"""
{NOW_MS}
if redis.call('DEL', KEYS[1] .. ARGV[1]) == 0 then return 0 end
for i = 3, #ARGV do
  redis.call('ZADD', KEYS[1] .. '{FILLED}', now + tonumber(ARGV[2]), ARGV[i])
end
return 1
"""
)
FILLING_MS = 10_000
# Longer than the partitions of a replica that died are without a follower.
VOUCHED_MS = 30_000
PAGE_SIZE = 200
CHECK_SECONDS = 1.0

_encode = msgspec.json.Encoder().encode


class RedisSummaries:
    """The `GameSummaries` port: what is put into `store` is put into Redis as well; all else is answered by `store`."""

    def __init__(
        self,
        connection: RedisConnection,
        store: GameSummaries,
        partitions: int,
        mine: Callable[[], frozenset[int]],
    ) -> None:
        """`partitions`: into how many games are divided; `mine`: those that this replica follows and of which `store` has every
        game. While nobody follows a partition, nobody vouches for it."""
        self._connection = connection
        self._store = store
        self._partitions = partitions
        self._mine = mine
        self._base = connection.key("summaries", "")
        self._log = get_logger("lobby")
        self._lock = threading.Lock()
        self._filled: frozenset[int] = frozenset()
        self._failed: set[int] = set()
        self._was_distrusted = False
        self._is_closing = threading.Event()
        self._wake = threading.Event()
        self._filler = ServiceThread("summaries filler", self._fill_when_needed)
        connection.on_return(self._wake.set)

    def start(self) -> None:
        """Fill Redis in a thread whenever it lacks summaries of a partition, and once for each that this replica begins to
        follow: the replica that wrote last may have died before its summary reached Redis."""
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

    def put(self, summary: GameSummary) -> bool:
        """See `GameSummaries`. A summary the store has already is written to Redis again: the replica that put it may have
        died before it did so."""
        is_news = self._store.put(summary)
        kept = summary if is_news else self._store.get(summary.game_id)
        if kept and not self._connection.ask(partial(self._write, summaries=[kept]), otherwise=False):
            self._lacks(partition_of(summary.game_id, self._partitions))
        return is_news

    def get(self, game_id: str) -> GameSummary | None:
        """See `GameSummaries`."""
        return self._store.get(game_id)

    def of_player(
        self, player_id: str, only_waiting: bool, most: int, before: PageCursor | None = None
    ) -> list[GameSummary]:
        """See `GameSummaries`."""
        return self._store.of_player(player_id, only_waiting, most, before)

    def recent(
        self, most: int, before: PageCursor | None = None, only_listed: bool = False
    ) -> list[GameSummary]:
        """See `GameSummaries`."""
        return self._store.recent(most, before, only_listed)

    def timed(self) -> list[GameSummary]:
        """See `GameSummaries`."""
        return self._store.timed()

    def look(self) -> bool:
        """Put what Redis lacks of the partitions of this replica, and vouch for them; whether all of them are there now.

        Does nothing if Redis may evict any key: single summaries and lists would be missing."""
        mine = self._mine()
        if not self._keeps_all():
            self._connection.ask(lambda redis: redis.delete(self._base + FILLED), otherwise=0)
            return False
        lacking = mine - self._vouch(mine & self._known_filled(mine))
        return not lacking or self._fill(lacking)

    def _lacks(self, partition: int) -> None:
        """A summary is not in Redis, so nobody may rely on the lists. Where this does not reach Redis, the time ends until which
        this replica vouched."""
        with self._lock:
            self._failed.add(partition)
        self._connection.ask(lambda redis: redis.zrem(self._base + FILLED, partition), otherwise=0)
        self._wake.set()

    def _known_filled(self, mine: frozenset[int]) -> frozenset[int]:
        """The partitions filled since this replica follows them, without a failure since."""
        with self._lock:
            self._filled = (self._filled & mine) - self._failed
            return self._filled

    def _vouch(self, partitions: frozenset[int]) -> frozenset[int]:
        """Those of these partitions of which Redis has lost nothing; they are marked as complete for a while."""
        if not partitions:
            return partitions
        asked = VOUCHED_MS, *sorted(partitions)
        lost = self._connection.ask(lambda redis: VOUCH.run(redis, self._base, *asked), otherwise=None)
        return frozenset() if lost is None else partitions - {int(each) for each in lost}

    def _fill(self, partitions: frozenset[int]) -> bool:
        key = f"filling:{uuid4().hex}"
        with self._lock:
            self._failed -= partitions
        begun = self._connection.ask(
            lambda redis: redis.set(self._base + key, 1, px=FILLING_MS), otherwise=None
        )
        if not begun or not self._write_all(partitions, key):
            return False
        asked: tuple[str | int, ...] = key, VOUCHED_MS, *sorted(partitions)
        if not self._connection.ask(lambda redis: FILLED_NOW.run(redis, self._base, *asked), otherwise=0):
            return False
        with self._lock:
            self._filled |= partitions
            failed = self._failed & partitions
        for each in failed:
            self._lacks(each)
        return not failed

    def _keeps_all(self) -> bool:
        """Whether Redis is known to keep keys that have no time to live."""
        policy = self._connection.ask(
            lambda redis: str(redis.info("memory").get("maxmemory_policy", "")), otherwise=""
        )
        is_distrusted = policy.startswith("allkeys")
        if is_distrusted and not self._was_distrusted:
            self._log.warning("Redis may evict any key: lists of games are not kept there", policy=policy)
        self._was_distrusted = is_distrusted
        return bool(policy) and not is_distrusted

    def _write_all(self, partitions: frozenset[int], key: str) -> bool:
        for summaries in self._pages_of(partitions):
            put = self._connection.ask(partial(self._write, summaries=summaries), otherwise=False)
            if self._is_closing.is_set() or not put:
                return False
            self._connection.ask(lambda redis: redis.pexpire(self._base + key, FILLING_MS), otherwise=0)
        return True

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

    def _pages_of(self, partitions: frozenset[int]) -> Iterator[list[GameSummary]]:
        """A game that changes meanwhile is put by the replica that follows the change."""
        cursor = None
        while page := self._store.recent(PAGE_SIZE, cursor):
            yield [each for each in page if partition_of(each.game_id, self._partitions) in partitions]
            cursor = PageCursor(page[-1].time_ms, page[-1].game_id)

    def _fill_when_needed(self) -> None:
        was_filled = False
        while not self._is_closing.is_set():
            is_filled = self._connection.is_up and self.look()
            if is_filled and not was_filled:
                self._log.info("lists of games filled in Redis")
            was_filled = is_filled
            self._wake.wait(CHECK_SECONDS)
            self._wake.clear()
