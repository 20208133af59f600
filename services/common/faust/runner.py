"""A follower: handlers of topics, run by Faust in a thread of its own."""

from __future__ import annotations

import asyncio
import ssl
import threading
from collections.abc import AsyncIterable, Callable, Collection, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import faust
from faust.types import TP
from prometheus_client import CollectorRegistry

from services.common.clock import Clock, SystemClock
from services.common.faust.dead_letters import DeadLetters
from services.common.faust.driver import FollowingApp, event_loop_of_thread
from services.common.faust.handling import Handling, Stopping
from services.common.faust.metrics import metrics_in
from services.common.faust.records import Follow, FollowedRecord, Handler, KeyOf, NewerVersion, key_of
from services.common.kafka.administration import check_topics
from services.common.kafka.progress import GroupReader, OwnReader
from services.common.kafka.settings import KafkaSettings
from services.common.kafka.topics import Topic
from services.common.process.threads import ServiceThread
from services.common.telemetry.library_logs import bridge_logs
from services.common.telemetry.logs import get_logger

NEWER = f"{NewerVersion.__name__}:"
COMMIT_SECONDS = 1.0
SESSION_SECONDS = 10.0
HEARTBEAT_SECONDS = 2.0
# A request on a connection that was cut without a word is given up, and sent again, before the watchdog takes the follower for
# one that stands still and ends the process.
REQUEST_SECONDS = 40.0
LOOK_EVERY_SECONDS = 0.5
BEGIN_ANEW_SECONDS = (0.5, 10.0)
STOP_SECONDS = 20.0
POLL_RECORDS = 500
TOGETHER_MAX = 256
POLL_INTERVAL_SECONDS = 24 * 3600.0


