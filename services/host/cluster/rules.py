"""A replica of the rules service as a process of the cluster host."""

from __future__ import annotations

from contextlib import ExitStack

from services.common.auth.tokens import TokenVerifier
from services.common.clock import SystemClock
from services.common.grpc.channel import balanced_channel
from services.common.grpc.loop import on_loop
from services.common.grpc.server import Guard, HostedService
from services.common.kafka.administration import check_topics
from services.common.kafka.settings import KafkaSettings
from services.common.kafka.topics import (
    COMMANDS,
    EVENTS,
    FACTS,
    GAME_STATUSES,
    LEDGER_EVENTS,
    OUTCOMES,
    OWNER_DEAD_LETTERS,
    ROUTING_REQUESTS,
    SKIPS,
    SNAPSHOTS,
    STAFF_ACTS,
)
from services.common.process.progress import Progress
from services.common.process.stopping import StopFlag
from services.common.redis.settings import RedisSettings
from services.common.settings.service import PREFIX, Settings, SettingsError
from services.common.staff.metrics import show_staff
from services.common.staff.topic import TopicStaffLog
from services.common.telemetry.logs import Telemetry
from services.gen.signalbox.routing.v1 import routing_pb2
from services.host.cluster.rates import open_redis, rate_limit
from services.host.cluster.tokens import service_identity, token_verifier
from services.rules.adapters.routing import GrpcRouteSolver
from services.rules.bootstrap import hosted
from services.rules.cluster.forwarding import Forwarder
from services.rules.cluster.peers import Peers
from services.rules.cluster.replica import RulesReplica

TOPICS = (
    COMMANDS,
    OUTCOMES,
    EVENTS,
    SNAPSHOTS,
    GAME_STATUSES,
    LEDGER_EVENTS,
    ROUTING_REQUESTS,
    OWNER_DEAD_LETTERS,
    SKIPS,
    STAFF_ACTS,
)
ROUTING_NAME: str = routing_pb2.DESCRIPTOR.services_by_name["Routing"].full_name
ROUTE_SECONDS = 8.0


class RulesRunner:
    """See `ServiceRunner`."""

    asks_for_token = True
    also_hosted = ()
    has_files = True

    def __init__(
        self,
        settings: Settings,
        telemetry: Telemetry,
        kafka: KafkaSettings,
        redis: RedisSettings | None = None,
    ) -> None:
        """Raises `SettingsError`, `RedisAccessDenied`, `KafkaUnreachable`, `TopicsDiffer`, `SigningKeyError`, and
        what a log file raises."""
        if not settings.routing_addresses:
            raise SettingsError(f"{PREFIX}ROUTING_ADDRESSES: is needed, host:port separated by commas")
        if settings.rules_copies and not settings.rules_peer_address:
            raise SettingsError(f"{PREFIX}RULES_PEER_ADDRESS: is needed with {PREFIX}RULES_COPIES, host:port")
        # In topics that are filled for a platform that moves, it copies the log and waits.
        check_topics(kafka, TOPICS, may_be_closed=[topic for topic in TOPICS if topic not in FACTS])
        with ExitStack() as closing:
            self._staff = TopicStaffLog(kafka, SystemClock())
            closing.callback(self._staff.close)
            show_staff(telemetry.registry, self._staff)
            verifier = token_verifier(settings, self._staff.revocations)
            limit = rate_limit(settings, open_redis(redis, telemetry.registry, closing))
            self.guard = Guard(verifier, limit)
            channel = balanced_channel(settings.routing_addresses, ROUTING_NAME, settings.tls)
            closing.callback(channel.close)
            solver = GrpcRouteSolver(channel, ROUTE_SECONDS)
            self._replica = RulesReplica(
                settings, kafka, solver, telemetry.registry, readers=[self._staff.progress_reader()]
            )
            closing.callback(self._replica.stop)
            relay = self._relay(settings, kafka, verifier, telemetry, closing)
            self._closing = closing.pop_all()
        self.hosted: HostedService = hosted(self._replica.rules, verifier, settings.operators, relay)

    def _relay(
        self,
        settings: Settings,
        kafka: KafkaSettings,
        verifier: TokenVerifier,
        telemetry: Telemetry,
        closing: ExitStack,
    ) -> Forwarder | None:
        """Where replicas keep a part of the log each: what passes calls on to the others."""
        holdings = self._replica.holdings
        if holdings is None:
            return None
        forwarder = Forwarder(
            kafka.instance,
            EVENTS.partitions(kafka),
            holdings,
            Peers(settings.tls, settings.message_bytes_max),
            verifier,
            service_identity(settings, "rules").token,
            telemetry.registry,
        )
        closing.callback(lambda: on_loop(forwarder.close()))
        return forwarder

    @property
    def is_ready(self) -> bool:
        """See `ServiceRunner`: once the copy of the log has everything, and it is known which tokens are refused."""
        return self._replica.is_ready and self._staff.is_current

    @property
    def progress(self) -> Progress | None:
        """See `ServiceRunner`."""
        return self._replica.progress

    def start(self, stop_event: StopFlag) -> None:
        """See `ServiceRunner`."""
        self._staff.start()
        self._replica.start(stop_event)
        self._staff.wait_current(stop_event)

    def end_streams(self) -> None:
        """See `ServiceRunner`: watchers."""
        self._replica.rules.reader.end_watches()

    def close(self) -> None:
        """See `ServiceRunner`."""
        self._closing.close()
