"""Properties of each server of a Kafka for tests: small, on the loopback address unless it has a place of its own, and unless
production's times are wanted quick to elect and to rebalance."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from devtools.brokers.certificates import Certificates
from services.common.kafka.settings import Protocol
from services.host.sites import LOOPBACK

IN_STEP_OF_THREE = 2
INTERNAL_PARTITIONS = 4
STRANGER = "stranger"


@dataclass(frozen=True, slots=True)
class Credentials:
    """SASL users of clients; `user` may do everything, `STRANGER` with the same password nothing."""

    mechanism: str
    user: str
    password: str


@dataclass(frozen=True, slots=True)
class ServerPorts:
    """Ports of one server: for clients, for the other brokers, for the controllers."""

    clients: int
    brokers: int
    controllers: int
    host: str = LOOPBACK


@dataclass(frozen=True, slots=True)
class ClusterPlan:
    """What the servers of one Kafka have in common."""

    ports: tuple[ServerPorts, ...]
    protocol: Protocol
    credentials: Credentials | None
    certificates: Certificates | None
    is_quick: bool = True
    """False: the times that Kafka has by default, as in production."""


def properties_of(plan: ClusterPlan, index: int, data: Path) -> str:
    """The file of settings of one server that keeps its log in `data`."""
    settings = _place(plan, index, data) | _sizes(len(plan.ports)) | _doors(plan)
    if plan.is_quick:
        settings |= _quick_times()
    return "".join(f"{name}={value}\n" for name, value in settings.items())


def _place(plan: ClusterPlan, index: int, data: Path) -> dict[str, object]:
    ports = plan.ports[index]
    voters = ",".join(f"{place + 1}@{each.host}:{each.controllers}" for place, each in enumerate(plan.ports))
    return {
        "process.roles": "broker,controller",
        "node.id": index + 1,
        "controller.quorum.voters": voters,
        "listeners": (
            f"CLIENTS://{ports.host}:{ports.clients},BROKERS://{ports.host}:{ports.brokers},"
            f"CONTROLLERS://{ports.host}:{ports.controllers}"
        ),
        "listener.security.protocol.map": (
            f"CLIENTS:{plan.protocol},BROKERS:PLAINTEXT,CONTROLLERS:PLAINTEXT"
        ),
        "inter.broker.listener.name": "BROKERS",
        "controller.listener.names": "CONTROLLERS",
        "log.dirs": data,
    }


def _sizes(brokers: int) -> dict[str, object]:
    copies = min(3, brokers)
    in_step = min(IN_STEP_OF_THREE, copies)
    return {
        "default.replication.factor": copies,
        "min.insync.replicas": in_step,
        "offsets.topic.replication.factor": copies,
        "offsets.topic.num.partitions": INTERNAL_PARTITIONS,
        "transaction.state.log.replication.factor": copies,
        "transaction.state.log.min.isr": in_step,
        "transaction.state.log.num.partitions": INTERNAL_PARTITIONS,
        "auto.create.topics.enable": "false",
        "num.network.threads": 2,
        "num.io.threads": 4,
        "background.threads": 2,
        "log.cleaner.dedupe.buffer.size": 16 * 1024 * 1024,
        "log.index.size.max.bytes": 1024 * 1024,
    }


def _quick_times() -> dict[str, object]:
    return {
        "group.initial.rebalance.delay.ms": 0,
        "group.min.session.timeout.ms": 1_000,
        "transaction.abort.timed.out.transaction.cleanup.interval.ms": 1_000,
        "broker.session.timeout.ms": 3_000,
        "broker.heartbeat.interval.ms": 1_000,
        # An idle server writes a record of its quorum that says nothing as often as this, by default twice a second.
        "metadata.max.idle.interval.ms": 10_000,
        "replica.lag.time.max.ms": 5_000,
        "log.segment.delete.delay.ms": 1_000,
        "controlled.shutdown.enable": "true",
    }


def _doors(plan: ClusterPlan) -> dict[str, object]:
    doors: dict[str, object] = {}
    if plan.certificates is not None:
        doors |= {
            "ssl.keystore.type": "PEM",
            "ssl.keystore.location": plan.certificates.server.both,
            "ssl.truststore.type": "PEM",
            "ssl.truststore.location": plan.certificates.authority,
            "ssl.client.auth": "requested" if plan.credentials else "required",
        }
    if plan.credentials is not None:
        doors |= _sasl(plan.credentials)
    return doors


def _sasl(credentials: Credentials) -> dict[str, object]:
    mechanism = credentials.mechanism
    if mechanism == "PLAIN":
        users = " ".join(f'user_{user}="{credentials.password}"' for user in (credentials.user, STRANGER))
        login = f"org.apache.kafka.common.security.plain.PlainLoginModule required {users};"
    else:
        login = "org.apache.kafka.common.security.scram.ScramLoginModule required;"
    return {
        "sasl.enabled.mechanisms": mechanism,
        f"listener.name.clients.{mechanism.lower()}.sasl.jaas.config": login,
        "authorizer.class.name": "org.apache.kafka.metadata.authorizer.StandardAuthorizer",
        "super.users": f"User:ANONYMOUS;User:{credentials.user}",
    }
