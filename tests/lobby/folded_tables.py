"""All tables of a log in memory, folded anew for each question: what a directory must answer."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

from services.common.clock import ManualClock
from services.common.eventlog.memory import MemoryEventLog
from services.common.eventlog.port import EventLog, Record
from services.lobby.directory import TABLE_STREAM, TableDirectory
from services.lobby.domain.quotas import Usage
from services.lobby.domain.tables import BrokenTableLog, Table, TableState, evolve
from services.lobby.domain.visibility import STRANGER, Viewer, is_listed_for
from services.lobby.event_codec import UnknownRecord, decode
from services.lobby.handlers.requests import game_id_of
from services.lobby.usage import UsageChanges
from tests.lobby.random_tables import ACCOUNTS, TITLES, RandomTables

Asked = dict[str, object]
UNREADABLE = "unreadable"


def keep_tables(log: EventLog, path: Path) -> None:
    """Fold what is in the log into the file, as a process that ends in order."""
    directory = TableDirectory(log, path)
    directory.count(TableState.OPEN)
    directory.close()


class FoldedTables:
    """Everything that is in a log now."""

    def __init__(self, log: EventLog) -> None:
        self.tables: dict[str, Table] = {}
        self.opened: dict[str, int] = {}
        self.games: dict[str, str] = {}
        self.unreadable: set[str] = set()
        self._usage = UsageChanges()
        for record in log.read_all(0, 10**6, TABLE_STREAM):
            table_id = record.stream.removeprefix(TABLE_STREAM)
            if table_id in self.unreadable:
                continue
            known = self.tables.get(table_id)
            try:
                event = decode(record)
                table = self.tables[table_id] = evolve(known, event)
            except (UnknownRecord, BrokenTableLog):
                self.unreadable.add(table_id)
                self.games[game_id_of(table_id)] = table_id
                if known is not None:
                    self._usage.drop(self.tables.pop(table_id))
                continue
            self._usage.follow(known, event, table, record)
            self.opened.setdefault(table_id, record.position)
            if table.game_id:
                self.games[table.game_id] = table_id

    def answers(self, ids: list[str]) -> Asked:
        """To all questions of `asked`."""
        found: Asked = {f"get {each}": self._get(each) for each in ids}
        found |= {f"of game {each}": self._get(self.games.get(game_id_of(each), "")) for each in ids}
        usage = self._usage.by_player()
        found |= {f"usage {each}": usage.get(each, Usage()) for each in ACCOUNTS}
        for state in TableState:
            of_state = [each for each in self.tables.values() if each.state is state]
            found[f"in {state}"] = sorted(of_state, key=lambda each: self.opened[each.table_id])
            found[f"count {state}"] = len(of_state)
        for wanted in lists():
            found[f"pages {wanted}"] = self._pages(*wanted)
        return found

    def _get(self, table_id: str) -> Table | str | None:
        return UNREADABLE if table_id in self.unreadable else self.tables.get(table_id)

    def _pages(self, title: str, state: TableState | None, viewer: Viewer) -> list[Table]:
        newest_first = sorted(self.tables.values(), key=lambda each: -self.opened[each.table_id])
        return [
            table
            for table in newest_first
            if title in ("", table.title) and state in (None, table.state) and is_listed_for(table, viewer)
        ]


def lists() -> list[tuple[str, TableState | None, Viewer]]:
    """What pages are asked for."""
    viewers = STRANGER, Viewer("ann"), Viewer("eve"), Viewer("nobody"), Viewer("ann", sees_all=True)
    return [
        (title, state, viewer)
        for title in ("", *TITLES, "none")
        for state in (None, *TableState)
        for viewer in viewers
    ]


def asked(directory: TableDirectory, ids: list[str], size: int) -> Asked:
    """What a directory answers, pages of this size put together."""
    found: Asked = {f"get {each}": _readable(directory.get, each) for each in ids}
    found |= {f"of game {each}": _readable(directory.of_game, game_id_of(each)) for each in ids}
    found |= {f"usage {each}": directory.usage_of(each) for each in ACCOUNTS}
    for state in TableState:
        found[f"in {state}"] = directory.in_state(state)
        found[f"count {state}"] = directory.count(state)
    for wanted in lists():
        found[f"pages {wanted}"] = all_pages(directory, size, *wanted)
    return found


def all_pages(
    directory: TableDirectory, size: int, title: str, state: TableState | None, viewer: Viewer
) -> list[Table]:
    """All pages of a list, one after another."""
    found, token = directory.page(size, "", title, state, viewer)
    while token:
        more, token = directory.page(size, token, title, state, viewer)
        found += more
    return found


def _readable(ask: Callable[[str], Table | None], wanted: str) -> Table | str | None:
    try:
        return ask(wanted)
    except UnknownRecord:
        return UNREADABLE


class CountingLog(MemoryEventLog):
    """Counts the records that are read on from a position."""

    def __init__(self) -> None:
        super().__init__(ManualClock())
        self.records = 0

    def read_all(self, after_position: int = 0, limit: int = 1000, prefix: str = "") -> list[Record]:
        """See `EventLog.read_all`."""
        found = super().read_all(after_position, limit, prefix)
        self.records += len(found)
        return found


def as_on_disk(path: Path, number: int) -> Path:
    """The file as a process that was killed now would leave it."""
    copy = path.with_name(f"killed-{number}.db")
    for end in ("", "-wal"):
        if path.with_name(path.name + end).exists():
            shutil.copy(path.with_name(path.name + end), copy.with_name(copy.name + end))
    return copy


def assert_right(directory: TableDirectory, log: EventLog, tables: RandomTables, size: int = 3) -> None:
    """A directory answers as the fold in memory does."""
    wanted, found = FoldedTables(log).answers(tables.ids), asked(directory, tables.ids, size)
    assert {name: each for name, each in found.items() if wanted[name] != each} == {}
