"""Thinking time: since when each player has been asked, and how much time each has used, from one status to the next.

A turn lasts as long as a player is asked without a break for the same company or player in the same round. Times are
milliseconds since 1970 UTC; the caller must not pass a time earlier than the last one.
"""

from collections.abc import Collection

import msgspec
from msgspec.structs import replace


class PlayerClock(msgspec.Struct, frozen=True):
    """One player's clock: time used in completed turns, and when the current turn began (0 and 0 while not asked).

    `asked_sequence`, the sequence of the game since which the player has been asked, identifies the turn."""

    player_id: str
    used_ms: int = 0
    asked_since_ms: int = 0
    asked_sequence: int = 0

    @property
    def is_asked(self) -> bool:
        """Whether the player has to act."""
        return self.asked_sequence > 0

    def thinking_ms(self, now_ms: int) -> int:
        """How long the current turn has lasted, never below zero."""
        return max(0, now_ms - self.asked_since_ms) if self.is_asked else 0


Clocks = tuple[PlayerClock, ...]


def clocks_of(players: Collection[str]) -> Clocks:
    """The clocks of a game in which nobody has been asked yet."""
    return tuple(PlayerClock(player) for player in players)


def clocks_after(
    clocks: Clocks, asked: Collection[str], is_same_turn: bool, sequence: int, now_ms: int
) -> Clocks:
    """The clocks after event `sequence`, recorded at `now_ms`, since which `asked` have to act."""
    return tuple(_clock_after(clock, asked, is_same_turn, sequence, now_ms) for clock in clocks)


def _clock_after(
    clock: PlayerClock, asked: Collection[str], is_same_turn: bool, sequence: int, now_ms: int
) -> PlayerClock:
    is_asked = clock.player_id in asked
    if clock.is_asked and is_asked and is_same_turn:
        return clock
    stopped = PlayerClock(clock.player_id, clock.used_ms + clock.thinking_ms(now_ms))
    return replace(stopped, asked_since_ms=now_ms, asked_sequence=sequence) if is_asked else stopped


def overdue(clocks: Clocks, turn_seconds: int, now_ms: int) -> Clocks:
    """The clocks of the players whose current turn has reached the time limit; none without a limit."""
    if not turn_seconds:
        return ()
    return tuple(
        clock for clock in clocks if clock.is_asked and clock.thinking_ms(now_ms) >= turn_seconds * 1000
    )


def next_overdue_ms(clocks: Clocks, turn_seconds: int, after_ms: int) -> int:
    """The earliest time after `after_ms` at which a player reaches the time limit, 0 for never."""
    ends = (clock.asked_since_ms + turn_seconds * 1000 for clock in clocks if clock.is_asked)
    return min((end for end in ends if end > after_ms), default=0) if turn_seconds else 0
