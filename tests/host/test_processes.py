"""Services as processes of their own: started together, named when one does not come up, gone at the end."""

from __future__ import annotations

import dataclasses
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from devtools.brokers.kafka import KafkaServers
from services.client.routes import Routes
from services.common.grpc.limit_settings import LimitSettings
from services.common.kafka.settings import KafkaSettings, load_kafka_settings
from services.common.kafka.topics import ROUTING_DEAD_LETTERS, ROUTING_REQUESTS
from services.common.process.exit_on_timeout import EXIT_HUNG
from services.common.redis.settings import RedisSettings, load_redis_settings
from services.common.settings.accounts import THROWAWAY_ACCOUNTS
from services.common.settings.service import PREFIX, Settings, load_settings
from services.host.children import ChildFailed
from services.host.processes import STARTS_AFTER_HANGING, ClusterHost, Replicas, environment_of
from tests.brokers import own_topics
from tests.routing.service.serving import easy_problem, is_alive

pytestmark = pytest.mark.integration

NOWHERE = KafkaSettings(servers=("127.0.0.1:1",))
TOPICS = (ROUTING_REQUESTS, ROUTING_DEAD_LETTERS)
NOBODY = Replicas(lobby=0, rules=0, routing=0, ledger=0)
ROUTING_ALONE = dataclasses.replace(NOBODY, routing=2)
SMALL = Settings(routing_workers=0, stop_grace_seconds=0.2, log_level="warning", sign_in=THROWAWAY_ACCOUNTS)


@pytest.fixture(scope="module")
def kafka(kafka_servers: KafkaServers) -> Iterator[KafkaSettings]:
    """A Kafka with what the routing service needs."""
    with own_topics(kafka_servers, topics=TOPICS) as settings:
        yield settings


def test_settings_pass_through_the_environment(tmp_path: Path) -> None:
    """The environment of the processes is what they read."""
    secret = tmp_path / "secret"
    secret.write_text("x")
    kafka = KafkaSettings(
        servers=("a:1", "b:2"),
        topic_prefix="t.",
        instance="rules-1",
        protocol="SASL_PLAINTEXT",
        user="signalbox",
        password_file=secret,
    )
    redis = RedisSettings(address="a:3", tls=True, database=2, timeout_seconds=0.5)
    settings = Settings(routing_addresses=("c:4", "d:5"), limit=LimitSettings(player_watchers=3))
    assert load_kafka_settings(environment_of(kafka, f"{PREFIX}KAFKA_")) == kafka
    assert load_redis_settings(environment_of(redis, f"{PREFIX}REDIS_")) == redis
    assert load_settings(environment_of(settings, PREFIX)) == settings


def test_processes_start_answer_and_end(kafka: KafkaSettings, tmp_path: Path) -> None:
    """Both replicas serve under one address; one that is killed is not missed, and all are gone at the end."""
    started: list[str] = []
    host = ClusterHost(tmp_path, kafka, replicas=ROUTING_ALONE, settings=SMALL, on_progress=started.append)
    host.start()
    try:
        pids = [each.process.pid for each in host.replicas]
        assert sorted(started) == ["routing-1", "routing-2"]
        assert host.addresses.routing.count(":") == 2
        routes = Routes(host.addresses.routing)
        assert routes.solve(easy_problem()).proven
        killed = host.replica("routing-1")
        killed.process.kill()
        assert all(routes.solve(easy_problem(seed)).proven for seed in range(2, 5))
        killed.process.start()
        killed.wait_healthy()
        routes.close()
    finally:
        host.stop()
    assert not any(is_alive(pid) for pid in pids)
    assert all(each.process.exit_code == 0 for each in host.replicas)


@pytest.mark.parametrize("hangs", [1, 9])
def test_a_process_that_hung_is_started_anew(kafka: KafkaSettings, tmp_path: Path, hangs: int) -> None:
    """As an orchestrator does; who hangs again and again is named."""
    host = ClusterHost(tmp_path, kafka, replicas=dataclasses.replace(NOBODY, routing=1), settings=SMALL)
    child, starts = host.replicas[0].process, tmp_path / "starts"
    script = f'echo >>{starts}; [ $(wc -l <{starts}) -le {hangs} ] && exit {EXIT_HUNG}; exec "$@"'
    child._command = ["sh", "-c", script, "sh", *child._command]
    try:
        if hangs == 1:
            host.start()
            assert host.replicas[0].is_healthy()
        else:
            with pytest.raises(ChildFailed, match=f"routing-1 ended with code {EXIT_HUNG}"):
                host.start()
    finally:
        host.stop()
    assert len(starts.read_text().splitlines()) == (2 if hangs == 1 else 1 + STARTS_AFTER_HANGING)


def test_a_process_that_does_not_come_up_is_named(kafka: KafkaSettings, tmp_path: Path) -> None:
    """With what it said last; the others are stopped."""
    host = ClusterHost(tmp_path, kafka, replicas=ROUTING_ALONE, settings=SMALL)
    taken = host.replica("routing-2").address
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", int(taken.rpartition(":")[2])))
        listener.listen()
        with pytest.raises(ChildFailed, match=f"(?s)routing-2 ended with code 1: .*cannot listen on {taken}"):
            host.start()
    assert not any(each.process.is_running for each in host.replicas)


@pytest.mark.parametrize(
    ("service", "changes", "words"),
    [
        ("routing", {"servers": ("127.0.0.1:1",)}, "Kafka at 127.0.0.1:1"),
        ("rules", {"servers": ("127.0.0.1:1",)}, "Kafka at 127.0.0.1:1"),
        ("rules", {}, "rules.commands: is missing"),
        ("routing", {"partitions": 7}, "routing.requests: .* partitions"),
    ],
)
def test_a_kafka_that_cannot_be_used_is_named_at_once(
    kafka: KafkaSettings, tmp_path: Path, service: str, changes: dict[str, Any], words: str
) -> None:
    """No broker there, no topic, another number of partitions: exit 1 with a sentence that names it."""
    host = ClusterHost(
        tmp_path,
        replace(kafka, **changes),
        replicas=dataclasses.replace(NOBODY, **{service: 1}),
        settings=replace(SMALL, routing_addresses=("127.0.0.1:1",)),
    )
    with pytest.raises(
        ChildFailed, match=f"(?s){service}-1 ended with code 1: .*signalbox serve {service}: .*{words}"
    ):
        host.start()
