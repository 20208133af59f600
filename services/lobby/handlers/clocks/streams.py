"""Changes of the clock stream of a table: decided from the clocks, appended at the version for which they were decided."""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce

from services.common.auth.tokens import Principal
from services.common.errors import Unavailable
from services.common.eventlog.port import Appended, EventLog
from services.lobby.clock_directory import CLOCK_STREAM, ClockDirectory
from services.lobby.domain.rejections import Rejection, RejectionReason
from services.lobby.domain.table_clocks import ClockEvent, TableClocks, evolve_clocks
from services.lobby.event_codec import encode
from services.lobby.handlers.requests import check_request_id, content_hash, request_record, reused, scoped
from services.lobby.ports import Freshness

RACES_MAX = 20
REQUESTS_MAX = 500
"""Of players and directors at one table: they make the log of its clocks longer."""
CROWDED = "too many concurrent changes of these clocks; send the request again"


class ClockStreams:
    """The clocks of tables, and their changes."""

    def __init__(self, log: EventLog, freshen: Freshness) -> None:
        self._log = log
        self._freshen = freshen
        self._directory = ClockDirectory(log)

    def get(self, table_id: str) -> TableClocks:
        """The clocks of a table, as they were when they last changed. Raises `UnknownRecord`."""
        return self._directory.get(table_id)

    def note(
        self, table_id: str, decide: Callable[[TableClocks], tuple[ClockEvent, ...]]
    ) -> tuple[ClockEvent, ...]:
        """Records what is decided, with nobody's request; the events, none where nothing was. Raises `Unavailable`."""
        for _ in range(RACES_MAX):
            clocks = self.get(table_id)
            events = decide(clocks)
            if not events:
                return ()
            records = [encode(each) for each in events]
            if isinstance(self._log.append(CLOCK_STREAM + table_id, clocks.version, records), Appended):
                return events
            self._freshen()
        raise Unavailable(CROWDED)

    def change(
        self,
        caller: Principal,
        request_id: str,
        table_id: str,
        content: tuple[object, ...],
        decide: Callable[[TableClocks], tuple[ClockEvent, ...] | Rejection],
    ) -> TableClocks | Rejection:
        """The clocks after a request. A repeated one changes nothing. Raises `InvalidRequest`, `Unavailable`."""
        check_request_id(request_id)
        stream, hashed = CLOCK_STREAM + table_id, content_hash(*content)
        for _ in range(RACES_MAX):
            clocks = self.get(table_id)
            known = self._log.outcome(stream, scoped(caller, request_id))
            if known is not None:
                return clocks if known.content_hash == hashed else reused()
            decided = decide(clocks)
            if isinstance(decided, Rejection):
                self._freshen()
                if self.get(table_id).version == clocks.version:
                    return decided
                continue
            if clocks.requests >= REQUESTS_MAX:
                return Rejection(
                    RejectionReason.TOO_MUCH_RECORDED, f"There were {REQUESTS_MAX} changes of these clocks."
                )
            request = request_record(caller, request_id, hashed, clocks.version + len(decided))
            records = [encode(each) for each in decided]
            if isinstance(self._log.append(stream, clocks.version, records, request), Appended):
                return reduce(evolve_clocks, decided, clocks)
            self._freshen()
        raise Unavailable(CROWDED)
