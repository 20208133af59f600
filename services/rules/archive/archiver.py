"""Puts finished games into the archive, learns what others put there or deleted, and takes a game out again that goes on.

Each step may be cut off by a kill: an object is written and read back before anything is dropped here, the same is written
again under the same or another name without harm, and what is known here follows from the names in the archive.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable, Iterable, Iterator
from itertools import chain, islice
from queue import Empty, SimpleQueue
from threading import Event

from prometheus_client import CollectorRegistry

from services.common.archive.contents import written
from services.common.archive.log import ArchivedEventLog
from services.common.archive.names import ObjectName, content_name
from services.common.archive.store import DAY_MS, ArchiveStore
from services.common.clock import Clock, SystemClock
from services.common.eventlog.archived import BROUGHT_BACK, DELETED, IN_ARCHIVE, Marker
from services.common.eventlog.port import LogClosed
from services.common.objectstore.port import StoreRefused, StoreUnavailable
from services.common.process.crashpoints import reach
from services.common.process.threads import ServiceThread
from services.common.telemetry.logs import get_logger
from services.rules.archive.finding import DueGame, DueGames
from services.rules.archive.metrics import ArchiveMetrics
from services.rules.history import STREAM_PREFIX, stream_of
from services.rules.kernel.values import EVERYBODY

NAMES_AT_ONCE = 5_000
# Who asked for a game to be brought back needs some time to use it.
LEFT_SECONDS = 3_600.0
RETRY_SECONDS = 15.0
REST = 3.0

# What no game is to blame for: the next one would fare no better.
OF_ALL_GAMES = (LogClosed, StoreRefused, StoreUnavailable, sqlite3.Error)

Check = Callable[[str], bool]


class Archiver:
    """Works in a thread of its own between `start` and `close`."""

    def __init__(
        self,
        store: ArchiveStore,
        log: ArchivedEventLog,
        registry: CollectorRegistry,
        *,
        after_ms: int,
        every_seconds: float,
        is_own: Check = lambda _: True,
        is_kept: Check = lambda _: False,
        clock: Clock | None = None,
    ) -> None:
        """`after_ms`: how long after its last event a finished game is archived. `is_own`: whether this process archives the
        game of an id; `is_kept`: whether it stays where it is."""
        self._store = store
        self._log = log
        self._archived = log.archived
        self._after_ms = after_ms
        self._every_seconds = every_seconds
        self._clock = clock or SystemClock()
        self._brought_back: dict[str, float] = {}
        self._is_kept = is_kept
        self._is_own = is_own
        self._due = DueGames(log, self._archived, lambda game: not is_own(game) or self._stays(game))
        self._metrics = ArchiveMetrics(registry)
        self._said = get_logger("archive")
        self._wanted: SimpleQueue[str] = SimpleQueue()
        self._wake = Event()
        self._has_listed = Event()
        self._is_closing = False
        self._listed_ms = 0
        self._thread: ServiceThread | None = None

    def start(self) -> None:
        """Begin; the first step is to learn what is in the archive. May be called again."""
        if self._thread is not None or self._is_closing:
            return
        self._thread = ServiceThread("archiver", self._work)
        self._thread.start()

    def wait_listed(self, seconds: float) -> bool:
        """Wait until it is known here what is in the archive; False if that takes longer."""
        return self._has_listed.wait(seconds)

    def want(self, game_id: str) -> None:
        """Take a game out of the archive soon: somebody wants to go on with it."""
        self._wanted.put(game_id)
        self._wake.set()

    def close(self, seconds: float = 5.0) -> None:
        """End. A call of the store that hangs is not waited for longer. May be called again."""
        self._is_closing = True
        self._wake.set()
        if self._thread is not None:
            self._thread.join(seconds)
            self._thread = None

    def _work(self) -> None:
        pass_at = float("-inf")
        while not self._is_closing:
            self._wake.clear()
            try:
                self.bring_back()
                if time.monotonic() >= pass_at:
                    if done := self.run_once(REST):
                        self._said.info("games archived", games=done)
                    pass_at = time.monotonic() + self._every_seconds
            except LogClosed:
                return
            except Exception as problem:
                self._metrics.games.labels("failed").inc()
                self._said.error("the archive is tried again", problem=repr(problem))
                pass_at = time.monotonic() + min(RETRY_SECONDS, self._every_seconds)
            self._wake.wait(max(0.0, pass_at - time.monotonic()))

    def run_once(self, rest: float = 0.0) -> int:
        """Learn, bring back and archive; returns how many games were archived. Raises `StoreError`, `sqlite3.Error`.

        After each game it rests `rest` times as long as that took: games in play need the processor."""
        self.learn()
        self._take_out(chain(self._archived.gone_on(), self._cut_off()))
        done, has_failed = 0, False
        for last in self._due.old(self._clock.now_ms() - self._after_ms):
            if self._is_closing:
                return done
            began = time.monotonic()
            try:
                due = self._due.due(last)
                if due is None:
                    continue
                done += self._archive(due)
            except OF_ALL_GAMES:
                raise
            except Exception as problem:
                # Whatever is wrong with one game, the next ones are archived.
                has_failed = True
                self._note_failed("game not archived", last.stream, problem)
            if self._wake.wait(rest * (time.monotonic() - began)):
                self._wake.clear()
                self.bring_back()
        self._metrics.known.set(self._archived.count())
        if not has_failed:
            self._metrics.passed.set_to_current_time()
        return done

    def _note_failed(self, what: str, stream: str, problem: Exception) -> None:
        self._metrics.games.labels("failed").inc()
        self._said.error(what, game_id=stream.removeprefix(STREAM_PREFIX), problem=repr(problem))

    def learn(self) -> int:
        """Take over what is in the archive: all of it at first, then what came since a day before the last look."""
        now_ms = self._clock.now_ms()
        since_ms = max(0, self._listed_ms - DAY_MS)
        learned = 0
        for found, state in (
            (self._store.games(since_ms), IN_ARCHIVE),
            (self._store.deleted(since_ms), DELETED),
        ):
            for names in _in_portions(found):
                learned += self._archived.learn(
                    [Marker(each.stream, each.sequence, _object_of(each, state), state) for each in names]
                )
        self._listed_ms = now_ms
        self._has_listed.set()
        return learned

    def bring_back(self) -> None:
        """Take out the games that are wanted. Raises `StoreError`."""
        self._take_out(self._wanted_markers())

    def _take_out(self, markers: Iterable[Marker]) -> None:
        for marker in markers:
            try:
                self._bring_back(marker)
            except OF_ALL_GAMES:
                raise
            except Exception as problem:
                self._note_failed("game not brought back", marker.stream, problem)

    def _bring_back(self, marker: Marker) -> None:
        game_id = marker.stream.removeprefix(STREAM_PREFIX)
        self._store.note_live(game_id, marker.sequence)
        reach("archive.after-live")
        # Who deletes says so before looking for games that were taken out: one of the two sees the other.
        deleted = self._store.recent_deletion(game_id, self._clock.now_ms())
        if deleted is not None and deleted.sequence == marker.sequence:
            self._archived.learn([Marker(marker.stream, marker.sequence, deleted.name, DELETED)])
            return
        found = self._store.get(marker.object, marker.stream, marker.sequence)
        if self._archived.bring_back(marker, found.records, found.requests):
            self._brought_back[game_id] = time.monotonic()
            self._metrics.games.labels("brought_back").inc()
            self._said.info("game brought back", game_id=game_id, sequence=marker.sequence)

    def _cut_off(self) -> Iterator[Marker]:
        """Own games of which it was said that they are taken out, and which were not: a kill came between. As long as that is
        said nobody deletes them. Taken out they go to the archive again in their time, and it is said no longer."""
        for each in self._store.live():
            marker = self._archived.find(each.stream)
            if (
                marker is not None
                and (marker.state, marker.sequence) == (IN_ARCHIVE, each.sequence)
                and self._is_own(each.game_id)
            ):
                yield marker

    def _wanted_markers(self) -> Iterator[Marker]:
        while True:
            try:
                game_id = self._wanted.get_nowait()
            except Empty:
                return
            marker = self._archived.find(stream_of(game_id))
            if marker is not None and marker.state == IN_ARCHIVE:
                yield marker

    def _stays(self, game_id: str) -> bool:
        back_at = self._brought_back.get(game_id)
        if back_at is not None and time.monotonic() - back_at < LEFT_SECONDS:
            return True
        self._brought_back.pop(game_id, None)
        return self._is_kept(game_id)

    def _archive(self, due: DueGame) -> bool:
        """Whether the game is in the archive now, and here no more."""
        stream, sequence = stream_of(due.game_id), due.records[-1].sequence
        before = self._archived.find(stream)
        if before is not None and (before.state, before.sequence) == (BROUGHT_BACK, sequence):
            name = before.object
            self._store.get(name, stream, sequence)
            self._store.forget_live(due.game_id, sequence)
        else:
            name = self._put(due)
        reach("archive.after-put")
        self._store.list_game(due.game_id, sequence, self._clock.now_ms())
        reach("archive.after-list")
        is_done = self._archived.archive(stream, sequence, name)
        reach("archive.after-drop")
        if is_done:
            self._metrics.games.labels("archived").inc()
        return is_done

    def _put(self, due: DueGame) -> str:
        requests = self._log.requests(stream_of(due.game_id))
        restricted = due.game.audience != EVERYBODY
        heading, content = written(due.game.title, due.game.players, restricted, due.records, requests)
        name = self._store.put(due.game_id, heading, content)
        self._metrics.bytes.inc(len(content))
        return name


def _object_of(name: ObjectName, state: int) -> str:
    """What is kept in a row: the object with the game, or of a deleted one what says so."""
    return name.name if state == DELETED else content_name(name.game_id, name.sequence)


def _in_portions(names: Iterable[ObjectName]) -> Iterator[list[ObjectName]]:
    left = iter(names)
    while portion := list(islice(left, NAMES_AT_ONCE)):
        yield portion
