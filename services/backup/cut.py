"""A moment at which no fact refers to one that is not there yet: ends of partitions that belong together.

Games run in many partitions and cannot be held for a backup. What refers to them (tables, results, holds) is written seldom, so
the ends of those topics are read before and after the ends of the games' partitions. If they have not moved, then whatever they
say about a game was in the games' log before its ends were read, and whatever a game rests on was written before they were.

Ends include records of open transactions: these were written before the ends were read, and whatever followed from them
came after. What was derived from games is read first and as far as it is committed, so that it is never ahead of them.
"""

from __future__ import annotations

import random
import time
from collections.abc import Mapping
from dataclasses import dataclass

from services.backup.contents import AROUND_GAMES, DERIVED, GAMES
from services.common.errors import SignalboxError
from services.common.kafka.offsets import OffsetReader
from services.common.kafka.topics import PartitionName

TRYING_SECONDS = 60.0
PAUSE_SECONDS = 0.05


class NoConsistentPoint(SignalboxError):
    """Topics that refer to games were written all the time."""


@dataclass(frozen=True, slots=True)
class Cut:
    """The ends of all partitions of a backup at one moment."""

    time_ms: int
    ends: Mapping[PartitionName, int]


def consistent_cut(reader: OffsetReader, trying_seconds: float = TRYING_SECONDS) -> Cut:
    """Raises `NoConsistentPoint` after `trying_seconds`, and `KafkaUnreachable`."""
    deadline = time.monotonic() + trying_seconds
    while True:
        time_ms = int(time.time() * 1000)
        derived = reader.committed_ends(DERIVED)
        before = reader.ends(AROUND_GAMES)
        games = reader.ends([GAMES])
        if reader.ends(AROUND_GAMES) == before:
            return Cut(time_ms, {**derived, **before, **games})
        if time.monotonic() > deadline:
            names = ", ".join(topic.name for topic in AROUND_GAMES)
            raise NoConsistentPoint(f"one of {names} got new records at each try for {trying_seconds:g} s")
        time.sleep(random.uniform(0, PAUSE_SECONDS))
