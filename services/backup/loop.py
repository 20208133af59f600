"""Backs up again and again, as long as the process lives."""

from __future__ import annotations

import time

from prometheus_client import CollectorRegistry, Counter, Gauge

from services.backup.backup import Backup, OtherLog
from services.backup.catalogue import BackupReplaced
from services.common.errors import SignalboxError
from services.common.kafka.settings import KafkaSettings
from services.common.objectstore.port import ObjectStore
from services.common.process.stopping import LOOK_EVERY_SECONDS, StopFlag
from services.common.telemetry.logs import get_logger


class BackupLoop:
    """A run every so many seconds; what passes is tried again at the next one."""

    def __init__(
        self, kafka: KafkaSettings, store: ObjectStore, every_seconds: float, registry: CollectorRegistry
    ) -> None:
        self._backup = Backup(kafka, store)
        self._every_seconds = every_seconds
        self._log = get_logger("backup")
        self._point = Gauge(
            "signalbox_backup_point_timestamp_seconds",
            "Until when everything is in the backup; 0 before the first run that succeeded",
            registry=registry,
        )
        self._stored = Gauge("signalbox_backup_stored_bytes", "Bytes of all segments", registry=registry)
        self._runs = Counter("signalbox_backup_runs", "Runs, by result", ("result",), registry=registry)

    def run(self, stop_event: StopFlag) -> None:
        """Back up until `stop_event`. Raises `BackupReplaced` and `OtherLog`, which no other try mends."""
        try:
            while not stop_event.is_set():
                began = time.monotonic()
                self._run_once()
                while time.monotonic() - began < self._every_seconds and not stop_event.is_set():
                    time.sleep(LOOK_EVERY_SECONDS)
        finally:
            self._backup.close()

    def _run_once(self) -> None:
        try:
            done = self._backup.run()
        except (BackupReplaced, OtherLog):
            raise
        except SignalboxError as problem:
            self._runs.labels("failed").inc()
            self._log.error("backup failed", problem=str(problem))
        else:
            self._runs.labels("succeeded").inc()
            self._point.set(done.point.time_ms / 1000)
            self._stored.set(done.point.bytes)
            self._log.info("backed up", point=done.point.number, records=done.records, bytes=done.bytes)
