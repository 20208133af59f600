"""A replica of the rules service as a part of the cluster host."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack

import grpc

from services.common.grpc.admission import Door
from services.common.grpc.channel import balanced_channel
from services.common.grpc.server import HostedService
from services.common.kafka.administration import check_topics
from services.common.kafka.settings import KafkaSettings
from services.common.kafka.topics import (
    COMMANDS,
    EVENTS,
    LEDGER_EVENTS,
    OUTCOMES,
    OWNER_PARKED,
    ROUTING_REQUESTS,
    SNAPSHOTS,
    STANDINGS,
)
from services.common.process.progress import Progress
from services.common.process.stopping import StopFlag
from services.common.redis.settings import RedisSettings
from services.common.settings.service import PREFIX, Settings, SettingsError
from services.common.telemetry.logs import Telemetry
from services.gen.signalbox.routing.v1 import routing_pb2
from services.host.cluster.rates import open_redis, rate_guard
from services.host.cluster.tokens import token_verifier
from services.rules.adapters.routing import GrpcRouteSolver
from services.rules.bootstrap import SERVICE_NAME, hosted
from services.rules.cluster.replica import RulesReplica

TOPICS = (
    COMMANDS,
    OUTCOMES,
    EVENTS,
    SNAPSHOTS,
    STANDINGS,
    LEDGER_EVENTS,
    ROUTING_REQUESTS,
    OWNER_PARKED,
)
ROUTING_NAME: str = routing_pb2.DESCRIPTOR.services_by_name["Routing"].full_name
ROUTE_SECONDS = 8.0


class RulesPart:
    """See `Part`."""

    door: Door | None = None

    def __init__(
        self,
        settings: Settings,
        telemetry: Telemetry,
        kafka: KafkaSettings,
        redis: RedisSettings | None = None,
    ) -> None:
        """Raises `SettingsError`, `RedisRefused`, `KafkaUnreachable`, `TopicsDiffer`, `SigningKeyError`, and
        what a log file raises."""
        if not settings.routing_addresses:
            raise SettingsError(f"{PREFIX}ROUTING_ADDRESSES: is needed, host:port separated by commas")
        check_topics(kafka, TOPICS)
        verifier = token_verifier(settings)
        with ExitStack() as closing:
            rates = rate_guard(
                SERVICE_NAME, settings, verifier, open_redis(redis, telemetry.registry, closing)
            )
            channel = balanced_channel(settings.routing_addresses, ROUTING_NAME, settings.tls)
            closing.callback(channel.close)
            solver = GrpcRouteSolver(channel, ROUTE_SECONDS)
            self._replica = RulesReplica(settings, kafka, solver, telemetry.registry)
            closing.callback(self._replica.stop)
            self._closing = closing.pop_all()
        self.hosted: HostedService = hosted(self._replica.rules, verifier)
        self.guards: Sequence[grpc.ServerInterceptor] = (rates,)

    @property
    def is_ready(self) -> bool:
        """See `Part`: once the copy of the log has everything."""
        return self._replica.is_ready

    @property
    def progress(self) -> Progress | None:
        """See `Part`."""
        return self._replica.progress

    def start(self, is_unwanted: StopFlag) -> None:
        """See `Part`."""
        self._replica.start(is_unwanted)

    def end_streams(self) -> None:
        """See `Part`: watchers."""
        self._replica.rules.reader.end_watches()

    def close(self) -> None:
        """See `Part`."""
        self._closing.close()
