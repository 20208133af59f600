"""Keys of the lists of games in Redis, below the prefix `summaries`.

`summary:GAME` has sequence, summary and players of a game; `all`, `listed`, `of:PLAYER` and `for:PLAYER` have games by time;
`followed` has the partitions of which no game is missing, each with the time until which its follower vouches for it. Versions
before this one set `filled2`, which counts no more."""

SUMMARY = "summary:"
FILLED = "followed"
# By the clock of Redis, which all replicas share.
NOW_MS = """local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)"""
