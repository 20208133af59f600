"""The log on Kafka as source or target of a migration: read with the checker's reader, written in transactions."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from confluent_kafka import KafkaException, Producer
from kafka.errors import KafkaError

from services.audit.commits import CommitCounter, StreamCommits
from services.audit.findings import Finding
from services.audit.kafka_log import LogReader
from services.common.kafka.clients import (
    ANSWER_SECONDS,
    KafkaUnreachable,
    new_admin,
    new_transactional_producer,
)
from services.common.kafka.commits import aggregate_of
from services.common.kafka.packing import stored, value_of
from services.common.kafka.settings import KafkaSettings
from services.common.kafka.topics import (
    COMMANDS,
    EVENTS,
    GAME_STATUSES,
    LEDGER_EVENTS,
    LOBBY_EVENTS,
    LOBBY_SUMMARIES,
    STAFF_ACTS,
    Topic,
)
from services.common.kafka.unpacking import message_in, unpacked
from services.common.partitions import partition_of
from services.common.staff.topic import read_stored, stored as stored_act
from services.gen.signalbox.lobby.v1.game_summary_pb2 import GameSummary
from services.gen.signalbox.lobby.v1.staff_act_pb2 import StaffAct
from services.gen.signalbox.log.v1 import log_pb2 as pb
from services.ledger.ports import Hold
from services.migration.appends import is_game
from services.migration.errors import InUse

TRANSACTIONAL_ID = "migrate"
TRANSACTION_MS = 60_000
BYTES_PER_TRANSACTION = 8 * 1024 * 1024
COMMITS_PER_TRANSACTION = 1000
STOPPED_STATES = ("Empty", "Dead")
# Topics whose consumer groups must be stopped. Routing's are not affected.
USED_TOPICS = (COMMANDS, EVENTS, LOBBY_EVENTS, LEDGER_EVENTS)


def check_stopped(kafka: KafkaSettings) -> None:
    """Raises `InUse` naming consumer groups of rules, lobby and ledger that have members, and `KafkaUnreachable`."""
    admin = new_admin(kafka)
    try:
        own = tuple(sorted({kafka.topic_prefix + topic.name.split(".")[0] + "." for topic in USED_TOPICS}))
        groups = [each["group_id"] for each in admin.list_groups()]
        ours = [group for group in groups if group.startswith(own)]
        described = admin.describe_groups(ours) if ours else {}
        active = [group for group, each in described.items() if each["group_state"] not in STOPPED_STATES]
    except KafkaError as error:
        raise KafkaUnreachable(f"Kafka at {', '.join(kafka.servers)}: {error}") from error
    finally:
        admin.close()
    if active:
        raise InUse(
            f"Kafka at {', '.join(kafka.servers)}: services are running (groups {', '.join(active)}); stop them first"
        )


class CountedLog:
    """One pass over all commits that count: the lobby's, then the games' by partition."""

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
        """The last sequence of every stream read."""
        return {name: each.last for name, each in self._streams() if each.last}

    def request_counts(self) -> dict[str, int]:
        """The number of requests of every stream read that has any."""
        return {name: len(each.requests) for name, each in self._streams() if each.requests}

    def findings(self) -> list[Finding]:
        """Findings about commits that no reader counts."""
        return self._games.counted.findings + self._lobby.counted.findings

    def _streams(self) -> list[tuple[str, StreamCommits]]:
        return [*self._games.counted.streams.items(), *self._lobby.counted.streams.items()]


def stored_holds(reader: LogReader) -> dict[str, Hold]:
    """The holds of the ledger."""
    holds: dict[str, Hold] = {}
    for record in reader.records(LEDGER_EVENTS):
        change = pb.HoldChanged.FromString(record.value or b"")
        if change.rebuild_asked:
            continue
        if change.held:
            holds[change.game_id] = Hold(change.game_id, change.reason, change.detail, change.sequence)
        else:
            holds.pop(change.game_id, None)
    return holds


def stored_summaries(reader: LogReader) -> dict[str, bytes]:
    """The summary of each game with the highest sequence: replicas may have written them out of order."""
    summaries: dict[str, tuple[int, bytes]] = {}
    for record in reader.records(LOBBY_SUMMARIES):
        if record.value:
            value = unpacked(record.value, record.key)
            summary = GameSummary.FromString(value)
            status = summary.status
            if status.sequence >= summaries.get(status.game_id, (0, b""))[0]:
                summaries[status.game_id] = (status.sequence, value)
    return {game_id: value for game_id, (_, value) in summaries.items()}


def status_sequences(reader: LogReader) -> dict[str, int]:
    """The sequence of each game's newest status."""
    return {
        status.game_id: status.sequence
        for record in reader.records(GAME_STATUSES)
        if record.value
        for status in (message_in(pb.GameStatus, record.value, record.key),)
    }


def stored_acts(reader: LogReader) -> dict[str, StaffAct]:
    """What operators did by id, oldest first. Raises `UnreadableAct`."""
    acts = (read_stored(record.value) for record in reader.records(STAFF_ACTS))
    return {act.act_id: act for act in acts}


class LogWriter:
    """Writes records in transactions of limited size. Aborts the open transaction of an earlier run first."""

    def __init__(self, kafka: KafkaSettings) -> None:
        """Raises `KafkaUnreachable`."""
        self._kafka = kafka
        options = {"transaction.timeout.ms": TRANSACTION_MS, "linger.ms": 5}
        transactional_id = kafka.topic_prefix + TRANSACTIONAL_ID
        self._producer: Producer = new_transactional_producer(kafka, transactional_id, **options)
        self._bytes = self._records = 0
        self._is_open = False
        self._call(lambda: self._producer.init_transactions(ANSWER_SECONDS))

    def commit(self, commit: pb.Commit) -> None:
        """Write an append to its log."""
        topic = EVENTS if is_game(commit.stream) else LOBBY_EVENTS
        key = aggregate_of(commit.stream)
        self._write(topic, key, value_of(self._kafka, key, commit))

    def status(self, status: pb.GameStatus) -> None:
        """Write the status of a game."""
        self._write(GAME_STATUSES, status.game_id, value_of(self._kafka, status.game_id, status))

    def summary(self, game_id: str, summary: bytes) -> None:
        """Write the lobby's summary of a game."""
        self._write(LOBBY_SUMMARIES, game_id, stored(self._kafka, game_id, summary))

    def hold(self, change: pb.HoldChanged) -> None:
        """Write that a game is held."""
        self._write(LEDGER_EVENTS, change.game_id, change.SerializeToString())

    def act(self, act: StaffAct) -> None:
        """Write what an operator did."""
        self._write(STAFF_ACTS, act.player_id or act.game_id, stored_act(act))

    def end_stream(self) -> None:
        """Commit if the transaction is large enough."""
        if self._bytes >= BYTES_PER_TRANSACTION or self._records >= COMMITS_PER_TRANSACTION:
            self.finish()

    def finish(self) -> None:
        """Commit the open transaction."""
        if self._is_open:
            self._call(lambda: self._producer.commit_transaction(TRANSACTION_MS / 1000))
            self._is_open = False
            self._bytes = self._records = 0

    def _write(self, topic: Topic, key: str, value: bytes) -> None:
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
