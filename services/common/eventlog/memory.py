"""Event log and snapshots in memory: for tests, simulations and games that nobody needs to keep."""

import threading
from collections.abc import Sequence

from services.common.clock import Clock, SystemClock
from services.common.eventlog.port import (
    Appended,
    AppendResult,
    Conflict,
    LogClosed,
    NewRecord,
    Record,
    Repeated,
    RequestRecord,
    Snapshot,
)
from services.common.eventlog.subscription import LogSubscription, Wakeup


class MemoryEventLog:
    """The `EventLog` port in plain lists and dicts."""

    def __init__(self, clock: Clock | None = None) -> None:
        self._clock = clock or SystemClock()
        self._lock = threading.Lock()
        self._wakeup = Wakeup()
        self._all: list[Record] = []
        self._streams: dict[str, list[Record]] = {}
        self._requests: dict[tuple[str, str], RequestRecord] = {}
        self._positions: dict[str, int] = {}

    def append(
        self, stream: str, expected: int, records: Sequence[NewRecord], request: RequestRecord | None = None
    ) -> AppendResult:
        """See `EventLog.append`."""
        if not records:
            raise ValueError("an append needs at least one record")
        with self._lock:
            self._check_open()
            known = self._requests.get((stream, request.request_id)) if request else None
            if request and known:
                same = (known.player, known.content_hash) == (request.player, request.content_hash)
                return Repeated(known.outcome, same)
            written = self._streams.get(stream, [])
            if len(written) != expected:
                return Conflict(len(written))
            now_ms = self._clock.now_ms()
            self._write(stream, expected, records, now_ms)
            if request:
                self._requests[stream, request.request_id] = request
        self._wakeup.notify()
        return Appended(expected + 1, expected + len(records), now_ms)

    def _write(self, stream: str, expected: int, records: Sequence[NewRecord], now_ms: int) -> None:
        for index, new in enumerate(records, start=1):
            record = Record(
                stream,
                expected + index,
                new.type,
                new.schema_version,
                new.payload,
                now_ms,
                len(self._all) + 1,
            )
            self._all.append(record)
            self._streams.setdefault(stream, []).append(record)

    def read(self, stream: str, after: int = 0, up_to: int | None = None) -> list[Record]:
        """See `EventLog.read`."""
        with self._lock:
            self._check_open()
            return self._streams.get(stream, [])[max(after, 0) : None if up_to is None else max(up_to, 0)]

    def read_all(self, after_position: int = 0, limit: int = 1000, prefix: str = "") -> list[Record]:
        """See `EventLog.read_all`."""
        with self._lock:
            self._check_open()
            found: list[Record] = []
            for index in range(max(after_position, 0), len(self._all)):
                if len(found) == limit:
                    break
                if self._all[index].stream.startswith(prefix):
                    found.append(self._all[index])
            return found

    def last_position(self) -> int:
        """See `EventLog.last_position`."""
        self._check_open()
        return len(self._all)

    def outcome(self, stream: str, request_id: str) -> RequestRecord | None:
        """See `EventLog.outcome`."""
        self._check_open()
        return self._requests.get((stream, request_id))

    def requests(self, stream: str) -> list[RequestRecord]:
        """See `EventLog.requests`."""
        with self._lock:
            self._check_open()
            return [request for (name, _), request in self._requests.items() if name == stream]

    def subscribe(self, after_position: int = 0, prefix: str = "") -> LogSubscription:
        """See `EventLog.subscribe`."""
        self._check_open()
        return LogSubscription(self, self._wakeup, after_position, prefix)

    def streams(self, prefix: str = "") -> list[str]:
        """See `EventLog.streams`."""
        with self._lock:
            self._check_open()
            return sorted(name for name in self._streams if name.startswith(prefix))

    def save_position(self, consumer: str, position: int) -> None:
        """See `EventLog.save_position`."""
        self._check_open()
        self._positions[consumer] = position

    def position(self, consumer: str) -> int:
        """See `EventLog.position`."""
        self._check_open()
        return self._positions.get(consumer, 0)

    def close(self) -> None:
        """See `EventLog.close`."""
        with self._lock:
            self._wakeup.close()

    def _check_open(self) -> None:
        if self._wakeup.closed:
            raise LogClosed("the event log is closed")


class MemorySnapshotStore:
    """The `SnapshotStore` port in a dict."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._kept: dict[str, dict[int, Snapshot]] = {}

    def put(self, stream: str, sequence: int, schema: int, payload: bytes) -> None:
        """See `SnapshotStore.put`."""
        with self._lock:
            self._kept.setdefault(stream, {})[sequence] = Snapshot(stream, sequence, schema, payload)

    def latest(self, stream: str, up_to: int | None = None) -> Snapshot | None:
        """See `SnapshotStore.latest`."""
        with self._lock:
            kept = self._kept.get(stream, {})
            fitting = [sequence for sequence in kept if up_to is None or sequence <= up_to]
            return kept[max(fitting)] if fitting else None

    def forget(self, stream: str) -> None:
        """See `SnapshotStore.forget`."""
        with self._lock:
            self._kept.pop(stream, None)
