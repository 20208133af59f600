"""The archive of a process that has the rules of games: what reads it, and what puts games into it and takes them out."""

from __future__ import annotations

import time
from collections.abc import Callable

from prometheus_client import CollectorRegistry

from services.common.archive.errors import ArchiveUnavailable
from services.common.archive.log import ArchivedEventLog
from services.common.archive.reading import AWAY, ArchiveReader
from services.common.archive.store import DAY_MS, ArchiveStore
from services.common.clock import Clock
from services.common.eventlog.archived import IN_ARCHIVE
from services.common.eventlog.sqlite import SqliteEventLog
from services.common.objectstore.location import open_store
from services.common.process.stopping import StopFlag
from services.common.settings.service import Settings
from services.common.telemetry.logs import get_logger
from services.rules.archive.archiver import Archiver
from services.rules.history import stream_of

BACK_SECONDS = 5.0
LOOK_SECONDS = 0.05


class RulesArchive:
    """Made over the log of a process; works from `start` to `close`. Where no archive is set, there is only `log`."""

    def __init__(
        self,
        settings: Settings,
        log: SqliteEventLog,
        registry: CollectorRegistry,
        clock: Clock | None = None,
        after_ms: int | None = None,
    ) -> None:
        """`after_ms`: in the place of the days that are set. Raises `StoreRefused` for a location that is none."""
        self._owns: Callable[[str], bool] = lambda _: True
        self._keeps: Callable[[str], bool] = lambda _: False
        self._reader: ArchiveReader | None = None
        self._archiver: Archiver | None = None
        if not settings.archive:
            self.log = ArchivedEventLog(log)
            return
        store = ArchiveStore(open_store(settings.archive))
        self._reader = ArchiveReader(store, registry, clock)
        self.log = ArchivedEventLog(log, self._reader)
        """The log with what is in the archive."""
        self._archiver = Archiver(
            store,
            self.log,
            registry,
            after_ms=settings.archive_after_days * DAY_MS if after_ms is None else after_ms,
            every_seconds=settings.archive_every_seconds,
            is_own=lambda game_id: self._owns(game_id),
            is_kept=lambda game_id: self._keeps(game_id),
            clock=clock,
        )

    def keep_games_with(self, owns: Callable[[str], bool], keeps: Callable[[str], bool]) -> None:
        """`owns`: whether this process archives the game of an id; `keeps`: whether a game stays where it is. Before `start`."""
        self._owns, self._keeps = owns, keeps

    @property
    def archiver(self) -> Archiver:
        """The archiver of an archive that is set. Raises `ValueError` where none is."""
        if self._archiver is None:
            raise ValueError("no archive is set")
        return self._archiver

    def start(self) -> None:
        """Begin to archive. May be called again."""
        if self._archiver is not None:
            self._archiver.start()

    def wait_listed(self, seconds: float, stop_event: StopFlag | None) -> None:
        """Wait until it is known what is in the archive, for so long at most."""
        end = time.monotonic() + seconds
        while self._archiver is not None and not self._archiver.wait_listed(LOOK_SECONDS):
            if time.monotonic() > end or (stop_event is not None and stop_event.is_set()):
                get_logger("archive").warning(
                    "what is in the archive is not known yet; games in it are copied"
                )
                return

    def want(self, game_id: str) -> None:
        """Have a game brought back from the archive soon."""
        if self._archiver is not None:
            self._archiver.want(game_id)

    def bring_back(self, game_id: str) -> None:
        """Bring a game back, if it is in the archive. Raises `ArchiveUnavailable`: it may be tried again."""
        end = time.monotonic() + BACK_SECONDS
        if self._is_away(game_id):
            self.want(game_id)
        while self._is_away(game_id):
            if self._archiver is None or time.monotonic() > end:
                raise ArchiveUnavailable(AWAY)
            time.sleep(LOOK_SECONDS)

    def _is_away(self, game_id: str) -> bool:
        marker = self.log.archived.find(stream_of(game_id))
        return marker is not None and marker.state == IN_ARCHIVE

    def close(self) -> None:
        """End. May be called again."""
        if self._archiver is not None:
            self._archiver.close()
        if self._reader is not None:
            self._reader.close()
