"""Consumers of the client libraries as services use them, over the Kafka in memory."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from confluent_kafka import KafkaError, TopicPartition
from kafka import TopicPartition as OtherTopicPartition

from services.common.kafka.topics import PartitionName
from tests.wholesim.connection import connected, kafka_error, latency, on_the_way
from tests.wholesim.groups import Group, Member
from tests.wholesim.kafka_log import Entry, Kafka, Partition
from tests.wholesim.primitives import schedule
from tests.wholesim.schedule import Process, Task

FETCHED_AT_ONCE = 50
HEARTBEAT_SECONDS = 0.3
NO_OFFSET = -1001


@dataclass(frozen=True, slots=True)
class Message:
    """As that of `confluent_kafka`."""

    place: PartitionName
    entry: Entry | None
    at: int
    problem: KafkaError | None = None

    def topic(self) -> str:
        """See `Message`."""
        return self.place[0]

    def partition(self) -> int:
        """See `Message`."""
        return self.place[1]

    def offset(self) -> int:
        """See `Message`."""
        return self.at

    def key(self) -> bytes | None:
        """See `Message`."""
        return None if self.entry is None else self.entry.key

    def value(self) -> bytes | None:
        """See `Message`."""
        return None if self.entry is None else self.entry.value

    def headers(self) -> list[tuple[str, bytes]]:
        """See `Message`."""
        return [] if self.entry is None else list(self.entry.headers)

    def timestamp(self) -> tuple[int, int]:
        """See `Message`."""
        return 1, 0 if self.entry is None else self.entry.time_ms

    def error(self) -> KafkaError | None:
        """See `Message`."""
        return self.problem


class Reader:
    """Positions in some partitions, and the records behind them."""

    def __init__(self, kafka: Kafka, is_committed: bool = True) -> None:
        """`is_committed`: whether it reads committed records only."""
        self._kafka = kafka
        self._is_committed = is_committed
        self.waiters: list[Task] = []
        self.positions: dict[PartitionName, int] = {}
        self.paused: set[PartitionName] = set()
        self._ends_reported: dict[PartitionName, int] = {}

    def begin(self, place: PartitionName, offset: int) -> None:
        """Read a partition from here on."""
        self.positions[place] = max(offset, 0)
        self.paused.discard(place)
        self._ends_reported.pop(place, None)
        listeners = self._kafka.partitions[place].listeners
        if not any(each is self.waiters for each in listeners):
            listeners.append(self.waiters)

    def drop(self, place: PartitionName) -> None:
        """Read a partition no more."""
        self.positions.pop(place, None)
        partition = self._kafka.partitions[place]
        partition.listeners = [each for each in partition.listeners if each is not self.waiters]

    def fetch(self, reports_ends: bool, most: int = FETCHED_AT_ONCE) -> list[Message]:
        """What one partition or other has; nothing while no broker answers."""
        if self._kafka.away_seconds:
            return []
        places = [place for place in self.positions if place not in self.paused]
        if len(places) > 1:
            self._kafka.schedule.random.shuffle(places)
        for place in places:
            partition, following = self._kafka.partitions[place], self.positions[place]
            if following < (partition.stable_end if self._is_committed else partition.end):
                entries, following = partition.visible(following, most, self._is_committed)
                self.positions[place] = following
                if entries:
                    return [Message(place, entry, entry.offset) for entry in entries]
            if reports_ends and self._ends_reported.get(place) != following:
                self._ends_reported[place] = following
                return [Message(place, None, following, KafkaError(KafkaError._PARTITION_EOF))]
        return []

    def close(self) -> None:
        """Read nothing more."""
        for place in list(self.positions):
            self.drop(place)


OnChange = Callable[[Any, list[TopicPartition]], None]


class Consumer:
    """As that of `confluent_kafka`."""

    def __init__(self, config: Mapping[str, Any]) -> None:
        self._kafka = connected()
        self._config = config
        self._process = schedule().current.process
        self._group_name: str = config["group.id"]
        self._is_committed = config["isolation.level"] == "read_committed"
        self._reader = Reader(self._kafka, self._is_committed)
        self._fetched: deque[Message] = deque()
        self._group: Group | None = None
        self._member: Member | None = None
        self._on_change: dict[str, OnChange] = {}
        self._is_closed = False

    def subscribe(
        self, topics: Sequence[str], on_assign: OnChange, on_revoke: OnChange, on_lost: OnChange
    ) -> None:
        """See `Consumer`."""
        places = [place for place in self._kafka.partitions if place[0] in topics]
        self._group = self._kafka.group(self._group_name, places)
        self._on_change = {"assign": on_assign, "revoke": on_revoke, "lost": on_lost}
        self._join(self._group)
        self._heartbeat(schedule().current.process)

    def _join(self, group: Group) -> None:
        seconds = self._config["session.timeout.ms"] / 1000
        instance = self._config.get("group.instance.id", "")
        self._member = Member(self._config["client.id"], instance, seconds, schedule().now)
        group.join(self._member)

    def _heartbeat(self, process: Process) -> None:
        """As the library's own thread does it, whatever the service does meanwhile; not in a process that stands still."""
        if self._is_closed or process.is_dead or self._group is None or self._member is None:
            return
        if not process.is_paused and not self._kafka.away_seconds:
            self._group.heard_of(self._member)
        schedule().call_later(HEARTBEAT_SECONDS, lambda: self._heartbeat(process))

    def _look_at_group(self) -> None:
        group, member = self._group, self._member
        if group is None or member is None or self._kafka.away_seconds or not group.has_news_for(member):
            return
        if member.is_fenced:
            text = "a consumer of the same instance has come"
            raise kafka_error(KafkaError._FATAL, text, fatal=True)
        change = group.sync(member)
        if change.lost:
            self._forget(change.lost)
            self._on_change["lost"](self, _partitions(change.lost))
        if member.is_gone:
            self._join(group)
            return
        if change.revoked:
            self._forget(change.revoked)
            self._on_change["revoke"](self, _partitions(change.revoked))
        assigned = group.given_back(member, change).assigned
        if assigned:
            self._on_change["assign"](self, _partitions(assigned))

    def _forget(self, places: Iterable[PartitionName]) -> None:
        for place in places:
            self._reader.drop(place)
            self._purge(place)

    def _purge(self, place: PartitionName) -> None:
        self._fetched = deque(each for each in self._fetched if each.place != place)

    def assign(self, partitions: Iterable[TopicPartition]) -> None:
        """See `Consumer`."""
        schedule().check_alive()
        self.unassign()
        self.incremental_assign(partitions)

    def unassign(self) -> None:
        """See `Consumer`."""
        self._reader.close()
        self._fetched.clear()

    def incremental_assign(self, partitions: Iterable[TopicPartition]) -> None:
        """See `Consumer`."""
        for each in partitions:
            self._reader.begin((each.topic, each.partition), each.offset)

    def seek(self, partition: TopicPartition) -> None:
        """See `Consumer`."""
        place = (partition.topic, partition.partition)
        if place not in self._reader.positions:
            raise kafka_error(KafkaError._STATE, "not assigned")
        was_paused = place in self._reader.paused
        self._reader.begin(place, partition.offset)
        if was_paused:
            self._reader.paused.add(place)
        self._purge(place)

    def pause(self, partitions: Iterable[TopicPartition]) -> None:
        """See `Consumer`."""
        for each in partitions:
            self._reader.paused.add((each.topic, each.partition))

    def resume(self, partitions: Iterable[TopicPartition]) -> None:
        """See `Consumer`."""
        for each in partitions:
            self._reader.paused.discard((each.topic, each.partition))

    def poll(self, timeout: float | None = None) -> Message | None:
        """See `Consumer`."""
        running = schedule()
        end = running.now + (3600.0 if timeout is None else timeout)
        while True:
            running.check_alive()
            self._look_at_group()
            if not self._fetched and (found := self._fetch()):
                running.sleep(latency())
                self._fetched.extend(each for each in found if each.place in self._reader.positions)
            if self._fetched:
                return self._fetched.popleft()
            if running.now >= end:
                return None
            running.wait(self._reader.waiters, end - running.now)

    def _fetch(self) -> list[Message]:
        if self._group is None and self._kafka.slow_until.get(self._process.name, 0.0) > schedule().now:
            return []
        return self._reader.fetch(bool(self._config.get("enable.partition.eof")))

    def consume(self, num_messages: int, timeout: float) -> list[Message]:
        """See `Consumer`."""
        if timeout > 0:
            schedule().sleep(timeout)
        schedule().check_alive()
        while len(self._fetched) < num_messages and (found := self._fetch()):
            self._fetched.extend(found)
        return [self._fetched.popleft() for _ in range(min(num_messages, len(self._fetched)))]

    def committed(self, partitions: Iterable[TopicPartition], timeout: float) -> list[TopicPartition]:
        """See `Consumer`."""
        on_the_way()
        found = []
        for each in partitions:
            place = (each.topic, each.partition)
            if self._kafka.has_pending_offsets(self._group_name, place):
                schedule().sleep(timeout / 4)
                raise kafka_error(KafkaError.UNSTABLE_OFFSET_COMMIT, "an open transaction", retriable=True)
            offset = self._kafka.offsets.get((self._group_name, place), NO_OFFSET)
            note = self._kafka.notes.get((self._group_name, place), "")
            found.append(TopicPartition(each.topic, each.partition, offset, note))
        return found

    def commit(self, *, offsets: Iterable[TopicPartition], asynchronous: bool) -> None:
        """See `Consumer`: of one that is no member of its group."""
        assert self._member is None and not asynchronous
        on_the_way()
        for each in offsets:
            place = (self._group_name, (each.topic, each.partition))
            self._kafka.offsets[place] = each.offset
            self._kafka.notes[place] = each.metadata or ""

    def get_watermark_offsets(
        self, partition: TopicPartition, timeout: float | None = None, cached: bool = False
    ) -> tuple[int, int] | None:
        """See `Consumer`."""
        if not cached:
            on_the_way()
        kept = self._kafka.partitions[partition.topic, partition.partition]
        return 0, kept.stable_end if self._is_committed else kept.end

    def consumer_group_metadata(self) -> tuple[Group, Member] | None:
        """See `Consumer`: the member for which offsets are sent."""
        schedule().check_alive()
        return None if self._group is None or self._member is None else (self._group, self._member)

    def close(self) -> None:
        """See `Consumer`. A member with a name of its own stays a member for a session."""
        schedule().check_alive()
        self._is_closed = True
        self._reader.close()
        if self._group is not None and self._member is not None and not self._member.instance:
            self._group.leave(self._member)


