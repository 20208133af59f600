"""The bell of all processes together, over a channel of Redis."""

from __future__ import annotations

import threading
from contextlib import AbstractContextManager
from uuid import uuid4

from redis.client import PubSub
from redis.exceptions import RedisError

from services.common.notifier import Listener, LocalBell
from services.common.process.threads import ServiceThread
from services.common.redis.client import Client, RedisAway, RedisRefused, connect, hang_up
from services.common.redis.connection import RETURN_SECONDS, RedisConnection
from services.common.settings.service import SettingsError

LISTEN_SECONDS = 0.25
# A channel nobody speaks on is asked whether it is still there.
SILENCE_SECONDS = 5.0
# Topics are ids; the mark of a lost ring cannot be one.
EVERYBODY = b"*"


class RedisBell:
    """Implements `Bell`: here at once, elsewhere as soon as Redis tells.

    Two threads, one that speaks and one that listens, so that nobody who announces waits. Rings that may have been lost
    with a connection are made up for: whoever listens again rings for everybody here, and whoever could not speak rings
    for everybody everywhere once it can.
    """

    def __init__(self, connection: RedisConnection) -> None:
        """Nothing is heard of others before `start`."""
        self._connection = connection
        self._channel = connection.key("bell")
        self._name = uuid4().hex.encode()
        self._here = LocalBell()
        self._news: set[bytes] = set()
        self._has_news = threading.Condition()
        self._stopping = threading.Event()
        self._hears = threading.Event()
        self._threads = [
            ServiceThread("redis-bell-speaker", self._speak),
            ServiceThread("redis-bell-listener", self._listen),
        ]

    def start(self) -> None:
        """Speak to the others and hear them from now on. Call once."""
        self._connection.on_return(lambda: self._tell(EVERYBODY))
        for thread in self._threads:
            thread.start()

    def wait_hearing(self, seconds: float) -> bool:
        """Block until others are heard; whether they are."""
        return self._hears.wait(seconds)

    @property
    def closed(self) -> bool:
        """See `Bell`."""
        return self._here.closed

    def announce(self, topic: str) -> None:
        """See `Bell`."""
        self._here.announce(topic)
        self._tell(topic.encode())

    def listening(self, topic: str) -> AbstractContextManager[Listener]:
        """See `Bell`."""
        return self._here.listening(topic)

    def close(self) -> None:
        """See `Bell`; also ends the threads."""
        self._here.close()
        self._stopping.set()
        with self._has_news:
            self._has_news.notify_all()
        for thread in self._threads:
            if thread.is_alive():
                thread.join()

    def _tell(self, topic: bytes) -> None:
        with self._has_news:
            self._news.add(topic)
            self._has_news.notify()

    def _speak(self) -> None:
        while True:
            with self._has_news:
                while not self._news and not self._stopping.is_set():
                    self._has_news.wait()
                news, self._news = self._news, set()
            if not news:
                return
            if not self._publish(b"\n".join((self._name, *news))) and not self._has_returned():
                return

    def _publish(self, news: bytes) -> bool:
        def publish(redis: Client) -> bool:
            redis.publish(self._channel, news)
            return True

        return self._connection.ask(publish, otherwise=False)

    def _has_returned(self) -> bool:
        """Block until Redis may answer again, False if that is not wanted any more. What is told meanwhile is left out:
        everybody is rung for on return."""
        while not self._stopping.wait(RETURN_SECONDS[0]):
            if self._connection.is_up:
                self._tell(EVERYBODY)
                return True
        return False

    def _listen(self) -> None:
        pause = RETURN_SECONDS[0]
        while not self._stopping.is_set():
            try:
                client = connect(self._connection.settings, SILENCE_SECONDS)
            except (RedisAway, RedisRefused, SettingsError):
                self._stopping.wait(pause)
                pause = min(pause * 2, RETURN_SECONDS[1])
                continue
            pause = RETURN_SECONDS[0]
            try:
                self._hear(client)
            except (RedisError, OSError):
                self._stopping.wait(pause)
            finally:
                self._hears.clear()
                hang_up(client)

    def _hear(self, client: Client) -> None:
        """Ring for what the others announce, until the connection breaks or the bell is closed."""
        channel: PubSub = client.pubsub()  # type: ignore[no-untyped-call]
        channel.subscribe(self._channel)
        silent = 0.0
        while not self._stopping.is_set():
            message = channel.get_message(timeout=LISTEN_SECONDS)
            silent = 0.0 if message is not None else silent + LISTEN_SECONDS
            if message is None:
                self._check_alive(channel, silent)
            elif message["type"] == "subscribe":
                self._here.announce_all()
                self._hears.set()
            elif message["type"] == "message":
                self._ring(message["data"])

    def _check_alive(self, channel: PubSub, silent: float) -> None:
        if silent >= 2 * SILENCE_SECONDS:
            raise TimeoutError("Redis has fallen silent")
        if silent >= SILENCE_SECONDS:
            channel.ping()

    def _ring(self, data: bytes) -> None:
        speaker, *topics = data.split(b"\n")
        if speaker == self._name:
            return
        for topic in topics:
            if topic == EVERYBODY:
                self._here.announce_all()
            else:
                self._here.announce(topic.decode("utf-8", "replace"))
