"""What the lobby needs from outside; event log and clock are the shared ports of `services.common`."""

from collections.abc import Iterable
from typing import Protocol

from services.common.errors import SignalboxError
from services.lobby.domain.catalogue import RulingSelection, TitleOffer, UndoPolicy
from services.lobby.domain.players import Player

# How long after the last call of a player others see that player online.
ONLINE_MS = 120_000


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
