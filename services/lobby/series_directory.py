"""All series: a projection of the log in memory, brought up to date at every question.

A series with a record that this version cannot read is left out of every list, and asking for it raises `UnknownRecord`."""

from __future__ import annotations

import threading

from services.common.eventlog.port import EventLog, Record
from services.common.eventlog.unread import UnreadRecords
from services.common.telemetry.logs import get_logger
from services.lobby.domain.tournaments.series.series import Series, SeriesEvent, series_after
from services.lobby.domain.tournaments.tournament import BrokenTournamentLog
from services.lobby.domain.tournaments.writers import writer_of
from services.lobby.event_codec import UnknownRecord, decode
from services.lobby.usage import StoredBytes

SERIES_STREAM = "lobby.series."


class SeriesDirectory:
    """Answers questions about series; every answer includes everything written before the question."""

    def __init__(self, log: EventLog) -> None:
        self._unread = UnreadRecords(log, SERIES_STREAM)
        self._lock = threading.Lock()
        self._series: dict[str, Series] = {}
        self._why_unreadable: dict[str, str] = {}
        self._stored = StoredBytes()

    def get(self, series_id: str) -> Series | None:
        """One series. Raises `UnknownRecord` where it cannot be read."""
        with self._lock:
            self._catch_up()
            if series_id in self._why_unreadable:
                raise UnknownRecord(self._why_unreadable[series_id])
            return self._series.get(series_id)

    def all(self) -> list[Series]:
        """All series, the newest first."""
        with self._lock:
            self._catch_up()
            return list(reversed(self._series.values()))

    def stored_bytes_of(self, player_id: str) -> int:
        """The bytes that the requests of a player have stored in series."""
        with self._lock:
            self._catch_up()
            return self._stored.of(player_id)

    def _catch_up(self) -> None:
        for record in self._unread:
            self._fold(record)

    def _fold(self, record: Record) -> None:
        series_id = record.stream.removeprefix(SERIES_STREAM)
        if series_id in self._why_unreadable:
            return
        try:
            event: SeriesEvent = decode(record)
            self._series[series_id] = series_after(self._series.get(series_id), event)
            self._stored.add(writer_of(event), record)
        except (UnknownRecord, BrokenTournamentLog, LookupError) as problem:
            get_logger("lobby").error("series cannot be read", series_id=series_id, problem=str(problem))
            self._why_unreadable[series_id] = str(problem)
            self._series.pop(series_id, None)