def _partitions(places: Iterable[PartitionName]) -> list[TopicPartition]:
    return [TopicPartition(topic, number) for topic, number in places]


class KafkaConsumer:
    """As that of `kafka-python`, for reading partitions by oneself."""

    def __init__(self, **config: Any) -> None:
        self._kafka = connected()
        self._is_committed = config["isolation_level"] == "read_committed"
        self._reader = Reader(self._kafka, self._is_committed)

    def assign(self, places: Sequence[Any]) -> None:
        """See `KafkaConsumer`."""
        self._reader.close()
        for place in places:
            self._reader.begin((place.topic, place.partition), 0)

    def seek_to_beginning(self, *places: Any) -> None:
        """See `KafkaConsumer`."""
        for place in places:
            self._reader.begin((place.topic, place.partition), 0)

    def position(self, place: Any) -> int:
        """See `KafkaConsumer`."""
        return self._reader.positions[place.topic, place.partition]

    def poll(self, timeout_ms: int) -> dict[Any, list[Entry]]:
        """See `KafkaConsumer`."""
        found = self._reader.fetch(reports_ends=False, most=5000)
        if not found:
            schedule().sleep(timeout_ms / 1000)
            return {}
        return {OtherTopicPartition(*found[0].place): [each.entry for each in found if each.entry]}

    def end_offsets(self, places: Sequence[Any]) -> dict[Any, int]:
        """See `KafkaConsumer`."""
        return {place: self._end(self._kafka.partitions[place.topic, place.partition]) for place in places}

    def _end(self, partition: Partition) -> int:
        return partition.stable_end if self._is_committed else partition.end

    def close(self) -> None:
        """See `KafkaConsumer`."""
        self._reader.close()
