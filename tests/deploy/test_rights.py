"""The rights that production gives are enough: a game on a real Kafka where everybody may do just that."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from pathlib import Path
from urllib.request import urlopen

import pytest
from confluent_kafka.admin import (
    AclBinding,
    AclOperation,
    AclPermissionType,
    AdminClient,
    ResourcePatternType,
    ResourceType,
    ScramCredentialInfo,
    ScramMechanism,
    UserScramCredentialAlteration,
    UserScramCredentialUpsertion,
)

from devtools.brokers.kafka import KafkaServers
from devtools.brokers.missing import BrokersMissing
from devtools.brokers.opening import open_kafka
from services.bots.sensible import SensibleBot
from services.client.books import Books
from services.client.calls import Rejected
from services.client.player import Player, play_game
from services.client.staff import Staff
from services.common.auth.token_keys import SingleKey, read_private_key
from services.common.auth.tokens import Principal, TokenIssuer
from services.common.clock import SystemClock
from services.common.kafka.clients import client_config
from services.common.kafka.settings import KafkaSettings
from services.common.settings.service import PREFIX, Settings
from services.gen.signalbox.rules.v1 import game_pb2
from services.host.addresses import Addresses
from services.host.processes import Replica, environment_of
from tests.brokers import need
from tests.common.faust.followers import eventually
from tests.deploy.rendered import Rendered
from tests.hosting import seat

pytestmark = pytest.mark.integration

PASSWORD = "a password for everybody"
RESOURCES = {
    "topic": ResourceType.TOPIC,
    "group": ResourceType.GROUP,
    "cluster": ResourceType.BROKER,
    "transactionalId": ResourceType.TRANSACTIONAL_ID,
}
OPERATIONS = {
    "Read": AclOperation.READ,
    "Write": AclOperation.WRITE,
    "Create": AclOperation.CREATE,
    "Describe": AclOperation.DESCRIBE,
    "DescribeConfigs": AclOperation.DESCRIBE_CONFIGS,
    "AlterConfigs": AclOperation.ALTER_CONFIGS,
}


@pytest.fixture
def guarded(tmp_path: Path) -> Iterator[KafkaServers]:
    """A Kafka that lets nobody do what he has no right to."""
    try:
        servers = open_kafka(tmp_path / "kafka", protocol="SASL_SSL", is_own=True)
    except BrokersMissing as missing:
        need(str(missing))
    yield servers
    servers.close()


def rights_of(production: Rendered) -> Iterator[AclBinding]:
    """The rights of the overlay's users, as Kafka gets them."""
    for user in production.of_kind("KafkaUser"):
        for rule in user["spec"]["authorization"]["acls"]:
            resource = rule["resource"]
            is_prefix = resource.get("patternType") == "prefix"
            for operation in rule["operations"]:
                yield AclBinding(
                    RESOURCES[resource["type"]],
                    resource.get("name", "kafka-cluster"),
                    ResourcePatternType.PREFIXED if is_prefix else ResourcePatternType.LITERAL,
                    f"User:{user['metadata']['name']}",
                    "*",
                    OPERATIONS[operation],
                    AclPermissionType.ALLOW,
                )


def admit(servers: KafkaServers, production: Rendered) -> None:
    """Give Kafka the overlay's users with their rights."""
    admin = AdminClient(client_config(servers.settings()))
    how = ScramCredentialInfo(ScramMechanism.SCRAM_SHA_512, 4096)
    names = [user["metadata"]["name"] for user in production.of_kind("KafkaUser")]
    users: list[UserScramCredentialAlteration] = [
        UserScramCredentialUpsertion(name, how, PASSWORD.encode()) for name in names
    ]
    for admitted in admin.alter_user_scram_credentials(users).values():
        admitted.result()
    for given in admin.create_acls(list(rights_of(production))).values():
        given.result()


