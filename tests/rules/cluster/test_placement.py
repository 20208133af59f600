"""Who holds which partition, for any group, and that the group divides its partitions as it is forecast here."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from itertools import chain

import pytest
from confluent_kafka import Consumer, TopicPartition
from hypothesis import given, strategies as st
from msgspec.structs import replace

from services.common.kafka.settings import KafkaSettings
from services.common.kafka.topics import COMMANDS
from services.rules.cluster.group import OwnersGroup, OwnerTiming, leave_group, new_member, own_member
from services.rules.cluster.placement import (
    Member,
    Placement,
    expected_owners,
    placement_after_joining,
    placement_of,
)
from tests.rules.cluster.harness import PARTITIONS, SESSION_MS
from tests.waiting import until

ADDRESS = "replica.example:8402"


def member(number: int, *partitions: int) -> Member:
    return Member(f"r{number}-", f"r{number}", f"r{number}.rules:8402", frozenset(partitions))


def divided(names: list[int], partitions: int) -> list[Member]:
    """A group that has formed."""
    owners = expected_owners({member(each).key: () for each in names}, partitions)
    return [
        member(each, *(number for number, key in owners.items() if key == member(each).key)) for each in names
    ]


groups = st.builds(
    divided,
    st.lists(st.integers(0, 40), min_size=1, max_size=9, unique=True),
    st.integers(1, 64),
)


@given(groups, st.integers(1, 4), st.randoms(use_true_random=False))
def test_every_partition_has_its_owner_and_distinct_standbys(
    members: list[Member], copies: int, random: object
) -> None:
    """The same for every order of the members."""
    partitions = sum(len(each.partitions) for each in members)
    placement = placement_of(members, partitions, copies)
    assert set(placement.holders) == set(range(partitions))
    for number, names in placement.holders.items():
        assert len(names) == len(set(names)) == min(copies, len(members))
        assert number in next(each for each in members if each.name == names[0]).partitions
    shuffled = list(members)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert placement_of(shuffled, partitions, copies) == placement


@given(groups, st.integers(2, 3))
def test_when_a_member_goes_its_standbys_own_what_it_had_and_nothing_else_moves(
    members: list[Member], copies: int
) -> None:
    """And shares stay even."""
    partitions = sum(len(each.partitions) for each in members)
    before = placement_of(members, partitions, copies)
    for gone in members:
        left = {each.key: each.partitions for each in members if each is not gone}
        if not left:
            continue
        after = expected_owners(left, partitions)
        for number in gone.partitions:
            assert after[number] == f"{before.holders[number][1]}-"
        for each in members:
            assert each is gone or all(after[number] == each.key for number in each.partitions)
        shares = Counter(after.values())
        assert max(shares.values()) - min(shares.get(key, 0) for key in left) <= 1


@given(groups, st.integers(41, 50))
def test_one_that_comes_gets_its_share_and_nothing_else_moves(members: list[Member], number: int) -> None:
    """As many as the others, from those with the most."""
    partitions = sum(len(each.partitions) for each in members)
    before = placement_of(members, partitions, 1)
    after = placement_after_joining(members, member(number), partitions, 1)
    came = after.held_by(f"r{number}")
    assert len(came) == partitions // (len(members) + 1)
    assert all(after.holders[each] == before.holders[each] for each in range(partitions) if each not in came)


@given(groups)
def test_standbys_are_as_many_for_all_as_the_owners_shares_allow(members: list[Member]) -> None:
    """They differ by one for each owner at most."""
    partitions = sum(len(each.partitions) for each in members)
    placement = placement_of(members, partitions, 2)
    held = [len(placement.held_by(each.name)) for each in members]
    # Each of the others takes of every owner a share that differs by one at most.
    assert max(held) - min(held) <= len(members) + 1


def test_a_partition_without_an_owner_has_no_holders() -> None:
    """While it is on its way to one."""
    placement = placement_of([member(1, 0, 2), member(2, 1)], 4, 2)
    assert set(placement.holders) == {0, 1, 2}
    assert placement.held_by("r1") == {0, 1, 2}
    assert placement_of([], 4, 2) == Placement()


def test_a_returning_replica_is_counted_once() -> None:
    """Its membership of before is not another member."""
    members = [member(1, 0, 1), member(2, 2, 3)]
    after = placement_after_joining(members, member(2), 4, 1)
    assert after.held_by("r2") == {2, 3}


@contextmanager
def joined(kafka: KafkaSettings, name: str, leaves: bool = True) -> Iterator[None]:
    """A member of the real group, until the end of the block."""
    kafka = replace(kafka, instance=name)
    consumer = new_member(kafka, OwnerTiming(session_ms=SESSION_MS), ADDRESS)
    consumer.subscribe([COMMANDS.name_in(kafka)])
    is_over = threading.Event()

    def poll() -> None:
        while not is_over.is_set():
            consumer.poll(0.05)

    thread = threading.Thread(target=poll)
    thread.start()
    try:
        yield
    finally:
        is_over.set()
        thread.join()
        consumer.close()
        leave_group(kafka)


@pytest.mark.integration
def test_the_group_divides_its_partitions_as_forecast(own_kafka: KafkaSettings) -> None:
    """When a member comes, and when it goes; and it says where its members are."""
    kafka = own_kafka
    group = OwnersGroup(kafka)
    assert group.members() == []

    def whole(count: int) -> list[Member] | None:
        members = group.members() or []
        owned = sorted(number for each in members for number in each.partitions)
        return members if len(members) == count and owned == list(range(PARTITIONS)) else None

    def settled(count: int) -> list[Member]:
        until(lambda: whole(count) is not None)
        return whole(count) or []

    with ExitStack() as stack:
        stack.callback(group.close)
        stack.enter_context(joined(kafka, "a"))
        stack.enter_context(joined(kafka, "b"))
        two = settled(2)
        assert {each.address for each in two} == {ADDRESS}
        third = replace(kafka, instance="c")
        forecast = placement_after_joining(two, own_member(third, ADDRESS), PARTITIONS, 2)
        with joined(kafka, "c"):
            three = settled(3)
            placement = placement_of(three, PARTITIONS, 2)
            assert placement == forecast
        left = settled(2)
        owners = {number: each.name for each in left for number in each.partitions}
        gone = next(each for each in three if each.name == "c")
        assert gone.partitions
        for number, names in placement.holders.items():
            assert owners[number] == (names[1] if names[0] == "c" else names[0])


@pytest.mark.integration
def test_a_member_that_hung_while_partitions_moved_is_followed_by_a_new_one(own_kafka: KafkaSettings) -> None:
    """The one before never said that it gave them up. One that came back under its name would get its others, and nobody
    these; since it has left before, the group divides anew."""
    kafka, group = replace(own_kafka, instance="a"), OwnersGroup(own_kafka)

    def owned() -> list[list[int]]:
        return sorted(sorted(each.partitions) for each in group.members() or [])

    assigned: list[int] = []

    def note(consumer: Consumer, partitions: list[TopicPartition]) -> None:
        assigned.extend(each.partition for each in partitions)
        consumer.incremental_assign(partitions)

    hung = new_member(kafka, OwnerTiming(session_ms=SESSION_MS), ADDRESS)
    hung.subscribe([COMMANDS.name_in(kafka)], on_assign=note)
    until(lambda: hung.poll(0.05) is None and len(assigned) == PARTITIONS)
    with closing(group), joined(kafka=own_kafka, name="b"):
        # Its client takes part in the division, and what calls it does not hear of it.
        until(lambda: [len(each) for each in owned()] == [0, PARTITIONS - 1])
        hung.close()
        leave_group(kafka)
        with joined(own_kafka, "a"):
            until(
                lambda: sorted(chain.from_iterable(owned())) == list(range(PARTITIONS)) and len(owned()) == 2
            )
