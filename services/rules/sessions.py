"""Games in memory, each with its current state; others are loaded from snapshot and log when they are used.

A state never changes, so any thread may read one without a lock; a thread that changes the game holds the game's lock.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from threading import Lock, RLock

from services.common.eventlog.port import EventLog, LogNotWritable, Snapshot, SnapshotStore
from services.common.shown import shown
from services.rules.adapters.records import decoded
from services.rules.adapters.snapshots import SNAPSHOT_SCHEMA, decode_snapshot, encode_snapshot
from services.rules.history import History, stream_of
from services.rules.kernel.events import Event, Undone
from services.rules.kernel.fold import apply, effective, replay
from services.rules.kernel.game import Game
from services.rules.kernel.title import Title
from services.rules.kernel.titledata import TitleData

GAMES_IN_MEMORY = 256
STATES_IN_MEMORY = 64
EVENTS_PER_SNAPSHOT = 1000


class UnknownGameError(LookupError):
    """No game has this id."""


class UnreachedSequenceError(LookupError):
    """The game has not reached that sequence, or it is below 1."""


def unknown_game(game_id: str) -> UnknownGameError:
    """No game has this id, or none that the caller may see."""
    return UnknownGameError(f"no game has the id {shown(game_id)}")


def not_reached(reached: int, sequence: int) -> UnreachedSequenceError:
    """The game is at `reached`, or the caller sees it up to there."""
    return UnreachedSequenceError(f"the game is at sequence {reached}, not yet at {sequence}")


@dataclass(slots=True)
class LoadedGame:
    """One game in memory. `states`: the states after its latest requests, by sequence."""

    game_id: str
    title: Title
    data: TitleData
    game: Game
    history: History
    snapshot_sequence: int
    states: OrderedDict[int, Game] = field(default_factory=OrderedDict)
    lock: RLock = field(default_factory=RLock)
    evicted: bool = False
    states_kept: int = STATES_IN_MEMORY

    def advance(self, game: Game) -> None:
        """Set the state after an accepted request."""
        self.game = game
        self.states[game.sequence] = game
        if len(self.states) > self.states_kept:
            self.states.popitem(last=False)


class GameSessions:
    """All games of one log. The least recently used games are evicted from memory; the log keeps their events."""

    def __init__(
        self,
        log: EventLog,
        snapshots: SnapshotStore,
        titles: Mapping[str, Title],
        games_in_memory: int = GAMES_IN_MEMORY,
        events_at_eviction: int = 1,
        states_in_memory: int = STATES_IN_MEMORY,
        events_per_snapshot: int = EVENTS_PER_SNAPSHOT,
    ) -> None:
        """A game is stored as a snapshot every `events_per_snapshot`, and when it is evicted from memory with
        `events_at_eviction` since its last one. `states_in_memory`: how many earlier states of each game are kept; others are
        folded when they are needed."""
        self._log = log
        self._snapshots = snapshots
        self._titles = titles
        self._games_in_memory = games_in_memory
        self._events_at_eviction = events_at_eviction
        self._states_in_memory = states_in_memory
        self._events_per_snapshot = events_per_snapshot
        self._games: OrderedDict[str, LoadedGame] = OrderedDict()
        self._lock = Lock()

    def get(self, game_id: str) -> LoadedGame:
        """The game for reading. Raises `UnknownGameError`."""
        with self._lock:
            cached = self._games.get(game_id)
            if cached is not None:
                self._games.move_to_end(game_id)
                return cached
        loaded = self._load(game_id)
        with self._lock:
            loaded = self._games.setdefault(game_id, loaded)
        self._evict_surplus()
        return loaded

    def cached(self, game_id: str) -> LoadedGame | None:
        """The game if it is in memory."""
        with self._lock:
            return self._games.get(game_id)

    def refresh(self, loaded: LoadedGame) -> None:
        """Fold in the new events of the log. The caller holds the game's lock."""
        stream = stream_of(loaded.game_id)
        tail = self._events(stream, loaded.game.sequence, None)
        if tail:
            loaded.advance(continue_from(loaded.game.copy(), tail) or self._rebuild(loaded.game_id)[0])

    @contextmanager
    def locked(self, game_id: str) -> Iterator[LoadedGame]:
        """The game, locked for a change. Raises `UnknownGameError`.

        If the change fails, the game is read from the log again before its next use."""
        while True:
            loaded = self.get(game_id)
            with loaded.lock:
                if loaded.evicted:
                    continue
                try:
                    yield loaded
                except BaseException:
                    self._forget(loaded)
                    raise
                return

    def state_at(self, game_id: str, sequence: int) -> Game:
        """The game after event `sequence`. Raises `UnreachedSequenceError`."""
        loaded = self.get(game_id)
        current = loaded.game
        if sequence == current.sequence:
            return current
        if not 0 < sequence < current.sequence:
            raise not_reached(current.sequence, sequence)
        return loaded.states.get(sequence) or self._rebuild(game_id, sequence)[0]

    def keep_snapshot(self, loaded: LoadedGame, least_events: int = 0) -> None:
        """Store a snapshot if there are so many events since the last one, by default as many as usual; while the log cannot
        be written, none is stored."""
        game = loaded.game
        if game.sequence - loaded.snapshot_sequence >= (least_events or self._events_per_snapshot):
            with suppress(LogNotWritable):
                self._snapshots.put(
                    stream_of(loaded.game_id), game.sequence, SNAPSHOT_SCHEMA, encode_snapshot(game)
                )
                loaded.snapshot_sequence = game.sequence

    def forget(self, is_forgotten: Callable[[str], bool]) -> None:
        """Evict the games chosen by id; each is read from the log again before its next use."""
        with self._lock:
            chosen = [loaded for game_id, loaded in self._games.items() if is_forgotten(game_id)]
        for loaded in chosen:
            self._forget(loaded)

    def close(self) -> None:
        """Store a snapshot of every loaded game, so that it comes back fast."""
        with self._lock:
            games = list(self._games.values())
        for loaded in games:
            with loaded.lock:
                self.keep_snapshot(loaded, least_events=1)

    def _load(self, game_id: str) -> LoadedGame:
        game, snapshot_sequence = self._rebuild(game_id)
        title = self._titles.get(game.title)
        if title is None:
            raise UnknownGameError(
                f"game {game_id!r} is of the title {game.title!r}, which is not installed here"
            )
        data = title.data_of(game)
        loaded = LoadedGame(game_id, title, data, game, History(self._log, game_id), snapshot_sequence)
        loaded.states_kept = self._states_in_memory
        loaded.states[game.sequence] = game
        return loaded

    def _rebuild(self, game_id: str, up_to: int | None = None) -> tuple[Game, int]:
        """The state after `up_to` (or the latest) and the sequence of the snapshot it came from, 0 for none."""
        stream = stream_of(game_id)
        snapshot = self._snapshots.latest(stream, up_to)
        game = trusted(snapshot)
        if snapshot is not None and game is not None:
            continued = continue_from(game, self._events(stream, snapshot.sequence, up_to))
            if continued is not None:
                return continued, snapshot.sequence
        events = self._events(stream, 0, up_to)
        if not events:
            raise unknown_game(game_id)
        return replay(events), 0

    def _events(self, stream: str, after: int, up_to: int | None) -> list[Event]:
        return decoded(self._log.read(stream, after, up_to))

    def _forget(self, loaded: LoadedGame) -> None:
        with self._lock:
            loaded.evicted = True
            if self._games.get(loaded.game_id) is loaded:
                del self._games[loaded.game_id]

    def _evict_surplus(self) -> None:
        with self._lock:
            spare = list(self._games.values())[: max(0, len(self._games) - self._games_in_memory)]
        for loaded in spare:
            if loaded.lock.acquire(blocking=False):
                try:
                    self.keep_snapshot(loaded, self._events_at_eviction)
                    self._forget(loaded)
                finally:
                    loaded.lock.release()


def trusted(snapshot: Snapshot | None) -> Game | None:
    """The state of a snapshot, `None` if it is missing or cannot be used."""
    if snapshot is None:
        return None
    return decode_snapshot(snapshot.payload, snapshot.schema, snapshot.sequence)


def continue_from(game: Game, tail: list[Event]) -> Game | None:
    """Fold the events after `game` into it; `None` if one of them undoes something before it."""
    base = game.sequence
    shifted: list[Event] = []
    for event in tail:
        if isinstance(event, Undone):
            if event.to_sequence < base:
                return None
            shifted.append(Undone(event.player, event.to_sequence - base))
        else:
            shifted.append(event)
    for kept in effective(shifted):
        if kept is None:
            game.sequence += 1
        else:
            apply(game, kept)
    return game
