"""Faust's driver, made to read committed records only and to commit only what was handled.

Faust reads uncommitted records unless its exactly-once setting is on, acknowledges an event whose handler failed or was
cancelled, and spreads partitions of two topics without regard to each other. Here: isolation "read_committed" always; the
offset to commit is the one behind the last record reported by `handled`, and nothing else; range assignment, so that the
same partition of topics that are followed together is assigned to the same member.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping
from typing import Any, cast

import aiokafka
from aiokafka.coordinator.assignors.range import RangePartitionAssignor
from aiokafka.errors import ConsumerStoppedError
from faust import App
from faust.app.base import BootStrategy
from faust.transport.drivers.aiokafka import (
    AIOKafkaConsumerThread,
    Consumer,
    Transport,
    credentials_to_aiokafka_auth,
    server_list,
)
from faust.types import TP

from services.common.kafka.clients import RECORD_OVERHEAD_BYTES
from services.common.kafka.topics import RECORD_BYTES_MAX
from services.common.process import crashpoints
from services.common.telemetry.library_logs import report_loop_errors
from services.common.telemetry.record_bytes import note_bytes

# Nobody waits for a follower: few large answers of the broker rather than one for each transaction.
FETCH_WAIT_MS = 100
FETCH_BYTES = 64 * 1024
log = logging.getLogger("faust.driver")


async def begin_at_committed(consumer: Any) -> Mapping[TP, int | None]:
    """Have a client fetch from what was committed. The client itself leaves partitions of which nothing was committed where
    they are: what was fetched and dropped during a rebalance would never be read again. They restart at the beginning."""
    committed: Mapping[TP, int | None] = await consumer.seek_to_committed()
    fresh = [partition for partition, offset in committed.items() if not offset]
    if fresh:
        await consumer.seek_to_beginning(*fresh)
    return committed


class CommittedThread(AIOKafkaConsumerThread):
    """The thread in which the Kafka client lives."""

    async def on_start(self) -> None:
        """See the base."""
        report_loop_errors(self.thread_loop)
        await super().on_start()

    def on_crash(self, msg: str, *fmt: Any, **kwargs: Any) -> None:
        """The base prints; a log line it is."""
        log.error(msg.format(*fmt))

    def _create_worker_consumer(self, transport: Any) -> Any:
        conf: Any = self.app.conf
        self._assignor = RangePartitionAssignor
        return aiokafka.AIOKafkaConsumer(
            client_id=conf.broker_client_id,
            group_id=conf.id,
            bootstrap_servers=server_list(transport.url, transport.default_port),
            partition_assignment_strategy=[self._assignor],
            isolation_level="read_committed",
            enable_auto_commit=False,
            auto_offset_reset="earliest",
            max_poll_records=conf.broker_max_poll_records,
            max_poll_interval_ms=int(conf.broker_max_poll_interval * 1000),
            max_partition_fetch_bytes=RECORD_BYTES_MAX + RECORD_OVERHEAD_BYTES,
            fetch_max_wait_ms=FETCH_WAIT_MS,
            fetch_min_bytes=FETCH_BYTES,
            request_timeout_ms=int(conf.broker_request_timeout * 1000),
            session_timeout_ms=int(conf.broker_session_timeout * 1000),
            rebalance_timeout_ms=int(conf.broker_rebalance_timeout * 1000),
            heartbeat_interval_ms=int(conf.broker_heartbeat_interval * 1000),
            metadata_max_age_ms=10_000,
            **credentials_to_aiokafka_auth(conf.broker_credentials, conf.ssl_context),
        )

    async def seek_to_committed(self) -> Mapping[TP, int]:
        """See `begin_at_committed`."""
        return await self.call_thread(begin_at_committed, self._ensure_consumer())  # type: ignore[no-any-return]

    async def unread(self, partitions: Iterable[TP]) -> dict[TP, tuple[int, int]]:
        """By partition the next offset to be fetched and the one behind the last committed record; where known."""
        return await self.call_thread(self._unread, list(partitions))  # type: ignore[no-any-return]

    async def _unread(self, partitions: list[TP]) -> dict[TP, tuple[int, int]]:
        consumer = self._ensure_consumer()
        found = {}
        for partition in partitions:
            if partition in self.assignment():
                state = consumer._subscription.subscription.assignment.state_value(partition)
                if state.has_valid_position and state.lso is not None and state.lso >= 0:
                    found[partition] = (state.position, state.lso)
        return found


class CommittedConsumer(Consumer):
    """Keeps its own account of what was handled; the account of Faust is not used."""

    _thread: CommittedThread

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._handled: dict[TP, int] = {}
        self._taken: dict[TP, int] = {}

    def _new_consumer_thread(self) -> AIOKafkaConsumerThread:
        return CommittedThread(self, loop=self.loop, beacon=self.beacon)

    def _to_message(self, tp: TP, record: Any) -> Any:
        self._taken[tp] = record.offset
        note_bytes("read", tp.topic, record.key, record.value)
        return super()._to_message(tp, record)

    def handled(self, partition: TP, offset: int) -> None:
        """Everything of a partition up to this record is done with."""
        self._handled[partition] = max(offset, self._handled.get(partition, -1))

    async def on_partitions_revoked(self, revoked: set[TP]) -> None:
        """Commits what was handled before the partitions go."""
        if not self.should_stop:
            await self.commit()
        for partition in revoked:
            self._handled.pop(partition, None)
            self._taken.pop(partition, None)
        await super().on_partitions_revoked(revoked)

    def _filter_tps_with_pending_acks(self, topics: Any = None) -> Iterator[TP]:
        return iter(tuple(self._handled))

    def _new_offset(self, tp: TP) -> int | None:
        last = self._handled.get(tp)
        return None if last is None else last + 1

    async def _commit_offsets(self, offsets: Mapping[TP, int], start_new_transaction: bool = True) -> bool:
        before = {partition: self._committed_offset[partition] for partition in offsets}
        done = await super()._commit_offsets(offsets, start_new_transaction)
        if not done:
            # The base takes a commit that failed for done, and would not repeat it before the next record.
            self._committed_offset.update(before)
        crashpoints.reach("follower.after-offset")
        return done

    async def _add_gap(self, tp: TP, offset_from: int, offset_to: int) -> None:
        """Offsets without a record need no account here."""

    async def _drain_messages(self, fetcher: Any) -> None:
        """As the base has it, without two tasks for each message: all that was fetched is in the streams before their
        agents have a turn."""
        try:
            while not (self.should_stop or fetcher.should_stop):
                async for partition, message in self.getmany(timeout=1.0):
                    read = self._read_offset[partition]
                    if read is None or message.offset >= read:
                        await self._hand_on(partition, message)
                        self._read_offset[partition] = message.offset
                await asyncio.sleep(0)
        except (ConsumerStoppedError, asyncio.CancelledError):
            if not self.transport.app.should_stop:
                raise

    async def _hand_on(self, partition: TP, message: Any) -> None:
        conductor: Any = self.app.topics
        channels = conductor._tp_index.get(partition, ())
        if self.app.flow_control.is_active() and not any(each.queue.full() for each in channels):
            await self.callback(message)
        else:
            await self.wait_first(self.callback(message), self.suspend_flow.wait())

    async def verify_all_partitions_active(self) -> None:
        """The base reads the monitor, which is off; the lag of a follower is a metric of its own."""

    async def positions(self) -> dict[TP, tuple[int, int]]:
        """By partition the next offset to be handled and the one behind the last committed record, as the client knows
        it; where known."""
        unread = await self._thread.unread(self.assignment())
        found = {}
        for partition, (position, end) in unread.items():
            done, taken = self._handled.get(partition), self._taken.get(partition)
            at = position
            if done != taken:
                at = (self._committed_offset[partition] or 0) if done is None else done + 1
            found[partition] = (at, end)
        return found


class CommittedTransport(Transport):
    """Transport with the consumer of this module."""

    Consumer = CommittedConsumer


class FollowersOnly(BootStrategy):
    """No producer and no web server."""

    enable_kafka_producer = False
    enable_web = False


class FollowingApp(App):
    """A Faust application over the driver of this module. `before_assigned` is awaited before records of newly assigned
    partitions are read, `after_assigned` afterwards."""

    BootStrategy = FollowersOnly
    before_assigned: Callable[[], Awaitable[None]] | None = None
    after_assigned: Callable[[set[TP]], None] | None = None

    @property
    def following(self) -> CommittedConsumer:
        """Its consumer."""
        return cast(CommittedConsumer, self.consumer)

    def on_init_dependencies(self) -> Iterable[Any]:
        """Without the monitor, which counts every message in many ways."""
        return self.boot_strategy.server()

    def waiting_behind(self, stream: Any, count: int) -> list[Any]:
        """Messages of a stream that can be had at once, those of an assignment that is over left out."""
        queue = stream.channel.queue
        found: list[Any] = []
        while len(found) < count and not queue.empty():
            message = queue.get_nowait().message
            if message.generation_id == self.consumer_generation_id and self.flow_control.is_active():
                found.append(message)
        return found

    def _new_transport(self) -> Any:
        return CommittedTransport(self.conf.broker_consumer, self)

    def _new_producer_transport(self) -> Any:
        return CommittedTransport(self.conf.broker_producer, self)

    async def _on_partitions_assigned(self, assigned: set[TP], generation_id: int = 0) -> None:
        try:
            if self.before_assigned is not None:
                await self.before_assigned()
        except Exception as problem:
            await self.crash(problem)
            return
        await super()._on_partitions_assigned(assigned, generation_id)
        if self.after_assigned is not None:
            self.after_assigned(assigned)


def event_loop_of_thread() -> asyncio.AbstractEventLoop:
    """A new loop, made the one of the current thread: Faust asks for it."""
    loop = asyncio.new_event_loop()
    asyncio.set_event_loop(loop)
    report_loop_errors(loop)
    return loop
