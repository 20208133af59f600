"""The file of a replica's summaries over a restart: what the topic says, and no more."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from services.common.kafka.landmarks import landmark
from services.common.kafka.tail import TailRecord
from services.lobby.cluster.summaries_file import Landmarks, SummariesFile
from services.lobby.domain.games import GameSummary
from services.lobby.summary_codec import encode_summary
from tests.contracts.game_summaries_contract import summary


def partition_of_game(game_id: str) -> int:
    """Games whose ids end with x are in partition 1, all others in 0."""
    return int(game_id.endswith("x"))


def nothing_lost(landmarks: Landmarks) -> tuple[int, ...]:
    """Kafka has all records."""
    return ()


@contextmanager
def opened(
    path: Path, identity: str = "topic", partitions: tuple[int, ...] = (0, 1)
) -> Iterator[SummariesFile]:
    """The file as a replica that starts opens it, with these partitions."""
    with closing(SummariesFile(path, identity, partition_of_game)) as file:
        file.read_on(partitions, nothing_lost)
        yield file


def begins(file: SummariesFile) -> dict[int, int]:
    """Where the partitions are to be read on."""
    return file.read_on((0, 1), nothing_lost)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where the file is."""
    return tmp_path / "summaries.db"


def record(offset: int, of: GameSummary) -> TailRecord:
    """A record of the topic."""
    return TailRecord(partition_of_game(of.game_id), offset, of.game_id, encode_summary(of))


def test_what_the_topic_says_is_kept_with_its_offsets(path: Path) -> None:
    """After a restart the summaries are there, and only later records are to be read."""
    with opened(path) as file:
        file.take([record(0, summary("g1")), record(4, summary("g2"))])
    with opened(path) as file:
        assert (file.summaries.get("g1"), begins(file)) == (summary("g1"), {0: 5, 1: 0})


def test_what_only_this_replica_said_is_forgotten_at_the_start(path: Path) -> None:
    """The topic may never have got it; what it said before counts again, and is not read again."""
    with opened(path) as file:
        file.take([record(0, summary("g1", 1))])
        assert file.put(summary("g1", 2)) and file.put(summary("g1", 3)) and file.put(summary("g2", 1))
        assert file.summaries.get("g1") == summary("g1", 3)
    with opened(path) as file:
        assert (file.summaries.get("g1"), file.summaries.get("g2")) == (summary("g1", 1), None)


def test_what_came_back_from_the_topic_is_kept(path: Path) -> None:
    """A summary of this replica whose record was read is one of the topic; an earlier record than it does not replace it."""
    with opened(path) as file:
        for game_id in ("g1", "g2"):
            file.put(summary(game_id, 5))
        file.take([record(0, summary("g1", 5)), record(1, summary("g2", 4)), record(2, summary("g2", 3))])
        assert file.summaries.get("g2") == summary("g2", 5)
    with opened(path) as file:
        assert (file.summaries.get("g1"), file.summaries.get("g2")) == (summary("g1", 5), summary("g2", 4))


@pytest.mark.parametrize("harm", ["another topic", "damaged"])
def test_a_file_that_does_not_fit_is_made_anew(path: Path, harm: str) -> None:
    """Made from another topic, or damaged."""
    with opened(path) as file:
        file.take([record(7, summary("g1"))])
    if harm == "damaged":
        path.write_bytes(b"no database" * 1000)
    with opened(path, "another" if harm == "another topic" else "topic") as file:
        assert (file.summaries.get("g1"), begins(file)) == (None, {0: 0, 1: 0})


def test_of_a_partition_that_kafka_lost_everything_is_forgotten(path: Path) -> None:
    """What was made from the records of other partitions stays."""
    with opened(path) as file:
        file.take([record(7, summary("g1")), record(3, summary("g1x"))])
    asked = []

    def is_lost(landmarks: Landmarks) -> list[int]:
        asked.append(dict(landmarks))
        return [0]

    with closing(SummariesFile(path, "topic", partition_of_game)) as file:
        assert file.read_on((0, 1), is_lost) == {0: 0, 1: 4}
        assert (file.summaries.get("g1"), file.summaries.get("g1x")) == (None, summary("g1x"))
    first, second = (landmark(at, encode_summary(summary(of))) for at, of in ((7, "g1"), (3, "g1x")))
    assert asked == [{0: first, 1: second}]


def test_a_partition_that_others_followed_is_read_on(path: Path) -> None:
    """From where it was left, and without what this replica alone had said of its games; others go on as they are."""
    with opened(path) as file:
        file.take([record(7, summary("g1")), record(3, summary("g1x"))])
        for game_id in ("g1", "g1x"):
            assert file.put(summary(game_id, 5))
        assert file.read_on((1,), nothing_lost) == {1: 4}
        assert (file.summaries.get("g1"), file.summaries.get("g1x")) == (summary("g1", 5), summary("g1x"))
