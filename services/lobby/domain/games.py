"""The status of a game, as rules reports it, and the summary of the game that lists show."""

from collections.abc import Iterable
from typing import Literal

import msgspec
from msgspec.structs import replace

from services.lobby.domain.clocks import Clocks, Holds, clocks_after, clocks_of
from services.lobby.domain.players import HOUSE_BOT


class GameResult(msgspec.Struct, frozen=True):
    """What one player has at the end of a game, in whole currency units."""

    player_id: str
    value: int


BearerKind = Literal["player", "substitute", "bot", "director"]


class SeatBearer(msgspec.Struct, frozen=True):
    """The account that plays a seat, and as what."""

    seat: str
    account: str
    kind: BearerKind


class GameStatus(msgspec.Struct, frozen=True, kw_only=True):
    """A game after event `sequence`.

    `players` are the seats: they act, have clocks and get results. `bearers`: who plays those that another account has taken.
    `suspended`: nobody has to act, because a director stopped the game. `ruling_count`: see `GameRuling`.

    `ending` and `results` (best first) are empty while the game goes on. `actor`: the company or player whose turn it is,
    `actor_kind`: the kind of the company, which summaries do not keep; `acting_players`: who has to decide. `time_ms`: when
    the event was recorded, milliseconds since 1970 UTC.

    As rules reports it after a game's first status, title and players are empty, and players who act or whose turn it is are
    named by their seats, `acting_seats` counted from 0 and `actor_seat` from 1: see `completed`."""

    game_id: str
    sequence: int
    title: str
    players: tuple[str, ...]
    acting_players: tuple[str, ...] = ()
    round_kind: str = ""
    turn: int = 0
    round_number: int = 0
    phase: str = ""
    actor: str = ""
    ending: str = ""
    results: tuple[GameResult, ...] = ()
    time_ms: int = 0
    bearers: tuple[SeatBearer, ...] = ()
    suspended: bool = False
    actor_kind: str = ""
    acting_seats: tuple[int, ...] = ()
    actor_seat: int = 0
    ruling_count: int = 0

    def completed(self, title: str, players: tuple[str, ...]) -> "GameStatus":
        """With what its game's first status said, where this one does not say it."""
        players = self.players or players
        asked = [players[seat] for seat in self.acting_seats if 0 <= seat < len(players)]
        turn = players[self.actor_seat - 1] if 0 < self.actor_seat <= len(players) else self.actor
        return replace(
            self,
            title=self.title or title,
            players=players,
            acting_players=(*self.acting_players, *asked),
            actor=turn,
            acting_seats=(),
            actor_seat=0,
        )

    def accounts_of(self, seats: Iterable[str]) -> tuple[str, ...]:
        """Who plays these seats now."""
        taken = {each.seat: each.account for each in self.bearers}
        return tuple(taken.get(seat, seat) for seat in seats)

    @property
    def bots(self) -> tuple[str, ...]:
        """Seats that bots of the house play: their turns are not overdue."""
        return tuple(each.seat for each in self.bearers if each.account.startswith(HOUSE_BOT))

    @property
    def accounts(self) -> tuple[str, ...]:
        """Who plays now, in the order of the seats."""
        return self.accounts_of(self.players)


class HoldChange(msgspec.Struct, frozen=True):
    """The ledger holds a game from this instant on, so that nobody can move, or it releases the game."""

    game_id: str
    is_held: bool
    time_ms: int


class GameSummary(msgspec.Struct, frozen=True, kw_only=True):
    """A game as lists show it. From one sequence to the next `status.time_ms` never goes back, even if a server's clock does.

    `table_id` is empty for a game without a table; `turn_seconds` is 0 where a turn has no time limit. `is_unlisted`: it is in
    the lists of its players alone, because not everybody may see it now. `has_clock`: its table plays with clocks."""

    status: GameStatus
    clocks: Clocks
    table_id: str = ""
    turn_seconds: int = 0
    is_unlisted: bool = False
    has_clock: bool = False

    @property
    def game_id(self) -> str:
        """Id of the game."""
        return self.status.game_id

    @property
    def sequence(self) -> int:
        """Sequence of the game at this status."""
        return self.status.sequence

    @property
    def time_ms(self) -> int:
        """When the game reached this status, milliseconds since 1970 UTC."""
        return self.status.time_ms

    @property
    def waits_for(self) -> tuple[str, ...]:
        """Seats that have to act; none once the game has ended."""
        return () if self.status.ending else self.status.acting_players

    @property
    def waits_for_accounts(self) -> tuple[str, ...]:
        """Who plays these seats."""
        return self.status.accounts_of(self.waits_for)

    @property
    def limited_clocks(self) -> Clocks:
        """The clocks of the seats whose turns can be overdue."""
        return tuple(clock for clock in self.clocks if clock.player_id not in self.status.bots)

    @property
    def is_timed(self) -> bool:
        """Whether a turn timer runs: a player is asked, and turns have a time limit or clocks."""
        return (self.turn_seconds > 0 or self.has_clock) and any(clock.is_asked for clock in self.clocks)


def summary_after(
    known: GameSummary | None,
    status: GameStatus,
    table_id: str,
    turn_seconds: int,
    is_unlisted: bool = False,
    has_clock: bool = False,
    holds: Holds = (),
) -> GameSummary:
    """The summary at `status`, which is later than the `known` summary. `holds`: of the game until then.

    Where a bot of the house takes a seat or gives it back, the turn at hand ends and another begins."""
    before = known.clocks if known is not None else clocks_of(status.players)
    time_ms = max(status.time_ms, known.time_ms if known is not None else 0)
    is_same_turn = known is not None and _turn_of(known.status) == _turn_of(status)
    summary = GameSummary(
        status=replace(status, time_ms=time_ms),
        clocks=before,
        table_id=table_id,
        turn_seconds=turn_seconds,
        is_unlisted=is_unlisted,
        has_clock=has_clock,
    )
    handed_over = set(status.bots).symmetric_difference(() if known is None else known.status.bots)
    goes_on = () if not is_same_turn else [each for each in status.players if each not in handed_over]
    clocks = clocks_after(before, summary.waits_for, goes_on, status.sequence, time_ms, holds)
    return replace(summary, clocks=clocks)


def _turn_of(status: GameStatus) -> tuple[str, int, int, str]:
    return (status.round_kind, status.turn, status.round_number, status.actor)
