"""Cards of games in Redis: lists that all replicas of the lobby share and read at once.

Redis is a shortcut. Behind it stands a store that loses nothing; where Redis is away, or was emptied and is not filled again
yet, or may throw away single keys to make room, the lists come from there. Keys below the prefix `cards`: `card:GAME`
(sequence, card), `all`, `of:PLAYER` and `for:PLAYER` (games by time), `filled` (set while no game is missing) and `filling`.
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
from services.lobby.card_codec import UnreadableCard, decode_card, encode_card
from services.lobby.domain.games import GameCard
from services.lobby.ports import GameCards, Place

# The first write is one that a full Redis refuses: it refuses none behind it. The same sequence again mends the lists.
PUT = """
local base, game, sequence, time = KEYS[1], ARGV[1], tonumber(ARGV[2]), ARGV[3]
local players, asked = cjson.decode(ARGV[5]), cjson.decode(ARGV[6])
local place = base .. 'card:' .. game
local kept = redis.call('HGET', place, 'sequence')
if kept and tonumber(kept) > sequence then return 0 end
redis.call('HSET', place, 'sequence', sequence, 'card', ARGV[4])
redis.call('ZADD', base .. 'all', time, game)
for _, player in ipairs(players) do
  redis.call('ZADD', base .. 'of:' .. player, time, game)
  redis.call('ZREM', base .. 'for:' .. player, game)
