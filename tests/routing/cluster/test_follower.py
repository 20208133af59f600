"""Requests ahead on a real Kafka: from routing.requests to the cache."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace
from prometheus_client import CollectorRegistry

from devtools.brokers.kafka import KafkaServers
from services.common.kafka.clients import new_producer
from services.common.kafka.packing import value_of
from services.common.kafka.settings import KafkaSettings
from services.common.kafka.topics import ROUTING_DEAD_LETTERS, ROUTING_REQUESTS
from services.common.partitions import partition_of
from services.gen.signalbox.log.v1 import log_pb2
from services.routing.cluster.follower import AGE_MS_MAX, AheadFollower
from services.routing.convert import problem_to_message
from services.routing.domain.problem import RouteProblem
from tests.brokers import own_topics
from tests.routing.service.serving import (
    COMPILING_SECONDS,
    Serving,
    easy_problem,
    request,
    serving,
)
from tests.waiting import until

pytestmark = pytest.mark.integration

GAME = "game-1"


@pytest.fixture
def kafka(kafka_servers: KafkaServers) -> Iterator[KafkaSettings]:
    """A Kafka with the topics of requests ahead."""
    with own_topics(kafka_servers, topics=(ROUTING_REQUESTS, ROUTING_DEAD_LETTERS)) as settings:
        yield settings


@pytest.fixture
def server() -> Iterator[Serving]:
    """A routing service without callers."""
    with serving() as running:
        assert running.service.wait_ready(COMPILING_SECONDS)
        yield running


def send(kafka: KafkaSettings, problem: RouteProblem, time_ms: int = 0, schema_version: int = 1) -> None:
    """Ask ahead, as the owner of a game does; `kafka` says whether it packs."""
    wanted = log_pb2.RoutesWanted(
        schema_version=schema_version, game_id=GAME, sequence=9, problem=problem_to_message(problem)
    )
    producer = new_producer(kafka)
    producer.produce(
        ROUTING_REQUESTS.name_in(kafka),
        value_of(kafka, GAME, wanted),
        GAME.encode(),
        partition_of(GAME, kafka.partitions),
        timestamp=time_ms or int(time.time() * 1000),
    )
    assert producer.flush(60) == 0


def test_what_rules_foresees_is_solved(kafka: KafkaSettings, server: Serving, tmp_path: Path) -> None:
    """A request is answered from the cache later; one that is late is passed over, one of an unknown schema is
    dead-lettered."""
    registry = CollectorRegistry()
    follower = AheadFollower(kafka, server.service.service, tmp_path, registry)

    def count(result: str) -> float:
        return registry.get_sample_value("signalbox_routing_ahead_total", {"result": result}) or 0.0

    follower.start()
    try:
        assert follower._follower.wait_ready(60)
        send(kafka, easy_problem(1), time_ms=int(time.time() * 1000) - 2 * AGE_MS_MAX)
        send(kafka, easy_problem(2))
        send(replace(kafka, packs_values=False), easy_problem(4))
        until(lambda: count("proven") == 2)
        assert count("late") == 1
        assert server.stub.Solve(request(easy_problem(2)), timeout=60).cached
        assert not server.stub.Solve(request(easy_problem(1)), timeout=60).cached
        send(kafka, easy_problem(3), schema_version=2)
        labels = {"follower": "routing.ahead", "topic": ROUTING_REQUESTS.name}
        until(lambda: registry.get_sample_value("signalbox_follower_dead_letters_total", labels) == 1)
    finally:
        follower.stop()
