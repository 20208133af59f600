"""The Redis of a process of the cluster host, and the rate limits that it may share there."""

from __future__ import annotations

from contextlib import ExitStack

from prometheus_client import CollectorRegistry

from services.common.grpc.rate_limit import MemoryRateLimit, RateLimit
from services.common.redis.connection import RedisConnection
from services.common.redis.rate_limit import RedisRateLimit
from services.common.redis.settings import RedisSettings
from services.common.settings.service import PREFIX, Settings, SettingsError


def open_redis(
    redis: RedisSettings | None, registry: CollectorRegistry, closing: ExitStack
) -> RedisConnection | None:
    """The way to Redis if there is one, closed with the rest. Raises `RedisAccessDenied`."""
    if redis is None:
        return None
    connection = RedisConnection(redis, registry)
    connection.start()
    closing.callback(connection.close)
    return connection


def rate_limit(settings: Settings, redis: RedisConnection | None) -> RateLimit:
    """Counts calls, with the other replicas where the settings say so.

    Raises `SettingsError` if that needs a Redis and there is none.
    """
    limit: RateLimit = MemoryRateLimit()
    if settings.rate.shared:
        if redis is None:
            raise SettingsError(f"{PREFIX}RATE_SHARED: needs {PREFIX}REDIS_ADDRESS")
        limit = RedisRateLimit(redis, limit)
    return limit
