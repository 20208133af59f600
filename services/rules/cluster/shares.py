"""The partitions of commands that this member owns, the next offset of each, and the commands suspected of failing.

A client library may hand out records that are not for this member any more, or not yet, or not again: what counts is the
next offset kept here.
"""

from __future__ import annotations

import queue
import time
from collections.abc import Callable, Collection, Mapping

from confluent_kafka import Consumer, KafkaException, Message, TopicPartition

from services.common.process.crashpoints import reach
from services.common.telemetry.logs import get_logger
from services.rules.cluster.attempts import Attempts
from services.rules.cluster.metrics import OwnerMetrics
from services.rules.cluster.takeover import Takeovers

TRIES_ALONE = 2
FIRST_OFFSET = 0


class PartitionShares:
    """The partitions of one member. Its methods are called in the turn of one thread of the owner, most from inside the
    consumer's poll; properties are read by any thread."""

    def __init__(
        self,
        topic: str,
        consumer: Consumer,
        takeovers: Takeovers,
        drop: Callable[[frozenset[int]], None],
        keep_blocked: Callable[[Mapping[str, str]], None],
        metrics: OwnerMetrics,
        attempts: Attempts,
        direct_after_seconds: float,
    ) -> None:
        """`drop` drops the state of the games of some partitions; `keep_blocked` is given games that former owners blocked;
        `direct_after_seconds`: see `OwnerTiming`."""
        self._topic = topic
        self._consumer = consumer
        self._takeovers = takeovers
        self._drop = drop
        self._keep_blocked = keep_blocked
        self._metrics = metrics
        self.attempts = attempts
        self._log = get_logger("owner")
        self._direct_after_seconds = direct_after_seconds
        self._next: dict[int, int] = {}
        self._since: dict[int, float] = {}
        self._ordered: dict[int, int] = {}
        self._token = 0
        self._suspect_up_to: dict[int, int] = {}
        self._failed_alone: dict[tuple[int, int], int] = {}
        self._jumped: dict[int, tuple[int, int]] = {}

    @property
    def ready(self) -> frozenset[int]:
        """Partitions that are taken over."""
        return frozenset(self._next)

    @property
    def assigned_now(self) -> frozenset[int]:
        """Partitions that the group has given to this member, whether they are taken over yet or not."""
        return frozenset((*self._next, *self._ordered))

    @property
    def is_taking_over(self) -> bool:
        """Whether some partitions are not taken over yet."""
        return bool(self._ordered)

    def assigned(self, consumer: Consumer, partitions: list[TopicPartition]) -> None:
        """The group gives partitions to this member, which have to be taken over first."""
        numbers = frozenset(each.partition for each in partitions)
        consumer.incremental_assign(
            [TopicPartition(self._topic, number, FIRST_OFFSET) for number in sorted(numbers)]
        )
        if numbers:
            self._log.info("assigned", partitions=sorted(numbers))
            reach("owner.after-assign")
            self._take_over(numbers)

    def revoked(self, consumer: Consumer, partitions: list[TopicPartition]) -> None:
        """The group revokes partitions; no transaction is open over them."""
        self._log.info("revoked", partitions=sorted(each.partition for each in partitions))
        self._let_go(partitions)

    def lost(self, consumer: Consumer, partitions: list[TopicPartition]) -> None:
        """The group gave partitions to others earlier."""
        self._log.warning("lost", partitions=sorted(each.partition for each in partitions))
        self._let_go(partitions)

    def _let_go(self, partitions: list[TopicPartition]) -> None:
        numbers = frozenset(each.partition for each in partitions)
        self._forget(numbers)
        self.attempts.let_go(numbers)
        for number in numbers:
            self._suspect_up_to.pop(number, None)
        self._drop(numbers)

    def _forget(self, numbers: Collection[int]) -> None:
        self._takeovers.let_go(numbers)
        for number in numbers:
            self._next.pop(number, None)
            self._since.pop(number, None)
            self._ordered.pop(number, None)
            self._jumped.pop(number, None)
        self._metrics.owned.set(len(self._next))

    def _take_over(self, numbers: frozenset[int]) -> None:
        self._consumer.pause([TopicPartition(self._topic, number) for number in numbers])
        self._token += 1
        self._ordered.update(dict.fromkeys(numbers, self._token))
        self._takeovers.order(self._token, numbers)

    def finish_takeovers(self) -> None:
        """Consume the commands of partitions whose takeover is finished."""
        while True:
            try:
                done = self._takeovers.finished.get_nowait()
            except queue.Empty:
                return
            for number, offset in done.offsets.items():
                if self._ordered.get(number) != done.token:
                    continue
                if not self._has_begun(number, offset):
                    self._takeovers.finished.put(done)
                    return
                self.attempts.taken_over(number, offset, done.attempts.get(number))
                self._keep_blocked(done.blocked.get(number, {}))

    def _has_begun(self, number: int, offset: int) -> bool:
        """Consume the commands; False if the client does not have the partition yet."""
        try:
            self._consumer.seek(TopicPartition(self._topic, number, offset))
        except KafkaException as error:
            self._log.info("not yet", partition=number, problem=str(error))
            return False
        self._consumer.resume([TopicPartition(self._topic, number)])
        del self._ordered[number]
        self._next[number] = offset
        self._since[number] = time.monotonic()
        self._metrics.owned.set(len(self._next))
        self._log.info("taken over", partition=number, next_offset=offset)
        return True

    def takes_directly(self, number: int) -> bool:
        """Whether commands of this partition are taken without the log. May be asked by any thread.

        Not soon after it was taken over: if a command killed the last owner its sender may repeat it, and notes of such commands
        are in the log alone."""
        since, following = self._since.get(number), self._next.get(number)
        if since is None or following is None or self.attempts.is_alone(number, following):
            return False
        return time.monotonic() - since >= self._direct_after_seconds

    def next_offset(self, number: int) -> int:
        """The next command of a partition that is taken over, as far as transactions are committed."""
        return self._next[number]

    def is_next(self, message: Message, reached: Mapping[int, int]) -> bool:
        """Whether this is the command to be carried out next in its partition, `reached` being in the transaction at hand."""
        error = message.error()
        number, offset = message.partition(), message.offset()
        if error is not None or number is None or offset is None:
            self._log.warning("kafka", problem=str(error))
            return False
        expected = reached.get(number, self._next.get(number))
        if expected is None or offset < expected:
            return False
        if offset == expected:
            return True
        looked_for, seen = self._jumped.get(number, (expected, offset - 1))
        if looked_for == expected and offset <= seen:
            # Asked for once more, and it still begins later: what was in between is not kept any more.
            self._log.error("commands are missing", partition=number, expected=expected, found=offset)
            return True
        # Records that came together with the one seen first, from before the seek, only go up.
        self._jumped[number] = (expected, offset)
        self._consumer.seek(TopicPartition(self._topic, number, expected))
        return False

    def done(self, reached: Mapping[int, int]) -> None:
        """A transaction up to these offsets is committed."""
        for number, offset in reached.items():
            if number in self._next:
                self._next[number] = offset
                self._jumped.pop(number, None)
                if self._suspect_up_to.get(number, 0) <= offset:
                    self._suspect_up_to.pop(number, None)
        if self._failed_alone:
            self._failed_alone = {
                key: count for key, count in self._failed_alone.items() if key[1] >= self._next.get(key[0], 0)
            }

    def undone(self, reached: Mapping[int, int], blames_content: bool, commands: int) -> None:
        """A transaction up to these offsets was not written: its partitions are taken over again.

        With `blames_content` their commands are carried out alone next time, so that the guilty one is found."""
        if blames_content and commands == 1:
            for number, offset in reached.items():
                key = (number, offset - 1)
                self._failed_alone[key] = self._failed_alone.get(key, 0) + 1
        elif blames_content:
            self._suspect_up_to.update(reached)
        numbers = frozenset(self._next)
        self._forget(numbers)
        self._drop(numbers)
        if numbers:
            self._take_over(numbers)

    def is_suspect(self, message: Message) -> bool:
        """Whether this command has to be carried out alone."""
        number, offset = message.partition(), message.offset()
        assert number is not None and offset is not None
        return (
            offset < self._suspect_up_to.get(number, 0)
            or (number, offset) in self._failed_alone
            or self.attempts.is_alone(number, offset)
        )

    def verdict(self, message: Message) -> str | None:
        """Why this command is not executed: Kafka rejected its records repeatedly, or owners died over it."""
        number, offset = message.partition(), message.offset()
        assert number is not None and offset is not None
        failed = self._failed_alone.get((number, offset), 0)
        if failed >= TRIES_ALONE:
            return f"Kafka rejected the records of this command {failed} times"
        return self.attempts.verdict(number, offset)
