"""Streams of tables as they change: changes are read once for all watchers."""

import asyncio
import sys
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager

import msgspec

from services.common.errors import InvalidRequest
from services.common.eventlog.port import EventLog, Record, Subscription
from services.common.watching.readers import Readers
from services.common.watching.waking import Topic, Waker
from services.lobby.directory import TABLE_STREAM, TableDirectory
from services.lobby.domain.tables import Table, TableState
from services.lobby.event_codec import UnknownRecord

WATCH_SECONDS = 0.25
CHANGES_KEPT = 1_000
RECORDS_AT_ONCE = 1_000
NEVER = sys.maxsize


class WatchedTable(msgspec.Struct, frozen=True):
    """A table that changed, and the position from which to resume after it."""

    table: Table
    position: int


class TableWatchHandlers:
    """Sends tables to watchers. Watches are used on one event loop."""

    def __init__(self, log: EventLog, directory: TableDirectory, get: Callable[[str], Table]) -> None:
        """`get`: one table as it is now. Raises `NotFound`, `UnknownRecord`."""
        self._log = log
        self._directory = directory
        self._get = get
        self._readers = Readers()
        self._follower = Readers(1)
        self._topic = Topic(Waker())
        self._watchers = 0
        self._following: asyncio.Task[None] | None = None
        self._changes: deque[WatchedTable] = deque()
        # All changes after this position are kept.
        self._kept_after = NEVER

    async def watch(self, after_position: int, table_id: str) -> AsyncIterator[WatchedTable]:
        """Tables as they change; from position 0 the open ones (or the one asked for) first.

        Raises `InvalidRequest` for a negative position, `NotFound` for an unknown table.
        """
        if after_position < 0:
            raise InvalidRequest("after_position must not be negative")
        with self._joined():
            position, tables = await self._readers.read(lambda: self._first(after_position, table_id))
            sent: dict[str, int] = {}
            changes = [WatchedTable(table, position) for table in tables]
            while True:
                for change in changes:
                    changed = change.table
                    is_wanted = table_id in ("", changed.table_id)
                    if is_wanted and changed.version > sent.get(changed.table_id, 0):
                        sent[changed.table_id] = changed.version
                        yield change
                version = self._topic.version
                position, changes = await self._after(position)
                if not changes:
                    await self._topic.changed_since(version)

    def _first(self, after_position: int, table_id: str) -> tuple[int, list[Table]]:
        tables = [self._get(table_id)] if table_id else []
        if after_position:
            return after_position, []
        position = self._log.last_position()
        return position, tables or self._directory.in_state(TableState.OPEN)

    async def _after(self, position: int) -> tuple[int, list[WatchedTable]]:
        """The changes after a position that are known, and the position after them."""
        if position < self._kept_after:
            return await self._readers.read(lambda: self._earlier(position))
        changes = [change for change in self._changes if change.position > position]
        return (changes[-1].position if changes else position), changes

    def _earlier(self, position: int) -> tuple[int, list[WatchedTable]]:
        """The next changes after a position from which no changes are kept."""
        newest = self._log.last_position()
        records = self._log.read_all(position, RECORDS_AT_ONCE, TABLE_STREAM)
        reached = records[-1].position if len(records) == RECORDS_AT_ONCE else newest
        return reached, self._changed(records, reached)

    def _changed(self, records: list[Record], position: int) -> list[WatchedTable]:
        changed = []
        for table_id in dict.fromkeys(record.stream.removeprefix(TABLE_STREAM) for record in records):
            try:
                changed.append(WatchedTable(self._get(table_id), position))
            except UnknownRecord:
                # The directory has logged why.
                continue
        return changed

    @contextmanager
    def _joined(self) -> Iterator[None]:
        """Follow the log while anybody watches."""
        self._watchers += 1
        if self._following is None:
            self._following = asyncio.ensure_future(self._follow())
        try:
            yield
        finally:
            self._watchers -= 1

    async def _follow(self) -> None:
        subscription = await self._follower.read(self._subscribe)
        self._kept_after = subscription.position
        self._topic.changed()
        try:
            while self._watchers:
                changes = await self._follower.read(lambda: self._next(subscription))
                self._changes.extend(changes)
                while len(self._changes) > CHANGES_KEPT:
                    self._kept_after = self._changes.popleft().position
                if changes:
                    self._topic.changed()
        finally:
            self._following = None
            self._kept_after = NEVER
            self._changes.clear()
            subscription.close()

    def _subscribe(self) -> Subscription:
        return self._log.subscribe(self._log.last_position(), TABLE_STREAM)

    def _next(self, subscription: Subscription) -> list[WatchedTable]:
        records = subscription.wait(WATCH_SECONDS)
        return self._changed(records, subscription.position)
