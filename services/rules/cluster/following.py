"""Games as a replica reads them: over its copy of the log, which other processes write."""

from __future__ import annotations

import sys
from collections import OrderedDict
from collections.abc import Callable, Mapping
from threading import Lock

from services.common.eventlog.port import Appended, Archived, EventLog, Snapshot, SnapshotStore
from services.common.kafka.copybatch import Applied
from services.common.notifier import Notifier
from services.gen.signalbox.log.v1 import log_pb2 as pb
from services.rules.history import STREAM_PREFIX, EventRange
from services.rules.kernel.game import Game
from services.rules.kernel.title import Title
from services.rules.sessions import GAMES_IN_MEMORY, GameSessions, LoadedGame, UnknownGameError

GAMES_NOTED = 100_000
NEVER = sys.maxsize
STATES_IN_MEMORY = 8


class _NoSnapshots:
    """Readers store no snapshots: the owner of a game does. One may be read from Kafka before the events it rests on: it is
    passed over until they are there."""

    def __init__(self, copy: SnapshotStore, log: EventLog) -> None:
        self._copy = copy
        self._log = log
        self.forget = copy.forget

    def latest(self, stream: str, up_to: int | None = None) -> Snapshot | None:
        """See `SnapshotStore.latest`."""
        found = self._copy.latest(stream, up_to)
        while found is not None and not self._log.read(stream, found.sequence - 1, found.sequence):
            found = self._copy.latest(stream, found.sequence - 1)
        return found

    def put(self, stream: str, sequence: int, schema: int, payload: bytes) -> None:
        """See `SnapshotStore.put`."""


class FollowingSessions(GameSessions):
    """Games in memory that follow the copy: the next access to a game folds in its new events."""

    def __init__(
        self,
        log: EventLog,
        snapshots: SnapshotStore,
        titles: Mapping[str, Title],
        notifier: Notifier,
        catch_up: Callable[[str], None],
        games_in_memory: int = GAMES_IN_MEMORY,
    ) -> None:
        """`catch_up` brings the copy up to date for one game, or raises `Unavailable`."""
        super().__init__(log, _NoSnapshots(snapshots, log), titles, games_in_memory, NEVER, STATES_IN_MEMORY)
        self._notifier = notifier
        self._catch_up = catch_up
        self._reached: OrderedDict[str, int] = OrderedDict()
        self._reached_lock = Lock()

    def applied(self, applied: Applied, game: Game | None = None) -> None:
        """The copy has processed a commit; called in the thread that gave it that. `game`: the state after it, where the owner
        is in this process."""
        commit, result = applied.commit, applied.result
        if not commit.stream.startswith(STREAM_PREFIX):
            return
        game_id = commit.stream.removeprefix(STREAM_PREFIX)
        if isinstance(result, Archived):
            # It was learned that the rest is in the archive before it was read here: a game in memory is older than that.
            self._note(game_id, result.actual)
        elif isinstance(result, Appended):
            self._note(game_id, result.last)
            self._add_request(game_id, commit, result)
            if game is not None and game.sequence == result.last:
                self._advance(game_id, game, result.first)
        else:
            return
        self._notifier.publish(game_id)

    def _add_request(self, game_id: str, commit: pb.Commit, result: Appended) -> None:
        loaded = self.cached(game_id)
        if loaded is not None:
            request, events = commit.request, EventRange(result.first, result.last)
            loaded.history.add(request.request_id, request.player, events)

    def _advance(self, game_id: str, game: Game, first: int) -> None:
        """Take over the state after the events from `first` on, where the state here is the one before them. The owner waits
        for no reader: where one folds just now, the next one folds these events as well."""
        loaded = self.cached(game_id)
        if loaded is not None and loaded.lock.acquire(blocking=False):
            try:
                if loaded.game.sequence == first - 1:
                    loaded.advance(game)
            finally:
                loaded.lock.release()

    def _note(self, game_id: str, sequence: int) -> None:
        with self._reached_lock:
            self._reached[game_id] = sequence
            self._reached.move_to_end(game_id)
            oldest = self._reached.popitem(last=False)[0] if len(self._reached) > GAMES_NOTED else None
        if oldest is not None:
            self.forget(lambda each: each == oldest)

    def get(self, game_id: str) -> LoadedGame:
        """The game as the copy has it. Raises `UnknownGameError`, and `Unavailable` if the copy may be behind."""
        try:
            loaded = super().get(game_id)
        except UnknownGameError:
            # Also where the copy was not behind: it may have caught up since the first look.
            self._catch_up(game_id)
            loaded = super().get(game_id)
        reached = self._reached.get(game_id, 0)
        if loaded.game.sequence < reached:
            with loaded.lock:
                self.refresh(loaded)
        return loaded
