"""A replica of the lobby as a process of the cluster host."""

from __future__ import annotations

from contextlib import ExitStack

import grpc
from msgspec.structs import replace

from services.client.games import Games
from services.common.auth.identity import token_keys
from services.common.auth.signatures import TrustedKeys
from services.common.auth.token_keys import TokenKeys
from services.common.auth.tokens import TokenIssuer
from services.common.clock import SystemClock
from services.common.errors import CallError
from services.common.grpc.owner_channel import owner_channel
from services.common.grpc.server import Guard, HostedService
from services.common.kafka.administration import check_topics
from services.common.kafka.settings import KafkaSettings
from services.common.kafka.topics import (
    COMMANDS,
    GAME_STATUSES,
    LEDGER_EVENTS,
    LOBBY_DEAD_LETTERS,
    LOBBY_EVENTS,
    LOBBY_SUMMARIES,
    OUTCOMES,
    STAFF_ACTS,
)
from services.common.process.progress import Progress
from services.common.process.stopping import StopFlag
from services.common.redis.connection import RedisConnection
from services.common.redis.settings import RedisSettings
from services.common.settings.service import PREFIX, Settings, SettingsError
from services.common.staff.log import StaffLog
from services.common.staff.metrics import show_staff
from services.common.staff.topic import TopicStaffLog
from services.common.telemetry.logs import Telemetry, get_logger
from services.gen.signalbox.rules.v1 import rules_pb2
from services.host.cluster.house_bots import ClusterHouseBots
from services.host.cluster.queues import KafkaQueues
from services.host.cluster.rates import open_redis, rate_limit
from services.host.cluster.tokens import service_identity
from services.host.game_starting import RulesCatalogue, RulesStarter
from services.host.importing import RulesImporter
from services.lobby.adapters.redis_attempt_limit import RedisAttemptLimit
from services.lobby.adapters.redis_presence import RedisPresence
from services.lobby.adapters.redis_wake_ups import RedisWakeUps
from services.lobby.adapters.rules_directions import RulesDirections
from services.lobby.adapters.rules_positions import RulesPositions
from services.lobby.bootstrap_ports import GamePorts
from services.lobby.cluster.replica import LobbyReplica, SharedParts
from services.lobby.ports import GameStartFailed
from services.lobby.queues import Queues
from services.rules.cluster.gateway import CommandGateway
from services.rules.kernel.commands import CreateGame
from services.rules.requests import CommandResult, ImportGame
from services.rules.titles import TITLES

TOPICS = (
    LOBBY_EVENTS,
    LOBBY_SUMMARIES,
    LOBBY_DEAD_LETTERS,
    GAME_STATUSES,
    LEDGER_EVENTS,
    COMMANDS,
    OUTCOMES,
    STAFF_ACTS,
)
# Of waiting for the owner of a new game; the table stays and its start is tried again.
START_SECONDS = 8.0
RULES_NAME: str = rules_pb2.DESCRIPTOR.services_by_name["Rules"].full_name


