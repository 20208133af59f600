"""Hot games: the current state of each in memory, brought back from snapshot and log when it is not.

States are never changed after they were reached, so that anybody may read one without a lock; only whoever moves a
game on holds its lock.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import Lock, RLock

from services.common.eventlog.port import EventLog, Snapshot, SnapshotStore
from services.rules.adapters.codec import decode_event
from services.rules.adapters.snapshots import SNAPSHOT_SCHEMA, decode_snapshot, encode_snapshot
from services.rules.domain.events import Event, Undone
from services.rules.domain.evolve import apply, effective, replay
from services.rules.domain.game import Game
from services.rules.domain.title import Title
from services.rules.domain.titledata import TitleData
from services.rules.history import History, stream_of

GAMES_IN_MEMORY = 256
STATES_IN_MEMORY = 64
EVENTS_PER_SNAPSHOT = 200
GAME_ID_SHOWN_MAX = 64


class UnknownGameError(LookupError):
    """No game has this id."""


class UnreachedSequenceError(LookupError):
    """The game has not reached that sequence, or it is below 1."""


@dataclass(slots=True)
class HotGame:
    """One game in memory. `states` are the latest ones that a request ended in, by sequence."""

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
        """Take over the state after an accepted request."""
        self.game = game
        self.states[game.sequence] = game
        if len(self.states) > self.states_kept:
            self.states.popitem(last=False)


class GameSessions:
    """All games of one log. Games not used for long leave the memory; their events stay where they are."""

    def __init__(
        self,
        log: EventLog,
        snapshots: SnapshotStore,
        titles: Mapping[str, Title],
        games_in_memory: int = GAMES_IN_MEMORY,
        events_at_leaving: int = 1,
        states_in_memory: int = STATES_IN_MEMORY,
    ) -> None:
        """`events_at_leaving`: a game that leaves the memory is snapshot when so many events happened since its last one.
        `states_in_memory`: so many earlier states are kept of each game; others are folded when they are asked for."""
        self._log = log
        self._snapshots = snapshots
        self._titles = titles
        self._games_in_memory = games_in_memory
        self._events_at_leaving = events_at_leaving
        self._states_in_memory = states_in_memory
        self._hot: OrderedDict[str, HotGame] = OrderedDict()
        self._lock = Lock()

    def look(self, game_id: str) -> HotGame:
        """The game for reading. `UnknownGameError` when there is none."""
        with self._lock:
            hot = self._hot.get(game_id)
            if hot is not None:
                self._hot.move_to_end(game_id)
                return hot
        loaded = self._load(game_id)
        with self._lock:
            hot = self._hot.setdefault(game_id, loaded)
        self._make_room()
        return hot

    def known(self, game_id: str) -> HotGame | None:
        """The game if it is in memory."""
        with self._lock:
            return self._hot.get(game_id)

    def fold_in(self, hot: HotGame) -> None:
        """Take the game on to what the log has by now; whoever calls holds its lock."""
        stream = stream_of(hot.game_id)
        tail = self._events(stream, hot.game.sequence, None)
        if tail:
            hot.advance(continue_from(hot.game.copy(), tail) or self._rebuild(hot.game_id)[0])

    @contextmanager
    def moving(self, game_id: str) -> Iterator[HotGame]:
        """The game for whoever moves it on, alone. `UnknownGameError` when there is none.

        Should anything fail meanwhile, the game is read from the log again before its next use."""
        while True:
            hot = self.look(game_id)
            with hot.lock:
                if hot.evicted:
                    continue
                try:
                    yield hot
                except BaseException:
                    self._forget(hot)
                    raise
                return

    def state_at(self, game_id: str, sequence: int) -> Game:
        """The game as it stood after event `sequence`; `UnreachedSequenceError` when it never got there."""
        hot = self.look(game_id)
        current = hot.game
        if sequence == current.sequence:
            return current
        if not 0 < sequence < current.sequence:
            raise UnreachedSequenceError(
                f"the game stands at sequence {current.sequence}, not yet at {sequence}"
            )
        return hot.states.get(sequence) or self._rebuild(game_id, sequence)[0]

    def keep_snapshot(self, hot: HotGame, least_events: int = EVENTS_PER_SNAPSHOT) -> None:
        """Store a snapshot when so many events happened since the last one."""
        game = hot.game
        if game.sequence - hot.snapshot_sequence >= least_events:
            self._snapshots.put(stream_of(hot.game_id), game.sequence, SNAPSHOT_SCHEMA, encode_snapshot(game))
            hot.snapshot_sequence = game.sequence

    def forget(self, is_forgotten: Callable[[str], bool]) -> None:
        """Let the games chosen by id leave the memory; each is read from the log again before its next use."""
        with self._lock:
            chosen = [hot for game_id, hot in self._hot.items() if is_forgotten(game_id)]
        for hot in chosen:
            self._forget(hot)

    def close(self) -> None:
        """Store a snapshot of every hot game, so that it comes back fast."""
        with self._lock:
            games = list(self._hot.values())
        for hot in games:
            with hot.lock:
                self.keep_snapshot(hot, least_events=1)

    def _load(self, game_id: str) -> HotGame:
        game, snapshot_sequence = self._rebuild(game_id)
        title = self._titles.get(game.title)
        if title is None:
            raise UnknownGameError(
                f"game {game_id!r} is of the title {game.title!r}, which is not installed here"
            )
        data = title.load(game.options, game.rulings)
        hot = HotGame(game_id, title, data, game, History(self._log, game_id), snapshot_sequence)
        hot.states_kept = self._states_in_memory
        hot.states[game.sequence] = game
        return hot

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
            raise UnknownGameError(f"no game has the id {game_id[:GAME_ID_SHOWN_MAX]!r}")
        return replay(events), 0

    def _events(self, stream: str, after: int, up_to: int | None) -> list[Event]:
        return [decode_event(record.type, record.payload) for record in self._log.read(stream, after, up_to)]

    def _forget(self, hot: HotGame) -> None:
        with self._lock:
            hot.evicted = True
            if self._hot.get(hot.game_id) is hot:
                del self._hot[hot.game_id]

    def _make_room(self) -> None:
        with self._lock:
            spare = list(self._hot.values())[: max(0, len(self._hot) - self._games_in_memory)]
        for hot in spare:
            if hot.lock.acquire(blocking=False):
                try:
                    self.keep_snapshot(hot, self._events_at_leaving)
                    self._forget(hot)
                finally:
                    hot.lock.release()


def trusted(snapshot: Snapshot | None) -> Game | None:
    """The state of a snapshot, `None` for one that is missing or does not fit."""
    if snapshot is None:
        return None
    return decode_snapshot(snapshot.payload, snapshot.schema, snapshot.sequence)


def continue_from(game: Game, tail: list[Event]) -> Game | None:
    """Fold the events after `game` into it; `None` when one of them takes back something from before it."""
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
