"""Commits that a writer in this process has written: its copy has them at once, without reading them back from Kafka.

Every copy has to take the commits of a partition in their order, or replicas would differ. What is written follows upon what
was read when no offset lies between the two but that of the mark with which the writer's transaction before ended.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from services.gen.signalbox.log.v1 import log_pb2 as pb


@dataclass(frozen=True, slots=True)
class WrittenCommit:
    """A commit that is in the log for good, where it is, and the value of its record."""

    commit: pb.Commit
    value: bytes
    partition: int
    offset: int


class FollowingCommits:
    """Which of the written commits a copy may take. For one writer, whose transactions come one after another."""

    def __init__(self) -> None:
        self._marks: dict[int, int] = {}

    def of(self, written: Iterable[WrittenCommit], reached: Mapping[int, int]) -> list[WrittenCommit]:
        """Those of one transaction that follow upon what the copy has; `reached`: up to where that is, by partition.

        The others have been read already, or have to be: something may lie before them that was not."""
        ends = dict(reached)
        found = []
        in_order = sorted(written, key=lambda one: (one.partition, one.offset))
        for each in in_order:
            end = ends.get(each.partition)
            if end is None:
                continue
            if each.offset == end or (each.offset == end + 1 and self._marks.get(each.partition) == end):
                found.append(each)
                ends[each.partition] = each.offset + 1
        # A writer ends its transaction in a partition before it writes to it again. So if only one offset lies between two of
        # its transactions, that is the mark; also behind what the copy read before it was put.
        self._marks.update((each.partition, each.offset + 1) for each in in_order)
        return found
