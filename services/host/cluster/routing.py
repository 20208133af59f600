"""The routing service as a part of the cluster host; it also runs alone, without any broker."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack

import grpc

from services.common.kafka.settings import KafkaSettings
from services.common.kafka.topics import ROUTING_PARKED, ROUTING_REQUESTS, ROUTING_SOLUTIONS
from services.common.settings import Settings
from services.common.stopping import StopFlag
from services.common.telemetry import Telemetry
from services.routing.bootstrap import RoutingService

TOPICS = (ROUTING_REQUESTS, ROUTING_SOLUTIONS, ROUTING_PARKED)


class RoutingPart:
    """See `Part`. With a Kafka its replicas also solve what rules foresees."""

    guards: Sequence[grpc.ServerInterceptor] = ()

    def __init__(
        self,
        settings: Settings,
        telemetry: Telemetry,
        kafka: KafkaSettings | None = None,
    ) -> None:
        """Raises `KafkaUnreachable` and `TopicsDiffer`."""
        self._closing = ExitStack()
        with ExitStack() as closing:
            self._service = RoutingService(settings, telemetry.registry)
            closing.callback(self._service.close)
            self.hosted, self.door = self._service.hosted, self._service.door
            if kafka is not None:
                _follow_requests(settings, telemetry, kafka, self._service, closing)
            self._closing = closing.pop_all()

    @property
    def is_ready(self) -> bool:
        """See `Part`: once every worker is warmed up."""
        return self._service.is_ready

    def start(self, is_unwanted: StopFlag) -> None:
        """See `Part`."""
        self._service.start()

    def end_streams(self) -> None:
        """See `Part`: searches end with their deadline."""

    def close(self) -> None:
        """See `Part`."""
        self._closing.close()


def _follow_requests(
    settings: Settings,
    telemetry: Telemetry,
    kafka: KafkaSettings,
    service: RoutingService,
    closing: ExitStack,
) -> None:
    from services.common.kafka.administration import check_topics
    from services.routing.cluster.follower import AheadFollower

    check_topics(kafka, TOPICS)
    follower = AheadFollower(kafka, service.desk, settings.data, telemetry.registry)
    closing.callback(follower.stop)
    follower.start()
