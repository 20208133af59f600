"""What a director of a game does beside its players: facts that stay when play is taken back."""

from __future__ import annotations

from services.rules.kernel.events import Event, LastingEvent
from services.rules.kernel.game import Game
from services.rules.kernel.values import Audience, Bearer, BearerKind, Decision, DecisionKind


class DirectorDecided(LastingEvent, frozen=True):
    """A director decided something about the game; the facts to which it led come next. `author`: the account that did;
    `confirmed_by`: the second person, empty where none was needed. `seat`: whom it is about, empty for the whole game."""

    kind: DecisionKind
    seat: str
    author: str
    reason: str
    confirmed_by: str

    def write(self, game: Game) -> None:
        """The decisions are kept in their order."""
        decision = Decision(self.kind, self.seat, self.author, self.reason, self.confirmed_by)
        game.decisions = (*game.decisions, decision)


class SeatTaken(LastingEvent, frozen=True):
    """The account `bearer` plays `seat` from now on, and `former` does not any more. What the seat holds stays with it."""

    seat: str
    bearer: str
    former: str
    kind: BearerKind

    def write(self, game: Game) -> None:
        """A seat has one bearer."""
        game.bearers = {**game.bearers, self.seat: Bearer(self.bearer, self.kind)}


class GameSuspended(LastingEvent, frozen=True):
    """Nobody may move until the game is resumed."""

    def write(self, game: Game) -> None:
        """The game is suspended."""
        game.suspended = True


class GameResumed(LastingEvent, frozen=True):
    """The players may move again."""

    def write(self, game: Game) -> None:
        """The game is not suspended."""
        game.suspended = False


class AudienceSet(LastingEvent, frozen=True):
    """Who may see the game, see `Audience`. Not written where everybody may: versions that do not know it then read the game,
    and those games that not everybody may see they do not read."""

    is_invited: bool
    readers: tuple[str, ...]
    delay_moves: int
    delay_seconds: int

    def write(self, game: Game) -> None:
        """The game has this audience."""
        game.audience = Audience(self.is_invited, self.readers, self.delay_moves, self.delay_seconds)


EVENTS: tuple[type[Event], ...] = (DirectorDecided, SeatTaken, GameSuspended, GameResumed, AudienceSet)
