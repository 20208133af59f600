"""Where the time of a command goes on a quiet platform, beside what Kafka needs for the same writes through the same client.

`python -m tests.bench idle`: one game of 1824 and one replica of each service, a command now and then, then one after another.
The writes alone, a plain record and a transaction like that of one command, come from a process that does nothing else, to the
same server. Cores that were idle for 50 ms may take several times as long for the same, as a server of nothing but gRPC shows."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from urllib.request import urlopen

import grpc
import msgspec
from confluent_kafka import TopicPartition
from grpc_health.v1.health import HealthServicer
from grpc_health.v1.health_pb2 import HealthCheckRequest
from grpc_health.v1.health_pb2_grpc import HealthStub, add_HealthServicer_to_server
from prometheus_client.parser import text_string_to_metric_families
from prometheus_client.samples import Sample

from devtools.brokers.kafka import KafkaServers
from services.common.grpc.channel import single_channel
from services.common.grpc.tls import PLAIN
from services.common.kafka.clients import new_consumer, new_producer
from services.common.kafka.settings import KafkaSettings
from services.common.kafka.topics import COMMANDS, EVENTS, GAME_STATUSES
from services.common.redis.settings import RedisSettings
from services.host.kafka_game import NEVER_DIRECT_SECONDS
from services.host.processes import ClusterHost, Replicas
from services.rules.cluster.gateway import DIRECT
from services.rules.cluster.transactions import Outgoing, TransactionalWriter
from tests.bench.on_brokers import on_brokers
from tests.brokers import own_topics
from tests.clusters import SETTINGS
from tests.integration.tables import Gathering, gather

BEFORE, MEASURED = 200, 200
PAUSES = {"now and then": 0.05, "one after another": 0.0}
# Until the server has compiled what they need.
WARMING_WRITES = 1_000
RECORD = bytes(range(250))
# Means of these are printed, of the replica of rules.
STEPS = {
    "at the replica, from the call to the answer": ("signalbox_rpc_seconds", {"method": "Execute"}),
    "from giving it to Kafka, or to the owner, to its outcome": ("signalbox_gateway_seconds", {}),
    "deciding": ("signalbox_owner_deciding_seconds", {}),
    "its transaction": ("signalbox_owner_transaction_seconds", {}),
}
# A command goes to its owner by either way; so long after a takeover past the log.
WAYS = {"by the log": NEVER_DIRECT_SECONDS, "past the log": 0.0}
PAST_THE_LOG = "signalbox_gateway_answers_total", {"path": DIRECT}


@dataclass(frozen=True, slots=True)
class _Played:
    """Commands of one game: how long each took its player, likewise calls of the same server that do nothing, and the metrics of
    rules before and after the commands."""

    seconds: list[float]
    empty: list[float]
    before: list[Sample]
    after: list[Sample]

    def grown(self, name: str, labels: Mapping[str, str]) -> float:
        """By how much a metric grew."""
        return _total(self.after, name, labels) - _total(self.before, name, labels)


def main() -> int:
    """Measure and print; 2 without brokers."""
    return on_brokers(_measure)


def _measure(folder: Path, servers: KafkaServers, redis: RedisSettings) -> int:
    with own_topics(servers) as scratch:
        _writes(scratch, WARMING_WRITES, pause=0.0)
        for way, direct_after_seconds in WAYS.items():
            with own_topics(servers) as kafka:
                _show_commands(way, folder / way, kafka, redis, direct_after_seconds)
        for often, pause in PAUSES.items():
            plain, transaction = _writes(scratch, MEASURED, pause)
            _show(f"a record acknowledged, by a client that does nothing else, {often}", plain)
            _show(f"a transaction like that of a command, likewise, {often}", transaction)
    for often, pause in PAUSES.items():
        _show(f"a call of a server that is nothing but gRPC, {often}", _bare_calls(pause))
    return 0


def _show_commands(
    way: str, folder: Path, kafka: KafkaSettings, redis: RedisSettings, direct_after_seconds: float
) -> None:
    settings = msgspec.structs.replace(SETTINGS, rules_direct_after_seconds=direct_after_seconds)
    host = ClusterHost(folder, kafka, redis, Replicas(rules=1, routing=1), settings)
    host.start()
    try:
        gathering = gather(host.addresses, ("Ann", "Bob", "Cem"))
        gathering.play(BEFORE)
        for often, pause in PAUSES.items():
            _show_played(f"{way}, {often}", _played(gathering, host, pause))
    finally:
        host.stop()


def _played(gathering: Gathering, host: ClusterHost, pause: float) -> _Played:
    metrics = host.replica("rules-1").metrics
    before = _samples(metrics)
    seen = [_command(gathering, pause) for _ in range(MEASURED)]
    after = _samples(metrics)
    return _Played(seen, _calls(host.addresses.rules.split(",")[0], pause), before, after)


def _show_played(how: str, played: _Played) -> None:
    _show(f"a command {how}, as its player sees it", played.seconds)
    for step, (name, labels) in STEPS.items():
        seconds, count = (played.grown(f"{name}_{what}", labels) for what in ("sum", "count"))
        print(f"    {step}: mean {1000 * seconds / max(1, count):.1f} ms")
    print(f"    answered past the log: {played.grown(*PAST_THE_LOG):.0f} of {MEASURED}")
    _show("  a call of that server that does nothing (its health)", played.empty)


def _command(gathering: Gathering, pause: float) -> float:
    """Seconds of one command of the player who is asked."""
    person = gathering.asked()
    offer = person.games.choices(gathering.game_id)
    command = person.bot.choose(offer.choices)
    time.sleep(pause)
    began = time.perf_counter()
    accepted = person.games.execute(gathering.game_id, offer.sequence, command)
    seconds = time.perf_counter() - began
    gathering.hear(accepted.last_sequence)
    return seconds


def _calls(address: str, pause: float) -> list[float]:
    """Seconds of calls that need nothing but the way there and back."""
    with single_channel(address, PLAIN) as channel:
        stub = HealthStub(channel)
        return [*_timed(lambda _: stub.Check(HealthCheckRequest()), MEASURED, pause)]


def _bare_calls(pause: float) -> list[float]:
    """Likewise of a process that does nothing else than answer them."""
    context = get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=_answer_calls, args=(theirs,), daemon=True)
    process.start()
    try:
        return _calls(f"127.0.0.1:{ours.recv()}", pause)
    finally:
        process.kill()
        process.join()


def _answer_calls(connection: Connection) -> None:
    server = grpc.server(ThreadPoolExecutor())
    add_HealthServicer_to_server(HealthServicer(), server)
    connection.send(server.add_insecure_port("127.0.0.1:0"))
    server.start()
    server.wait_for_termination()


def _samples(metrics: str) -> list[Sample]:
    text = urlopen(f"http://{metrics}/metrics", timeout=60).read().decode()
    return [sample for family in text_string_to_metric_families(text) for sample in family.samples]


def _total(samples: list[Sample], name: str, labels: Mapping[str, str]) -> float:
    return sum(each.value for each in samples if each.name == name and labels.items() <= each.labels.items())


def _writes(kafka: KafkaSettings, count: int, pause: float) -> tuple[list[float], list[float]]:
    """Seconds of plain records, and of transactions with an event, a status and the offset of a command."""
    producer = new_producer(kafka)
    writer = TransactionalWriter(kafka, f"{kafka.topic_prefix}idle")
    with closing(writer), closing(new_consumer(kafka, "idle")) as member:
        writer.open()
        group = member.consumer_group_metadata()

        def plain(number: int) -> None:
            producer.produce(COMMANDS.name_in(kafka), RECORD, str(number), 0)
            producer.flush()

        def transaction(number: int) -> None:
            topics = EVENTS, GAME_STATUSES
            records = [Outgoing(each.name_in(kafka), 0, b"game", RECORD) for each in topics]
            writer.write(records, [TopicPartition(COMMANDS.name_in(kafka), 0, number)], group)

        return [*_timed(plain, count, pause)], [*_timed(transaction, count, pause)]


def _timed(do: Callable[[int], object], count: int, pause: float) -> Iterator[float]:
    for number in range(count):
        time.sleep(pause)
        began = time.perf_counter()
        do(number)
        yield time.perf_counter() - began


def _show(what: str, seconds: list[float]) -> None:
    tenths = statistics.quantiles(seconds, n=10)
    print(f"  {what}: p50 {1000 * tenths[4]:.1f}, p90 {1000 * tenths[8]:.1f} ms", flush=True)
