"""Connections to Redis that block nobody: a few are opened ahead, and none while Redis is down."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable
from typing import TypeVar

from prometheus_client import CollectorRegistry, Counter, Gauge
from redis.exceptions import RedisError

from services.common.process.threads import ServiceThread
from services.common.redis.client import (
    BROKEN,
    Client,
    RedisAccessDenied,
    RedisUnavailable,
    connect,
    disconnect,
)
from services.common.redis.settings import RedisSettings
from services.common.settings.service import SettingsError
from services.common.telemetry.logs import get_logger

# Pauses between two attempts to find Redis again grow from the one to the other.
RETURN_SECONDS = (0.1, 2.0)

Clients = queue.LifoQueue[Client]
Answer = TypeVar("Answer")


class RedisMetrics:
    """What an operator sees of the way to Redis."""

    def __init__(self, registry: CollectorRegistry | None = None) -> None:
        registry = registry or CollectorRegistry()
        self.up = Gauge(
            "signalbox_redis_up", "1 while Redis answers, 0 while we do without", registry=registry
        )
        self.failures = Counter(
            "signalbox_redis_failures_total",
            "Questions that Redis did not answer",
            ("kind",),
            registry=registry,
        )


class RedisConnection:
    """Asks Redis and does without it, for many threads at once.

    The first failure shuts the way: until a thread of our own has found Redis again, nobody asks. So a Redis that is
    dead or slow costs a call `timeout_seconds` for every round trip at most, and only calls that were under way.
    """

    def __init__(self, settings: RedisSettings, registry: CollectorRegistry | None = None) -> None:
        """Nothing is connected before `start`. Call once per registry."""
        self.settings = settings
        self._metrics = RedisMetrics(registry)
        self._log = get_logger("redis")
        self._lock = threading.Lock()
        self._idle: Clients = queue.LifoQueue()
        self._is_up = False
        self._was_told_up: bool | None = None
        self._logged_errors: set[str] = set()
        self._lost = threading.Event()
        self._stopping = threading.Event()
        self._on_return: list[Callable[[], None]] = []
        self._keeper = ServiceThread("redis-keeper", self._keep)

    @property
    def is_up(self) -> bool:
        """Whether Redis answered last."""
        return self._is_up

    def key(self, *parts: str) -> str:
        """The key of these parts, under the prefix of this platform."""
        return self.settings.key_prefix + ":".join(parts)

    def on_return(self, listener: Callable[[], None]) -> None:
        """Have `listener` called, in a thread of ours, whenever Redis has come back; it must not wait."""
        self._on_return.append(listener)

    def start(self) -> None:
        """Connect. While Redis is down it is retried in the background; raises `RedisAccessDenied` for wrong credentials."""
        self._return(at_start=True)
        self._keeper.start()

    def ask(self, work: Callable[[Client], Answer], otherwise: Answer) -> Answer:
        """What `work` gets from Redis, or `otherwise` while Redis is down, busy or returns an error; then `work` may be done in
        part. Raises only what is not Redis' doing."""
        if not self._is_up:
            return otherwise
        idle = self._idle
        try:
            client = idle.get(timeout=self.settings.timeout_seconds)
        except queue.Empty:
            self._metrics.failures.labels("busy").inc()
            return otherwise
        try:
            answer = work(client)
        except BROKEN as error:
            disconnect(client)
            self._lose(idle, error)
            return otherwise
        except RedisError as error:
            self._give_back(idle, client)
            self._log_error(error)
            return otherwise
        except BaseException as error:
            disconnect(client)
            self._lose(idle, error)
            raise
        self._give_back(idle, client)
        return answer

    def close(self) -> None:
        """Close the connection."""
        self._stopping.set()
        self._lost.set()
        if self._keeper.is_alive():
            self._keeper.join()
        with self._lock:
            self._is_up = False
        _disconnect_all(self._idle)

    def _give_back(self, idle: Clients, client: Client) -> None:
        with self._lock:
            if idle is self._idle and self._is_up:
                idle.put(client)
                return
        disconnect(client)

    def _lose(self, idle: Clients, error: BaseException) -> None:
        """Shut the way, unless the failure is one of connections that were given up already."""
        self._metrics.failures.labels(type(error).__name__).inc()
        with self._lock:
            if idle is not self._idle or not self._is_up:
                return
            self._is_up = False
        self._tell(is_up=False, reason=str(error))
        _disconnect_all(idle)
        self._lost.set()

    def _keep(self) -> None:
        pause, longest = RETURN_SECONDS
        while not self._stopping.is_set():
            if self._is_up:
                self._lost.wait()
                # It may have been lost and found again before the loss was reported: the next round checks again.
                self._lost.clear()
                pause = RETURN_SECONDS[0]
            elif self._stopping.wait(pause) or not self._return(at_start=False):
                pause = min(pause * 2, longest)

    def _return(self, at_start: bool) -> bool:
        """Reconnect all; whether Redis answers again."""
        fresh: Clients = queue.LifoQueue()
        try:
            for _ in range(self.settings.connections):
                fresh.put(connect(self.settings, self.settings.timeout_seconds))
        except (RedisUnavailable, RedisAccessDenied, SettingsError) as error:
            _disconnect_all(fresh)
            if at_start and isinstance(error, RedisAccessDenied):
                raise
            self._tell(is_up=False, reason=str(error))
            return False
        with self._lock:
            self._idle = fresh
            self._is_up = True
        self._tell(is_up=True, reason="")
        for listener in self._on_return:
            listener()
        return True

    def _tell(self, is_up: bool, reason: str) -> None:
        self._metrics.up.set(int(is_up))
        if is_up is self._was_told_up:
            return
        self._was_told_up = is_up
        if is_up:
            self._log.info("Redis answers", address=self.settings.address)
        else:
            self._log.warning("doing without Redis", address=self.settings.address, reason=reason)

    def _log_error(self, error: RedisError) -> None:
        """Redis answers with an error, for example when its memory is full: logged once for each kind."""
        kind = str(error).partition(" ")[0][:40]
        self._metrics.failures.labels("refused").inc()
        if kind not in self._logged_errors:
            self._logged_errors.add(kind)
            self._log.warning("Redis refused", address=self.settings.address, reason=str(error))


def _disconnect_all(clients: Clients) -> None:
    while True:
        try:
            disconnect(clients.get_nowait())
        except queue.Empty:
            return
