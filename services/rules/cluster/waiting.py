"""The commands that wait for their owners, for an operator: what is next in each partition, and what is known about it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from confluent_kafka import Consumer, KafkaException, Message, TopicPartition

from services.common.errors import SignalboxError
from services.common.kafka.clients import ANSWER_SECONDS, KafkaUnreachable, new_consumer
from services.common.kafka.offsets import ends
from services.common.kafka.settings import KafkaSettings
from services.common.kafka.topics import COMMANDS
from services.common.kafka.unpacking import readable
from services.gen.signalbox.log.v1 import log_pb2 as pb
from services.rules.adapters.codec import TITLE_COMMAND
from services.rules.cluster.attempts import Attempt, attempt_in
from services.rules.cluster.group import GROUP
from services.rules.cluster.records import DEAD_LETTER_VALUE_BYTES_MAX, UnreadableRecord, parsed


class NoSuchCommand(SignalboxError):
    """There is no command at this offset that could be skipped; the message says why."""


@dataclass(frozen=True, slots=True)
class WaitingCommand:
    """A command that its owner has not finished. `waiting`: how many there are in its partition, from it on.

    `sent`: None for a record that is no command; `sent_time_ms`: milliseconds since 1970 UTC. `attempt`: what owners noted
    about it."""

    partition: int
    offset: int
    waiting: int
    value: bytes
    sent: pb.CommandSent | None
    sent_time_ms: int
    attempt: Attempt | None

    @property
    def kind(self) -> str:
        """What it asks for, in a word."""
        if self.sent is None:
            return "unreadable"
        body = self.sent.WhichOneof("body") or "empty"
        if body != "command":
            return body
        name = self.sent.command.WhichOneof("body") or "empty"
        title_command = self.sent.command.title_command.TypeName().rpartition(".")[2]
        return title_command if name == TITLE_COMMAND else name

    def skip(self, operator: str, reason: str, now_ms: int) -> pb.CommandSkip:
        """The record that has its owner pass over it."""
        return pb.CommandSkip(
            schema_version=1,
            partition=self.partition,
            offset=self.offset,
            game_id="" if self.sent is None else self.sent.game_id,
            reason=reason,
            operator=operator,
            recorded_time_ms=now_ms,
            value=self.value[:DEAD_LETTER_VALUE_BYTES_MAX],
        )


class WaitingCommands:
    """Looks at rules.commands without joining the owners. `close` ends it."""

    def __init__(self, kafka: KafkaSettings) -> None:
        self._kafka = kafka
        self._topic = COMMANDS.name_in(kafka)
        self._consumer: Consumer = new_consumer(kafka, GROUP)

    def close(self) -> None:
        """Disconnect."""
        self._consumer.close()

    def first(self) -> Iterator[WaitingCommand]:
        """The next command of every partition where one waits. Raises `KafkaUnreachable`."""
        found = ends(self._kafka, [COMMANDS])
        for place in self._committed(range(COMMANDS.partitions(self._kafka))):
            offset = max(place.offset, 0)
            end = found[self._topic, place.partition]
            if offset < end:
                message = self._message(place.partition, offset)
                yield self._waiting(message, end, place.metadata)

    def at(self, partition: int, offset: int) -> WaitingCommand:
        """The command at this offset. Raises `NoSuchCommand`, `KafkaUnreachable`."""
        partitions = COMMANDS.partitions(self._kafka)
        if not 0 <= partition < partitions:
            raise NoSuchCommand(f"partition {partition}: there are 0 to {partitions - 1}")
        end = ends(self._kafka, [COMMANDS])[self._topic, partition]
        (place,) = self._committed([partition])
        if not max(place.offset, 0) <= offset < end:
            raise NoSuchCommand(
                f"partition {partition}, offset {offset}: the owner is at {max(place.offset, 0)}, the last one is {end - 1}"
            )
        return self._waiting(self._message(partition, offset), end, place.metadata)

    def next_offset(self, partition: int) -> int:
        """How far the owner of a partition is. Raises `KafkaUnreachable`."""
        (place,) = self._committed([partition])
        return max(place.offset, 0)

    def _committed(self, partitions: range | list[int]) -> list[TopicPartition]:
        wanted = [TopicPartition(self._topic, partition) for partition in partitions]
        try:
            return self._consumer.committed(wanted, ANSWER_SECONDS)
        except KafkaException as problem:
            raise KafkaUnreachable(f"offsets of the owners: {problem}") from problem

    def _message(self, partition: int, offset: int) -> Message:
        self._consumer.assign([TopicPartition(self._topic, partition, offset)])
        try:
            message = self._consumer.poll(ANSWER_SECONDS)
        finally:
            self._consumer.unassign()
        if message is None or message.error() is not None:
            raise KafkaUnreachable(f"{self._topic}, partition {partition}, offset {offset}: cannot be read")
        return message

    def _waiting(self, message: Message, end: int, metadata: str | None) -> WaitingCommand:
        value, offset = readable(message.value(), message.key()) or b"", message.offset() or 0
        try:
            sent = parsed(pb.CommandSent, value)
        except UnreadableRecord:
            sent = None
        attempt = attempt_in(metadata)
        return WaitingCommand(
            message.partition() or 0,
            offset,
            end - offset,
            value,
            sent,
            message.timestamp()[1],
            attempt if attempt is not None and attempt.offset == offset else None,
        )
