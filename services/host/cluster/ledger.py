"""A replica of the ledger as a process of the cluster host."""

from __future__ import annotations

from contextlib import ExitStack

from services.common.auth.operators import Operators
from services.common.clock import SystemClock
from services.common.grpc.owner_channel import owner_channel
from services.common.grpc.server import Guard, HostedService
from services.common.kafka.administration import check_topics
from services.common.kafka.condition import KafkaObserver
from services.common.kafka.settings import KafkaSettings
from services.common.kafka.topics import (
    BOOKS_DEAD_LETTERS,
    EVENTS,
    GAME_STATUSES,
    LEDGER_EVENTS,
    STAFF_ACTS,
)
from services.common.process.progress import Progress
from services.common.process.stopping import StopFlag
from services.common.redis.settings import RedisSettings
from services.common.settings.service import PREFIX, Settings, SettingsError
from services.common.staff.metrics import show_staff
from services.common.staff.topic import TopicStaffLog
from services.common.telemetry.logs import Telemetry
from services.gen.signalbox.rules.v1 import rules_pb2
from services.host.cluster.rates import open_redis, rate_limit
from services.host.cluster.tokens import service_identity, token_verifier
from services.ledger.acts import OperatorActs
from services.ledger.adapters.rules_events import RulesEvents
from services.ledger.adapters.rules_sight import RulesSight
from services.ledger.bootstrap import hosted
from services.ledger.cluster.replica import LedgerReplica
from services.ledger.grpc_server import LedgerServicer

TOPICS = (EVENTS, GAME_STATUSES, LEDGER_EVENTS, BOOKS_DEAD_LETTERS, STAFF_ACTS)
RULES_NAME: str = rules_pb2.DESCRIPTOR.services_by_name["Rules"].full_name


class LedgerRunner:
    """See `ServiceRunner`. It begins to follow when it is made, and answers when it has its share of the games. Of the four
    services it has the most time, so it also observes Kafka for operators."""

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
        what a file raises."""
        if not settings.rules_addresses:
            raise SettingsError(f"{PREFIX}RULES_ADDRESSES: is needed, host:port separated by commas")
        check_topics(kafka, TOPICS)
        with ExitStack() as closing:
            self._staff = TopicStaffLog(kafka, SystemClock())
            closing.callback(self._staff.close)
            show_staff(telemetry.registry, self._staff)
            verifier = token_verifier(settings, self._staff.revocations)
            limit = rate_limit(settings, open_redis(redis, telemetry.registry, closing))
            self.guard = Guard(verifier, limit)
            channel = owner_channel(settings.rules_addresses, RULES_NAME, settings.tls)
            closing.callback(channel.close)
            source = RulesEvents(channel, service_identity(settings, "ledger").token)
            self._replica = LedgerReplica(
                settings, kafka, source, telemetry.registry, readers=[self._staff.progress_reader()]
            )
            closing.callback(self._replica.stop)
            self._staff.start()
            self._replica.start()
            observer = KafkaObserver(kafka, telemetry.registry)
            closing.callback(observer.close)
            observer.start()
            self._closing = closing.pop_all()
        operators = Operators(verifier, settings.operators)
        acts = OperatorActs(self._staff, verifier)
        servicer = LedgerServicer(self._replica.ledger, operators, self._replica, RulesSight(channel), acts)
        self.hosted: HostedService = hosted(servicer)

    @property
    def is_ready(self) -> bool:
        """See `ServiceRunner`: while it has its share of the games, once it is known which tokens are refused."""
        return self._replica.is_ready and self._staff.is_current

    @property
    def progress(self) -> Progress | None:
        """See `ServiceRunner`."""
        return self._replica.progress

    def start(self, stop_event: StopFlag) -> None:
        """See `ServiceRunner`: it has begun already."""
        self._staff.wait_current(stop_event)

    def end_streams(self) -> None:
        """See `ServiceRunner`: there are none."""

    def close(self) -> None:
        """See `ServiceRunner`."""
        self._closing.close()
