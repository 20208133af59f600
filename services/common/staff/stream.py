"""The log of staff acts on the embedded host: a stream of the event log, followed in process."""

from __future__ import annotations

import threading

from services.common.clock import Clock
from services.common.eventlog.port import Conflict, EventLog
from services.common.staff.acts import UnreadableAct, act_in, record_of
from services.common.staff.log import StaffLog
from services.common.telemetry.logs import get_logger
from services.gen.signalbox.lobby.v1.staff_act_pb2 import StaffAct

STAFF_STREAM = "lobby.staff"


class StreamStaffLog(StaffLog):
    """See `StaffLog`. The process is the only writer of the log."""

    def __init__(self, log: EventLog, clock: Clock) -> None:
        super().__init__(clock)
        self._log = log
        self._sequence = 0
        self._writing = threading.Lock()

    def start(self) -> None:
        """See `StaffLog`."""
        with self._writing:
            self._catch_up()

    def write(self, act: StaffAct) -> None:
        """See `StaffLog`."""
        with self._writing:
            self._catch_up()
            if act.act_id in self._known:
                return
            while isinstance(self._log.append(STAFF_STREAM, self._sequence, [record_of(act)]), Conflict):
                self._catch_up()
            self._catch_up()

    def _catch_up(self) -> None:
        for record in self._log.read(STAFF_STREAM, self._sequence):
            self._sequence = record.sequence
            try:
                self._take(act_in(record.type, record.schema_version, record.payload))
            except UnreadableAct as problem:
                get_logger("staff").error(
                    "unreadable staff act", sequence=record.sequence, problem=str(problem)
                )
