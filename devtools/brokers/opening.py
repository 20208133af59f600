"""Where a real Kafka and a real Redis come from: addresses of the environment, Docker, programs of this machine."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from devtools.brokers.class_archive import with_class_archive
from devtools.brokers.containers import ContainerKafka, ContainerRedis, need_docker
from devtools.brokers.java_kafka import JavaKafka
from devtools.brokers.kafka import KafkaServers, start_kafka
from devtools.brokers.missing import BrokersMissing, WayClosed
from devtools.brokers.redis import LocalRedis, RedisServer, start_redis
from services.common.kafka.settings import Protocol
from services.common.settings.service import addresses
from services.host.children import ChildFailed
from services.host.sites import HERE, Site

KAFKA_VARIABLE = "SIGNALBOX_TEST_KAFKA"
REDIS_VARIABLE = "SIGNALBOX_TEST_REDIS"
Server = TypeVar("Server", KafkaServers, RedisServer)


@dataclass(frozen=True, slots=True)
class Brokers:
    """A Kafka and a Redis."""

    kafka: KafkaServers
    redis: RedisServer


@contextmanager
def brokers(folder: Path, environment: Mapping[str, str] = os.environ) -> Iterator[Brokers]:
    """Both, one server of each, from wherever they come; ours end with the context. Raises `BrokersMissing`."""
    with (
        open_redis(folder / "redis", environment) as redis,
        open_kafka(folder / "kafka", environment) as kafka,
    ):
        yield Brokers(kafka, redis)


def open_kafka(
    folder: Path,
    environment: Mapping[str, str] = os.environ,
    *,
    brokers: int = 1,
    protocol: Protocol = "PLAINTEXT",
    mechanism: str = "SCRAM-SHA-512",
    is_own: bool = False,
    is_lasting: bool = False,
    is_quick: bool = True,
    places: Sequence[Site] = (),
) -> KafkaServers:
    """A Kafka, quick to start unless it `is_lasting`, and quick to elect and to rebalance unless it has production's times
    (`is_quick` False). Raises `BrokersMissing`.

    With `is_own`, three brokers or a guarded door never one of the environment. `places`: of each server."""
    named = environment.get(KAFKA_VARIABLE)
    if named and brokers == 1 and protocol == "PLAINTEXT" and not is_own:
        return KafkaServers(addresses(KAFKA_VARIABLE, named))

    def in_docker() -> KafkaServers:
        need_docker()
        return start_kafka(ContainerKafka(folder), folder, brokers, protocol, mechanism, is_quick, places)

    def by_java() -> KafkaServers:
        launcher = with_class_archive(JavaKafka.found(environment, is_lasting))
        return start_kafka(launcher, folder, brokers, protocol, mechanism, is_quick, places)

    return _first_open("Kafka", KAFKA_VARIABLE, folder, (in_docker, by_java))


def open_redis(
    folder: Path,
    environment: Mapping[str, str] = os.environ,
    *,
    has_password: bool = False,
    has_tls: bool = False,
    is_own: bool = False,
    place: Site = HERE,
) -> RedisServer:
    """A Redis; with `is_own` or a guarded door never one of the environment. Raises `BrokersMissing`."""
    named = environment.get(REDIS_VARIABLE)
    if named and not (has_password or has_tls or is_own):
        return RedisServer(addresses(REDIS_VARIABLE, named)[0])

    def in_docker() -> RedisServer:
        need_docker()
        return start_redis(ContainerRedis(), folder, has_password, has_tls, place)

    def by_program() -> RedisServer:
        program = shutil.which("redis-server", path=environment.get("PATH"))
        if program is None:
            raise WayClosed("no redis-server on the path (on Debian: redis-server)")
        return start_redis(LocalRedis(program), folder, has_password, has_tls, place)

    return _first_open("Redis", REDIS_VARIABLE, folder, (in_docker, by_program))


def _first_open(name: str, variable: str, folder: Path, ways: tuple[Callable[[], Server], ...]) -> Server:
    reasons = [f"{variable} names none"]
    for way in ways:
        try:
            return way()
        except (WayClosed, ChildFailed) as error:
            reasons.append(" ".join(str(error).split()))
            shutil.rmtree(folder, ignore_errors=True)
    raise BrokersMissing(f"no {name}: {'; '.join(reasons)}")
