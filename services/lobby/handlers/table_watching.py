"""Streams of tables as they change: changes are read and encoded once for all watchers."""

import asyncio
import sys
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager
from itertools import takewhile

import msgspec

from services.common.errors import InvalidRequest
from services.common.eventlog.port import EventLog, Record, Subscription
from services.common.eventlog.unread import next_records
from services.common.watching.readers import Readers
from services.common.watching.waking import Topic, Waker
from services.lobby.directory import TABLE_STREAM, TableDirectory
from services.lobby.domain.tables import Table, TableState
from services.lobby.domain.visibility import (
    STRANGER,
    Viewer,
    as_seen,
    hides_changes,
    is_listed_for,
    may_see,
    sees_now,
)
from services.lobby.event_codec import UnknownRecord, decode

WATCH_SECONDS = 0.25
CHANGES_KEPT = 1_000
NEVER = sys.maxsize
FOLLOWER = "follower"


class WatchedTable(msgspec.Struct, frozen=True):
    """A table that changed, and the position from which to resume after it."""

    table: Table
    position: int
    encoded: bytes
    """Both as a message."""
    is_unseen: bool = False
    """Nothing has changed for those who see the game of the table later."""


class TableWatchHandlers:
    """Sends tables to watchers. Watches are used on one event loop."""

    def __init__(
        self,
        log: EventLog,
        directory: TableDirectory,
        get: Callable[[str], Table],
        seen: Callable[[str, Viewer], Table],
        encode: Callable[[Table, int], bytes],
    ) -> None:
        """`get`: one table as it is now; raises `NotFound`, `UnknownRecord`; `seen`: for a viewer.
        `encode`: a table and a position as a message."""
        self._log = log
        self._directory = directory
        self._get = get
        self._seen = seen
        self._encode = encode
        self._readers = Readers()
        self._follower = Readers(1)
        self._topic = Topic(Waker())
        self._watchers = 0
        self._following: asyncio.Task[None] | None = None
        self._changes: deque[WatchedTable] = deque()
        # All changes after this position are kept.
        self._kept_after = NEVER

    async def watch(
        self, after_position: int, table_id: str, caller: str, viewer: Viewer = STRANGER
    ) -> AsyncIterator[WatchedTable]:
        """Tables as they change; from position 0 the open ones (or the one asked for) first. `caller`: who watches, and as what
        `viewer`: a change that the viewer may not see is left out.

        Raises `InvalidRequest` for a negative position, `NotFound` for an unknown table.
        """
        is_shown = may_see if table_id else is_listed_for
        if after_position < 0:
            raise InvalidRequest("after_position must not be negative")
        with self._joined():
            position, changes = await self._readers.read(
                caller, lambda: self._first(after_position, table_id, viewer)
            )
            sent: dict[str, int] = {}
            while True:
                for change in changes:
                    changed = change.table
                    is_wanted = (
                        table_id in ("", changed.table_id)
                        and is_shown(changed, viewer)
                        # That a message comes would say as much as what is in it.
                        and (not change.is_unseen or sees_now(changed, viewer))
                    )
                    if is_wanted and changed.version > sent.get(changed.table_id, 0):
                        sent[changed.table_id] = changed.version
                        yield self._as_seen(change, viewer)
                version = self._topic.version
                position, changes = await self._after(position, caller)
                if not changes:
                    await self._topic.changed_since(version)

    def _first(self, after_position: int, table_id: str, viewer: Viewer) -> tuple[int, list[WatchedTable]]:
        tables = [self._seen(table_id, viewer)] if table_id else []
        if after_position:
            return after_position, []
        position = self._log.last_position()
        tables = tables or self._directory.in_state(TableState.OPEN)
        return position, [self._watched(table, position) for table in tables]

    async def _after(self, position: int, caller: str) -> tuple[int, list[WatchedTable]]:
        """The changes after a position that are known, and the position after them."""
        if position < self._kept_after:
            return await self._readers.read(caller, lambda: self._earlier(position))
        # Mostly the last one of many.
        newest_first = takewhile(lambda change: change.position > position, reversed(self._changes))
        changes = list(newest_first)[::-1]
        return (changes[-1].position if changes else position), changes

    def _earlier(self, position: int) -> tuple[int, list[WatchedTable]]:
        """The next changes after a position from which no changes are kept."""
        records, reached = next_records(self._log, position, TABLE_STREAM)
        return reached, self._changed(records, reached)

    def _changed(self, records: list[Record], position: int) -> list[WatchedTable]:
        changed = []
        by_table: dict[str, list[Record]] = {}
        for record in records:
            by_table.setdefault(record.stream.removeprefix(TABLE_STREAM), []).append(record)
        for table_id, new in by_table.items():
            try:
                table = self._get(table_id)
                is_unseen = hides_changes(table, map(decode, new))
                changed.append(self._watched(table, position, is_unseen))
            except UnknownRecord:
                # The directory has logged why.
                continue
        return changed

    def _watched(self, table: Table, position: int, is_unseen: bool = False) -> WatchedTable:
        return WatchedTable(table, position, self._encode(table, position), is_unseen)

    def _as_seen(self, change: WatchedTable, viewer: Viewer) -> WatchedTable:
        shown = as_seen(change.table, viewer)
        return change if shown is change.table else self._watched(shown, change.position)

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
        subscription = await self._follower.read(FOLLOWER, self._subscribe)
        self._kept_after = subscription.position
        self._topic.changed()
        try:
            while self._watchers:
                changes = await self._follower.read(FOLLOWER, lambda: self._next(subscription))
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