end
for _, player in ipairs(asked) do redis.call('ZADD', base .. 'for:' .. player, time, game) end
return 1
"""
# Answers nothing at all as long as games may be missing.
PAGE = """
local base, list, most, time, game = KEYS[1], ARGV[1], tonumber(ARGV[2]), ARGV[3], ARGV[4]
if redis.call('EXISTS', base .. 'filled') == 0 then return false end
local found, offset = {}, 0
while #found < most do
  local chunk = redis.call('ZREVRANGEBYSCORE', base .. list, time, '-inf', 'WITHSCORES', 'LIMIT', offset, most)
  if #chunk == 0 then break end
  for i = 1, #chunk, 2 do
    offset = offset + 1
    if game == '' or tonumber(chunk[i + 1]) < tonumber(time) or chunk[i] < game then
      local card = redis.call('HGET', base .. 'card:' .. chunk[i], 'card')
      if not card then return false end
      found[#found + 1] = card
      if #found == most then break end
    end
  end
end
return found
"""
# One replica fills at a time, and lists come from behind Redis meanwhile. A full Redis may refuse the second call.
FILLING = """
redis.call('DEL', KEYS[1] .. 'filled')
if not redis.call('SET', KEYS[1] .. 'filling', ARGV[1], 'NX', 'PX', ARGV[2]) then return 0 end
return 1
"""
# Whoever emptied Redis in between took `filling` away as well.
ENDED = """
if redis.call('GET', KEYS[1] .. 'filling') ~= ARGV[1] then return 0 end
redis.call('DEL', KEYS[1] .. 'filling')
if ARGV[2] == '0' then return 0 end
redis.call('SET', KEYS[1] .. 'filled', '1')
return 1
"""
FILLING_MS = 10_000
PAGE_SIZE = 200
LOOK_SECONDS = 1.0

_encode = msgspec.json.Encoder().encode


class RedisCards:
    """The `GameCards` port over `behind`, which decides about everything and answers where Redis cannot."""

    def __init__(
        self, connection: RedisConnection, behind: GameCards, know_all: Callable[[], bool] = lambda: True
    ) -> None:
        """`know_all`: has `behind` know what other replicas have put until now; whether it does."""
        self._connection = connection
        self._behind = behind
        self._know_all = know_all
        self._base = connection.key("cards", "")
        self._log = get_logger("lobby")
        self._lacks_cards = threading.Event()
        self._was_distrusted = False
        self._is_closing = threading.Event()
        self._look = threading.Event()
        self._filler = ServiceThread("cards filler", self._fill_when_needed)
        connection.on_return(self._look.set)

    def start(self) -> None:
        """Fill Redis whenever it lacks cards, beside all else: now as well, since whoever filled it may have died owing one."""
        self._lacks_cards.set()
        self._filler.start()

    def close(self) -> None:
        """Stop filling. May be called again."""
        self._is_closing.set()
        self._look.set()
        if self._filler.is_alive():
            self._filler.join()

    @property
    def is_complete(self) -> bool:
        """See `GameCards`."""
        return self._behind.is_complete

    def mark_complete(self) -> None:
        """See `GameCards`."""
        self._behind.mark_complete()
        self._look.set()

    def put(self, card: GameCard) -> bool:
        """See `GameCards`. What is known behind Redis is written there all the same: its keeper may have died in between."""
        is_news = self._behind.put(card)
        kept = card if is_news else self._behind.get(card.game_id)
        if kept and not self._connection.ask(partial(self._write, cards=[kept]), otherwise=False):
            self._lacks_cards.set()
        return is_news

    def get(self, game_id: str) -> GameCard | None:
        """See `GameCards`."""
        return self._behind.get(game_id)

    def of_player(
        self, player_id: str, only_waiting: bool, most: int, before: Place | None = None
    ) -> list[GameCard]:
        """See `GameCards`."""
        found = self._page(("for:" if only_waiting else "of:") + player_id, most, before)
        return self._behind.of_player(player_id, only_waiting, most, before) if found is None else found

    def recent(self, most: int, before: Place | None = None) -> list[GameCard]:
        """See `GameCards`."""
        found = self._page("all", most, before)
        return self._behind.recent(most, before) if found is None else found

    def timed(self) -> list[GameCard]:
        """See `GameCards`."""
        return self._behind.timed()

    def fill(self) -> bool:
        """Put every card into Redis unless another replica is about it; whether all of them are there now.

        Never into a Redis that makes room by throwing away any key: single cards and lists would be missing."""
        if not self._keeps_all():
            self._lacks_cards.set()
            self._connection.ask(lambda redis: redis.delete(self._base + "filled"), otherwise=0)
            return False
        token = uuid4().hex
        if not self._tell(FILLING, token, FILLING_MS):
            return False
        self._lacks_cards.clear()
        has_all = self._know_all() and self._write_all()
        if not has_all:
            self._lacks_cards.set()
        return self._tell(ENDED, token, int(has_all))

    def _keeps_all(self) -> bool:
        """Whether Redis is known to keep what has no time to live."""
        policy = self._connection.ask(
            lambda redis: str(redis.info("memory").get("maxmemory_policy", "")), otherwise=""
        )
        is_distrusted = policy.startswith("allkeys")
        if is_distrusted and not self._was_distrusted:
            self._log.warning("Redis may throw away any key: lists of games do without it", policy=policy)
        self._was_distrusted = is_distrusted
        return bool(policy) and not is_distrusted

    def _write_all(self) -> bool:
        for cards in self._pages_behind():
            put = self._connection.ask(partial(self._write, cards=cards), otherwise=False)
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
        """Whether lists come from Redis just now."""
        is_marked = self._connection.ask(lambda redis: redis.exists(self._base + "filled"), otherwise=0)
        return bool(is_marked) and not self._lacks_cards.is_set()

    def _page(self, name: str, most: int, before: Place | None) -> list[GameCard] | None:
        """Cards from Redis, None where it cannot tell."""
        if self._lacks_cards.is_set():
            return None
        time, game = ("+inf", "") if before is None else (before.time_ms, before.game_id)
        found = self._connection.ask(
            lambda redis: redis.eval(PAGE, 1, self._base, name, most, time, game), otherwise=None
        )
        if found is None:
            self._look.set()
            return None
        try:
            return [decode_card(stored) for stored in found]
        except UnreadableCard:
            self._lacks_cards.set()
            self._look.set()
            return None

    def _write(self, redis: Client, cards: list[GameCard]) -> bool:
        pipeline = redis.pipeline(transaction=False)
        for card in cards:
            players, asked = _encode(card.standing.players), _encode(card.waits_for)
            pipeline.eval(
                PUT,
                1,
                self._base,
                card.game_id,
                card.sequence,
                card.time_ms,
                encode_card(card),
                players,
                asked,
            )
        pipeline.execute()
        return True

    def _pages_behind(self) -> Iterator[list[GameCard]]:
        """A game that moves on meanwhile is put by whoever moves it on."""
        place = None
        while page := self._behind.recent(PAGE_SIZE, place):
            yield page
            place = Place(page[-1].time_ms, page[-1].game_id)

    def _fill_when_needed(self) -> None:
        while not self._is_closing.is_set():
            if self._behind.is_complete and self._connection.is_up and not self.is_filled and self.fill():
                self._log.info("lists of games filled in Redis")
            self._look.wait(LOOK_SECONDS)
            self._look.clear()
