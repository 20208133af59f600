"""How long a replica of rules needs until it serves, with many games in the log: from nothing, and from its own copy."""

from __future__ import annotations

import time
from pathlib import Path

from confluent_kafka import Producer
from msgspec.structs import replace

from services.common.kafka.administration import apply_topics
from services.common.kafka.clients import new_producer
from services.common.kafka.copy import LogCopy
from services.common.kafka.settings import KafkaSettings
from services.common.kafka.topics import EVENTS
from services.common.partitions import partition_of
from services.common.redis.settings import RedisSettings
from services.common.settings.service import Settings
from services.gen.signalbox.log.v1 import log_pb2 as pb
from services.host.processes import ClusterHost, Replicas
from services.rules.history import stream_of

COUNTS = (1_000, 10_000)
COMMITS = 40
SECONDS = 900.0
# No game is played here, so nobody asks for routes.
NOBODY = "127.0.0.1:1"


def restore(folder: Path, kafka: KafkaSettings, redis: RedisSettings, game: str) -> None:
    """Fill a log with games that are copies of `game`, and start replicas over it."""
    commits = _commits_of(folder, kafka, game)[:COMMITS]
    facts = sum(len(commit.facts) for commit in commits)
    print(f"  restore: games of {len(commits)} commands, {facts} events")
    for count in COUNTS:
        there = replace(kafka, topic_prefix=f"restore{count}.")
        apply_topics(there)
        _fill(there, commits, count)
        host = ClusterHost(
            folder / f"restore{count}",
            there,
            redis,
            Replicas(0, 1, 0, 0),
            Settings(routing_addresses=(NOBODY,)),
        )
        first = _seconds_to_start(host)
        again = _seconds_to_start(host)
        print(
            f"  {count:6} games: a replica serves after {first:5.1f} s from nothing, after {again:4.1f} s with its copy",
            flush=True,
        )


def _commits_of(folder: Path, kafka: KafkaSettings, game: str) -> list[pb.Commit]:
    found: list[pb.Commit] = []
    copy = LogCopy(kafka, EVENTS, folder / "all.db")
    copy.listen(lambda applied: found.append(applied.commit))
    copy.start()
    assert copy.wait_current(SECONDS)
    copy.close()
    return [commit for commit in found if commit.stream == stream_of(game)]


def _fill(kafka: KafkaSettings, commits: list[pb.Commit], count: int) -> None:
    producer = new_producer(kafka, **{"linger.ms": 20, "queue.buffering.max.messages": 100_000})
    for number in range(count):
        game = f"g{number:07}"
        for commit in commits:
            commit.stream = stream_of(game)
            _send(producer, EVENTS.name_in(kafka), commit.SerializeToString(), game, kafka.partitions)
    producer.flush()


def _send(producer: Producer, topic: str, value: bytes, game: str, partitions: int) -> None:
    while True:
        try:
            producer.produce(topic, value, game.encode(), partition_of(game, partitions))
        except BufferError:
            producer.poll(0.1)
        else:
            return


def _seconds_to_start(host: ClusterHost) -> float:
    began = time.monotonic()
    host.start()
    seconds = time.monotonic() - began
    host.stop()
    return seconds
