"""What the tests of the cluster share: topics, replicas, games to play, and a look at the log from outside."""

from __future__ import annotations

import dataclasses
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar
from uuid import uuid4

from confluent_kafka import KafkaError, TopicPartition
from confluent_kafka.admin import AdminClient
from confluent_kafka.cimpl import NewTopic
from google.protobuf.message import Message
from msgspec.structs import replace
from prometheus_client import CollectorRegistry

from devtools.brokers.kafka import KafkaServers
from services.common.errors import DeadlineExceeded, Unavailable
from services.common.kafka.clients import KafkaUnreachable, client_config, new_consumer, new_producer
from services.common.kafka.offsets import ends
from services.common.kafka.settings import KafkaSettings
from services.common.kafka.topics import (
    COMMANDS,
    EVENTS,
    GAME_STATUSES,
    LEDGER_EVENTS,
    OUTCOMES,
    OWNER_DEAD_LETTERS,
    ROUTING_REQUESTS,
    SKIPS,
    SNAPSHOTS,
    STAFF_ACTS,
    Topic,
)
from services.common.kafka.unpacking import message_in
from services.common.partitions import partition_of
from services.common.settings.service import Settings
from services.gen.signalbox.log.v1 import log_pb2 as pb
from services.rules.cluster.gateway import CommandGateway
from services.rules.cluster.group import OwnerTiming
from services.rules.cluster.holdings import Sharing
from services.rules.cluster.replica import ReplicaTiming, RulesReplica
from services.rules.kernel.commands import Command, CreateGame, Pass
from services.rules.requests import CommandAccepted, CommandResult, Request
from services.rules.sessions import UnknownGameError
from tests.rules.cluster.brittle import BRITTLE
from tests.rules.tiny import TINY, LocalSolver
from tests.waiting import until

TOPICS = (
    COMMANDS,
    OUTCOMES,
    EVENTS,
    SNAPSHOTS,
    GAME_STATUSES,
    LEDGER_EVENTS,
    ROUTING_REQUESTS,
    OWNER_DEAD_LETTERS,
    SKIPS,
    STAFF_ACTS,
)
REPOSITORY = Path(__file__).resolve().parents[3]
PARTITIONS = 3
SECONDS = 60.0
NEVER_SECONDS = 3_600.0
"""Longer than any test."""
SESSION_MS = 6000
ARCHIVE_SECONDS = 0.5
SNAPSHOT_SECONDS = 0.3
TITLES = {"tiny": TINY, "brittle": BRITTLE}
PLAYERS = ("ann", "bob")
FIRST = 5
"""The sequence of a game of the title `tiny` that has just begun."""

Kind = TypeVar("Kind", bound=Message)


@contextmanager
def new_topics(servers: KafkaServers, partitions: int = PARTITIONS) -> Iterator[KafkaSettings]:
    """The topics of rules under a prefix of their own; gone at the end."""
    kafka = replace(servers.settings(f"r{uuid4().hex[:10]}.", partitions=partitions), instance="test")
    admin = AdminClient(client_config(kafka))
    wanted = [
        NewTopic(each.name_in(kafka), each.partitions(kafka), config=each.config(kafka)) for each in TOPICS
    ]
    for made in admin.create_topics(wanted, operation_timeout=SECONDS).values():
        made.result()
    until(lambda: _are_served(kafka))
    try:
        yield kafka
    finally:
        for gone in admin.delete_topics([each.topic for each in wanted]).values():
            gone.exception()


def _are_served(kafka: KafkaSettings) -> bool:
    """Whether all partitions have leaders that answer: making topics is quicker."""
    try:
        ends(kafka, TOPICS)
    except KafkaUnreachable:
        return False
    return True


def until_read(replica: RulesReplica, game_id: str, sequence: int) -> None:
    """Wait until the replica has the events of a game up to this one."""

    def has_read() -> bool:
        try:
            return replica.rules.reader.has_reached(game_id, sequence)
        except UnknownGameError:
            return False

    until(has_read)


