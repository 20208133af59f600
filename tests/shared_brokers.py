"""Keeps the brokers of one test session: started by its first test that needs them, gone with the last that may.

Every process of the session holds a shared lock on a file as long as it lives; when no one holds it, all is ended. Run
as `python -m tests.shared_brokers FOLDER`.
"""

from __future__ import annotations

import fcntl
import sys
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

from devtools.brokers.kafka import KafkaServers
from devtools.brokers.missing import BrokersMissing
from devtools.brokers.opening import open_kafka, open_redis
from devtools.brokers.redis import RedisServer

USERS = "users.lock"
KAFKA = "kafka"
REDIS = "redis"
MISSING = ".missing"


def keep(folder: Path) -> None:
    """Start both brokers, say where they are, end them when nobody is left."""
    with ExitStack() as stack, (folder / USERS).open("w") as users:

        def redis() -> str:
            server: RedisServer = stack.enter_context(open_redis(folder / "redis-server"))
            return server.address

        def kafka() -> str:
            servers: KafkaServers = stack.enter_context(open_kafka(folder / "kafka-server"))
            return ",".join(servers.addresses)

        _tell(folder / REDIS, redis)
        _tell(folder / KAFKA, kafka)
        fcntl.flock(users, fcntl.LOCK_EX)
        for name in (REDIS, KAFKA):
            (folder / name).unlink(missing_ok=True)


def _tell(file: Path, start: Callable[[], str]) -> None:
    """Leave the addresses in `file`, or why there are none beside it."""
    try:
        said, place = start(), file
    except BrokersMissing as error:
        said, place = str(error), file.with_suffix(MISSING)
    half = file.with_suffix(".half")
    half.write_text(said)
    half.rename(place)


if __name__ == "__main__":
    keep(Path(sys.argv[1]))
