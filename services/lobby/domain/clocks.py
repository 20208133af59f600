"""Thinking time: since when each player has been asked, and how much time each has used, from one status to the next.

A turn lasts as long as a player is asked without a break for the same company or player in the same round. Times are
milliseconds since 1970 UTC; the caller must not pass a time earlier than the last one.
"""

from collections.abc import Collection

import msgspec
from msgspec.structs import replace


class Hold(msgspec.Struct, frozen=True):
    """The ledger held the game from one instant to another, None while it still does: nobody can move, and no clock runs."""

    since_ms: int
    until_ms: int | None = None


Holds = tuple[Hold, ...]


def held_ms(holds: Holds, from_ms: int, to_ms: int) -> int:
    """How much of a time the game was held. Holds follow each other."""
    ends = ((each, to_ms if each.until_ms is None else min(each.until_ms, to_ms)) for each in holds)
    return sum(max(0, end_ms - max(each.since_ms, from_ms)) for each, end_ms in ends)


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

    def thinking_ms(self, now_ms: int, holds: Holds = ()) -> int:
        """How long the current turn has lasted, never below zero; not while the game was held."""
        if not self.is_asked:
            return 0
        return max(0, now_ms - self.asked_since_ms - held_ms(holds, self.asked_since_ms, now_ms))

    def overdue_ms(self, turn_seconds: int, holds: Holds) -> int | None:
        """When the current turn reaches the time limit; None while nobody is asked, without a limit, and while the game is held
        before that."""
        if not self.is_asked or not turn_seconds:
            return None
        end_ms = self.asked_since_ms + turn_seconds * 1000
        for hold in holds:
            since_ms = max(hold.since_ms, self.asked_since_ms)
            if since_ms >= end_ms:
                break
            if hold.until_ms is None:
                return None
            end_ms += max(0, hold.until_ms - since_ms)
        return end_ms


Clocks = tuple[PlayerClock, ...]


class TurnEnd(msgspec.Struct, frozen=True):
    """When a turn is overdue, 0 while its clock stands still, and what is left of its time."""

    deadline_ms: int
    left_ms: int


def clocks_of(players: Collection[str]) -> Clocks:
    """The clocks of a game in which nobody has been asked yet."""
    return tuple(PlayerClock(player) for player in players)


def clocks_after(
    clocks: Clocks,
    asked: Collection[str],
    goes_on: Collection[str],
    sequence: int,
    now_ms: int,
    holds: Holds = (),
) -> Clocks:
    """The clocks after event `sequence`, recorded at `now_ms`, since which `asked` have to act.

    `goes_on`: players who are still at the same turn where they have been asked already."""
    return tuple(_clock_after(clock, asked, goes_on, sequence, now_ms, holds) for clock in clocks)


def _clock_after(
    clock: PlayerClock,
    asked: Collection[str],
    goes_on: Collection[str],
    sequence: int,
    now_ms: int,
    holds: Holds,
) -> PlayerClock:
    is_asked = clock.player_id in asked
    if clock.is_asked and is_asked and clock.player_id in goes_on:
        return clock
    stopped = PlayerClock(clock.player_id, clock.used_ms + clock.thinking_ms(now_ms, holds))
    return replace(stopped, asked_since_ms=now_ms, asked_sequence=sequence) if is_asked else stopped


def overdue(clocks: Clocks, turn_seconds: int, now_ms: int, holds: Holds = ()) -> Clocks:
    """The clocks of the players whose current turn has reached the time limit; none without a limit."""
    ends = ((clock, clock.overdue_ms(turn_seconds, holds)) for clock in clocks)
    return tuple(clock for clock, end_ms in ends if end_ms is not None and end_ms <= now_ms)


def next_overdue_ms(clocks: Clocks, turn_seconds: int, after_ms: int, holds: Holds = ()) -> int:
    """The earliest time after `after_ms` at which a player reaches the time limit, 0 for never."""
    ends = (clock.overdue_ms(turn_seconds, holds) for clock in clocks)
    return min((end_ms for end_ms in ends if end_ms is not None and end_ms > after_ms), default=0)


def turn_ends(
    clocks: Clocks, turn_seconds: int, now_ms: int, holds: Holds, bots: Collection[str] = ()
) -> dict[str, TurnEnd]:
    """The ends of the current turns under a time limit, by player. Those of `bots` have no end."""
    whole_ms = turn_seconds * 1000
    return {
        clock.player_id: TurnEnd(0, whole_ms)
        if clock.player_id in bots
        else TurnEnd(
            clock.overdue_ms(turn_seconds, holds) or 0, max(0, whole_ms - clock.thinking_ms(now_ms, holds))
        )
        for clock in clocks
        if clock.is_asked
    }
