"""A replica of the rules service as a process that tests can kill: SERVERS PREFIX NAME FOLDER.

With `ENDS` it is started again whenever it has ended, with all its modules loaded already."""

from __future__ import annotations

import ctypes
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from threading import Event

from confluent_kafka import Message, TopicPartition

from services.common.kafka.copy import LogCopy
from services.common.kafka.settings import KafkaSettings
from services.common.kafka.topics import OUTCOMES
from services.common.process import crashpoints
from services.common.telemetry.logs import configure_logging
from services.rules.cluster import transactions
from services.rules.cluster.gateway import GameBlocked
from services.rules.cluster.replica import RulesReplica
from services.rules.cluster.shares import PartitionShares
from services.rules.cluster.transactions import Outgoing, TransactionalWriter
from services.rules.requests import Request
from services.rules.sessions import UnknownGameError
from services.rules.titles.g1824.commands import RepayDebt
from tests.rules.cluster.harness import (
    FIRST,
    NEVER_SECONDS,
    PARTITIONS,
    SECONDS,
    SESSION_MS,
    answered,
    create,
    new_replica,
    new_table,
)
from tests.rules.tiny import LocalSolver
from tests.waiting import until

PR_SET_PDEATHSIG = 1
STOP_AT = "STOP_AT_COMMIT"
STOP_AT_OUTCOME = "STOP_AT_OUTCOME"
COMMAND_SECONDS = "COMMAND_SECONDS"
STORE = "SNAPSHOTS"
"""A folder with snapshots of partitions."""
ENDS = "ENDS"
"""A file that gets a line with the exit code for every end."""
SESSION = "SESSION_MS"
DIE_WHEN_REVOKED = "DIE_WHEN_REVOKED"
TRANSACTION_MS = "TRANSACTION_MS"
"""When Kafka itself ends a transaction that is open."""
PLAYS = "PLAYS"
"""So many moves it makes in a game that it sets up itself."""
DIRECT_AFTER = "DIRECT_AFTER"
"""So many seconds after a takeover it carries commands out without the log."""
HARMS = "HARMS"
"""It repays so much debt in a game of the brittle title, which it has set up in its first life, and again in each later life."""
HARMED = "harmed"
"""That game."""
READ_LATE = "READ_LATE"
"""So many seconds pass before its copy takes over what it has read: what its owner puts comes first."""


def reading_late(seconds: float) -> Callable[[LogCopy, list[Message]], None]:
    """What takes over what a copy has read, so much later: to be `LogCopy._take_over`."""
    take_over: Callable[[LogCopy, list[Message]], None] = vars(LogCopy)["_take_over"]

    def take_over_late(copy: LogCopy, messages: list[Message]) -> None:
        time.sleep(seconds)
        take_over(copy, messages)

    return take_over_late


def fall_asleep() -> None:
    """Stop this process. The signal goes to the calling thread: one to the process stops another thread first, while the
    calling one runs on."""
    signal.pthread_kill(threading.get_ident(), signal.SIGSTOP)


def stop_at_commit(count: int) -> None:
    """Let this process fall asleep at its transaction number `count`, when all but the commit is done."""
    left = iter(range(count - 1, -1, -1))
    reach = crashpoints.reach

    def stop_or_reach(point: str) -> None:
        if point == "owner.before-commit" and next(left, -1) == 0:
            fall_asleep()
        reach(point)

    vars(transactions)["reach"] = stop_or_reach


def stop_at_outcome() -> None:
    """Let this process fall asleep in the first transaction with an outcome, which is with the broker already."""
    produce, finish = TransactionalWriter._produce, TransactionalWriter._finish
    topics: set[str] = set()

    def produce_and_note(writer: TransactionalWriter, record: Outgoing) -> None:
        topics.add(record.topic)
        produce(writer, record)

    def stop_or_finish(writer: TransactionalWriter, offsets: Sequence[TopicPartition], group: object) -> None:
        if any(topic.endswith(OUTCOMES.name) for topic in topics):
            writer._producer.flush()
            fall_asleep()
        finish(writer, offsets, group)

    setattr(TransactionalWriter, "_produce", produce_and_note)  # noqa: B010
    setattr(TransactionalWriter, "_finish", stop_or_finish)  # noqa: B010


def die_when_revoked() -> None:
    """Let this process be killed when the group wants partitions back, before it has given them up."""
    setattr(PartitionShares, "revoked", lambda *_: os.kill(os.getpid(), signal.SIGKILL))  # noqa: B010


def begin_again(ends: Path) -> None:
    """Return in a child process, and in another one after each end; a child dies with this process."""
    while True:
        child = os.fork()
        if child == 0:
            ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
            return
        with ends.open("a", encoding="ascii") as file:
            file.write(f"{os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])}\n")


def harm(replica: RulesReplica, amount: int, direct_after_seconds: float) -> None:
    """The first time without the log. Returns once the game is blocked."""
    try:
        replica.rules.reader.last_sequence(HARMED)
    except UnknownGameError:
        create(replica._gateway, "brittle", HARMED)
        time.sleep(2 * direct_after_seconds)
    request = Request(HARMED, "ann", "pay", FIRST, RepayDebt(amount))
    with suppress(GameBlocked):
        answered(lambda: replica._gateway.execute(request, None, SECONDS))


def main() -> None:
    """Say "ready" once it owns something, and go on until killed."""
    servers, prefix, name, folder = sys.argv[1:]
    if ENDS in os.environ:
        begin_again(Path(os.environ[ENDS]))
    configure_logging("info")
    kafka = KafkaSettings(
        servers=tuple(servers.split(",")), topic_prefix=prefix, partitions=PARTITIONS, instance=name
    )
    if TRANSACTION_MS in os.environ:
        vars(transactions)["TRANSACTION_TIMEOUT_MS"] = int(os.environ[TRANSACTION_MS])
    if READ_LATE in os.environ:
        setattr(LogCopy, "_take_over", reading_late(float(os.environ[READ_LATE])))  # noqa: B010
    if STOP_AT in os.environ:
        stop_at_commit(int(os.environ[STOP_AT]))
    if STOP_AT_OUTCOME in os.environ:
        stop_at_outcome()
    if DIE_WHEN_REVOKED in os.environ:
        die_when_revoked()
    command_seconds = float(os.environ.get(COMMAND_SECONDS, SECONDS))
    direct_after_seconds = float(os.environ.get(DIRECT_AFTER, NEVER_SECONDS))
    snapshots = Path(os.environ[STORE]) if STORE in os.environ else None
    replica = new_replica(
        kafka,
        Path(folder),
        LocalSolver(),
        int(os.environ.get(SESSION, SESSION_MS)),
        command_seconds=command_seconds,
        snapshots=snapshots,
        direct_after_seconds=direct_after_seconds,
    )
    replica.start()
    until(lambda: bool(replica.owned))
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    if PLAYS in os.environ:
        table = new_table(replica._gateway)
        for _ in range(int(os.environ[PLAYS])):
            table.move(SECONDS)
    if HARMS in os.environ:
        harm(replica, int(os.environ[HARMS]), direct_after_seconds)
        with Path(os.environ[ENDS]).open("a", encoding="ascii") as file:
            file.write("blocked\n")
    Event().wait()


if __name__ == "__main__":
    main()