class FollowerApp:
    """Brings every committed record of the topics followed to its handler, at least once, in the order of its partition.

    Handlers run one at a time in a thread that belongs to this follower. A record counts as done when its handler returned
    or when it was dead-lettered; a handler that fails is retried before. Records of one game on two topics come in any order.
    When brokers are lost the follower restarts once they are back."""

    def __init__(
        self,
        kafka: KafkaSettings,
        name: str,
        data_folder: Path,
        registry: CollectorRegistry | None = None,
        clock: Clock | None = None,
        before_reading: Callable[[Collection[int]], None] | None = None,
        when_revoked: Callable[[], None] | None = None,
    ) -> None:
        """`name`: of the consumer group, without the platform's prefix. `data_folder`: for Faust's own files.
        `before_reading`: called before records of newly assigned partitions are read, with all partitions that this follower
        has then; when it raises, the follower restarts. `when_revoked`: called when it has none any more, or no more is known;
        it must not wait."""
        self.name = name
        self._kafka = kafka
        self._data_folder = data_folder
        self._before_reading = before_reading or _ignore_partitions
        self._when_revoked = when_revoked or _nothing
        self._clock = clock or SystemClock()
        self._metrics = metrics_in(registry or CollectorRegistry())
        self._log = get_logger("follower").bind(follower=name)
        self._follows: dict[str, Follow] = {}
        self._dead_letters: DeadLetters | None = None
        self._dead_letter_topic: Topic | None = None
        self._assigned = threading.Event()
        self._stop = threading.Event()
        self._thread = ServiceThread(f"follower {name}", self._run)
        self._executor = ThreadPoolExecutor(1, f"handlers {name}")
        self._handling = Handling(name, self._executor, self._metrics, self._stop.is_set)
        self._last_time_ms: dict[str, int] = {}
        self._positions: Mapping[TP, tuple[int, int]] = {}

    def follow(
        self,
        topic: Topic,
        dead_letters: Topic,
        handler: Handler,
        key: KeyOf = key_of,
        *,
        is_newest_enough: bool = False,
    ) -> None:
        """Before `start`: handle the records of `topic` with `handler`. `key` gives a record's game; all topics of a follower
        share one dead letter topic. `is_newest_enough`: older records of a game may be skipped for newer ones."""
        if self._dead_letter_topic not in (None, dead_letters):
            raise ValueError(
                f"{self.name}: {dead_letters.name} beside {self._dead_letter_topic}: one dead letter topic only"
            )
        self._dead_letter_topic = dead_letters
        self._follows[topic.name] = Follow(topic, handler, key, is_newest_enough)

    def start(self) -> None:
        """Begin to follow. Raises `KafkaUnreachable` and `TopicsDiffer`."""
        if self._dead_letter_topic is None:
            raise ValueError(f"{self.name}: nothing to follow")
        check_topics(self._kafka, [*(each.topic for each in self._follows.values()), self._dead_letter_topic])
        bridge_logs()
        self._data_folder.mkdir(parents=True, exist_ok=True)
        self._dead_letters = DeadLetters(self._kafka, self._dead_letter_topic, self._clock)
        self._dead_letters.start()
        self._thread.start()

    def stop(self) -> None:
        """Let the running handler end, commit what was handled and leave the group. May be called again."""
        self._stop.set()
        if self._thread.is_alive():
            self._thread.join()
        self._executor.shutdown()
        if self._dead_letters is not None:
            self._dead_letters.close()

    @property
    def is_ready(self) -> bool:
        """Whether it has its share of the partitions and reads them."""
        return self._assigned.is_set() and self._thread.is_alive() and not self._stop.is_set()

    def wait_ready(self, seconds: float) -> bool:
        """Block until `is_ready`; False when it takes longer."""
        return self._assigned.wait(seconds)

    def progress_readers(self) -> list[OwnReader | GroupReader]:
        """Its progress in each topic: its own next offset, and what its group has committed."""
        readers: list[OwnReader | GroupReader] = [self.dead_letters.progress_reader()]
        for topic in [each.topic for each in self._follows.values()]:
            own, assigned = partial(self._next_offsets, topic), partial(self._assigned_of, topic)
            name, is_waiting = f"{self.name} {topic.name}", lambda: self._handling.is_waiting
            readers.append(OwnReader(name, topic, own, is_waiting))
            readers.append(
                GroupReader(
                    f"{name}, group", topic, self.name, assigned, is_exact=False, is_waiting=is_waiting
                )
            )
        return readers

    def _next_offsets(self, topic: Topic) -> dict[int, int]:
        name = topic.name_in(self._kafka)
        return {each.partition: at for each, (at, _) in self._positions.items() if each.topic == name}

    def _assigned_of(self, topic: Topic) -> frozenset[int]:
        return frozenset(self._next_offsets(topic))

    @property
    def dead_letters(self) -> DeadLetters:
        """Its dead letters; after `start`."""
        if self._dead_letters is None:
            raise ValueError(f"{self.name}: not started")
        return self._dead_letters

    def _run(self) -> None:
        loop = event_loop_of_thread()
        pause, longest = BEGIN_ANEW_SECONDS
        while not self._stop.is_set():
            try:
                loop.run_until_complete(self._follow_until_broken())
                pause = BEGIN_ANEW_SECONDS[0]
            except (Exception, asyncio.CancelledError) as problem:
                self._log.error("follower broke down", problem=repr(problem))
            self._assigned.clear()
            self._when_revoked()
            self._positions = {}
            if not self._stop.is_set():
                self._metrics.breakdowns.labels(self.name).inc()
                self._stop.wait(pause)
                pause = min(pause * 2, longest)
        _cancel_all(loop)
        loop.close()

    async def _follow_until_broken(self) -> None:
        app = self._new_app()
        releasing = asyncio.create_task(self._release_and_measure(app))
        try:
            await app.start()
            while not (self._stop.is_set() or app.crashed or app.should_stop):
                await asyncio.sleep(LOOK_EVERY_SECONDS / 5)
            if app.crashed:
                self._log.error("follower broke down", problem=repr(app.crash_reason))
        finally:
            self._assigned.clear()
            releasing.cancel()
            await asyncio.gather(releasing, return_exceptions=True)
            await self._handler_at_rest()
            await asyncio.wait_for(app.stop(), STOP_SECONDS)

    async def _handler_at_rest(self) -> None:
        """The executor has one thread: when it runs this call, no handler is running."""
        await asyncio.get_running_loop().run_in_executor(self._executor, _nothing)
        await asyncio.sleep(0)

    def _new_app(self) -> FollowingApp:
        kafka = self._kafka
        app = FollowingApp(
            kafka.topic_prefix + self.name,
            broker=";".join(f"kafka://{each}" for each in kafka.servers),
            broker_client_id=kafka.instance or self.name,
            broker_credentials=credentials(kafka),
            broker_commit_interval=COMMIT_SECONDS,
            broker_session_timeout=SESSION_SECONDS,
            broker_heartbeat_interval=HEARTBEAT_SECONDS,
            broker_request_timeout=REQUEST_SECONDS,
            broker_max_poll_records=POLL_RECORDS,
            broker_max_poll_interval=POLL_INTERVAL_SECONDS,
            datadir=str(self._data_folder / "faust"),
            store="memory://",
            processing_guarantee="at_least_once",
            value_serializer="raw",
            key_serializer="raw",
            topic_allow_declare=False,
            topic_disable_leader=True,
            stream_wait_empty=False,
            stream_buffer_maxsize=1024,
            web_enabled=False,
            autodiscover=False,
        )
        app.before_assigned = self._know_what_was_before
        app.after_assigned = lambda _assigned: self._assigned.set()
        app.when_revoked = self._when_revoked
        for follow in self._follows.values():
            self._add_agent(app, follow)
        return app

    async def _know_what_was_before(self, assigned: set[TP]) -> None:
        loop = asyncio.get_running_loop()
        await loop.run_in_executor(None, self.dead_letters.wait_current)
        partitions = frozenset(each.partition for each in assigned)
        await loop.run_in_executor(None, self._before_reading, partitions)

    def _add_agent(self, app: FollowingApp, follow: Follow) -> None:
        full_name = follow.topic.name_in(self._kafka)
        source = app.topic(
            full_name,
            key_type=bytes,
            value_type=bytes,
            key_serializer="raw",
            value_serializer="raw",
            # What was handled is counted by the driver.
            acks=False,
        )

        def done(record: FollowedRecord) -> None:
            self._last_time_ms[record.topic] = record.time_ms
            app.following.handled(TP(full_name, record.partition), record.offset)

        async def following(stream: Any) -> None:
            silent = stream.noack()
            app.reads(full_name, silent)
            events: AsyncIterable[Any] = silent.events()
            async for event in events:
                messages = [event.message, *app.waiting_behind(silent, TOGETHER_MAX - 1)]
                records = [_record(follow.topic, message) for message in messages]
                try:
                    await self._handling.handle_all(follow, self.dead_letters, records, done)
                except Stopping:
                    return

        app.agent(source, name=f"{self.name}.{follow.topic.name}", concurrency=1)(following)

    async def _release_and_measure(self, app: FollowingApp) -> None:
        while True:
            await asyncio.sleep(LOOK_EVERY_SECONDS)
            try:
                await self._measure(app)
                for game_id in self._to_take_up():
                    if self._owns(app, game_id):
                        await self._handling.replay(self._follows, self.dead_letters, game_id)
            except (Stopping, asyncio.CancelledError):
                raise
            except Exception as problem:
                self._log.warning("follower could not measure or release", problem=repr(problem))

    def _to_take_up(self) -> list[str]:
        """Games whose release was asked for, and those of a newer version that this process has not tried yet."""
        newer = (game_id for game_id, reason in self.dead_letters.games().items() if reason.startswith(NEWER))
        untried = [game_id for game_id in newer if game_id not in self._handling.tried]
        return untried + [game_id for game_id in self.dead_letters.to_release() if game_id not in untried]

    def _owns(self, app: FollowingApp, game_id: str) -> bool:
        mine = app.following.assignment()
        return all(
            TP(self._follows[each.topic].topic.name_in(self._kafka), each.partition) in mine
            for each in self.dead_letters.records_of(game_id)
        )

    async def _measure(self, app: FollowingApp) -> None:
        if not self._assigned.is_set():
            return
        self._metrics.blocked_games.labels(self.name).set(len(self.dead_letters.games()))
        self._positions = await app.following.positions()
        for name, follow in self._follows.items():
            full_name = follow.topic.name_in(self._kafka)
            lag = sum(
                max(0, end - at) for each, (at, end) in self._positions.items() if each.topic == full_name
            )
            self._metrics.lag.labels(self.name, name).set(lag)
            age_ms = self._clock.now_ms() - self._last_time_ms.get(name, self._clock.now_ms())
            self._metrics.seconds_behind.labels(self.name, name).set(max(0, age_ms) / 1000 if lag else 0)


