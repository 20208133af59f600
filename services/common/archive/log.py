"""The event log of which some streams begin in the archive: who reads it does not see the difference."""

from __future__ import annotations

from collections.abc import Sequence

from services.common.archive.contents import ArchivedStream
from services.common.archive.errors import ArchiveUnavailable, DeletedFromArchive, InArchive
from services.common.archive.names import HIDDEN
from services.common.archive.reading import DELETED as DELETED_SENTENCE, ArchiveReader
from services.common.eventlog.archived import BROUGHT_BACK, DELETED, ArchivedStreams, Marker
from services.common.eventlog.port import AppendResult, NewRecord, Record, RequestRecord
from services.common.eventlog.sqlite import SqliteEventLog
from services.common.eventlog.subscription import LogSubscription

NO_ARCHIVE = "the game is in an archive that this process does not know: SIGNALBOX_ARCHIVE is not set"


class ArchivedEventLog:
    """The `EventLog` port. What is in the log is read as before; the archive is asked only where something is missing there.

    `read`, `outcome` and `requests` raise `ArchiveUnavailable`, `DeletedFromArchive` and `DamagedObject` beside what the log
    raises. Positions, subscriptions and `read_all` are the log's."""

    def __init__(self, log: SqliteEventLog, reader: ArchiveReader | None = None) -> None:
        """Without a `reader` nothing in the archive can be read."""
        self._log = log
        self._reader = reader
        self.archived = ArchivedStreams(log.database)

    def append(
        self, stream: str, expected: int, records: Sequence[NewRecord], request: RequestRecord | None = None
    ) -> AppendResult:
        """See `EventLog.append`. A request that is in the archive has to be asked for with `outcome` before."""
        return self._log.append(stream, expected, records, request)

    def read(self, stream: str, after: int = 0, up_to: int | None = None) -> list[Record]:
        """See `EventLog.read`."""
        here = self._log.read(stream, after, up_to)
        if (here and here[0].sequence == after + 1) or (up_to is not None and up_to <= after):
            return here
        marker = self.archived.find(stream)
        if marker is None or after >= marker.sequence:
            return here
        if marker.state == BROUGHT_BACK:
            return self._log.read(stream, after, up_to)
        found = self._found(marker)
        beginning = found.records[after:up_to] if found is not None else ()
        # Read again: what followed may have come meanwhile.
        return [*beginning, *self._log.read(stream, max(after, marker.sequence), up_to)]

    def outcome(self, stream: str, request_id: str) -> RequestRecord | None:
        """See `EventLog.outcome`."""
        here = self._log.outcome(stream, request_id)
        if here is not None:
            return here
        found = self._found_of(stream)
        if found is None:
            return None
        return found.request(request_id) or self._log.outcome(stream, request_id)

    def requests(self, stream: str) -> list[RequestRecord]:
        """See `EventLog.requests`."""
        found = self._found_of(stream)
        here = self._log.requests(stream)
        if found is None:
            return here
        return list({each.request_id: each for each in (*found.requests, *here)}.values())

    def _found_of(self, stream: str) -> ArchivedStream | None:
        """What the archive has of a stream, None where everything is here."""
        marker = self.archived.find(stream)
        return None if marker is None or marker.state == BROUGHT_BACK else self._found(marker)

    def _found(self, marker: Marker) -> ArchivedStream | None:
        """What is in the archive; None of a deleted stream of which nobody shall know that it was there."""
        if marker.state == DELETED:
            if marker.object.endswith(HIDDEN):
                return None
            raise DeletedFromArchive(DELETED_SENTENCE)
        if self._reader is None:
            raise ArchiveUnavailable(NO_ARCHIVE)
        return self._reader.get(marker)

    def read_all(self, after_position: int = 0, limit: int = 1000, prefix: str = "") -> list[Record]:
        """See `EventLog.read_all`: what is here."""
        return self._log.read_all(after_position, limit, prefix)

    def last_position(self) -> int:
        """See `EventLog.last_position`."""
        return self._log.last_position()

    def subscribe(self, after_position: int = 0, prefix: str = "") -> LogSubscription:
        """See `EventLog.subscribe`."""
        return self._log.subscribe(after_position, prefix)

    def streams(self, prefix: str = "") -> list[str]:
        """See `EventLog.streams`: those in the archive as well."""
        return self._log.streams(prefix)

    def save_position(self, consumer: str, position: int) -> None:
        """See `EventLog.save_position`."""
        self._log.save_position(consumer, position)

    def position(self, consumer: str) -> int:
        """See `EventLog.position`."""
        return self._log.position(consumer)

    def close(self) -> None:
        """See `EventLog.close`."""
        self._log.close()


class WithoutArchive(ArchivedEventLog):
    """The same for a writer who must not wait: where a stream begins in the archive, reading raises `InArchive`, and
    `DeletedFromArchive` for any deleted one."""

    def __init__(self, log: SqliteEventLog) -> None:
        super().__init__(log)

    def _found(self, marker: Marker) -> ArchivedStream | None:
        if marker.state == DELETED:
            raise DeletedFromArchive(DELETED_SENTENCE)
        raise InArchive(marker.stream, marker.sequence)
