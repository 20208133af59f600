"""A copy of a topic of commits in a local file, kept up to date: what a replica reads from, and its warm standby.

Kafka keeps the truth and has no way to ask for one game; the copy has, with the reads of the embedded host's own log.
"""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Collection, Iterable, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path

from confluent_kafka import Consumer, KafkaError, Message, TopicPartition
from prometheus_client import CollectorRegistry

from services.common.eventlog.port import LogClosed
from services.common.kafka.clients import new_consumer
from services.common.kafka.commits import UnreadableCommit, aggregate_of, read_commit
from services.common.kafka.consuming import poll_messages, position_of
from services.common.kafka.copybatch import Applied, TakenRecords
from services.common.kafka.copyfile import CopyFile
from services.common.kafka.copymetrics import CopyMetrics
from services.common.kafka.copyparts import PartitionOfCopy
from services.common.kafka.filling import Filling, PartitionSource
from services.common.kafka.landmarks import Landmark, LogDiverged, lost_landmarks
from services.common.kafka.offsets import beginnings, ends, identity_of
from services.common.kafka.progress import OwnReader
from services.common.kafka.settings import KafkaSettings
from services.common.kafka.topics import PartitionName, Topic
from services.common.kafka.written import FollowingCommits, WrittenCommit
from services.common.partitions import partition_of
from services.common.process import crashpoints
from services.common.process.threads import ServiceThread
from services.common.telemetry.logs import get_logger
from services.common.telemetry.repeated import RepeatedLines
from services.gen.signalbox.log.v1 import log_pb2 as pb

BATCH_MAX = 1000
WAIT_SECONDS = 0.2
WAIT_SECONDS_WHILE_DROPPING = 0.02
RETRY_SECONDS = 0.5
PUT_SECONDS = 0.01
# The mark behind a transaction counts as read with the next fetch that finds nothing: who takes a partition over waits for that.
FETCH_WAIT_MS = 100