class LobbyRunner:
    """See `ServiceRunner`. With a Redis its replicas share what may be lost."""

    asks_for_token = True
    has_files = True

    def __init__(
        self, settings: Settings, telemetry: Telemetry, kafka: KafkaSettings, redis: RedisSettings | None
    ) -> None:
        """Raises `SettingsError`, `KafkaUnreachable`, `TopicsDiffer`, `RedisAccessDenied`, `SigningKeyError` and what a log file
        raises."""
        if settings.lobby_summaries == "followed" and redis is None:
            raise SettingsError(f"{PREFIX}REDIS_ADDRESS: is needed with {PREFIX}LOBBY_SUMMARIES=followed")
        check_topics(kafka, TOPICS)
        self._settings = settings
        keys = token_keys(settings, SystemClock())
        with ExitStack() as closing:
            connection = open_redis(redis, telemetry.registry, closing)
            self._gateway = CommandGateway(kafka, telemetry.registry, service="lobby")
            closing.callback(self._gateway.close)
            self._staff = TopicStaffLog(kafka, SystemClock())
            closing.callback(self._staff.close)
            show_staff(telemetry.registry, self._staff)
            channel = _to_rules(settings, closing)
            self._replica = LobbyReplica(
                settings,
                kafka,
                _ways_to_rules(settings, keys, self._gateway, channel),
                keys,
                telemetry.registry,
                shared=_shared(connection, self._staff, KafkaQueues(kafka)),
                readers=[self._gateway.progress_reader(), self._staff.progress_reader()],
                has_house_bots=bool(settings.rules_addresses),
            )
            closing.callback(self._replica.stop)
            self._house_bots = _house_bots(settings, keys, self._replica, channel)
            closing.callback(self._house_bots.stop)
            lobby = self._replica.lobby
            self.guard = Guard(lobby.verifier, rate_limit(settings, connection))
            self._closing = closing.pop_all()
        self.hosted: HostedService = lobby.hosted
        self.also_hosted = lobby.also_hosted

    @property
    def is_ready(self) -> bool:
        """See `ServiceRunner`: once the copies of log and summaries have everything, and the bans are known."""
        return self._replica.is_ready and self._staff.is_current

    @property
    def progress(self) -> Progress | None:
        """See `ServiceRunner`."""
        return self._replica.progress

    def start(self, stop_event: StopFlag) -> None:
        """See `ServiceRunner`."""
        self._gateway.start()
        self._staff.start()
        self._replica.start(stop_event)
        self._staff.wait_current(stop_event)
        if self._settings.rules_addresses:
            self._house_bots.start()

    def end_streams(self) -> None:
        """See `ServiceRunner`; watchers of tables end with the grace of the server."""
        self._replica.end_streams()

    def close(self) -> None:
        """See `ServiceRunner`."""
        self._closing.close()


class GatewayCreator:
    """Creates games through their owner, within the time of a call."""

    def __init__(self, gateway: CommandGateway) -> None:
        self._gateway = gateway

    def create(self, game_id: str, command: CreateGame | ImportGame) -> CommandResult:
        """As `Rules.create`. Raises `GameStartFailed` when it is unknown whether the game was set up."""
        try:
            return self._gateway.create(game_id, command, START_SECONDS)
        except CallError as problem:
            raise GameStartFailed(str(problem)) from problem


def _to_rules(settings: Settings, closing: ExitStack) -> grpc.Channel | None:
    """None where it is not known where rules is: then nobody can direct games or look at them through this replica."""
    if not settings.rules_addresses:
        get_logger("lobby").warning("nobody can direct games", missing=f"{PREFIX}RULES_ADDRESSES")
        return None
    channel = owner_channel(settings.rules_addresses, RULES_NAME, settings.tls)
    closing.callback(channel.close)
    return channel


def _ways_to_rules(
    settings: Settings, keys: TokenKeys, gateway: CommandGateway, channel: grpc.Channel | None
) -> GamePorts:
    ways = GamePorts(
        RulesCatalogue(TITLES),
        RulesStarter(GatewayCreator(gateway), TITLES),
        RulesImporter(TITLES, TrustedKeys(keys, settings.import_keys)),
    )
    if channel is None:
        return ways
    token = service_identity(settings, "lobby").token
    return replace(ways, director=RulesDirections(channel, token), positions=RulesPositions(channel, token))


def _house_bots(
    settings: Settings, keys: TokenKeys, replica: LobbyReplica, channel: grpc.Channel | None
) -> ClusterHouseBots:
    issuer = TokenIssuer(keys, settings.token_lifetime_seconds, SystemClock())
    addresses = ",".join(settings.rules_addresses)
    seats_max = max(max(title.all_player_counts) for title in TITLES.values())

    def games_with(token: str) -> Games:
        return Games(addresses, token, channel=channel)

    return ClusterHouseBots(replica.lists, games_with, issuer, seats_max)


def _shared(connection: RedisConnection | None, staff_log: StaffLog, queues: Queues) -> SharedParts:
    if connection is None:
        return SharedParts(staff_log=staff_log, queues=queues)
    clock = SystemClock()
    return SharedParts(
        redis=connection,
        wake_ups=RedisWakeUps(connection),
        presence=RedisPresence(connection, clock),
        attempts=RedisAttemptLimit(connection),
        staff_log=staff_log,
        queues=queues,
    )
