"""Measurements on a Kafka and a Redis of their own."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from devtools.brokers.kafka import KafkaServers
from devtools.brokers.missing import BrokersMissing
from devtools.brokers.opening import open_kafka, open_redis
from services.common.redis.settings import RedisSettings

Measurement = Callable[[Path, KafkaServers, RedisSettings], int]


def on_brokers(measure: Measurement) -> int:
    """What `measure` returns, with a folder for it alone; 2 without brokers."""
    with tempfile.TemporaryDirectory(prefix="signalbox-bench-") as scratch:
        folder = Path(scratch)
        try:
            with (
                open_redis(folder / "redis", {}) as redis,
                open_kafka(folder / "kafka", is_own=True, is_lasting=True) as servers,
            ):
                return measure(folder, servers, RedisSettings(address=redis.address))
        except BrokersMissing as missing:
            print(missing, file=sys.stderr)
            return 2
