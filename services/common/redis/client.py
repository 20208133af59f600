"""A client of Redis that keeps to the one connection it was given: it never connects behind anybody's back."""

from __future__ import annotations

from typing import Any, cast

import redis
from redis.backoff import NoBackoff
from redis.connection import Connection, SSLConnection
from redis.exceptions import (
    AuthenticationError,
    ConnectionError as RedisConnectionError,
    RedisError,
    ResponseError,
    TimeoutError as RedisTimeoutError,
)
from redis.retry import Retry

from services.common.errors import SignalboxError
from services.common.redis.settings import RedisSettings

# Connecting may take its time: it is done in threads that no call waits for.
CONNECT_SECONDS = 2.0
# What a Redis answers that is not well just now, to us as to everybody.
PASSING = ("MISCONF", "BUSY", "MASTERDOWN", "TRYAGAIN", "CLUSTERDOWN")
BROKEN = (RedisConnectionError, RedisTimeoutError, OSError)

Client = redis.Redis


class RedisAccessDenied(SignalboxError):
    """Redis is there and does not let us in, or is not the one we trust; the message says what it said."""


class RedisUnavailable(SignalboxError):
    """Redis does not answer; the message says what happened."""


class _OneConnection(redis.ConnectionPool):
    """A pool whose only connection is made here and never again, since making one may take long."""

    def __init__(self, timeout_seconds: float, connection_class: type[Connection], **options: Any) -> None:
        super().__init__(connection_class=connection_class, **options)
        self._only = cast("Any", self.make_connection())
        self._only.connect()
        self._only.send_command("PING")
        self._only.read_response()
        self._only.update_current_socket_timeout(timeout_seconds)

    def get_connection(self, command_name: object = None, *keys: object, **options: object) -> Connection:
        if not self._only.is_connected:
            raise RedisConnectionError("the connection is gone")
        only: Connection = self._only
        return only

    def release(self, connection: object) -> None:
        pass

    def disconnect(self, inuse_connections: bool = True) -> None:
        self._only.disconnect()


def connect(settings: RedisSettings, timeout_seconds: float) -> Client:
    """A client of one new connection that has answered; an answer may take `timeout_seconds` from now on.

    Raises `RedisAccessDenied`, `RedisUnavailable`, and `SettingsError` for a password file that cannot be used any more.
    """
    try:
        return redis.Redis(connection_pool=_OneConnection(timeout_seconds, **_options(settings)))
    except (AuthenticationError, ResponseError) as error:
        if str(error).startswith(PASSING):
            raise RedisUnavailable(f"Redis at {settings.address}: {error}") from error
        raise RedisAccessDenied(f"Redis at {settings.address}: {error}") from error
    except (RedisError, OSError) as error:
        if settings.tls and _is_distrust(str(error)):
            raise RedisAccessDenied(f"Redis at {settings.address}: {error}") from error
        raise RedisUnavailable(f"Redis at {settings.address}: {error}") from error


def _is_distrust(said: str) -> bool:
    """Whether a certificate is not the right one. One that has ended is: it is renewed while we do without Redis."""
    return "CERTIFICATE" in said and "expired" not in said.lower()


def disconnect(client: Client) -> None:
    """End the connection of a client that `connect` gave."""
    client.connection_pool.disconnect()


def _options(settings: RedisSettings) -> dict[str, Any]:
    host, _, port = settings.address.rpartition(":")
    options: dict[str, Any] = {
        "host": host.strip("[]"),
        "port": int(port),
        "db": settings.database,
        "username": settings.user or None,
        "password": settings.password(),
        "socket_timeout": CONNECT_SECONDS,
        "socket_connect_timeout": CONNECT_SECONDS,
        "retry": Retry(NoBackoff(), 0),
        "protocol": 2,
        "connection_class": Connection,
    }
    if settings.tls:
        options |= {
            "connection_class": SSLConnection,
            "ssl_ca_certs": None if settings.ca_file is None else str(settings.ca_file),
            "ssl_certfile": None if settings.certificate_file is None else str(settings.certificate_file),
            "ssl_keyfile": None if settings.key_file is None else str(settings.key_file),
            "ssl_check_hostname": True,
        }
    return options