class LogCopy:
    """The copy of one topic of commits, with the snapshots of another if wanted. `log` and `snapshots` are for reading.

    A record that is no commit is passed over with an alarm: it can belong to no game. It follows all partitions, or those
    chosen with `follow`.
    """

    def __init__(
        self,
        kafka: KafkaSettings,
        topic: Topic,
        path: Path,
        *,
        snapshots: Topic | None = None,
        registry: CollectorRegistry | None = None,
        source: PartitionSource | None = None,
    ) -> None:
        """Opens the file; nothing is read before `start`. `source`: what fills partitions of which the file has nothing.

        Raises `KafkaUnreachable`, `LogFileError`."""
        self._kafka = kafka
        self._topics = [topic] if snapshots is None else [topic, snapshots]
        self._commits_topic = topic.name_in(kafka)
        self._listeners: list[Callable[[Applied], None]] = []
        self._reached: dict[PartitionName, int] = {}
        self._moved = threading.Condition()
        self._is_closing = False
        self._repeated = RepeatedLines()
        self._thread: ServiceThread | None = None
        self._log = get_logger("copy")
        identity, known_ends = identity_of(kafka, self._topics), ends(kafka, self._topics)
        self._partitions = topic.partitions(kafka)
        self._file = CopyFile(
            path, identity, known_ends, partial(lost_landmarks, kafka), self._partition_of_stream
        )
        self._filling = Filling(self.part, source)
        self._wanted = frozenset(range(self._partitions))
        self._is_chosen = False
        self._to_drop: frozenset[int] = frozenset()
        self._at_end: frozenset[PartitionName] = frozenset()
        self._landmarks: dict[PartitionName, Landmark] = self._file.landmarks()
        # Of those who take commits over: how far the copy is changes under it alone.
        self._taking = threading.Lock()
        self._following_commits = FollowingCommits()
        self._has_reconnected = False
        self.log = self._file.log
        self.snapshots = self._file.snapshots
        self._metrics = CopyMetrics(path, self._commits_topic, registry or CollectorRegistry())

    def listen(self, listener: Callable[[Applied], None]) -> None:
        """Call `listener` for every commit, after it is in the copy, one at a time: in its own thread, or in that of the writer
        that calls `put`. Before `start`."""
        self._listeners.append(listener)

    def start(self) -> None:
        """Begin to copy, from where the file ends."""
        self._reached = self._beginning(self._followable())
        self._thread = ServiceThread(f"copy {self._commits_topic}", self._follow)
        self._thread.start()

    def follow(self, partitions: Collection[int]) -> None:
        """Copy these partitions alone; before the first call, all. What the file has of others stays there as it is."""
        self._wanted, self._is_chosen = frozenset(partitions), True

    def drop(self, partitions: Collection[int]) -> None:
        """Delete these partitions from the file, in time, as far as they are not followed."""
        with self._moved:
            self._to_drop |= frozenset(partitions)

    def put(self, written: Sequence[WrittenCommit]) -> None:
        """Take over what one transaction of this process has put into the log for good, before it is read from there.

        What cannot be taken over at once is read as if it had not been put: a writer waits for no batch that is being copied."""
        if not self._taking.acquire(timeout=PUT_SECONDS):
            return
        try:
            if following := self._following_commits.of(written, self._offsets_in(self._commits_topic)):
                self._take(TakenRecords.written(self._commits_topic, following), was_read=False)
        except Exception as problem:
            # A full disk, or a file that is closed: the thread that follows Kafka finds that as well, and tries again.
            self._log.warning("written commits are left to be read", problem=repr(problem))
        finally:
            self._taking.release()

    def part(self, partition: int) -> PartitionOfCopy:
        """A partition as a whole, as the file has it."""
        names = [topic.name_in(self._kafka) for topic in self._topics]
        return PartitionOfCopy(self._file.log.database, partition, names, self._partition_of_stream)

    def saved_partitions(self) -> frozenset[int]:
        """The partitions of which the file has something, as far as is known from their offsets."""
        return frozenset(number for _, number in self._file.offsets())

    def has_read(self, partition: int) -> bool:
        """Whether this partition is followed and, where those are chosen, was read to its end since it is."""
        return not self._is_chosen or all(
            (topic.name_in(self._kafka), partition) in self._at_end for topic in self._topics
        )

    def _partition_of_stream(self, stream: str) -> int:
        return partition_of(aggregate_of(stream), self._partitions)

    @property
    def is_following(self) -> bool:
        """Whether the thread that copies is alive."""
        return self._thread is not None and self._thread.is_alive()

    @property
    def is_writable(self) -> bool:
        """False while the disk has no room for what is to be copied; what is in the copy can be read."""
        return self._file.is_writable

    def progress_readers(self) -> list[OwnReader]:
        """How far the copy is in each of its topics. One that has no room waits: another process would have none either."""
        return [
            OwnReader(
                f"copy of {topic.name}",
                topic,
                partial(self._offsets_in, topic.name_in(self._kafka)),
                is_waiting=lambda: not self.is_writable,
            )
            for topic in self._topics
        ]

    def _offsets_in(self, topic_name: str) -> dict[int, int]:
        return {
            partition[1]: offset for partition, offset in self._reached.items() if partition[0] == topic_name
        }

    def next_offset(self, partition: int) -> int:
        """Everything committed below this offset of the commits' topic is in the copy."""
        return self._reached.get((self._commits_topic, partition), 0)

    def wait_for(self, wanted: dict[PartitionName, int], seconds: float) -> bool:
        """Block until the copy has everything below these offsets; False when it takes longer or the copy is closed."""

        def is_over() -> bool:
            return self._is_closing or all(self._reached.get(p, 0) >= offset for p, offset in wanted.items())

        with self._moved:
            return self._moved.wait_for(is_over, seconds) and not self._is_closing

    def wait_current(self, seconds: float, partitions: Iterable[int] | None = None) -> bool:
        """Block until the copy has everything in Kafka at the call, open transactions decided; False if it takes longer.

        Of all partitions that it follows, or of these. Raises `KafkaUnreachable`."""
        end = time.monotonic() + seconds
        chosen = self._wanted if partitions is None else set(partitions)
        wanted = {
            partition: offset
            for partition, offset in ends(self._kafka, self._topics).items()
            if partition[1] in chosen
        }
        return self.wait_for(wanted, end - time.monotonic())

    def close(self) -> None:
        """Stop copying and close the file. May be called again."""
        with self._moved:
            self._is_closing = True
            self._moved.notify_all()
        if self._thread is not None:
            self._thread.join()
            self._thread = None
        self._filling.close()
        self._file.close()

    def _beginning(self, wanted: Collection[int]) -> dict[PartitionName, int]:
        """Offsets to continue from: the end of the file, or the beginning of the topic."""
        saved = self._file.offsets()
        first = beginnings(self._kafka, self._topics)
        return {
            partition: max(saved.get(partition, 0), offset)
            for partition, offset in first.items()
            if partition[1] in wanted
        }

    def _followable(self) -> frozenset[int]:
        """What is to be followed now. A partition that is being deleted has to be gone first, one that is filled to be full."""
        wanted, deleting = self._wanted, self._file.dropped.left
        self._filling.want(wanted - deleting, self.saved_partitions)
        return wanted - deleting - self._filling.left

    def _follow(self) -> None:
        while not self._is_closing:
            try:
                self._follow_with_one_consumer()
            except LogDiverged:
                raise
            except Exception as problem:
                # Everything below `_reached` is in the copy, so a new consumer continues from there.
                self._log.error("the copy restarts", problem=repr(problem))
                time.sleep(RETRY_SECONDS)

    def _follow_with_one_consumer(self) -> None:
        options = {
            "enable.partition.eof": True,
            "fetch.wait.max.ms": FETCH_WAIT_MS,
            "error_cb": self._note_connection,
        }
        consumer = new_consumer(self._kafka, f"copy.{self._kafka.instance}", **options)
        try:
            assigned: frozenset[int] | None = None
            while not self._is_closing:
                gone = self._drop_some()
                followable = self._followable()
                if gone or followable != assigned:
                    assigned = followable
                    self._assign(consumer, followable)
                self._copy_next(consumer)
        finally:
            consumer.close()

    def _assign(self, consumer: Consumer, followed: frozenset[int]) -> None:
        """Read these partitions, each from where the file ends; all others are not followed from here on."""
        is_more = not followed <= {number for _, number in self._reached}
        beginning = self._beginning(followed) if is_more else {}
        with self._taking:
            known = {name: offset for name, offset in self._reached.items() if name[1] in followed}
            known = beginning | known
            if is_more:
                self._landmarks = self._file.landmarks()
            with self._moved:
                self._reached = known
                self._at_end = frozenset(name for name in self._at_end if name in known)
        consumer.assign([TopicPartition(*name, offset) for name, offset in known.items()])

    def _drop_some(self) -> frozenset[int]:
        """Go on deleting; returns the partitions of which deleting has begun."""
        gone: frozenset[int] = frozenset()
        with suppress(LogClosed):
            with self._taking:
                gone = self._begin_to_drop()
            self._file.dropped.step()
        return gone

    def _begin_to_drop(self) -> frozenset[int]:
        with self._moved:
            gone = self._to_drop - self._wanted - self._filling.left
            self._to_drop &= self._filling.left
            gone |= self._filling.halves()
            # From here on they do not count as read, although they may be asked for again meanwhile.
            self._reached = {name: offset for name, offset in self._reached.items() if name[1] not in gone}
            self._at_end = frozenset(name for name in self._at_end if name[1] not in gone)
        if gone:
            self._file.drop(gone, [topic.name_in(self._kafka) for topic in self._topics])
            self._filling.deleted(gone, self._wanted)
            self._landmarks = self._file.landmarks()
            self._log.info("partitions are dropped", partitions=sorted(gone))
        return gone

    def _copy_next(self, consumer: Consumer) -> None:
        wait = WAIT_SECONDS_WHILE_DROPPING if self._file.dropped.left else WAIT_SECONDS
        messages = poll_messages(consumer, wait, BATCH_MAX)
        if messages and self._has_reconnected:
            self._has_reconnected = False
            self._compare()
        while messages and not self._is_closing:
            try:
                self._take_over(messages)
            except LogClosed:
                return
            except Exception as problem:
                # A full disk, for example: nothing was taken over, so the same is tried again.
                self._log.error("copy cannot be written", problem=repr(problem))
                time.sleep(RETRY_SECONDS)
            else:
                return

    def _note_connection(self, problem: KafkaError) -> None:
        """A connection was lost, or could not be made. Called while the consumer polls."""
        self._tell(problem)
        self._has_reconnected = True

    def _compare(self) -> None:
        """Compare the copy with the log of the brokers that are back. Raises `LogDiverged`, `KafkaUnreachable`."""
        try:
            lost = lost_landmarks(self._kafka, dict(self._landmarks))
        except BaseException:
            self._has_reconnected = True
            raise
        if lost:
            self._log.critical("Kafka has lost records that the copy has", partitions=lost)
            raise LogDiverged(f"Kafka has lost records of {lost}")

    def _take_over(self, messages: list[Message]) -> None:
        with self._taking:
            taken = TakenRecords()
            for message in messages:
                error = message.error()
                if error is not None and error.code() != KafkaError._PARTITION_EOF:
                    self._tell(error)
                    continue
                topic, partition, offset = position_of(message)
                # What was put here is read all the same, and so is for a moment what is not followed any more.
                if offset < self._reached.get((topic, partition), sys.maxsize):
                    continue
                if error is not None:
                    taken.add_end((topic, partition), offset)
                elif topic == self._commits_topic:
                    commit = self._read(message, partition, offset)
                    taken.add(topic, partition, offset, message.value(), commit)
                else:
                    taken.add_snapshot(topic, partition, offset, message.key(), message.value())
            self._take(taken)

    def _take(self, taken: TakenRecords, was_read: bool = True) -> None:
        crashpoints.reach("copy.before-write" if was_read else "copy.before-put")
        landmarks = taken.landmarks()
        results = self._file.write(taken.batch(landmarks))
        self._landmarks.update(landmarks)
        crashpoints.reach("copy.after-write" if was_read else "copy.after-put")
        for (commit, partition, offset), result in zip(taken.commits, results, strict=True):
            self._metrics.copied.labels(self._commits_topic, type(result).__name__.lower()).inc()
            self._tell_listeners(Applied(commit, result, partition, offset, was_read))
        if taken.commits:
            self._metrics.behind.set(max(0.0, time.time() - taken.commits[-1][0].recorded_time_ms / 1000))
        with self._moved:
            self._reached.update(taken.reached)
            self._at_end |= taken.at_end
            self._moved.notify_all()

    def _tell_listeners(self, applied: Applied) -> None:
        for listener in self._listeners:
            try:
                listener(applied)
            except Exception as problem:
                # The batch is in the file: taken over once more, its commits would seem to have come too late.
                self._log.error("a listener of the copy fails", problem=repr(problem))

    def _tell(self, problem: KafkaError) -> None:
        """Log a problem of the connection, the same one not again and again: of all brokers once."""
        held_back = self._repeated.held_back(problem.code())
        if held_back is not None:
            self._log.warning("kafka", problem=str(problem), held_back=held_back)

    def _read(self, message: Message, partition: int, offset: int) -> pb.Commit | None:
        try:
            return read_commit(message.value(), message.key())
        except UnreadableCommit as problem:
            self._metrics.unreadable.labels(self._commits_topic).inc()
            place = {"topic": self._commits_topic, "partition": partition, "offset": offset}
            self._log.error("unreadable record", **place, problem=str(problem))
            return None
