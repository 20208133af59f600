"""Fakes of the lobby's ports."""

import threading
from collections.abc import Mapping

from msgspec.structs import replace

from services.common.eventlog.port import EventLog
from services.lobby.adapters.no_director import NoDirector
from services.lobby.adapters.no_positions import NoPositions
from services.lobby.adapters.playing_hours import TzdataZones
from services.lobby.domain.catalogue import (
    OptionOffer,
    RulingOffer,
    RulingSelection,
    TableChoices,
    TitleOffer,
    TitleRefusal,
    UndoPolicy,
)
from services.lobby.domain.imports import ImportedGame, ImportWanted
from services.lobby.domain.players import Player
from services.lobby.domain.visibility import FOR_EVERYBODY, GameAudience
from services.lobby.handlers.clocks.following import FollowedClocks
from services.lobby.handlers.clocks.own_hours import HOURS_STREAM, OwnHours
from services.lobby.handlers.clocks.streams import ClockStreams
from services.lobby.ports import (
    GameStartFailed,
    GameStartRefused,
    ImportRefused,
    IsCancelled,
    always_fresh,
)

OFFER = TitleOffer(
    title="1824",
    player_counts=(2, 3, 4),
    options=(OptionOffer("goods_time", (3, 4)), OptionOffer("long_game", (2, 3, 4))),
    ruling_profiles=("18xx.games",),
    rulings=(RulingOffer("first_lap", ("reversed", "forward")), RulingOffer("export", ("rulebook", "none"))),
)


class FixedCatalogue:
    """Offers 1824 alone, which does not play its two options together, and nothing any more once `refused` is set."""

    def __init__(self) -> None:
        self.refused: TitleRefusal | None = None

    def titles(self) -> tuple[str, ...]:
        """1824."""
        return (OFFER.title,)

    def offer(self, title: str) -> TitleOffer | None:
        """The offer for 1824."""
        return OFFER if title == OFFER.title else None

    def refusal(self, choices: TableChoices) -> TitleRefusal | None:
        """Both options at once are too long."""
        if set(choices.options) == {"goods_time", "long_game"}:
            return TitleRefusal("goods_time excludes long_game", "1824/XII.1-a")
        return self.refused


class RecordingStarter:
    """Remembers the games begun; fails while `is_failing` is set, refuses for good while there is a `refusal`."""

    def __init__(self) -> None:
        self.audiences: dict[str, GameAudience] = {}
        self.games: dict[str, tuple[object, ...]] = {}
        self.is_failing = False
        self.refusal: GameStartRefused | None = None
        self.calls = 0
        self._lock = threading.Lock()

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
        """Begins a game once."""
        with self._lock:
            self.calls += 1
            if self.is_failing:
                raise GameStartFailed("rules do not answer")
            if self.refusal is not None:
                raise self.refusal
            self.audiences.setdefault(game_id, audience)
            self.games.setdefault(game_id, (title, players, options, rulings, undo_policy, seed))

    def continue_game(self, game_id: str, events: bytes) -> None:
        """Begins an imported game once."""
        with self._lock:
            self.calls += 1
            if self.is_failing:
                raise GameStartFailed("rules do not answer")
            if self.refusal is not None:
                raise self.refusal
            self.games.setdefault(game_id, (events,))


class KnownImporter:
    """Reads one game, whatever the file; refuses while there is a `refusal`."""

    def __init__(self, game: ImportedGame) -> None:
        self.game = game
        self.refusal: ImportRefused | None = None
        self.calls = 0

    def read(
        self, wanted: ImportWanted, accounts: Mapping[str, str], is_cancelled: IsCancelled
    ) -> ImportedGame:
        """The game with its accounts in seat order."""
        self.calls += 1
        if self.refusal is not None:
            raise self.refusal
        return replace(self.game, players=tuple(accounts.values()))


class PlainPasswords:
    """Passwords without the cost of hashing."""

    def hash(self, password: str) -> str:
        """The password, marked."""
        return "plain:" + password

    def verify(self, password_hash: str | None, password: str) -> bool:
        """Compares."""
        return password_hash == "plain:" + password


def no_clocks(log: EventLog) -> FollowedClocks:
    """For a lobby whose tables play without clocks."""
    streams = ClockStreams(log, always_fresh)
    own = OwnHours(ClockStreams(log, always_fresh, HOURS_STREAM), TzdataZones())
    return FollowedClocks(streams, own, TzdataZones(), NoDirector(), NoPositions(), lambda *_: None)


class FixedSeeds:
    """Always draws 42."""

    def draw(self) -> int:
        """42."""
        return 42
