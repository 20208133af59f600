"""Requests ahead from Kafka: followed, solved, and their answers told."""

from __future__ import annotations

from pathlib import Path

from confluent_kafka import KafkaException
from prometheus_client import CollectorRegistry

from services.common.clock import Clock, SystemClock
from services.common.faust.records import FollowedRecord, Unworkable
from services.common.faust.runner import FollowerApp
from services.common.kafka.progress import KafkaProgress
from services.common.kafka.renewed import RenewedProducer
from services.common.kafka.settings import KafkaSettings
from services.common.kafka.topics import ROUTING_PARKED, ROUTING_REQUESTS, ROUTING_SOLUTIONS, partition_of
from services.common.telemetry.logs import get_logger
from services.gen.signalbox.log.v1 import log_pb2 as pb
from services.routing.cluster.ahead import RoutesAhead, UnusableRequest
from services.routing.desk import RouteDesk

FOLLOWER = "routing.ahead"
FLUSH_SECONDS = 1.0
# Whoever wanted the answer has asked for it by then.
AGE_MS_MAX = 60_000


class AheadFollower:
    """Shares the requests with all replicas of the service. What operators scale by is the follower's lag."""

    def __init__(
        self,
        kafka: KafkaSettings,
        desk: RouteDesk,
        data_folder: Path,
        registry: CollectorRegistry,
        clock: Clock | None = None,
    ) -> None:
        """Follows nothing before `start`."""
        self._kafka, self._registry = kafka, registry
        self.progress: KafkaProgress | None = None
        """Whether it keeps up with the requests; after `start`."""
        self._clock = clock or SystemClock()
        self._log = get_logger("routing")
        self._topic = ROUTING_SOLUTIONS.name_in(kafka)
        self._partitions = ROUTING_SOLUTIONS.partitions(kafka)
        self._producer = RenewedProducer(kafka)
        self._ahead = RoutesAhead(desk, self._publish, registry)
        self._follower = FollowerApp(kafka, FOLLOWER, data_folder, registry)
        self._follower.follow(ROUTING_REQUESTS, ROUTING_PARKED, self._handle)

    def start(self) -> None:
        """Raises `KafkaUnreachable` and `TopicsDiffer`."""
        self._follower.start()
        self.progress = KafkaProgress(self._kafka, self._follower.progress_readers(), self._registry)
        self.progress.start()

    def stop(self) -> None:
        """Let the request at work end."""
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
            raise Unworkable(str(problem)) from problem

    def _publish(self, found: pb.RoutesFound) -> None:
        """Told as far as Kafka takes it: the answer is in the cache already."""
        partition = partition_of(found.game_id, self._partitions)
        try:
            self._producer.produce(self._topic, found.SerializeToString(), found.game_id.encode(), partition)
            self._producer.poll(0)
        except (BufferError, KafkaException) as problem:
            self._log.warning("answer not told", game=found.game_id, problem=str(problem))
