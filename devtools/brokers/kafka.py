"""A real Apache Kafka on the loopback address: one server or three, whose servers can be killed and started again."""

from __future__ import annotations

import secrets
import shutil
import time
import uuid
from base64 import urlsafe_b64encode
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol as Port

from devtools.brokers.certificates import Certificates, make_certificates
from devtools.brokers.kafka_properties import (
    STRANGER,
    ClusterPlan,
    Credentials,
    ServerPorts,
    properties_of,
)
from services.common.kafka.settings import KafkaSettings, Protocol
from services.host.children import LOOK_EVERY_SECONDS, ChildFailed, Program, answers, free_ports
from services.host.sites import HERE, LOOPBACK, Site

START_SECONDS = 90.0
USER = "signalbox"
STORAGE_TOOL = "kafka.tools.StorageTool"
PREPARED = "meta.properties"


class Launcher(Port):
    """How a server of Kafka is run: by Java of this machine or in a container."""

    def format(self, arguments: Sequence[str]) -> None:
        """Run Kafka's storage tool. Raises `ChildFailed`."""

    def server(self, name: str, properties: Path, log: Path, place: Site = HERE) -> Program:
        """A server with these settings, not started yet."""


class KafkaNode:
    """One server: broker and controller in one. What it has written stays in `data` until the Kafka is closed."""

    def __init__(self, node_id: int, port: int, data: Path, program: Program, host: str = LOOPBACK) -> None:
        self.node_id = node_id
        self.address = f"{host}:{port}"
        self._host = host
        self.data = data
        self.program = program
        self._port = port

    @property
    def is_running(self) -> bool:
        """Whether it is alive, perhaps paused."""
        return self.program.is_running

    def launch(self) -> None:
        """Start it and come back at once; a server alone of three serves nobody."""
        self.program.start()

    def wait(self) -> None:
        """Come back when it lets clients in. Raises `ChildFailed`."""
        self.program.wait_until(lambda: answers(self._port, self._host), START_SECONDS)

    def start(self) -> None:
        """Start it, also after a kill; it lets clients in when this is over. Raises `ChildFailed`."""
        self.launch()
        self.wait()

    def kill(self) -> None:
        """kill -9."""
        self.program.kill()

    def stop(self) -> None:
        """Let it hand over its partitions and end."""
        self.program.stop()

    def pause(self) -> None:
        """Pause it with its connections open."""
        self.program.pause()

    def resume(self) -> None:
        """Resume it."""
        self.program.resume()


@dataclass(frozen=True, slots=True)
class KafkaAccess:
    """Credentials of clients. `stranger_file` is the password of `STRANGER`, a user without rights."""

    protocol: Protocol = "PLAINTEXT"
    certificates: Certificates | None = None
    mechanism: str = "SCRAM-SHA-512"
    user: str = ""
    password_file: Path | None = None


class KafkaServers:
    """A Kafka to work with. `nodes` is empty if this process did not start it and cannot kill it."""

    def __init__(
        self,
        addresses: tuple[str, ...],
        nodes: tuple[KafkaNode, ...] = (),
        access: KafkaAccess | None = None,
        folder: Path | None = None,
    ) -> None:
        self.addresses = addresses
        self.nodes = nodes
        self.access = access or KafkaAccess()
        self._folder = folder

    def settings(self, topic_prefix: str = "", **chosen: Any) -> KafkaSettings:
        """The settings by which a service reaches it; three servers keep three copies of everything."""
        access = self.access
        defaults: dict[str, Any] = {
            "servers": self.addresses,
            "topic_prefix": topic_prefix,
            "replication": min(3, max(1, len(self.nodes))),
            "instance": "test",
            "protocol": access.protocol,
            "mechanism": access.mechanism,
            "user": access.user,
            "password_file": access.password_file,
        }
        if access.certificates is not None:
            defaults["ca_file"] = access.certificates.authority
            if not access.user:
                defaults["certificate_file"] = access.certificates.client.certificate
                defaults["key_file"] = access.certificates.client.key
        return KafkaSettings(**(defaults | chosen))

    def close(self) -> None:
        """End our servers and remove what they have written; leave those of others alone."""
        for node in self.nodes:
            node.kill()
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)

    def __enter__(self) -> KafkaServers:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def start_kafka(
    launcher: Launcher,
    folder: Path,
    brokers: int = 1,
    protocol: Protocol = "PLAINTEXT",
    mechanism: str = "SCRAM-SHA-512",
    is_quick: bool = True,
    places: Sequence[Site] = (),
) -> KafkaServers:
    """Start servers of our own that keep everything in `folder`, and wait until all let clients in. `places`: one
    for each server, on the loopback address without.

    Raises `ChildFailed` when one does not start.
    """
    folder.mkdir(parents=True, exist_ok=True)
    places = places or (HERE,) * brokers
    plan = _plan(folder, places, protocol, mechanism, is_quick)
    nodes = _nodes(plan, launcher, folder, places)
    try:
        _format(plan, launcher, folder, nodes)
        for node in nodes:
            node.launch()
        for node in nodes:
            node.wait()
        servers = KafkaServers(tuple(node.address for node in nodes), nodes, _access(plan, folder), folder)
        _wait_whole(servers)
    except BaseException:
        for node in nodes:
            with suppress(ChildFailed):
                node.kill()
        raise
    return servers


