"""The log on Kafka as source and target of a move. Read by kafka-python as the checker reads it, written in transactions."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from confluent_kafka import KafkaException, Producer
from google.protobuf.message import Message
from kafka.errors import KafkaError

from services.audit.commits import CommitCounter, StreamCommits
from services.audit.findings import Finding
from services.audit.kafka_log import LogReader
from services.common.kafka.clients import ANSWER_SECONDS, KafkaUnreachable, new_admin, new_producer
from services.common.kafka.event_log import aggregate_of
from services.common.kafka.settings import KafkaSettings
from services.common.kafka.topics import (
    COMMANDS,
    EVENTS,
    LEDGER_EVENTS,
    LOBBY_CARDS,
    LOBBY_EVENTS,
    STANDINGS,
    Topic,
    partition_of,
)
from services.gen.signalbox.lobby.v1.game_card_pb2 import GameCard
from services.gen.signalbox.log.v1 import log_pb2 as pb
from services.ledger.ports import Hold
from services.migration.appends import is_game
from services.migration.errors import InUse

TRANSACTIONAL_ID = "migrate"
TRANSACTION_MS = 60_000
BYTES_PER_TRANSACTION = 8 * 1024 * 1024
COMMITS_PER_TRANSACTION = 1000
AT_REST = ("Empty", "Dead")
# What is moved, and what makes it. Routing has no part in it.
AT_WORK_ON = (COMMANDS, EVENTS, LOBBY_EVENTS, LEDGER_EVENTS)


def refuse_running(kafka: KafkaSettings) -> None:
    """Raises `InUse` naming consumer groups of rules, lobby and ledger that have members, and `KafkaUnreachable`."""
    admin = new_admin(kafka)
    try:
        own = tuple(sorted({kafka.topic_prefix + topic.name.split(".")[0] + "." for topic in AT_WORK_ON}))
        groups = [each["group_id"] for each in admin.list_groups()]
        ours = [group for group in groups if group.startswith(own)]
        described = admin.describe_groups(ours) if ours else {}
        active = [group for group, each in described.items() if each["group_state"] not in AT_REST]
    except KafkaError as error:
        raise KafkaUnreachable(f"Kafka at {', '.join(kafka.servers)}: {error}") from error
    finally:
        admin.close()
    if active:
        raise InUse(
            f"Kafka at {', '.join(kafka.servers)}: services are running (groups {', '.join(active)}); stop them first"
        )


class CountedLog:
    """One pass over all commits that count, games first by partition, then the lobby."""

    def __init__(self, kafka: KafkaSettings, reader: LogReader) -> None:
        self._reader = reader
        self._games = CommitCounter(EVENTS.partitions(kafka), has_one_writer=True)
        self._lobby = CommitCounter(LOBBY_EVENTS.partitions(kafka), has_one_writer=False)

    def commits(self) -> Iterator[pb.Commit]:
        """The lobby's and then each partition's, in the order of the log. Once."""
        for topic, counter in ((LOBBY_EVENTS, self._lobby), (EVENTS, self._games)):
            for record in self._reader.records(topic):
                commit = counter.take(record)
                if commit is not None:
                    yield commit

    def last_sequences(self) -> dict[str, int]:
        """The last sequence of every stream that was passed."""
        return {name: each.last for name, each in self._streams() if each.last}

    def request_counts(self) -> dict[str, int]:
        """The number of requests of every stream that was passed and has any."""
        return {name: len(each.requests) for name, each in self._streams() if each.requests}

    def findings(self) -> list[Finding]:
        """What no reader of the log can count."""
        return self._games.counted.findings + self._lobby.counted.findings

    def _streams(self) -> list[tuple[str, StreamCommits]]:
        return [*self._games.counted.streams.items(), *self._lobby.counted.streams.items()]


def kept_holds(reader: LogReader) -> dict[str, Hold]:
    """Games that the ledger holds."""
    holds: dict[str, Hold] = {}
    for record in reader.records(LEDGER_EVENTS):
        change = pb.HoldChanged.FromString(record.value or b"")
        if change.held:
            holds[change.game_id] = Hold(change.game_id, change.reason, change.detail, change.sequence)
        else:
            holds.pop(change.game_id, None)
    return holds


def kept_cards(reader: LogReader) -> dict[str, bytes]:
    """The card of each game that is furthest on: replicas may have written them out of order."""
    cards: dict[str, tuple[int, bytes]] = {}
    for record in reader.records(LOBBY_CARDS):
        if record.value:
            card = GameCard.FromString(record.value)
            if card.sequence >= cards.get(card.game_id, (0, b""))[0]:
                cards[card.game_id] = (card.sequence, record.value)
    return {game_id: value for game_id, (_, value) in cards.items()}


def standing_sequences(reader: LogReader) -> dict[str, int]:
    """After which event the newest standing of each game holds."""
    return {
        standing.game_id: standing.sequence
        for record in reader.records(STANDINGS)
        if record.value
        for standing in (pb.Standing.FromString(record.value),)
    }


class TransactionalWriter:
    """Writes records in transactions of some size. What an earlier run left open is given up first."""

    def __init__(self, kafka: KafkaSettings) -> None:
        """Raises `KafkaUnreachable`."""
        self._kafka = kafka
        options = {
            "transactional.id": kafka.topic_prefix + TRANSACTIONAL_ID,
            "transaction.timeout.ms": TRANSACTION_MS,
            "linger.ms": 5,
        }
        self._producer: Producer = new_producer(kafka, **options)
        self._bytes = self._records = 0
        self._is_open = False
        self._call(lambda: self._producer.init_transactions(ANSWER_SECONDS))

    def commit(self, commit: pb.Commit) -> None:
        """Write an append to its log."""
        topic = EVENTS if is_game(commit.stream) else LOBBY_EVENTS
        self._write(topic, aggregate_of(commit.stream), commit)

    def standing(self, standing: pb.Standing) -> None:
        """Write how a game stands."""
        self._write(STANDINGS, standing.game_id, standing)

    def card(self, game_id: str, card: bytes) -> None:
        """Write what lists show of a game."""
        self._write(LOBBY_CARDS, game_id, card)

    def hold(self, change: pb.HoldChanged) -> None:
        """Write that a game is held."""
        self._write(LEDGER_EVENTS, change.game_id, change)

    def end_stream(self) -> None:
        """Commit if enough is written."""
        if self._bytes >= BYTES_PER_TRANSACTION or self._records >= COMMITS_PER_TRANSACTION:
            self.finish()

    def finish(self) -> None:
        """Commit what is written."""
        if self._is_open:
            self._call(lambda: self._producer.commit_transaction(TRANSACTION_MS / 1000))
            self._is_open = False
            self._bytes = self._records = 0

    def _write(self, topic: Topic, key: str, message: Message | bytes) -> None:
        value = message if isinstance(message, bytes) else message.SerializeToString()
        if self._bytes + len(value) > 2 * BYTES_PER_TRANSACTION:
            self.finish()
        if not self._is_open:
            self._call(self._producer.begin_transaction)
            self._is_open = True
        partition = partition_of(key, topic.partitions(self._kafka))
        name = topic.name_in(self._kafka)
        self._call(lambda: self._producer.produce(name, value, key.encode(), partition))
        self._producer.poll(0)
        self._bytes += len(value)
        self._records += 1

    def _call(self, action: Callable[[], object]) -> None:
        try:
            action()
        except KafkaException as error:
            raise KafkaUnreachable(f"Kafka at {', '.join(self._kafka.servers)}: {error}") from error
