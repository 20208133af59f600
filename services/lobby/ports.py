"""What the lobby needs from outside; event log and clock are the shared ports of `services.common`."""

from collections.abc import Callable, Iterable
from typing import Protocol

import msgspec

from services.common.errors import SignalboxError
from services.lobby.domain.catalogue import RulingSelection, TitleOffer, UndoPolicy
from services.lobby.domain.games import GameCard
from services.lobby.domain.players import Player

# How long after the last call of a player others see that player online.
ONLINE_MS = 120_000


class Freshness(Protocol):
    """Makes sure that the log is read up to date, where it is read from a copy."""

    def __call__(self) -> None:
        """Returns once everything acknowledged before the call, by any replica, can be read here."""
        ...


def always_fresh() -> None:
    """A log that is no copy needs nothing done."""


IsUnwanted = Callable[[], bool]
"""Tells whoever works through many things whether to end before the next one."""


def always_wanted() -> bool:
    """Work that is done to its end."""
    return False


class GameStartFailed(SignalboxError):
    """The game could not be begun now; asking again may help. The message says why."""


class TitleCatalogue(Protocol):
    """What can be played."""

    def offer(self, title: str) -> TitleOffer | None:
        """The offer for `title`, None if there is no such title."""
        ...


class GameStarter(Protocol):
    """Begins games."""

    def start_game(
        self,
        game_id: str,
        title: str,
        players: tuple[Player, ...],
        options: tuple[str, ...],
        rulings: RulingSelection,
        undo_policy: UndoPolicy,
        seed: int,
    ) -> None:
        """Begins the game, `players` in seat order. A game that exists already is left as it is: repeats are harmless.

        Raises `GameStartFailed` if that is not possible now.
        """
        ...


class PasswordHasher(Protocol):
    """Turns passwords into salted hashes."""

    def hash(self, password: str) -> str:
        """A new salted hash, in text form."""
        ...

    def verify(self, password_hash: str | None, password: str) -> bool:
        """True if the hash is of this password. None stands for a player who does not exist: False, as slowly."""
        ...


class SeedSource(Protocol):
    """Draws seeds."""

    def draw(self) -> int:
        """A seed that nobody can foretell, from 0 to 2**63 - 1."""
        ...


class AttemptLimiter(Protocol):
    """Slows down guessing of passwords."""

    def allows(self, name: str) -> bool:
        """True if another attempt for this name may be made now."""
        ...

    def failed(self, name: str) -> None:
        """Notes a wrong password."""
        ...

    def succeeded(self, name: str) -> None:
        """Forgets the failures of a name."""
        ...


class Place(msgspec.Struct, frozen=True):
    """A place in a list of games: time and id of the game there. Games come by time and then by id, the greatest first."""

    time_ms: int
    game_id: str


class GameCards(Protocol):
    """The latest card of every game. A projection: it may lose anything, and says so, and is then filled again."""

    @property
    def is_complete(self) -> bool:
        """Whether every game has its card; while it is False games may be missing, but no card is wrong."""
        ...

    def mark_complete(self) -> None:
        """Every game there was when the filling began has its card by now."""
        ...

    def put(self, card: GameCard) -> bool:
        """Keeps the card if it is of a later sequence than the one kept for the game; whether it is."""
        ...

    def get(self, game_id: str) -> GameCard | None:
        """The card of a game, None where there is none now."""
        ...

    def of_player(
        self, player_id: str, only_waiting: bool, most: int, before: Place | None = None
    ) -> list[GameCard]:
        """Up to `most` games that the player plays or played, or only those that wait for the player, beyond a place."""
        ...

    def recent(self, most: int, before: Place | None = None) -> list[GameCard]:
        """Up to `most` of all games beyond a place."""
        ...

    def timed(self) -> list[GameCard]:
        """All games in which somebody is asked against an allowance, in no particular order."""
        ...


class WakeUps(Protocol):
    """When to look at something again. May forget anything at any time: whoever sets them looks at everything now and then."""

    def set(self, key: str, at_ms: int) -> None:
        """Look at `key` at that time, milliseconds since 1970 UTC; takes the place of a time set before."""
        ...

    def drop(self, key: str) -> None:
        """Do not look at `key` any more."""
        ...

    def due(self, now_ms: int, most: int = 100) -> list[str]:
        """Keys whose time has come, the earliest first; each is handed out once."""
        ...


class Presence(Protocol):
    """Who is online: seen within the last `ONLINE_MS`. May forget anything at any time."""

    def seen(self, player_id: str) -> None:
        """The player is here now."""
        ...

    def online(self, player_ids: Iterable[str]) -> frozenset[str]:
        """Those of these players who are online."""
        ...
