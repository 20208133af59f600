"""Faust's driver, made to read committed records only and to commit only what was handled.

Faust reads uncommitted records unless its exactly-once setting is on, acknowledges an event whose handler failed or was
cancelled, and spreads partitions of two topics without regard to each other. Here: isolation "read_committed" always; the
offset to commit is the one behind the last record reported by `handled`, and nothing else; range assignment, so that the
same partition of topics that are followed together is assigned to the same member.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping
from contextlib import suppress
from typing import Any, cast

import aiokafka
from aiokafka.coordinator.assignors.range import RangePartitionAssignor
from aiokafka.errors import IllegalStateError
from faust import App
from faust.app.base import BootStrategy
from faust.transport.drivers.aiokafka import (
    AIOKafkaConsumerThread,
    Consumer,
    Transport,
    credentials_to_aiokafka_auth,
    server_list,
)
from faust.types import TP, Message

from services.common.kafka.clients import RECORD_OVERHEAD_BYTES
from services.common.kafka.topics import RECORD_BYTES_MAX
from services.common.process import crashpoints
from services.common.telemetry.library_logs import report_loop_errors
from services.common.telemetry.record_bytes import note_bytes

# Nobody waits for a follower: few large answers of the broker rather than one for each transaction.
FETCH_WAIT_MS = 100
FETCH_BYTES = 64 * 1024
# Longer than a client needs that knows where it begins.
POSITION_SECONDS = 1.0
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

    client: Any
    """The client; set when the thread starts."""

    async def on_start(self) -> None:
        """See the base."""
        report_loop_errors(self.thread_loop)
        await super().on_start()

    def on_crash(self, msg: str, *fmt: Any, **kwargs: Any) -> None:
        """The base prints; a log line it is."""
        log.error(msg.format(*fmt))

    def _create_worker_consumer(self, transport: Any) -> Any:
        conf: Any = self.app.conf
        self.client = aiokafka.AIOKafkaConsumer(
            client_id=conf.broker_client_id,
            group_id=conf.id,
            bootstrap_servers=server_list(transport.url, transport.default_port),
            partition_assignment_strategy=[RangePartitionAssignor],
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
        return self.client

    async def seek_to_committed(self) -> Mapping[TP, int]:
        """See `begin_at_committed`."""
        return await self.call_thread(begin_at_committed, self.client)  # type: ignore[no-any-return]

    async def unread(self, partitions: Iterable[TP]) -> dict[TP, tuple[int, int]]:
        """By partition the next offset to be fetched and the one behind the last committed record; where known."""
        return await self.call_thread(positions_of, self.client, list(partitions))  # type: ignore[no-any-return]


async def positions_of(client: Any, partitions: list[TP]) -> dict[TP, tuple[int, int]]:
    """See `CommittedThread.unread`. A partition that is being given away, or does not know its beginning yet, has none."""
    found: dict[TP, tuple[int, int]] = {}
    for partition in partitions:
        if partition in client.assignment():
            end = client.last_stable_offset(partition)
            if end is not None and end >= 0:
                with suppress(IllegalStateError, TimeoutError):
                    found[partition] = (
                        await asyncio.wait_for(client.position(partition), POSITION_SECONDS),
                        end,
                    )
    return found


class CommittedConsumer(Consumer):
    """Keeps its own account of what was read, handled and committed; the account of Faust is not used."""

    reader: CommittedThread
    """The thread that reads for it."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._taken: dict[TP, int] = {}
        self._begins: dict[TP, int] = {}
        self._handled: dict[TP, int] = {}
        self._committed: dict[TP, int] = {}

    def _new_consumer_thread(self) -> AIOKafkaConsumerThread:
        self.reader = CommittedThread(self, loop=self.loop, beacon=self.beacon)
        return self.reader

    def handled(self, partition: TP, offset: int) -> None:
        """Everything of a partition up to this record is done with."""
        self._handled[partition] = max(offset, self._handled.get(partition, -1))

    async def seek_to_committed(self) -> Mapping[TP, int]:
        """See the base."""
        committed = await super().seek_to_committed()
        for partition, offset in committed.items():
            self._committed[partition] = self._begins[partition] = offset or 0
        return committed

    async def on_partitions_assigned(self, assigned: set[TP], generation_id: int = 0) -> None:
        """See `FollowingApp`."""
        app = cast(FollowingApp, self.app)
        try:
            if app.before_assigned is not None:
                await app.before_assigned(assigned)
        except Exception as problem:
            await app.crash(problem)
            return
        await super().on_partitions_assigned(assigned, generation_id)
        if app.after_assigned is not None:
            app.after_assigned(assigned)

    async def on_partitions_revoked(self, revoked: set[TP]) -> None:
        """Commits what was handled before the partitions go."""
        if not self.should_stop:
            await self.commit()
        for partition in revoked:
            for account in (self._taken, self._begins, self._handled, self._committed):
                account.pop(partition, None)
        when_revoked = cast(FollowingApp, self.app).when_revoked
        if when_revoked is not None:
            when_revoked()
        await super().on_partitions_revoked(revoked)

    async def force_commit(self, topics: Any = None, start_new_transaction: bool = True) -> bool:
        """Commits the offsets behind what was handled. One that fails is tried again with the next."""
        assigned = self.assignment() if self._handled else ()
        offsets = {
            partition: last + 1
            for partition, last in self._handled.items()
            if partition in assigned and last + 1 > self._committed.get(partition, 0)
        }
        done = bool(offsets) and await self.reader.commit(offsets)
        if done:
            self._committed.update(offsets)
        crashpoints.reach("follower.after-offset")
        return done

    async def getmany(self, timeout: float) -> AsyncIterator[tuple[TP, Message]]:
        """What the base has to wait for. For each message that it gets it makes two tasks, so what finds room in its stream is
        handed on here: all that was fetched is in the streams before their agents have a turn."""
        async for partition, message in super().getmany(timeout):
            if message.offset < self._begins.get(partition, 0):
                continue
            self._begins[partition] = self._taken[partition] = message.offset
            note_bytes("read", partition.topic, message.key, message.value)
            if cast(FollowingApp, self.app).has_room(partition.topic):
                await self.callback(message)
            else:
                yield partition, message

    async def verify_all_partitions_active(self) -> None:
        """The base reads the monitor, which is off; the lag of a follower is a metric of its own."""

    async def positions(self) -> dict[TP, tuple[int, int]]:
        """By partition the next offset to be handled and the one behind the last committed record, as the client knows
        it; where known."""
        unread = await self.reader.unread(self.assignment())
        found = {}
        for partition, (position, end) in unread.items():
            done, taken = self._handled.get(partition), self._taken.get(partition)
            at = position
            if done != taken:
                at = self._committed.get(partition, 0) if done is None else done + 1
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
    partitions are read, `after_assigned` afterwards; `when_revoked` is called when all partitions are given up, in most cases for
    others to come."""

    BootStrategy = FollowersOnly
    before_assigned: Callable[[set[TP]], Awaitable[None]] | None = None
    after_assigned: Callable[[set[TP]], None] | None = None
    when_revoked: Callable[[], None] | None = None

    def __init__(self, *args: Any, **options: Any) -> None:
        self.queues: dict[str, Any] = {}
        super().__init__(*args, **options)
        self.transport = CommittedTransport(self.conf.broker_consumer, self)
        self.producer_transport = CommittedTransport(self.conf.broker_producer, self)

    @property
    def following(self) -> CommittedConsumer:
        """Its consumer."""
        return cast(CommittedConsumer, self.consumer)

    def on_init_dependencies(self) -> Iterable[Any]:
        """Without the monitor, which counts every message in many ways."""
        return self.boot_strategy.server()

    def reads(self, topic: str, stream: Any) -> None:
        """This stream takes the messages of a topic now."""
        self.queues[topic] = stream.channel.queue

    def has_room(self, topic: str) -> bool:
        """Whether the stream of a topic takes a message at once."""
        queue = self.queues.get(topic)
        return self.flow_control.is_active() and queue is not None and not queue.full()

    def waiting_behind(self, stream: Any, count: int) -> list[Any]:
        """Messages of a stream that can be had at once, those of an assignment that is over left out."""
        queue = stream.channel.queue
        found: list[Any] = []
        while len(found) < count and not queue.empty():
            message = queue.get_nowait().message
            if message.generation_id == self.consumer_generation_id and self.flow_control.is_active():
                found.append(message)
        return found


def event_loop_of_thread() -> asyncio.AbstractEventLoop:
    """A new loop, made the one of the current thread: Faust asks for it."""
    loop = asyncio.new_event_loop()
    asyncio.set_event_loop(loop)
    report_loop_errors(loop)
    return loop
