"""What the lobby needs from outside; event log and clock are the shared ports of `services.common`."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date
from typing import Protocol

import msgspec

from services.common.auth.tokens import Principal
from services.common.errors import Overloaded, SignalboxError
from services.gen.signalbox.rules.v1.direction_pb2 import Direction
from services.lobby.domain.catalogue import (
    RulingSelection,
    TableChoices,
    TitleOffer,
    TitleRefusal,
    UndoPolicy,
)
from services.lobby.domain.games import GameSummary
from services.lobby.domain.imports import ImportedGame, ImportWanted
from services.lobby.domain.players import Player
from services.lobby.domain.positions import GameRuling, Position
from services.lobby.domain.rejections import ImportFault, Rejection
from services.lobby.domain.tables import Table
from services.lobby.domain.time_control.intervals import Intervals
from services.lobby.domain.time_control.weeks import PlayingHours, Vacation
from services.lobby.domain.visibility import FOR_EVERYBODY, GameAudience

# How long after the last call of a player others see that player online.
ONLINE_MS = 120_000


class Freshness(Protocol):
    """Brings a local copy of the log up to date."""

    def __call__(self) -> None:
        """Returns once everything acknowledged before the call, by any replica, can be read here."""
        ...


def always_fresh() -> None:
    """The `Freshness` of a log that is read directly."""


IsCancelled = Callable[[], bool]
"""Returns True once the work should end; long loops check it before each item."""


def never_cancelled() -> bool:
    """For work that always runs to its end."""
    return False


AccountOf = Callable[[str], Player | None]
"""The account of this name, or of this id; None where there is none."""

RejectDirection = Callable[[str, Table, Direction], Rejection | None]
"""Why a player who is not the director of a table may not decide something about its game, None where they may."""


class GameStartFailed(SignalboxError):
    """The game could not be started now; a retry may succeed. The message says why."""


class GameStartRefused(SignalboxError):
    """The rules refuse to begin the game, and will again: a lasting refusal. `code` is the rules' reason."""

    def __init__(self, code: str, sentence: str, clause: str = "") -> None:
        self.code = code
        self.clause = clause
        super().__init__(sentence)


class TitleCatalogue(Protocol):
    """What can be played."""

    def titles(self) -> tuple[str, ...]:
        """The names of all titles."""
        ...

    def offer(self, title: str) -> TitleOffer | None:
        """The offer for `title`, None if there is no such title."""
        ...

    def refusal(self, choices: TableChoices) -> TitleRefusal | None:
        """Why a known title does not play these choices, by its own check of all of them together; None if it does."""
        ...


class GameStarter(Protocol):
    """Starts games."""

    def start_game(
        self,
        game_id: str,
        title: str,
        players: tuple[Player, ...],
        options: tuple[str, ...],
        rulings: RulingSelection,
        undo_policy: UndoPolicy,
        seed: int,
        audience: GameAudience = FOR_EVERYBODY,
    ) -> None:
        """Starts the game, `players` in seat order. Idempotent: a game that exists already is left as it is.

        Raises `GameStartFailed` if that is not possible now, `GameStartRefused` if it never will be.
        """
        ...

    def continue_game(self, game_id: str, events: bytes) -> None:
        """Starts an imported game with the events of `ImportedGame.events`. Idempotent, raises like `start_game`."""
        ...


class Directed(msgspec.Struct, frozen=True):
    """Where the log of a game has a director's decision and what it led to."""

    game_id: str
    first: int
    last: int


class DirectionRefused(SignalboxError):
    """The rules refuse a director's decision; `code` is their reason."""

    def __init__(self, code: str, sentence: str, clause: str = "") -> None:
        self.code = code
        self.clause = clause
        super().__init__(sentence)


class GameMovedOn(SignalboxError):
    """The game is at `sequence`, the director expected another one."""

    def __init__(self, sequence: int) -> None:
        self.sequence = sequence
        super().__init__(f"the game is at sequence {sequence}")


class GameDirector(Protocol):
    """Carries out what directors decide about games."""

    def direct(
        self, game_id: str, author: str, request_id: str, expected_sequence: int, direction: Direction
    ) -> Directed:
        """Carries it out once, however often it is called with the same request id.

        Raises `DirectionRefused`, `GameMovedOn`, `InvalidRequest` for what cannot be read, and `Unavailable` when the outcome is
        not known: the same call may be repeated."""
        ...


class NoteAct(Protocol):
    """The log of staff acts, for what an operator did to a game."""

    def __call__(
        self, caller: Principal, request_id: str, act: str, reason: str, game_id: str, detail: str = ""
    ) -> None:
        """Once for each request id of an operator and game. `detail`: what `act` leaves open. Raises `Unavailable`."""
        ...


class GamePositions(Protocol):
    """Looks at games."""

    def position(self, game_id: str, at_sequence: int = 0) -> Position:
        """The position of a game after an event, 0 for now. Raises `Unavailable` when that cannot be seen now."""
        ...

    def rulings(self, game_id: str) -> tuple[GameRuling, ...]:
        """The decisions of directors that changed the position of a game, in their order. Raises like `position`."""
        ...


class ImportRefused(SignalboxError):
    """A file cannot be taken over; `fault` says what in it."""

    def __init__(self, fault: ImportFault, sentence: str, clause: str = "") -> None:
        self.fault = fault
        self.clause = clause
        super().__init__(sentence)


