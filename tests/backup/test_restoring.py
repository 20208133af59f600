"""A backup of a platform on a real Kafka, restored into an empty one."""

from __future__ import annotations

from pathlib import Path

import pytest

from services.audit.kafka_check import check_kafka
from services.backup.backup import Backup
from services.backup.contents import DERIVED, FACTS
from services.backup.restore import restore
from services.common.kafka.settings import KafkaSettings
from services.common.objectstore.folder import FolderStore
from tests.backup.records import in_kafka, in_store

pytestmark = pytest.mark.integration

SMALL = 2_000


def test_everything_comes_back(
    platform: KafkaSettings, target: KafkaSettings, store: FolderStore, tmp_path: Path
) -> None:
    """Facts record by record in their order, the newest of what is derived; the checker finds what it found before."""
    backup = Backup(platform, store, segment_bytes=SMALL)
    done = backup.run()
    backup.close()
    assert done.point.segments > 3
    there = in_kafka(platform)
    assert in_store(store, done.point) == there
    restored = restore(target, store)
    assert (restored.point, restored.games, restored.statuses_computed) == (done.point, 3, 0)
    assert in_kafka(target, FACTS) == in_kafka(platform, FACTS)
    for source, records in in_kafka(target, DERIVED).items():
        assert records == list({record[1]: record for record in there[source]}.values())
    for kafka in (platform, target):
        report = check_kafka(kafka)
        assert [(each.kind, each.stream) for each in report.findings] == [("hold", "g2")]
        assert (report.titles["1824"].games, report.titles["1824"].statuses) == (3, 3)
