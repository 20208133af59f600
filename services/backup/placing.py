"""In which partition of the Kafka that is filled a record of a backup belongs."""

from __future__ import annotations

from services.backup.contents import TOPICS, Source
from services.backup.format import BackedUpRecord, Point
from services.common.kafka.settings import KafkaSettings
from services.common.partitions import partition_of_bytes


class TargetPartitions:
    """Records stay in their partition where a topic has as many as it had. Otherwise each goes where its key belongs among so
    many: all records of a game are together as before, in their order."""

    def __init__(self, kafka: KafkaSettings, point: Point) -> None:
        had = {topic.name: sum(each.topic == topic.name for each in point.partitions) for topic in TOPICS}
        has = {topic.name: topic.partitions(kafka) for topic in TOPICS}
        self._changed = {name: count for name, count in has.items() if count != had[name]}
        self.differing = [
            f"{name} had {had[name]} partitions, the settings say {count}"
            for name, count in self._changed.items()
        ]
        """One phrase for each topic with another number of partitions."""

    def of(self, record: BackedUpRecord) -> Source:
        """Where it belongs."""
        count = self._changed.get(record.topic)
        if count is None:
            return record.topic, record.partition
        # Without a key it is nothing that a service of ours wrote; it is kept all the same.
        partition = record.partition % count if record.key is None else partition_of_bytes(record.key, count)
        return record.topic, partition
