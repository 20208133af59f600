"""A generated log on Kafka: games that are copies of one seeded game, their commits interleaved like those of many tables."""

from __future__ import annotations

import random

import msgspec
from confluent_kafka import Producer

from services.common.eventlog.memory import MemoryEventLog, MemorySnapshotStore
from services.common.kafka.clients import new_producer
from services.common.kafka.offsets import committed_ends, ends
from services.common.kafka.settings import KafkaSettings
from services.common.kafka.topics import EVENTS, GAME_STATUSES, TOPICS, Topic
from services.common.partitions import partition_of
from services.gen.signalbox.log.v1 import log_pb2 as pb
from services.rules.adapters.records import decoded
from services.rules.history import stream_of
from services.rules.kernel.fold import replay
from services.rules.status import status_of
from services.rules.titles import TITLES
from tests.rules.service.desk import GAME, Desk
from tests.waiting import until

COMMITS_PER_TRANSACTION = 20
SECONDS = 60.0


def write_log(kafka: KafkaSettings, games: int, moves: int, seed: int) -> int:
    """Write so many games of so many moves; returns the number of events. Transactions are as small as under load."""
    commits, status = _game(moves)
    order = list(range(games)) * len(commits)
    random.Random(seed).shuffle(order)
    written = [0] * games
    producer = new_producer(kafka, **{"transactional.id": f"{kafka.topic_prefix}generated"})
    producer.init_transactions(SECONDS)
    for start in range(0, len(order), COMMITS_PER_TRANSACTION):
        producer.begin_transaction()
        for game in order[start : start + COMMITS_PER_TRANSACTION]:
            game_id, commit = f"g{game:06}", commits[written[game]]
            written[game] += 1
            commit.stream = stream_of(game_id)
            _send(producer, kafka, EVENTS, game_id, commit)
            if written[game] == len(commits):
                status.game_id = game_id
                _send(producer, kafka, GAME_STATUSES, game_id, status)
        producer.commit_transaction(SECONDS)
    wait_until_readable(kafka)
    return games * sum(len(commit.facts) for commit in commits)


def wait_until_readable(kafka: KafkaSettings) -> None:
    """Back when everything that was committed can be read: brokers mark the end of a transaction after they have confirmed it."""
    until(lambda: committed_ends(kafka, TOPICS) == ends(kafka, TOPICS))


def _game(moves: int) -> tuple[list[pb.Commit], pb.GameStatus]:
    """The commits of a game, and its status after them."""
    log = MemoryEventLog()
    desk = Desk(log, MemorySnapshotStore())
    desk.create(policy="free")
    desk.play_on(moves)
    stream = stream_of(GAME)
    records, commits = log.read(stream), []
    for request in log.requests(stream):
        first, last = msgspec.msgpack.decode(request.outcome, type=tuple[int, int])
        commits.append(
            pb.Commit(
                first_sequence=first,
                facts=[
                    pb.Fact(type=each.type, schema_version=each.schema_version, payload=each.payload)
                    for each in records[first - 1 : last]
                ],
                recorded_time_ms=records[last - 1].recorded_time_ms,
                request=pb.Request(
                    request_id=request.request_id, player=request.player, outcome=request.outcome
                ),
            )
        )
    commits.sort(key=lambda commit: commit.first_sequence)
    state = replay(decoded(records))
    title = TITLES[state.title]
    status = status_of(GAME, title, title.data_of(state), state, records[-1].recorded_time_ms)
    return commits, status


def _send(
    producer: Producer, kafka: KafkaSettings, topic: Topic, game_id: str, message: pb.Commit | pb.GameStatus
) -> None:
    partition = partition_of(game_id, kafka.partitions)
    producer.produce(topic.name_in(kafka), message.SerializeToString(), game_id.encode(), partition)
