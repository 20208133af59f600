"""Consumes requests to solve ahead from Kafka and publishes their answers."""

from __future__ import annotations

from pathlib import Path

from confluent_kafka import KafkaException
from prometheus_client import CollectorRegistry

from services.common.clock import Clock, SystemClock
from services.common.faust.records import FollowedRecord, UnprocessableRecord
from services.common.faust.runner import FollowerApp
from services.common.kafka.progress import KafkaProgress
from services.common.kafka.renewed import RenewedProducer
from services.common.kafka.settings import KafkaSettings
from services.common.kafka.topics import (
    ROUTING_DEAD_LETTERS,
    ROUTING_REQUESTS,
    ROUTING_SOLUTIONS,
    partition_of,
)
from services.common.telemetry.logs import get_logger
from services.gen.signalbox.log.v1 import log_pb2 as pb
from services.routing.cluster.ahead import RoutesAhead, UnusableRequest
from services.routing.service import RoutingService

FOLLOWER = "routing.ahead"
FLUSH_SECONDS = 1.0
# An older request is useless: rules has asked for the answer by then.
AGE_MS_MAX = 60_000


class AheadFollower:
    """Shares the requests with all replicas of the service. Operators scale by the follower's lag."""

    def __init__(
        self,
        kafka: KafkaSettings,
        service: RoutingService,
        data_folder: Path,
        registry: CollectorRegistry,
        clock: Clock | None = None,
    ) -> None:
        """Consumes nothing before `start`."""
        self._kafka, self._registry = kafka, registry
        self.progress: KafkaProgress | None = None
        """Whether it keeps up with the requests; after `start`."""
        self._clock = clock or SystemClock()
        self._log = get_logger("routing")
        self._topic = ROUTING_SOLUTIONS.name_in(kafka)
        self._partitions = ROUTING_SOLUTIONS.partitions(kafka)
        self._producer = RenewedProducer(kafka)
        self._ahead = RoutesAhead(service, self._publish, registry)
        self._follower = FollowerApp(kafka, FOLLOWER, data_folder, registry)
        self._follower.follow(ROUTING_REQUESTS, ROUTING_DEAD_LETTERS, self._handle)

    def start(self) -> None:
        """Raises `KafkaUnreachable` and `TopicsDiffer`."""
        self._follower.start()
        self.progress = KafkaProgress(self._kafka, self._follower.progress_readers(), self._registry)
        self.progress.start()

    def stop(self) -> None:
        """Finish the current request, then stop."""
        if self.progress is not None:
            self.progress.close()
        self._follower.stop()
        self._producer.flush(FLUSH_SECONDS)

    def _handle(self, record: FollowedRecord) -> None:
        if self._clock.now_ms() - record.time_ms > AGE_MS_MAX:
            self._ahead.pass_over()
            return
        try:
            self._ahead.handle(record.value)
        except UnusableRequest as problem:
            raise UnprocessableRecord(str(problem)) from problem

    def _publish(self, found: pb.RoutesFound) -> None:
        """Best effort: the answer is in the cache already."""
        partition = partition_of(found.game_id, self._partitions)
        try:
            self._producer.produce(self._topic, found.SerializeToString(), found.game_id.encode(), partition)
            self._producer.poll(0)
        except (BufferError, KafkaException) as problem:
            self._log.warning("answer not published", game=found.game_id, problem=str(problem))
