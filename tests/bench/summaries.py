"""What the summaries of all games cost a replica of the lobby: reading them from the beginning, and following them.

`python -m tests.bench summaries`; SIGNALBOX_BENCH_GAMES: of how many games, 20,000 unless given."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from itertools import count, islice
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from random import Random

from devtools.brokers.kafka import KafkaServers
from services.common.kafka.clients import new_producer
from services.common.kafka.packing import stored
from services.common.kafka.settings import KafkaSettings
from services.common.kafka.topics import LOBBY_SUMMARIES
from services.common.partitions import partition_of
from services.common.redis.settings import RedisSettings
from services.lobby.cluster.kafka_summaries import KafkaSummaries
from services.lobby.domain.games import GameStatus, GameSummary, summary_after
from services.lobby.handlers.requests import derived_id
from services.lobby.summary_codec import encode_summary
from tests.bench.on_brokers import on_brokers
from tests.lobby.kafka_topics import own_topics

GAMES = int(os.environ.get("SIGNALBOX_BENCH_GAMES", "20000"))
RATES, SECONDS, WAIT_SECONDS = (100, 1000, 4000), 10, 600.0
SEED, FIRST_TIME_MS = 7, 1_700_000_000_000


def summaries() -> Iterator[GameSummary]:
    """One of each game, then others of games by lot, without end: four players, whose turn changes with each."""
    draw = Random(SEED)
    players = [derived_id("p", str(number)) for number in range(GAMES)]
    seats = [tuple(draw.sample(players, 4)) for _ in range(GAMES)]
    latest: dict[int, GameSummary] = {}
    for number in count():
        game = number if number < GAMES else draw.randrange(GAMES)
        known = latest.get(game)
        sequence = 1 if known is None else known.sequence + draw.randint(1, 6)
        asked = draw.choice(seats[game])
        status = GameStatus(
            game_id=derived_id("g", str(game)),
            sequence=sequence,
            title="1824",
            players=seats[game],
            acting_players=(asked,),
            round_kind="operating",
            turn=sequence // 60,
            round_number=1,
            phase="3",
            actor=draw.choice(("BH", "KK", "SB", "UG")),
            time_ms=FIRST_TIME_MS + number * 10,
        )
        latest[game] = summary_after(known, status, derived_id("t", str(game)), 0)
        yield latest[game]


def main() -> int:
    """Prints seconds of a core of the replica alone, the client of Kafka included."""
    return on_brokers(_measure)


def _measure(folder: Path, servers: KafkaServers, _: RedisSettings) -> int:
    with own_topics(servers, LOBBY_SUMMARIES) as kafka:
        made = summaries()
        _write(kafka, made, GAMES, 0)
        here, there = get_context("spawn").Pipe()
        replica = get_context("spawn").Process(target=_follow, args=(kafka, folder / "summaries.db", there))
        replica.start()
        taken: float = here.recv()
        size = (folder / "summaries.db").stat().st_size / 1e6
        print(
            f"{GAMES:,} games from nothing: {taken:.2f} s, {taken / GAMES * 1e6:.0f} us each; {size:.0f} MB"
        )
        for rate in RATES:
            here.send(True)
            here.recv()
            _write(kafka, made, rate * SECONDS, rate)
            here.send(True)
            taken = here.recv()
            print(
                f"{rate:,} a second: {taken / rate / SECONDS * 1e6:.0f} us each, all that the process takes"
            )
        here.send(False)
        replica.join()
    return 0


def _follow(kafka: KafkaSettings, path: Path, parent: Connection) -> None:
    """Sends what reading took, then what it takes between two questions, until there are no more."""
    begun = time.process_time()
    replica = KafkaSummaries(kafka, path)
    replica.start()
    assert replica.wait_current(WAIT_SECONDS)
    parent.send(time.process_time() - begun)
    while parent.recv():
        begun = time.process_time()
        parent.send(None)
        parent.recv()
        assert replica.wait_current(WAIT_SECONDS)
        parent.send(time.process_time() - begun)
    replica.close()


def _write(kafka: KafkaSettings, made: Iterator[GameSummary], number: int, rate: int) -> None:
    """As many, so many a second; as fast as it goes for 0."""
    producer = new_producer(kafka)
    topic, partitions = LOBBY_SUMMARIES.name_in(kafka), LOBBY_SUMMARIES.partitions(kafka)
    begun = time.monotonic()
    for written, summary in enumerate(islice(made, number)):
        value = stored(kafka, summary.game_id, encode_summary(summary))
        if rate:
            time.sleep(max(0.0, begun + written / rate - time.monotonic()))
        producer.produce(topic, value, summary.game_id.encode(), partition_of(summary.game_id, partitions))
        producer.poll(0)
    assert not producer.flush(WAIT_SECONDS)
