"""Which commits of a writer in the same process a copy may take before it reads them."""

from __future__ import annotations

import pytest

from services.common.kafka.written import FollowingCommits, WrittenCommit
from services.gen.signalbox.log.v1 import log_pb2 as pb

PartitionAndOffset = tuple[int, int]
"""Partition and offset."""


def taken(
    following: FollowingCommits, written: list[PartitionAndOffset], reached: dict[int, int]
) -> list[PartitionAndOffset]:
    commits = [WrittenCommit(pb.Commit(), b"", *place) for place in written]
    return [(each.partition, each.offset) for each in following.of(commits, reached)]


@pytest.mark.parametrize(
    ("written", "reached", "expected"),
    [
        pytest.param([(0, 7)], {0: 7}, [(0, 7)], id="what comes next"),
        pytest.param([(0, 7), (0, 8)], {0: 7}, [(0, 7), (0, 8)], id="one after another"),
        pytest.param([(0, 8), (0, 7)], {0: 7}, [(0, 7), (0, 8)], id="in the order of the log"),
        pytest.param([(0, 7)], {0: 8}, [], id="what was read already"),
        pytest.param([(0, 6), (0, 7)], {0: 7}, [(0, 7)], id="half of it was read already"),
        pytest.param([(0, 8)], {0: 7}, [], id="something lies before it"),
        pytest.param([(0, 7), (0, 9)], {0: 7}, [(0, 7)], id="something lies within it"),
        pytest.param([(0, 7), (1, 3)], {0: 7, 1: 2}, [(0, 7)], id="each partition by itself"),
        pytest.param([(0, 7)], {1: 7}, [], id="not followed"),
        pytest.param([], {0: 7}, [], id="nothing"),
    ],
)
def test_only_what_follows_upon_what_was_read_is_taken(
    written: list[PartitionAndOffset], reached: dict[int, int], expected: list[PartitionAndOffset]
) -> None:
    """Anything else waits until it is read."""
    assert taken(FollowingCommits(), written, reached) == expected


@pytest.mark.parametrize(
    ("written", "reached", "is_taken"),
    [
        pytest.param(9, 8, True, id="behind the mark"),
        pytest.param(9, 9, True, id="the mark was read"),
        pytest.param(10, 8, False, id="behind the mark and something else"),
        pytest.param(10, 9, False, id="something else behind the mark that was read"),
        pytest.param(9, 10, False, id="read already"),
    ],
)
def test_the_mark_of_the_transaction_before_is_passed_over(
    written: int, reached: int, is_taken: bool
) -> None:
    """A single offset between two transactions of one writer can hold nothing else."""
    following = FollowingCommits()
    assert taken(following, [(0, 7)], {0: 7}) == [(0, 7)]
    assert bool(taken(following, [(0, written)], {0: reached})) is is_taken


@pytest.mark.parametrize(
    ("reached", "is_taken"),
    [
        pytest.param(7, False, id="nothing of it was read yet"),
        pytest.param(8, False, id="what lies before it was read"),
        pytest.param(9, True, id="it was read"),
        pytest.param(10, True, id="it was read with its mark"),
    ],
)
def test_a_commit_that_was_left_to_be_read_is_a_gap_until_it_is_read(reached: int, is_taken: bool) -> None:
    """From then on only the mark of its transaction lies before the next one."""
    following = FollowingCommits()
    assert taken(following, [(0, 8)], {0: 7}) == []
    assert bool(taken(following, [(0, 10)], {0: reached})) is is_taken


def test_a_copy_that_once_read_a_commit_first_takes_the_next_ones() -> None:
    """Reading may be as quick as the writer's own report. Once that happened, the copy is not left to be read for ever."""
    following = FollowingCommits()
    assert taken(following, [(0, 7)], {0: 8}) == []
    assert taken(following, [(0, 9)], {0: 8}) == [(0, 9)]
    assert taken(following, [(0, 11)], {0: 10}) == [(0, 11)]
