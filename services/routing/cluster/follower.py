"""Consumes requests to solve ahead from Kafka; their answers are in the cache when callers ask."""

from __future__ import annotations

from pathlib import Path

from prometheus_client import CollectorRegistry

from services.common.clock import Clock, SystemClock
from services.common.faust.records import FollowedRecord, UnprocessableRecord
from services.common.faust.runner import FollowerApp
from services.common.kafka.progress import KafkaProgress
from services.common.kafka.settings import KafkaSettings
from services.common.kafka.topics import ROUTING_DEAD_LETTERS, ROUTING_REQUESTS
from services.routing.cluster.ahead import RoutesAhead, UnusableRequest
from services.routing.service import RoutingService

FOLLOWER = "routing.ahead"
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
        self._ahead = RoutesAhead(service, registry)
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

    def _handle(self, record: FollowedRecord) -> None:
        if self._clock.now_ms() - record.time_ms > AGE_MS_MAX:
            self._ahead.pass_over()
            return
        try:
            self._ahead.handle(record.value, record.key)
        except UnusableRequest as problem:
            raise UnprocessableRecord(str(problem)) from problem
