"""The log of staff acts on the cluster host: a topic of one partition, which every service follows."""

from __future__ import annotations

from google.protobuf.message import DecodeError

from services.common.clock import Clock
from services.common.errors import Unavailable
from services.common.kafka.clients import KafkaUnreachable, new_producer
from services.common.kafka.progress import OwnReader
from services.common.kafka.settings import KafkaSettings
from services.common.kafka.tail import TopicTail, one_by_one
from services.common.kafka.topics import STAFF_ACTS
from services.common.kafka.writing import ONE_BY_ONE, write_record
from services.common.process.stopping import StopFlag
from services.common.staff.acts import UnreadableAct, act_in, record_of
from services.common.staff.log import StaffLog
from services.common.telemetry.logs import get_logger
from services.gen.signalbox.lobby.v1.staff_act_pb2 import StaffAct
from services.gen.signalbox.log.v1.log_pb2 import Fact

WAIT_SECONDS = 0.5


class TopicStaffLog(StaffLog):
    """See `StaffLog`. An act is known as soon as Kafka hands it out; while Kafka is away, what was known before stays known."""

    def __init__(self, kafka: KafkaSettings, clock: Clock) -> None:
        super().__init__(clock)
        self._log = get_logger("staff")
        self._tail = TopicTail(kafka, STAFF_ACTS, one_by_one(self._note))
        self.is_current = False
        """Whether all acts from before the start are known: a process that serves earlier would accept what was revoked."""

    def start(self) -> None:
        """See `StaffLog`."""
        self._tail.start()

    def wait_current(self, stop_event: StopFlag) -> None:
        """Block until all acts from before are known, or `stop_event` is set."""
        while not self.is_current and not stop_event.is_set():
            self.is_current = self._tail.is_current_within(WAIT_SECONDS)

    def write(self, act: StaffAct) -> None:
        """See `StaffLog`."""
        try:
            self._tail.wait_current()
            if act.act_id not in self._known:
                self._tail.write(act.player_id or act.game_id, stored(act))
                self._tail.wait_current()
        except KafkaUnreachable as away:
            raise Unavailable(f"the act cannot be recorded now: {away}") from away

    def progress_reader(self) -> OwnReader:
        """How far the topic is read."""
        return self._tail.progress_reader()

    def close(self) -> None:
        """Stop following. May be called again."""
        self._tail.close()

    def _note(self, _key: str, value: bytes | None) -> None:
        try:
            self._take(read_stored(value))
        except UnreadableAct as problem:
            self._log.error("unreadable staff act", problem=str(problem))


def record_act(kafka: KafkaSettings, act: StaffAct) -> None:
    """Record what an operator does with the rights of Kafka, outside of the services. Raises `NotWritten`."""
    producer = new_producer(kafka, **ONE_BY_ONE)
    write_record(producer, STAFF_ACTS.name_in(kafka), 0, act.game_id, stored(act))


def stored(act: StaffAct) -> bytes:
    """The value of the record of an act."""
    record = record_of(act)
    return Fact(
        type=record.type, schema_version=record.schema_version, payload=record.payload
    ).SerializeToString()


def read_stored(value: bytes | None) -> StaffAct:
    """The act in the value of a record. Raises `UnreadableAct`."""
    try:
        fact = Fact.FromString(value or b"")
    except DecodeError as problem:
        raise UnreadableAct("no fact") from problem
    return act_in(fact.type, fact.schema_version, fact.payload)