class ClusterHarness:
    """Replicas over one Kafka, in this process and in others. `close` ends all of them."""

    def __init__(
        self,
        kafka: KafkaSettings,
        folder: Path,
        archive: Path | None = None,
        snapshots: Path | None = None,
    ) -> None:
        """`archive`: where its replicas put finished games, if anywhere; `snapshots`: likewise of whole partitions."""
        self._archive = archive
        self.snapshots = snapshots
        self.kafka = kafka
        self.folder = folder
        self.solver = LocalSolver()
        self.replicas: dict[str, RulesReplica] = {}
        self.registries: dict[str, CollectorRegistry] = {}
        """The metrics of each replica."""
        self._processes: list[subprocess.Popen[bytes]] = []
        self._gateway: CommandGateway | None = None

    def open(
        self, name: str, session_ms: int = SESSION_MS, direct_after_seconds: float = NEVER_SECONDS
    ) -> RulesReplica:
        """A replica in this process, started. So long after a takeover it carries commands out without the log."""
        self.registries[name] = registry = CollectorRegistry()
        replica = new_replica(
            replace(self.kafka, instance=name),
            self.folder,
            self.solver,
            session_ms,
            registry,
            archive=self._archive,
            snapshots=self.snapshots,
            direct_after_seconds=direct_after_seconds,
        )
        self.replicas[name] = replica
        replica.start()
        return replica

    def spawn(self, name: str, **environment: str) -> subprocess.Popen[bytes]:
        """A replica in a process of its own; returns when it is ready."""
        arguments = [",".join(self.kafka.servers), self.kafka.topic_prefix, name, str(self.folder)]
        process = subprocess.Popen(
            [sys.executable, "-m", "tests.rules.cluster.worker", *arguments],
            cwd=REPOSITORY,
            env=os.environ | environment,
            stdout=subprocess.PIPE,
        )
        self._processes.append(process)
        assert process.stdout is not None
        assert process.stdout.readline() == b"ready\n"
        return process

    @property
    def gateway(self) -> CommandGateway:
        """A way for commands that belongs to no replica."""
        if self._gateway is None:
            self._gateway = CommandGateway(replace(self.kafka, instance="gateway"))
            self._gateway.start()
        return self._gateway

    def close(self) -> None:
        """End everything."""
        for process in self._processes:
            process.send_signal(signal.SIGKILL)
            process.wait()
            assert process.stdout is not None
            process.stdout.close()
        if self._gateway is not None:
            self._gateway.close()
        for replica in self.replicas.values():
            replica.stop()

    def send(self, topic: Topic, key: str, value: bytes) -> None:
        """Put a record into a topic, past everybody whose business it is."""
        producer = new_producer(self.kafka)
        partition = partition_of(key, topic.partitions(self.kafka))
        producer.produce(topic.name_in(self.kafka), value, key.encode(), partition)
        assert producer.flush(SECONDS) == 0

    def values(self, topic: Topic, kind: type[Kind]) -> list[tuple[int, Kind]]:
        """Everything committed in a topic up to now, with its partition, each partition in order."""
        name, count = topic.name_in(self.kafka), topic.partitions(self.kafka)
        consumer = new_consumer(self.kafka, f"look.{uuid4().hex}", **{"enable.partition.eof": True})
        consumer.assign([TopicPartition(name, number, 0) for number in range(count)])
        found: list[tuple[int, Kind]] = []
        ended: set[int | None] = set()
        while len(ended) < count:
            message = consumer.poll(SECONDS)
            assert message is not None
            error = message.error()
            if error is None:
                found.append((message.partition() or 0, message_in(kind, message.value(), message.key())))
            else:
                assert error.code() == KafkaError._PARTITION_EOF, error
                ended.add(message.partition())
        consumer.close()
        return found

    def commits(self, game_id: str) -> list[pb.Commit]:
        """The commits of one game."""
        return [commit for _, commit in self.values(EVENTS, pb.Commit) if commit.stream == f"game/{game_id}"]


def new_replica(
    kafka: KafkaSettings,
    folder: Path,
    solver: LocalSolver,
    session_ms: int = SESSION_MS,
    registry: CollectorRegistry | None = None,
    command_seconds: float = SECONDS,
    sharing: Sharing | None = None,
    archive: Path | None = None,
    snapshots: Path | None = None,
    direct_after_seconds: float = NEVER_SECONDS,
) -> RulesReplica:
    """A replica with the titles of these tests; one that keeps a part of the log where `sharing` says how. It puts finished games
    into the folder `archive` at once, and into `snapshots` one of each partition after each record."""
    settings = Settings(database=folder / "rules.db")
    owner = OwnerTiming(
        session_ms=session_ms, command_seconds=command_seconds, direct_after_seconds=direct_after_seconds
    )
    timing = ReplicaTiming(owner, timeout_seconds=SECONDS)
    if sharing is not None:
        settings = replace(settings, rules_copies=sharing.copies, rules_peer_address=sharing.address)
        timing = dataclasses.replace(timing, holding=sharing.timing)
    if archive is not None:
        settings = replace(settings, archive=f"folder:{archive}", archive_every_seconds=ARCHIVE_SECONDS)
        timing = dataclasses.replace(timing, archive_after_ms=0)
    if snapshots is not None:
        settings = replace(settings, partition_snapshots=f"folder:{snapshots}", partition_snapshot_records=1)
        timing = dataclasses.replace(timing, snapshots_look_seconds=SNAPSHOT_SECONDS)
    return RulesReplica(settings, kafka, solver, registry or CollectorRegistry(), timing, TITLES)


