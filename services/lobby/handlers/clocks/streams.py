"""Changes of the clock stream of a table: decided from the clocks, appended at the version for which they were decided."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

import msgspec

from services.common.auth.tokens import Principal
from services.common.eventlog.port import EventLog
from services.lobby.clock_directory import CLOCK_STREAM, ClockCounts, ClockDirectory
from services.lobby.domain.rejections import Rejection, RejectionReason
from services.lobby.domain.table_clocks import (
    BY_DIRECTORS,
    ClockEvent,
    PlayedTurn,
    TableClocks,
    evolve_clocks,
)
from services.lobby.domain.tables import Table
from services.lobby.handlers.requests import content_hash
from services.lobby.handlers.stream_changes import StreamChanges
from services.lobby.ports import Freshness

REQUESTS_MAX = 500
"""Of directors at one table, and of an account for all tables: they make the log of these clocks longer."""
REQUESTS_OF_SEAT_MAX = 100
"""Of the bearers of a seat, so that nobody takes the others' changes from them."""


class EndTimes(msgspec.Struct, frozen=True):
    """By seat: the playing time of all turns in ms, and what overdue turns cost as the policy counts it; and the turns."""

    used_ms: Mapping[str, int]
    costs: Mapping[str, int]
    played: tuple[PlayedTurn, ...]


class ClockStreams:
    """The clocks of tables, and their changes."""

    def __init__(
        self, log: EventLog, freshen: Freshness, prefix: str = CLOCK_STREAM, path: Path | None = None
    ) -> None:
        """`prefix`: of the streams; what follows it is the id of a table, or of whom else they are about. `path`: see
        `ClockDirectory`."""
        self._freshen = freshen
        self._prefix = prefix
        self._directory = ClockDirectory(log, prefix, path)
        self._changes = StreamChanges(log, freshen, "these clocks")

    def get(self, table_id: str) -> TableClocks:
        """The clocks of a table, as they were when they last changed. Raises `UnknownRecord`."""
        return self._directory.get(table_id)

    def counts(self) -> ClockCounts:
        """How many clocks run and wait."""
        return self._directory.counts()

    def held(self) -> list[str]:
        """Ids of the tables whose clocks stand still because the ledger holds the game."""
        return self._directory.held()

    def close(self) -> None:
        """Keep what is folded. May be called again."""
        self._directory.close()

    def at_end(self, table: Table) -> EndTimes | None:
        """What the clocks say about a game that has ended; None without a clock policy."""
        if table.clock is None:
            return None
        clocks = self.get(table.table_id)
        if clocks.costs_after(table.result_sequence) is None:
            # The clocks are charged before the end is recorded, but may be in another part of the log.
            self._freshen()
            clocks = self.get(table.table_id)
        seats = () if clocks.charged is None else clocks.charged.clocks
        return EndTimes(
            {each.seat: each.bank.used_ms for each in seats},
            clocks.costs_after(table.result_sequence) or {},
            clocks.played,
        )

    def note(
        self, table_id: str, decide: Callable[[TableClocks], tuple[ClockEvent, ...]]
    ) -> tuple[ClockEvent, ...]:
        """Records what is decided, with nobody's request; the events, none where nothing was. Raises `Unavailable`."""
        return self._changes.note(self._prefix + table_id, partial(self.get, table_id), decide)

    def change(
        self,
        caller: Principal,
        request_id: str,
        table_id: str,
        content: tuple[object, ...],
        decide: Callable[[TableClocks], tuple[ClockEvent, ...] | Rejection],
        seat: str = BY_DIRECTORS,
    ) -> TableClocks | Rejection:
        """The clocks after a request for a seat. A repeated one changes nothing. Raises `InvalidRequest`, `Unavailable`."""
        get = partial(self.get, table_id)
        return self._changes.change(
            caller,
            request_id,
            self._prefix + table_id,
            content_hash(*content),
            get,
            decide,
            evolve_clocks,
            repeated=lambda _: get(),
            reject_more=partial(_reject_more, seat, _most(seat, table_id)),
        )


def _reject_more(seat: str, most: int, clocks: TableClocks) -> Rejection | None:
    if clocks.requests.get(seat, 0) < most:
        return None
    return Rejection(RejectionReason.TOO_MUCH_RECORDED, f"There were {most} such changes of these clocks.")


def _most(seat: str, whose: str) -> int:
    """How many changes are possible. Clocks of an account have its id in the place of a seat."""
    return REQUESTS_MAX if seat in (BY_DIRECTORS, whose) else REQUESTS_OF_SEAT_MAX
