"""Breakages of the platform, one at a time, that the runs find, most of them within some ten seeds: what finds nothing
proves nothing."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from functools import partial
from typing import Any
from unittest.mock import patch

from services.common.faust.handling import Handling
from services.common.kafka import clients as product_clients, copy, offsets as topic_offsets
from services.common.kafka.copy import LogCopy
from services.lobby.handlers.following import FollowedGames
from services.rules.cluster.batch_writer import BatchWriter
from services.rules.cluster.following import FollowingSessions
from services.rules.cluster.shares import PartitionShares
from services.rules.cluster.staging import StagedLog
from services.rules.cluster.transactions import Outgoing, TransactionalWriter
from services.rules.sessions import GameSessions
from tests.wholesim import kafka_log
from tests.wholesim.groups import Group
from tests.wholesim.producers import Producer

LATE_SECONDS = 1.5
STATUS_LEFT_OUT = 7

Breakage = Callable[[], AbstractContextManager[Any]]


def _finish_without_offsets(writer: Any, offsets: Any, group: Any) -> None:
    writer._producer.commit_transaction()


def _finish_with_offsets_afterwards(writer: Any, offsets: Any, group: Any) -> None:
    writer._producer.commit_transaction()
    writer._producer.begin_transaction()
    writer._producer.send_offsets_to_transaction(list(offsets), group)
    writer._producer.commit_transaction()


def _undone_and_not_dropped(shares: Any, reached: Any, blames_content: bool, commands: int) -> None:
    numbers = frozenset(shares._next)
    shares._forget(numbers)
    if numbers:
        shares._take_over(numbers)


def _uncommitted_consumer(kafka: Any, group: str, **options: Any) -> Any:
    return product_clients.new_consumer(kafka, group, **options | {"isolation.level": "read_uncommitted"})


def _beginning_at_the_end(log_copy: Any, wanted: Any) -> dict[Any, int]:
    ends: dict[Any, int] = topic_offsets.ends(log_copy._kafka, log_copy._topics)
    return {partition: offset for partition, offset in ends.items() if partition[1] in wanted}


_outgoing = BatchWriter._outgoing


def _put_before_the_commit(writer: Any, written: Any, traces: Any) -> Iterator[Outgoing]:
    sent: list[Any] = []

    def put(note_offset: Callable[[int], None], offset: int) -> None:
        note_offset(offset)
        writer._copy.put(sent[-1:])

    for record in _outgoing(writer, sent, traces):
        at_once = record.note_offset and partial(put, record.note_offset)
        yield replace(record, note_offset=at_once)


_handle_all = Handling.handle_all
_follow_status = FollowedGames.follow_status
_events = GameSessions._events


async def _done_before_handled(
    handling: Any, follow: Any, dead_letters: Any, records: Any, done: Any
) -> None:
    for record in records:
        done(record)
    await asyncio.sleep(LATE_SECONDS)
    await _handle_all(handling, follow, dead_letters, records, lambda _: None)


def _follow_most_statuses(followed: Any, status: Any) -> None:
    if status.sequence % STATUS_LEFT_OUT:
        _follow_status(followed, status)


def _events_after_one_more(sessions: Any, stream: str, after: int, up_to: int | None) -> Any:
    return _events(sessions, stream, after + (after > 0), up_to)


@contextmanager
def _nobody_fenced() -> Iterator[None]:
    with (
        patch.object(Group, "is_current", lambda *_: True),
        patch.object(Producer, "_check_not_fenced", lambda *_: None),
    ):
        yield


BREAKAGES: Mapping[str, Breakage] = {
    "offsets are left out of the transaction": lambda: patch.object(
        TransactionalWriter, "_finish", _finish_without_offsets
    ),
    "offsets come in a transaction of their own": lambda: patch.object(
        TransactionalWriter, "_finish", _finish_with_offsets_afterwards
    ),
    "request ids are not looked at": lambda: patch.object(StagedLog, "outcome", lambda *_: None),
    "what was decided is kept when a transaction is aborted": lambda: patch.object(
        PartitionShares, "undone", _undone_and_not_dropped
    ),
    "a takeover believes offsets that are not decided": lambda: patch.object(
        kafka_log.Kafka, "has_pending_offsets", lambda *_: False
    ),
    "copies read what is not committed": lambda: patch.object(copy, "new_consumer", _uncommitted_consumer),
    "an owner gives its copy what is not committed": lambda: patch.object(
        BatchWriter, "_outgoing", _put_before_the_commit
    ),
    "copies begin at the end of the log": lambda: patch.object(LogCopy, "_beginning", _beginning_at_the_end),
    "readers do not follow their copy": lambda: patch.object(FollowingSessions, "_note", lambda *_: None),
    "a snapshot goes on one event late": lambda: patch.object(
        GameSessions, "_events", _events_after_one_more
    ),
    "followers are done with records before they handle them": lambda: patch.object(
        Handling, "handle_all", _done_before_handled
    ),
    "the lobby leaves statuses out": lambda: patch.object(
        FollowedGames, "follow_status", _follow_most_statuses
    ),
    "an old writer is not fenced": _nobody_fenced,
}
"""What is broken, and how; each is undone by the end of its context."""
