"""The routing service as a process of the cluster host; it also runs alone, without any broker."""

from __future__ import annotations

from contextlib import ExitStack
from typing import TYPE_CHECKING

from services.common.grpc.server import Guard
from services.common.kafka.settings import KafkaSettings
from services.common.kafka.topics import ROUTING_DEAD_LETTERS, ROUTING_REQUESTS
from services.common.process.progress import Progress
from services.common.process.stopping import StopFlag
from services.common.redis.settings import RedisSettings
from services.common.settings.service import Settings
from services.common.telemetry.logs import Telemetry
from services.routing.adapters.memory_cache import MemorySolutionCache
from services.routing.bootstrap import RoutingRuntime
from services.routing.ports import SolutionCache

if TYPE_CHECKING:
    from services.routing.cluster.follower import AheadFollower

TOPICS = (ROUTING_REQUESTS, ROUTING_DEAD_LETTERS)


class RoutingRunner:
    """See `ServiceRunner`. With a Redis its replicas share their answers; with a Kafka they also solve what rules foresees."""

    asks_for_token = False
    also_hosted = ()
    has_files = False

    def __init__(
        self,
        settings: Settings,
        telemetry: Telemetry,
        kafka: KafkaSettings | None = None,
        redis: RedisSettings | None = None,
    ) -> None:
        """Raises `RedisAccessDenied`."""
        self._settings, self._telemetry, self._kafka = settings, telemetry, kafka
        self._follower: AheadFollower | None = None
        self._closing = ExitStack()
        cache = None if redis is None else _shared_cache(settings, telemetry, redis, self._closing)
        self._service = RoutingRuntime(settings, telemetry.registry, cache=cache)
        self._closing.callback(self._service.close)
        self.hosted, self.guard = self._service.hosted, Guard(admission=self._service.admission)

    @property
    def is_ready(self) -> bool:
        """See `ServiceRunner`: once every worker is warmed up."""
        return self._service.is_ready

    @property
    def progress(self) -> Progress | None:
        """See `ServiceRunner`: of the requests ahead."""
        return None if self._follower is None else self._follower.progress

    def start(self, stop_event: StopFlag) -> None:
        """See `ServiceRunner`. The workers warm up while the follower comes. Raises `KafkaUnreachable` and `TopicsDiffer`."""
        self._service.start()
        if self._kafka is not None:
            self._follow_requests(self._kafka)

    def _follow_requests(self, kafka: KafkaSettings) -> None:
        from services.common.kafka.administration import check_topics
        from services.routing.cluster.follower import AheadFollower

        check_topics(kafka, TOPICS)
        folder = self._settings.database.parent / f"routing-{kafka.topic_prefix}{kafka.instance}"
        self._follower = AheadFollower(kafka, self._service.service, folder, self._telemetry.registry)
        self._closing.callback(self._follower.stop)
        self._follower.start()

    def end_streams(self) -> None:
        """See `ServiceRunner`: searches end with their deadline."""

    def close(self) -> None:
        """See `ServiceRunner`."""
        self._closing.close()


def _shared_cache(
    settings: Settings, telemetry: Telemetry, redis: RedisSettings, closing: ExitStack
) -> SolutionCache:
    from services.common.redis.connection import RedisConnection
    from services.routing.adapters.layered_cache import LayeredSolutionCache
    from services.routing.adapters.redis_cache import RedisSolutionCache

    connection = RedisConnection(redis, telemetry.registry)
    connection.start()
    closing.callback(connection.close)
    return LayeredSolutionCache(
        MemorySolutionCache(settings.routing_cache_entries), RedisSolutionCache(connection)
    )
