"""How the games of the tables stand: what rules tells of a game, and the card that lists show of it."""

import msgspec
from msgspec.structs import replace

from services.lobby.domain.clocks import Clocks, clocks_after, clocks_of


class GameResult(msgspec.Struct, frozen=True):
    """What one player has at the end of a game, in whole currency units."""

    player_id: str
    value: int


class GameStanding(msgspec.Struct, frozen=True, kw_only=True):
    """How a game stands after `sequence`, as rules tells it.

    `ending` is empty and `results` (best first) are none while the game goes on. `actor`: the company or player whose turn
    it is; `acting_players`: who has to decide. `time_ms`: when it came to stand so, milliseconds since 1970 UTC."""

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


class GameCard(msgspec.Struct, frozen=True, kw_only=True):
    """A game as lists show it: its time never goes back from one sequence to the next, whatever clocks do.

    `table_id` is empty for a game without a table; `turn_seconds` 0 for as much time as players like."""

    standing: GameStanding
    clocks: Clocks
    table_id: str = ""
    turn_seconds: int = 0

    @property
    def game_id(self) -> str:
        """Id of the game."""
        return self.standing.game_id

    @property
    def sequence(self) -> int:
        """Sequence of the game after which the card holds."""
        return self.standing.sequence

    @property
    def time_ms(self) -> int:
        """When the game came to stand so, milliseconds since 1970 UTC."""
        return self.standing.time_ms

    @property
    def waits_for(self) -> tuple[str, ...]:
        """Who has to act; nobody once the game has ended."""
        return () if self.standing.ending else self.standing.acting_players

    @property
    def is_timed(self) -> bool:
        """Whether somebody is asked against an allowance."""
        return self.turn_seconds > 0 and any(clock.is_asked for clock in self.clocks)


def card_after(known: GameCard | None, standing: GameStanding, table_id: str, turn_seconds: int) -> GameCard:
    """The card of a game that has come to `standing`, which is later than the card known before."""
    before = known.clocks if known is not None else clocks_of(standing.players)
    time_ms = max(standing.time_ms, known.time_ms if known is not None else 0)
    is_same_turn = known is not None and _turn_of(known.standing) == _turn_of(standing)
    card = GameCard(
        standing=replace(standing, time_ms=time_ms),
        clocks=before,
        table_id=table_id,
        turn_seconds=turn_seconds,
    )
    clocks = clocks_after(before, card.waits_for, is_same_turn, standing.sequence, time_ms)
    return replace(card, clocks=clocks)


def _turn_of(standing: GameStanding) -> tuple[str, int, int, str]:
    return (standing.round_kind, standing.turn, standing.round_number, standing.actor)