class GameImporter(Protocol):
    """Reads games begun elsewhere."""

    def read(
        self, wanted: ImportWanted, accounts: Mapping[str, str], is_cancelled: IsCancelled
    ) -> ImportedGame:
        """Plays or verifies the file. `accounts`: player ids here by player in the file. Makes nothing.

        Raises `ImportRefused`, `DeadlineExceeded` once `is_cancelled`, and `Overloaded` while another file is read."""
        ...


class PasswordHasher(Protocol):
    """Turns passwords into salted hashes."""

    def hash(self, password: str) -> str:
        """A new salted hash, in text form."""
        ...

    def verify(self, password_hash: str | None, password: str) -> bool:
        """True if the hash is of this password. For None (no such player) returns False after the same time."""
        ...


class HashingBusy(Overloaded):
    """As many passwords are hashed or wait for it as may."""


class PasswordChecks(Protocol):
    """A `PasswordHasher` for calls: bounded, and no address keeps the others out. All methods raise `HashingBusy`."""

    def hash(self, password: str, address: str) -> str:
        """See `PasswordHasher.hash`; `address` is the caller's."""
        ...

    def verify(self, password_hash: str | None, password: str, address: str) -> bool:
        """See `PasswordHasher.verify`; `address` is the caller's."""
        ...


class SeedSource(Protocol):
    """Draws seeds."""

    def draw(self) -> int:
        """An unpredictable seed from 0 to 2**63 - 1."""
        ...


class RisingDelay(msgspec.Struct, frozen=True):
    """After `free` attempts each one more has to wait: `first_ms`, then twice as long each time, at most `longest_ms`.

    Attempts are forgotten `forget_ms` after the last one."""

    free: int
    first_ms: int
    longest_ms: int
    forget_ms: int


class AttemptLimiter(Protocol):
    """Slows down guessing. May forget at any time, which only lets more attempts through."""

    def begin(self, key: str, delay: RisingDelay) -> int:
        """Counts an attempt before it is made: 0 if it may be made now. Else nothing is counted, and the answer is how many
        milliseconds to wait. Of attempts at the same time each is counted before the next is decided."""
        ...

    def take_back(self, key: str, delay: RisingDelay) -> None:
        """Counts one attempt less: it was not wrong, or not made."""
        ...

    def forget(self, key: str) -> None:
        """Forgets all attempts under a key."""
        ...


class PageCursor(msgspec.Struct, frozen=True):
    """Where a page of games ends: time and id of its last game. Lists are ordered by time, then by id, both descending."""

    time_ms: int
    game_id: str


class GameLists(Protocol):
    """The latest summary of every game, to read."""

    @property
    def is_complete(self) -> bool:
        """Whether every game has its summary. While False, games may be missing, but no summary is wrong."""
        ...

    def get(self, game_id: str) -> GameSummary | None:
        """The summary of a game, None if there is none."""
        ...

    def of_player(
        self, player_id: str, only_waiting: bool, most: int, before: PageCursor | None = None
    ) -> list[GameSummary]:
        """Up to `most` games of the player, or only those that wait for the player, after `before` in the list's order."""
        ...

    def recent(
        self, most: int, before: PageCursor | None = None, only_listed: bool = False
    ) -> list[GameSummary]:
        """Up to `most` of all games, or only those that are not `is_unlisted`, after `before` in the list's order."""
        ...


class GameSummaries(GameLists, Protocol):
    """Where summaries of games are kept. A projection: after a loss `is_complete` is False until it is rebuilt."""

    def mark_complete(self) -> None:
        """Called once every game has its summary."""
        ...

    def put(self, summary: GameSummary) -> bool:
        """Keeps the summary if its sequence is later than that of the one kept; returns whether it is."""
        ...

    def timed(self) -> list[GameSummary]:
        """All games in which a turn timer runs, in no particular order."""
        ...


class WakeUps(Protocol):
    """When to check a key again. Entries may be lost at any time, so the caller sets all of them again now and then."""

    def set(self, key: str, at_ms: int) -> None:
        """Check `key` at that time, milliseconds since 1970 UTC; replaces a time set before."""
        ...

    def drop(self, key: str) -> None:
        """Do not check `key` any more."""
        ...

    def due(self, now_ms: int, most: int = 100) -> list[str]:
        """Keys whose time has come, the earliest first; each is returned once."""
        ...


class Zones(Protocol):
    """What playing hours and days are in UTC. All methods raise `TournamentRejected` (ZONE_UNKNOWN) for an unknown zone."""

    def check(self, zone: str) -> None:
        """Returns if there is such an IANA zone."""
        ...

    def today(self, zone: str, now_ms: int) -> date:
        """The date there."""
        ...

    def playing_time(
        self, schedule: Sequence[PlayingHours], vacations: Sequence[Vacation], from_ms: int, to_ms: int
    ) -> Intervals:
        """The playing time between two instants. Each entry of `schedule`, in order of `from_date`, applies until the next."""
        ...


class Presence(Protocol):
    """Who is online: seen within the last `ONLINE_MS`. Entries may be lost at any time."""

    def seen(self, player_id: str) -> None:
        """The player made a call now."""
        ...

    def online(self, player_ids: Iterable[str]) -> frozenset[str]:
        """Those of these players who are online."""
        ...