def apply_topics(environment: Mapping[str, str]) -> None:
    """Make the topics as the job does."""
    command = [sys.executable, "-m", "services.cli", "topics", "apply"]
    environment_of_run = {**os.environ, **environment, f"{PREFIX}KAFKA_USER": "topics"}
    done = subprocess.run(command, env=environment_of_run, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@dataclass(frozen=True, slots=True)
class Running:
    """The services, as a client sees them."""

    addresses: Addresses


def metrics_of(replica: Replica) -> str:
    """What a process shows to Prometheus."""
    with urlopen(f"http://{replica.metrics}/metrics", timeout=60) as answer:
        return str(answer.read(), "utf-8")


class Enough(Exception):
    """The game has gone far enough."""


def play_a_turn(host: Running) -> tuple[str, str, int]:
    """Bots play until companies have run; the game, a player's token and the last event known."""
    seated = seat(host, "1824", 3)
    players = {
        player: Player(player, seated.games(host, number), SensibleBot(number))
        for number, player in enumerate(seated.seats)
    }
    known: list[int] = []

    def look(view: game_pb2.GameView) -> None:
        known.append(view.sequence)
        if view.round.turn >= 2:
            raise Enough

    with suppress(Enough):
        play_game(players, seated.game_id, look)
    return seated.game_id, seated.tokens[seated.seats[0]], known[-1]


def look_at_what_is_held_up(lobby: str, key: Path) -> None:
    """The lobby reads dead letters and waiting commands, and settles them, for an operator."""
    issuer = TokenIssuer(SingleKey(read_private_key(key)), 600, SystemClock())
    staff = Staff(lobby, issuer.issue(Principal("operator:olga", "olga", "operator")).token)
    try:
        assert staff.waiting().can_wait
        blocked = staff.blocked()
        assert blocked.can_be_blocked and not blocked.games
        with pytest.raises(Rejected, match="COMMAND_NOT_WAITING"):
            staff.skip(0, 10**6, "it hangs")
    finally:
        staff.close()


def test_a_game_is_played_within_the_rights(
    guarded: KafkaServers, production: Rendered, tmp_path: Path
) -> None:
    """Each service comes in as its own user; a turn with runs of companies is played, booked and found equal."""
    admit(guarded, production)
    password = tmp_path / "password"
    password.write_text(PASSWORD)
    kafka: KafkaSettings = guarded.settings(partitions=3, password_file=password)
    shared = environment_of(kafka, f"{PREFIX}KAFKA_", skip=("instance", "user"))
    shared[f"{PREFIX}SIGNING_KEY"] = str(tmp_path / "key.pem")
    shared[f"{PREFIX}ROUTING_WORKERS"] = "1"
    apply_topics(shared)
    environment_of_run = {**os.environ, **shared}
    replicas: dict[str, Replica] = {}
    with ExitStack() as running:
        for name in ("routing", "rules", "lobby", "ledger"):
            replica = Replica(name, 1, {**environment_of_run, f"{PREFIX}KAFKA_USER": name}, tmp_path)
            if f"{name}_addresses" in Settings.__struct_fields__:
                environment_of_run[f"{PREFIX}{name.upper()}_ADDRESSES"] = replica.address
            running.callback(replica.process.stop)
            replica.process.start()
            replicas[name] = replica
        for replica in replicas.values():
            replica.wait_healthy()
        at = Addresses(metrics="", **{name: replica.address for name, replica in replicas.items()})
        game_id, token, last = play_a_turn(Running(at))
        books = Books(at.ledger, token)
        eventually(lambda: books.audit(game_id).compared_sequence >= last, "the books")
        audit = books.audit(game_id)
        assert not audit.differences and not audit.broken_laws
        assert last > 100
        look_at_what_is_held_up(at.lobby, tmp_path / "key.pem")
        eventually(lambda: "signalbox_kafka_disk_free_bytes{" in metrics_of(replicas["ledger"]), "the disks")
