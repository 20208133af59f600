"""The notifier of all processes of a service, over a channel of Redis."""

from __future__ import annotations

import threading
from contextlib import AbstractContextManager
from uuid import uuid4

from redis.client import PubSub
from redis.exceptions import RedisError

from services.common.notifier import LocalNotifier, Subscriber
from services.common.process.threads import ServiceThread
from services.common.redis.client import Client, RedisAccessDenied, RedisUnavailable, connect, disconnect
from services.common.redis.connection import RETURN_SECONDS, RedisConnection
from services.common.settings.service import SettingsError

POLL_SECONDS = 0.25
# A silent channel is pinged after this time.
SILENCE_SECONDS = 5.0
# Published after a loss; topics are ids, which are never this.
ALL_TOPICS = b"*"


class RedisNotifier:
    """Implements `Notifier`: at once in this process, through Redis in the others.

    One thread publishes and one subscribes, so that `publish` never blocks. Notifications that may have been lost with a
    connection are made up for: a process that reconnects notifies all its own subscribers, and one that could not publish
    notifies all subscribers everywhere once it can.
    """

    def __init__(self, connection: RedisConnection) -> None:
        """Other processes are not heard before `start`."""
        self._connection = connection
        self._channel = connection.key("notifier")
        self._name = uuid4().hex.encode()
        self._here = LocalNotifier()
        self._pending: set[bytes] = set()
        self._has_pending = threading.Condition()
        self._stopping = threading.Event()
        self._is_subscribed = threading.Event()
        self._threads = [
            ServiceThread("redis-notifier-publisher", self._publish_pending),
            ServiceThread("redis-notifier-subscriber", self._subscribe_until_stopped),
        ]

    def start(self) -> None:
        """Publish to other processes and subscribe to them from now on. Call once."""
        self._connection.on_return(lambda: self._enqueue(ALL_TOPICS))
        for thread in self._threads:
            thread.start()

    def wait_subscribed(self, seconds: float) -> bool:
        """Block until the channel is subscribed to; whether it is."""
        return self._is_subscribed.wait(seconds)

    @property
    def closed(self) -> bool:
        """See `Notifier`."""
        return self._here.closed

    def publish(self, topic: str) -> None:
        """See `Notifier`."""
        self._here.publish(topic)
        self._enqueue(topic.encode())

    def subscribe(
        self, topic: str, subscriber: Subscriber | None = None
    ) -> AbstractContextManager[Subscriber]:
        """See `Notifier`."""
        return self._here.subscribe(topic, subscriber)

    def close(self) -> None:
        """See `Notifier`; also ends the threads."""
        self._here.close()
        self._stopping.set()
        with self._has_pending:
            self._has_pending.notify_all()
        for thread in self._threads:
            if thread.is_alive():
                thread.join()

    def _enqueue(self, topic: bytes) -> None:
        with self._has_pending:
            self._pending.add(topic)
            self._has_pending.notify()

    def _publish_pending(self) -> None:
        while True:
            with self._has_pending:
                while not self._pending and not self._stopping.is_set():
                    self._has_pending.wait()
                pending, self._pending = self._pending, set()
            if not pending:
                return
            if not self._send(b"\n".join((self._name, *pending))) and not self._has_returned():
                return

    def _send(self, pending: bytes) -> bool:
        def publish(redis: Client) -> bool:
            redis.publish(self._channel, pending)
            return True

        return self._connection.ask(publish, otherwise=False)

    def _has_returned(self) -> bool:
        """Block until Redis may answer again; False on `close`. What is published meanwhile is dropped: all topics are
        notified on return."""
        while not self._stopping.wait(RETURN_SECONDS[0]):
            if self._connection.is_up:
                self._enqueue(ALL_TOPICS)
                return True
        return False

    def _subscribe_until_stopped(self) -> None:
        pause = RETURN_SECONDS[0]
        while not self._stopping.is_set():
            try:
                client = connect(self._connection.settings, SILENCE_SECONDS)
            except (RedisUnavailable, RedisAccessDenied, SettingsError):
                self._stopping.wait(pause)
                pause = min(pause * 2, RETURN_SECONDS[1])
                continue
            pause = RETURN_SECONDS[0]
            try:
                self._receive(client)
            except (RedisError, OSError):
                self._stopping.wait(pause)
            finally:
                self._is_subscribed.clear()
                disconnect(client)

    def _receive(self, client: Client) -> None:
        """Notify local subscribers of what other processes publish, until the connection breaks or `close`."""
        channel: PubSub = client.pubsub()  # type: ignore[no-untyped-call]
        channel.subscribe(self._channel)
        silent = 0.0
        while not self._stopping.is_set():
            message = channel.get_message(timeout=POLL_SECONDS)
            silent = 0.0 if message is not None else silent + POLL_SECONDS
            if message is None:
                self._check_alive(channel, silent)
            elif message["type"] == "subscribe":
                self._here.publish_all()
                self._is_subscribed.set()
            elif message["type"] == "message":
                self._notify(message["data"])

    def _check_alive(self, channel: PubSub, silent: float) -> None:
        if silent >= 2 * SILENCE_SECONDS:
            raise TimeoutError("Redis has fallen silent")
        if silent >= SILENCE_SECONDS:
            channel.ping()

    def _notify(self, data: bytes) -> None:
        sender, *topics = data.split(b"\n")
        if sender == self._name:
            return
        for topic in topics:
            if topic == ALL_TOPICS:
                self._here.publish_all()
            else:
                self._here.publish(topic.decode("utf-8", "replace"))