def _plan(
    folder: Path, places: Sequence[Site], protocol: Protocol, mechanism: str, is_quick: bool
) -> ClusterPlan:
    has_sasl = protocol.startswith("SASL")
    return ClusterPlan(
        ports=tuple(_ports(place) for place in places),
        protocol=protocol,
        credentials=Credentials(mechanism, USER, secrets.token_urlsafe(16)) if has_sasl else None,
        certificates=make_certificates(folder / "certificates") if protocol.endswith("SSL") else None,
        is_quick=is_quick,
    )


def _ports(place: Site) -> ServerPorts:
    clients, brokers, controllers = free_ports(3)
    return ServerPorts(clients, brokers, controllers, place.host)


def _nodes(
    plan: ClusterPlan, launcher: Launcher, folder: Path, places: Sequence[Site]
) -> tuple[KafkaNode, ...]:
    nodes = []
    for index, (ports, place) in enumerate(zip(plan.ports, places, strict=True)):
        settings = folder / f"node{index + 1}"
        settings.mkdir(exist_ok=True)
        data = place.folder or settings / "data"
        properties = settings / "server.properties"
        properties.write_text(properties_of(plan, index, data))
        program = launcher.server(f"Kafka server {index + 1}", properties, settings / "server.log", place)
        nodes.append(KafkaNode(index + 1, ports.clients, data, program, place.host))
    return tuple(nodes)


def _format(plan: ClusterPlan, launcher: Launcher, folder: Path, nodes: Sequence[KafkaNode]) -> None:
    """Kafka's own tool prepares the first folder; the others differ from it by two numbers only. Folders that an earlier Kafka
    left stay as they are: it goes on."""
    if all((node.data / PREPARED).exists() for node in nodes):
        return
    cluster = _random_id()
    arguments = ["format", "-t", cluster, "-c", str(folder / "node1" / "server.properties")]
    if plan.credentials is not None and plan.credentials.mechanism != "PLAIN":
        for user in (plan.credentials.user, STRANGER):
            secret = f"[name={user},password={plan.credentials.password}]"
            arguments += ["--add-scram", f"{plan.credentials.mechanism}={secret}"]
    launcher.format(arguments)
    for node in nodes[1:]:
        node.data.mkdir(exist_ok=True)
        shutil.copy(nodes[0].data / "bootstrap.checkpoint", node.data)
        (node.data / PREPARED).write_text(
            f"version=1\ncluster.id={cluster}\nnode.id={node.node_id}\ndirectory.id={_random_id()}\n"
        )


def _random_id() -> str:
    return urlsafe_b64encode(uuid.uuid4().bytes).decode().rstrip("=").replace("-", "a", 1)


def _access(plan: ClusterPlan, folder: Path) -> KafkaAccess:
    if plan.credentials is None:
        return KafkaAccess(plan.protocol, plan.certificates)
    password_file = folder / "password"
    password_file.touch(mode=0o600)
    password_file.write_text(plan.credentials.password)
    return KafkaAccess(
        plan.protocol, plan.certificates, plan.credentials.mechanism, plan.credentials.user, password_file
    )


def _wait_whole(servers: KafkaServers) -> None:
    """Until every server knows of all others."""
    from services.common.kafka.clients import new_consumer

    deadline = time.monotonic() + START_SECONDS
    consumer = new_consumer(servers.settings(), "start")
    try:
        while len(consumer.list_topics(timeout=START_SECONDS).brokers) < len(servers.nodes):
            if time.monotonic() > deadline:
                raise ChildFailed(f"the servers of Kafka do not find each other in {START_SECONDS:.0f} s")
            time.sleep(LOOK_EVERY_SECONDS)
    finally:
        consumer.close()