def game_in(partitions: Collection[int]) -> str:
    """An id for a new game in one of these partitions."""
    assert partitions
    while True:
        game_id = f"g{uuid4().hex[:8]}"
        if partition_of(game_id, PARTITIONS) in partitions:
            return game_id


def create(gateway: CommandGateway, title: str = "tiny", game_id: str = "") -> str:
    """A new game of Ann and Bob; its id."""
    game_id = game_id or f"g{uuid4().hex[:8]}"
    command = CreateGame(title, PLAYERS, undo_policy="free")
    assert isinstance(answered(lambda: gateway.create(game_id, command, SECONDS)), CommandAccepted)
    return game_id


def answered(ask: Callable[[], CommandResult]) -> CommandResult:
    """Ask until it is known what became of it, as every caller has to."""
    end = time.monotonic() + 2 * SECONDS
    while True:
        try:
            return ask()
        except (DeadlineExceeded, Unavailable):
            assert time.monotonic() < end, "no answer came in time"


@dataclass
class Table:
    """A game that is played through one gateway by passing: Ann and Bob in turn. Remembers what was acknowledged."""

    gateway: CommandGateway
    game_id: str
    sequence: int
    moves: int = 0
    acknowledged: dict[str, CommandAccepted] = field(default_factory=dict)

    def move(self, seconds: float = 2.0, command: Command | None = None) -> CommandAccepted:
        """The next move, repeated until there is an answer."""
        request_id = f"m{self.moves}"
        player = PLAYERS[self.moves % 2]
        request = Request(self.game_id, player, request_id, self.sequence, command or Pass())
        result = answered(lambda: self.gateway.execute(request, None, seconds))
        assert isinstance(result, CommandAccepted), result
        self.moves += 1
        self.sequence = result.last
        self.acknowledged[request_id] = result
        return result


def new_table(gateway: CommandGateway, game_id: str = "") -> Table:
    """A table where nothing is played yet."""
    return Table(gateway, create(gateway, game_id=game_id), 5)


def check_nothing_lost(cluster: ClusterHarness, tables: list[Table]) -> None:
    """What was acknowledged is in the log exactly once, without gaps, and every command has exactly one outcome."""
    commits = [commit for _, commit in cluster.values(EVENTS, pb.Commit)]
    reached: dict[str, int] = {}
    requests: dict[tuple[str, str], tuple[int, int]] = {}
    for commit in commits:
        last = commit.first_sequence + len(commit.facts) - 1
        assert commit.first_sequence == reached.get(commit.stream, 0) + 1, "a gap, or written twice"
        reached[commit.stream] = last
        request = (commit.stream, commit.request.request_id)
        assert request not in requests, "a request carried out twice"
        requests[request] = (commit.first_sequence, last)
    for table in tables:
        for request_id, result in table.acknowledged.items():
            assert requests[f"game/{table.game_id}", request_id] == (result.first, result.last)
        assert reached[f"game/{table.game_id}"] == table.sequence
    sent = [command for _, command in cluster.values(COMMANDS, pb.CommandSent)]
    outcomes = [outcome for _, outcome in cluster.values(OUTCOMES, pb.CommandOutcome)]
    answered = [outcome.reply_id for outcome in outcomes]
    # One that was given to its owner before it was sent by the log may have been carried out already.
    again = {outcome.reply_id for outcome in outcomes if outcome.carried_out.repeated_request}
    following = {command.reply_id for command in sent if command.follows_events} - again
    answered += [commit.append_id for commit in commits if commit.append_id in following]
    assert sorted(command.reply_id for command in sent) == sorted(answered)
