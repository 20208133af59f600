"""Restores a platform into an empty Kafka.

Offsets are others afterwards. Nothing that is restored names one; what does (consumer groups, commands passed over, dead letters,
copies beside the services) is not restored, or recognises new topics by their identity.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from services.backup.bringing import Bringing, Brought, OnProgress
from services.backup.catalogue import Catalogue
from services.backup.format import Point, UnusableBackup
from services.backup.placing import TargetPartitions
from services.backup.prepared import Prepared
from services.backup.target import check_unused
from services.common.errors import SignalboxError
from services.common.kafka.administration import apply_topics
from services.common.kafka.settings import KafkaSettings
from services.common.objectstore.port import ObjectStore
from services.migration.kafka_endpoint import check_stopped


class OtherPartitions(SignalboxError):
    """The settings name another number of partitions than the platform had that was backed up."""


@dataclass(frozen=True, slots=True)
class Restored:
    """The point that was restored, and what was done."""

    point: Point
    brought: Brought


def restore(
    kafka: KafkaSettings,
    store: ObjectStore,
    number: int | None = None,
    *,
    may_repartition: bool = False,
    on_progress: OnProgress = lambda *_: None,
) -> Restored:
    """Restore the newest point, or that of this number. May be repeated after it was cut off, and goes on.

    `may_repartition`: into another number of partitions. Raises `NoPoint`, `UnusableBackup`, `StoreError`, `InUse`, `NotEmpty`,
    `OtherPartitions`, `TopicsDiffer`, `KafkaUnreachable`, `RestoreFailed`."""
    catalogue = Catalogue(store)
    point = catalogue.newest_consistent() if number is None else catalogue.point(number)
    if not point.consistent:
        raise UnusableBackup(f"{store}: point {point.number} is not a consistent one")
    differing = TargetPartitions(kafka, point).differing
    if differing and not may_repartition:
        raise OtherPartitions(f"{'; '.join(differing)} (SIGNALBOX_KAFKA_PARTITIONS, or --repartition)")
    check_stopped(kafka)
    check_unused(kafka)
    apply_topics(kafka)
    with TemporaryDirectory(prefix="restore-") as folder:
        brought = Bringing(kafka, catalogue, point, Prepared(), Path(folder)).run(on_progress)
    return Restored(point, brought)