def credentials(kafka: KafkaSettings) -> faust.types.auth.CredentialsT | None:
    """Faust's credentials; None for plain text. Raises `SettingsError` for a password that cannot be read."""
    context = None
    if kafka.has_tls:
        context = ssl.create_default_context(cafile=None if kafka.ca_file is None else str(kafka.ca_file))
        if kafka.certificate_file is not None:
            context.load_cert_chain(kafka.certificate_file, kafka.key_file)
    if kafka.has_sasl:
        return faust.SASLCredentials(
            username=kafka.user, password=kafka.password(), mechanism=kafka.mechanism, ssl_context=context
        )
    return None if context is None else faust.SSLCredentials(context)


def _record(topic: Topic, message: Any) -> FollowedRecord:
    return FollowedRecord(
        topic.name,
        message.partition,
        message.offset,
        (message.key or b"").decode("utf-8", "replace"),
        message.value or b"",
        int((message.timestamp or 0) * 1000),
        tuple(message.headers or ()),
    )


def _nothing() -> None:
    """Does nothing: for `_handler_at_rest`, and where nothing depends on what is assigned."""


def _ignore_partitions(partitions: Collection[int]) -> None:
    """For those who take over without preparation."""


def _cancel_all(loop: asyncio.AbstractEventLoop) -> None:
    left = asyncio.all_tasks(loop)
    for task in left:
        task.cancel()
    if left:
        loop.run_until_complete(asyncio.gather(*left, return_exceptions=True))
