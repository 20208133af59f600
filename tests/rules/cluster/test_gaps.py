"""Who does what about partitions without an owner."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from services.common.kafka.clients import KafkaUnreachable
from services.common.kafka.settings import KafkaSettings
from services.common.settings.variables import SettingsError
from services.rules.cluster.gaps import GapWatch, to_be_mended_by
from services.rules.cluster.placement import Member

PARTITIONS = 4


def member(name: str, *partitions: int) -> Member:
    """A member of the group."""
    return Member(f"{name}-1", name, "", frozenset(partitions))


@pytest.fixture
def watch() -> Iterator[GapWatch]:
    """That of the replica "a", which does not look by itself."""
    made = GapWatch(KafkaSettings(servers=("127.0.0.1:1",), partitions=PARTITIONS, instance="a"), 3_600)
    yield made
    made.close()


def test_the_first_by_name_mends_it() -> None:
    """One alone, or all of them would leave their games."""
    members = [member("b", 0), member("a", 3)]
    assert to_be_mended_by("a", members, PARTITIONS) == {1, 2}
    assert not to_be_mended_by("b", members, PARTITIONS)
    assert not to_be_mended_by("a", [member("a", 0, 1), member("b", 2, 3)], PARTITIONS)
    assert not to_be_mended_by("a", [], PARTITIONS)


def test_a_partition_on_its_way_is_no_gap(watch: GapWatch) -> None:
    """Nor is what another look did not see."""
    watch.look(lambda: [member("a", 0, 1), member("b", 3)])
    assert not watch.found
    watch.look(lambda: [member("a", 0), member("b", 2, 3)])
    assert not watch.found
    watch.look(lambda: None)
    watch.look(lambda: [member("a", 0), member("b", 2, 3)])
    assert not watch.found


def test_a_partition_without_an_owner_at_two_looks_is_one(watch: GapWatch) -> None:
    """Until this replica has left the group."""
    for _ in range(2):
        watch.look(lambda: [member("a", 0, 1), member("b", 3)])
    assert watch.found == {2}
    watch.mended()
    watch.look(lambda: [member("a", 0, 1), member("b", 3)])
    assert not watch.found


@pytest.mark.parametrize(
    "problem", [KafkaUnreachable("nobody answers"), SettingsError("no such password file")]
)
def test_a_group_that_is_not_seen_says_nothing_of_gaps(watch: GapWatch, problem: Exception) -> None:
    """The looks begin again."""

    def away() -> None:
        raise problem

    watch.look(lambda: [member("a", 0)])
    watch.look(away)
    assert not watch.found
