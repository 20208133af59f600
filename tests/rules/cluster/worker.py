"""A replica of the rules service as a process that tests can kill: SERVERS PREFIX NAME FOLDER."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path
from threading import Event

from services.common.kafka.settings import KafkaSettings
from services.common.process import crashpoints
from services.common.telemetry.logs import configure_logging
from services.rules.cluster import transactions
from tests.rules.cluster.harness import PARTITIONS, new_replica, until
from tests.rules.tiny import LocalSolver

STOP_AT = "STOP_AT_COMMIT"


def stop_at_commit(count: int) -> None:
    """Let this process fall asleep at its transaction number `count`, when all but the commit is done."""
    left = iter(range(count - 1, -1, -1))
    reach = crashpoints.reach

    def stop_or_reach(point: str) -> None:
        if point == "owner.before-commit" and next(left, -1) == 0:
            os.kill(os.getpid(), signal.SIGSTOP)
        reach(point)

    vars(transactions)["reach"] = stop_or_reach


def main() -> None:
    """Say "ready" once it owns something, and go on until killed."""
    servers, prefix, name, folder = sys.argv[1:]
    configure_logging("info")
    kafka = KafkaSettings(
        servers=tuple(servers.split(",")), topic_prefix=prefix, partitions=PARTITIONS, instance=name
    )
    if STOP_AT in os.environ:
        stop_at_commit(int(os.environ[STOP_AT]))
    replica = new_replica(kafka, Path(folder), LocalSolver())
    replica.start()
    until(lambda: bool(replica.owned))
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    Event().wait()


if __name__ == "__main__":
    main()
